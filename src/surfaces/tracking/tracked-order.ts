import type { CustomerCare } from '../../access/accounts/branding.ts';
import { allowsStep } from '../../ordering/orders/advance-order.ts';
import type { Order } from '../../ordering/orders/order.ts';
import type { OrderEventType } from '../../ordering/orders/order-events.ts';
import type { ShownRefund } from '../../ordering/orders/wording/refund-lines.ts';

/** A step the order has taken, and when. */
export type TakenStep = { type: OrderEventType; epochS: number };

/** An order as the tracking site reads it. `version`, a text of digits, changes whenever the order changes. */
export type TrackedOrder = {
  order: Order;
  steps: readonly TakenStep[];
  refunds: readonly ShownRefund[];
  version: string;
  care: CustomerCare;
};

/** Whether a customer with the key may cancel the order on the page now. */
export function isCancelable({ order, care }: Pick<TrackedOrder, 'order' | 'care'>): boolean {
  return care.customerCancel && allowsStep(order, 'cancel');
}

/** When the order took a step, in epoch seconds; undefined while it has not. */
export function tookStepAt({ steps }: TrackedOrder, type: OrderEventType): number | undefined {
  return steps.find((step) => step.type === type)?.epochS;
}
