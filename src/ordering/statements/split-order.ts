import { percentOf, shareOf } from '../../platform/lib/money.ts';
import type { Parts } from '../order/shares.ts';
import type { OrderTerms } from './terms.ts';

/*
 * The five owners of an order's cents (docs/statements.md#owners): each share of a charge or refund (order/shares.ts)
 * has one, by the store's terms.
 */

/** The commission on a subtotal, less the store's own discount, for the unrefunded `leftCents`; without the fee per order. */
export function keptCommission(percent: number, subtotalCents: number, leftCents: number): number {
  const commission = percentOf(percent, subtotalCents);
  return subtotalCents === 0 ? commission : commission - shareOf(commission, subtotalCents - leftCents, subtotalCents);
}

/** The cents of each owner in a charge (or, negative, in a refund). */
export type Owners = {
  storeCents: number;
  driverCents: number;
  taxCents: number;
  operatorCents: number;
  accountCents: number;
};

/** Gives every part to its owner, and takes discounts from their payers; the commission moves from the store to the operator. */
export function ownersOf(parts: Parts, commissionCents: number, terms: OrderTerms): Owners {
  const { deliveryFeesCents, tipCents } = parts;
  const isStores = terms.deliveryFee === 'store';
  return {
    storeCents: parts.salesCents + (isStores ? deliveryFeesCents : 0) + parts.storeDiscountCents - commissionCents,
    driverCents: tipCents,
    taxCents: parts.taxesCents,
    operatorCents:
      parts.serviceFeesCents + (isStores ? 0 : deliveryFeesCents) + parts.operatorDiscountCents + commissionCents,
    accountCents: parts.accountCents + parts.accountDiscountCents,
  };
}

/** The payout to the store: its share, and the taxes that it remits. */
export function payoutOf({ storeCents, taxCents }: Pick<Owners, 'storeCents' | 'taxCents'>, terms: OrderTerms): number {
  return storeCents + (terms.tax === 'store' ? taxCents : 0);
}
