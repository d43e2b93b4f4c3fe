import { fulfilledItems } from '../../ordering/order/fulfilled-items.ts';
import type { Order } from '../../ordering/order/order.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Proof } from './proofs.db.ts';

/** The proof of delivery in answers; the photo is a link that needs the account's key. */
export function presentProof(orderId: string, proof: Proof | undefined, baseUrl: string) {
  return {
    photo_url: proof?.hasPhoto ? `${baseUrl}/account/orders/${orderId}/proof/photo` : null,
    id_checked: proof?.idChecked ?? false,
    at: proof ? epochSeconds(proof.at) : null,
  };
}

/** Whether the driver must check an ID, as for an alcoholic item. */
export function needsIdCheck(order: Pick<Order, 'quote' | 'adjustments'>): boolean {
  return fulfilledItems(order).some(({ isAlcoholic, quantity }) => isAlcoholic && quantity > 0);
}
