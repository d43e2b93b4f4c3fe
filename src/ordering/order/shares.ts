import { type Static, Type } from 'typebox';
import { shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { isPaidAtHandover, isTipReturned, type Order } from './order.ts';
import { repriceOrder, type Taxation } from './reprice-order.ts';
import { addTaxes, orderTaxes, TaxLineSchema, takeTaxes, unitTaxes } from './tax-lines.ts';

/*
 * Shares of an order's cents by purpose, which decides their owner (docs/statements.md#owners). An order's shares follow
 * from its price. A refund's follow from the refunded units or the change, and are frozen with it; everything else adds
 * them up.
 */

const cents = Type.Integer();

/** In the sequence in which equal remainders are served. */
export const PART_NAMES = [
  'salesCents',
  'deliveryFeesCents',
  'serviceFeesCents',
  'taxesCents',
  'tipCents',
  'accountCents',
] as const;

export const SharesSchema = Type.Object({
  salesCents: cents,
  deliveryFeesCents: cents,
  /** Service and small-order fees. */
  serviceFeesCents: cents,
  taxesCents: cents,
  tipCents: cents,
  /** Markup and added fees; negative for a cart that was marked down, or after refunds of its markups. */
  accountCents: cents,
  /** Of `taxesCents`, the taxes on the account's part. */
  accountTaxCents: cents,
  /** `taxesCents` by name and class, each with its base. */
  taxLines: Type.ReadonlyType(Type.Array(TaxLineSchema)),
});
export type Shares = Static<typeof SharesSchema>;
export type Parts = Pick<Shares, (typeof PART_NAMES)[number]>;

const mapParts = (change: (name: keyof Parts) => number): Parts => recordByName(PART_NAMES, change);

export const NO_SHARES: Shares = { ...mapParts(() => 0), accountTaxCents: 0, taxLines: [] };

export const sumOf = (parts: Parts): number => sumCents(PART_NAMES.map((name) => parts[name]));

/** Adds `sign` times the shares of `more`. */
export function addShares(shares: Shares, more: Shares, sign: 1 | -1 = 1): Shares {
  return {
    ...mapParts((name) => shares[name] + sign * more[name]),
    accountTaxCents: shares.accountTaxCents + sign * more.accountTaxCents,
    taxLines: addTaxes(shares.taxLines, more.taxLines, sign),
  };
}

type OrderPart = Pick<Order, 'quote' | 'adjustments'>;

/** The shares of an order's price after its adjustments; the account has the rest beside store, taxes and tip. */
export function sharesOfOrder(order: OrderPart): Shares {
  const price = repriceOrder(order);
  const shares: Shares = {
    salesCents: price.subtotalCents,
    deliveryFeesCents: price.deliveryFeeCents,
    serviceFeesCents: price.serviceFeeCents + price.smallOrderFeeCents,
    taxesCents: price.salesTaxCents + price.addedSalesTaxCents,
    tipCents: price.totalWithTipCents === 0 && price.subtotalCents === 0 ? 0 : order.quote.tipCents,
    accountCents: 0,
    accountTaxCents: price.addedSalesTaxCents,
    taxLines: orderTaxes(order),
  };
  return { ...shares, accountCents: price.totalWithTipCents - sumOf(shares) };
}

type Units = { index: number; quantity: number; cents: number; taxCents: number; taxes: readonly number[] };

/** The shares of units at `cents` with their taxes, of an item of which refunds have `before` units. */
export function sharesOfUnits(taxation: Taxation, units: Units, before: number): Shares {
  const { items, itemShares, itemStoreShares } = taxation;
  const { index, quantity } = units;
  const { unitCents = 0, quantity: all = 0 } = items[index] ?? {};
  const salesCents = unitCents * quantity;
  const accountTax = sumCents(itemShares[index] ?? []) - sumCents(itemStoreShares[index] ?? []);
  const upTo = (count: number) => (all > 0 ? shareOf(accountTax, count, all) : 0);
  return {
    ...NO_SHARES,
    salesCents,
    taxesCents: units.taxCents,
    accountCents: units.cents - salesCents,
    accountTaxCents: upTo(before + quantity) - upTo(before),
    taxLines: unitTaxes(taxation, units),
  };
}

type Given = { state: string; shares: Shares };

/** The shares that refunds may still take: not the tip, unless the order was canceled before a driver had it. */
export function sharesLeft(order: Order, refunds: readonly Given[]): Shares {
  const sold = sharesOfOrder(isPaidAtHandover(order) ? order : { ...order, adjustments: [] });
  const left = refunds
    .filter(({ state }) => state !== 'failed')
    .reduce((rest, { shares }) => addShares(rest, shares, -1), sold);
  return { ...left, tipCents: isTipReturned(order) ? left.tipCents + order.addedTipCents : 0 };
}

/**
 * The shares of a refund of `cents`: the wanted ones, if they add up to it; else in proportion to those left, by largest
 * remainder. Cents beyond all that is left have no share: the operator bears them.
 */
export function takeShares(left: Shares, cents: number, wanted?: Shares): Shares {
  if (wanted && sumOf(wanted) === cents) return wanted;
  if (cents >= sumOf(left)) return left;
  const shares = splitInProportion(
    cents,
    PART_NAMES.map((name) => left[name]),
  );
  const parts = mapParts((name) => shares[PART_NAMES.indexOf(name)] ?? 0);
  const { taxesCents } = parts;
  const accountTaxCents = left.taxesCents > 0 ? shareOf(left.accountTaxCents, taxesCents, left.taxesCents) : 0;
  return { ...parts, accountTaxCents, taxLines: takeTaxes(left.taxLines, taxesCents) };
}
