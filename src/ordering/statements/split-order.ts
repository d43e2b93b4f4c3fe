import { percentOf, shareOf, splitInProportion } from '../../platform/lib/money.ts';
import { recordByName } from '../../platform/lib/records.ts';
import type { Order } from '../order/order.ts';
import { repriceOrder } from '../order/reprice-order.ts';
import type { OrderTerms } from './terms.ts';

/*
 * Every cent of an order has one of five owners (docs/statements.md#owners): charges and refunds are split into parts,
 * and each part has one owner. All amounts are whole cents; parts add up to the charge or refund exactly.
 */

/**
 * Parts of an order's price. `accountCents`, the markup and the fees that the account adds, is negative for a cart that
 * was marked down.
 */
export type Parts = {
  salesCents: number;
  deliveryFeesCents: number;
  /** Service and small-order fees. */
  serviceFeesCents: number;
  taxesCents: number;
  tipCents: number;
  accountCents: number;
};

/** In the sequence in which equal remainders are served. */
export const PART_NAMES = [
  'salesCents',
  'deliveryFeesCents',
  'serviceFeesCents',
  'taxesCents',
  'tipCents',
  'accountCents',
] as const satisfies readonly (keyof Parts)[];

const mapParts = (change: (name: keyof Parts) => number): Parts => recordByName(PART_NAMES, change);

export const NO_PARTS: Parts = mapParts(() => 0);

export const sumOf = (parts: Parts): number => PART_NAMES.reduce((sum, name) => sum + parts[name], 0);
export const addParts = (one: Parts, other: Parts): Parts => mapParts((name) => one[name] + other[name]);
export const subtractParts = (from: Parts, parts: Parts): Parts => mapParts((name) => from[name] - parts[name]);
export const isNothing = (parts: Parts): boolean => PART_NAMES.every((name) => parts[name] === 0);

/** The parts of an order's price after its adjustments; what is not the store's, tax or tip is the account's. */
export function partsOfOrder(order: Pick<Order, 'quote' | 'adjustments'>): Parts {
  const price = repriceOrder(order);
  const parts: Parts = {
    salesCents: price.subtotalCents,
    deliveryFeesCents: price.deliveryFeeCents,
    serviceFeesCents: price.serviceFeeCents + price.smallOrderFeeCents,
    taxesCents: price.salesTaxCents + price.addedSalesTaxCents,
    tipCents: price.totalWithTipCents === 0 && price.subtotalCents === 0 ? 0 : order.quote.tipCents,
    accountCents: 0,
  };
  return { ...parts, accountCents: price.totalWithTipCents - sumOf(parts) };
}

/**
 * Splits cents in proportion to weights that add up to at least as much: each part is rounded down, and the largest
 * remainders get a cent more. With `cents` at most the sum, no part exceeds its weight.
 */
export function splitByWeight(cents: number, weights: Parts): Parts {
  const shares = splitInProportion(
    cents,
    PART_NAMES.map((name) => weights[name]),
  );
  return mapParts((name) => shares[PART_NAMES.indexOf(name)] ?? 0);
}

/** Limits a part to what is left of it; what is left may be negative. */
const within = (wanted: number, left: number): number =>
  left >= 0 ? Math.min(Math.max(wanted, 0), left) : Math.max(Math.min(wanted, 0), left);

/**
 * The parts that a refund of `cents` takes back: what its lines gave (`wanted`), as far as it is left. A difference to
 * the refunded cents, and a refund without lines, is split in proportion to what is left.
 */
export function takeBack(left: Parts, wanted: Parts | null, cents: number): Parts {
  const taken = wanted ? mapParts((name) => within(wanted[name], left[name])) : NO_PARTS;
  const rest = cents - sumOf(taken);
  if (rest === 0) return taken;
  if (rest < 0) return splitByWeight(cents, taken);
  return addParts(taken, splitByWeight(rest, subtractParts(left, taken)));
}

/** The commission on a subtotal of which `leftCents` were not refunded; without the fee per order. */
export function keptCommission(percent: number, subtotalCents: number, leftCents: number): number {
  const commission = percentOf(percent, subtotalCents);
  return subtotalCents === 0 ? commission : commission - shareOf(commission, subtotalCents - leftCents, subtotalCents);
}

/** Whose the cents of a charge (or, negative, of a refund) are. */
export type Owners = {
  storeCents: number;
  driverCents: number;
  taxCents: number;
  operatorCents: number;
  accountCents: number;
};

/** Gives every part to its owner; the commission moves from the store to the operator. */
export function ownersOf(parts: Parts, commissionCents: number, terms: OrderTerms): Owners {
  const { deliveryFeesCents, tipCents } = parts;
  const isStores = terms.deliveryFee === 'store';
  const isTipStores = terms.tip === 'store';
  const toStore = parts.salesCents + (isStores ? deliveryFeesCents : 0) + (isTipStores ? tipCents : 0);
  return {
    storeCents: toStore - commissionCents,
    driverCents: isTipStores ? 0 : tipCents,
    taxCents: parts.taxesCents,
    operatorCents: parts.serviceFeesCents + (isStores ? 0 : deliveryFeesCents) + commissionCents,
    accountCents: parts.accountCents,
  };
}

/** What the store is paid of its own: its share, and the taxes that it remits. */
export function payoutOf({ storeCents, taxCents }: Pick<Owners, 'storeCents' | 'taxCents'>, terms: OrderTerms): number {
  return storeCents + (terms.tax === 'store' ? taxCents : 0);
}
