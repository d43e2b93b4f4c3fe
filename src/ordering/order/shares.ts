import { type Static, Type } from 'typebox';
import { shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { refundUnits } from './fulfilled-items.ts';
import { movementOf } from './money-plan.ts';
import { type FrozenQuote, isTipReturned, type Order } from './order.ts';
import { addCents, type PayerCents } from './order-discounts.ts';
import { type Taxation, taxationOf } from './reprice-order.ts';
import { addTaxes, orderTaxes, TaxLineSchema, takeTaxes, unitTaxes } from './tax-lines.ts';
import { heaviest, priceHeaviest } from './weighed-order.ts';

/*
 * Shares of an order's cents by purpose, which decides their owner (docs/statements.md#owners). An order's shares
 * follow from its price. A refund's follow from the refunded units or the change, and are frozen with it; everything
 * else adds them up.
 */

const cents = Type.Integer();

const PRICE_NAMES = [
  'salesCents',
  'deliveryFeesCents',
  'serviceFeesCents',
  'taxesCents',
  'tipCents',
  'accountCents',
] as const;

/** Each payer's discounts, down to zero, in the order of `PAYERS`. */
export const DISCOUNT_NAMES = ['storeDiscountCents', 'accountDiscountCents', 'operatorDiscountCents'] as const;

/** In the order for serving equal remainders. */
export const PART_NAMES = [...PRICE_NAMES, ...DISCOUNT_NAMES] as const;

const discount = Type.Optional(cents);

/** Discounts of zero are absent. */
export const SharesSchema = Type.Object({
  /** At list prices. */
  salesCents: cents,
  deliveryFeesCents: cents,
  /** Service and small-order fees. */
  serviceFeesCents: cents,
  taxesCents: cents,
  tipCents: cents,
  /** Markup and added fees; negative for a cart that was marked down, or after refunds of its markups. */
  accountCents: cents,
  storeDiscountCents: discount,
  accountDiscountCents: discount,
  operatorDiscountCents: discount,
  /** The part of `storeDiscountCents` off the delivery fee. */
  storeDeliveryDiscountCents: discount,
  /** Of `taxesCents`, the taxes on the account's part. */
  accountTaxCents: cents,
  /** `taxesCents` by name and class, each with its base. */
  taxLines: Type.ReadonlyType(Type.Array(TaxLineSchema)),
});
export type Shares = Static<typeof SharesSchema>;
export type Parts = Record<(typeof PART_NAMES)[number], number>;

/** An amount of shares. Only discounts may be absent: another missing amount is no number, and found as such. */
const amountOf = (shares: Partial<Amounts>, name: keyof Amounts): number =>
  (MAY_LACK.has(name) ? (shares[name] ?? 0) : shares[name]) as number;
const MAY_LACK: ReadonlySet<string> = new Set([...DISCOUNT_NAMES, 'storeDeliveryDiscountCents']);

export const partsOf = (shares: Partial<Parts>): Parts => recordByName(PART_NAMES, (name) => amountOf(shares, name));

type Amounts = Omit<Shares, 'accountTaxCents' | 'taxLines'>;

function mapAmounts(change: (name: keyof Amounts) => number): Amounts {
  const discounts = recordByName([...DISCOUNT_NAMES, 'storeDeliveryDiscountCents'], change);
  const some = Object.entries(discounts).filter(([, amount]) => amount !== 0);
  return { ...recordByName(PRICE_NAMES, change), ...Object.fromEntries(some) };
}

export const NO_SHARES: Shares = { ...mapAmounts(() => 0), accountTaxCents: 0, taxLines: [] };

export const sumOf = (shares: Partial<Parts>): number => sumCents(PART_NAMES.map((name) => amountOf(shares, name)));

/** Adds `sign` times the shares of `more`. */
export function addShares(shares: Shares, more: Shares, sign: 1 | -1 = 1): Shares {
  return {
    ...mapAmounts((name) => amountOf(shares, name) + sign * amountOf(more, name)),
    accountTaxCents: shares.accountTaxCents + sign * more.accountTaxCents,
    taxLines: addTaxes(shares.taxLines, more.taxLines, sign),
  };
}

/** The store's own discount on its items, down to zero: with the sales, the base of its commission. */
export const storeItemDiscountCents = ({ storeDiscountCents = 0, storeDeliveryDiscountCents = 0 }: Shares): number =>
  storeDiscountCents - storeDeliveryDiscountCents;

/** Discounts of account and operator, down to zero. */
export const discountsByOthers = (shares: Partial<Parts>): number =>
  (shares.accountDiscountCents ?? 0) + (shares.operatorDiscountCents ?? 0);

const discountShares = (byPayer: PayerCents): Pick<Shares, (typeof DISCOUNT_NAMES)[number]> =>
  Object.fromEntries(
    DISCOUNT_NAMES.flatMap((name, at) => ((byPayer[at] ?? 0) === 0 ? [] : [[name, 0 - (byPayer[at] ?? 0)]])),
  );

/** A tip that the operator pays. */
export const waivedTip = (cents: number): Shares => ({
  ...NO_SHARES,
  ...discountShares([0, 0, cents]),
  tipCents: cents,
});

type OrderPart = Pick<Order, 'quote' | 'adjustments'>;

const cutsByPayer = ({ delivery, lines }: Taxation['cuts']) => [delivery, ...lines].map(({ byPayer }) => byPayer);

/** The shares of an order's price after its adjustments; the account has the rest alongside store, taxes and tip. */
export function sharesOfOrder(order: OrderPart, taxation = taxationOf(order)): Shares {
  const { price, items, cuts } = taxation;
  const [onDelivery = 0] = cuts.delivery.byPayer;
  const isNothing = price.totalWithTipCents + price.waivedCents === 0 && price.subtotalCents === 0;
  const shares: Shares = {
    salesCents: sumCents(items.map(({ listUnitCents, quantity }) => listUnitCents * quantity)),
    ...discountShares([[0, 0, price.waivedCents], ...cutsByPayer(cuts)].reduce(addCents)),
    ...(onDelivery !== 0 && { storeDeliveryDiscountCents: -onDelivery }),
    deliveryFeesCents: price.deliveryFeeCents,
    serviceFeesCents: price.serviceFeeCents + price.smallOrderFeeCents,
    taxesCents: price.salesTaxCents + price.addedSalesTaxCents,
    tipCents: isNothing ? 0 : order.quote.tipCents,
    accountCents: 0,
    accountTaxCents: price.addedSalesTaxCents,
    taxLines: orderTaxes(taxation),
  };
  return { ...shares, accountCents: price.totalWithTipCents - sumOf(shares) };
}

/** The shares of the most that an order with goods by weight may come to. */
export function sharesOfHold(quote: FrozenQuote): Shares {
  const priced = priceHeaviest(quote);
  if (priced.price.totalWithTipCents <= quote.totalWithTipCents) return sharesOfOrder({ quote, adjustments: [] });
  const order = { quote, adjustments: heaviest(quote.items) };
  return sharesOfOrder(order, taxationOf(order, priced));
}

type Units = {
  index: number;
  quantity: number;
  cents: number;
  taxCents: number;
  taxes: readonly number[];
  discounts?: PayerCents;
};

/** The shares of units at `cents` with their taxes, of an item with `before` units already refunded. */
export function sharesOfUnits(taxation: Taxation, units: Units, before: number): Shares {
  const { items, itemShares, itemStoreShares } = taxation;
  const { index, quantity, discounts = [] } = units;
  const item = items[index];
  const { listUnitCents = 0 } = item ?? {};
  const all = item ? refundUnits(item) : 0;
  const accountTax = sumCents(itemShares[index] ?? []) - sumCents(itemStoreShares[index] ?? []);
  const upTo = (cents: number, count: number) => (all > 0 ? shareOf(cents, count, all) : 0);
  const added = (cents: number) => upTo(cents, before + quantity) - upTo(cents, before);
  const isByWeight = item?.weight !== undefined;
  const grossCents = units.cents + sumCents(discounts);
  const ofWeight = item?.markedUnitCents === item?.unitCents ? grossCents : added(listUnitCents);
  const salesCents = isByWeight ? ofWeight : listUnitCents * quantity;
  return {
    ...NO_SHARES,
    salesCents,
    ...discountShares(discounts),
    taxesCents: units.taxCents,
    accountCents: grossCents - salesCents,
    accountTaxCents: added(accountTax),
    taxLines: unitTaxes(taxation, units, { before }),
  };
}

type Given = { state: string; shares: Shares };

/** The shares that refunds may still take: not the tip, unless the order was canceled before a driver had it. */
export function sharesLeft(order: Order, refunds: readonly Given[]): Shares {
  const isLowered = movementOf(order, 'change') === 'lower';
  const isVoided = movementOf(order, 'cancel') === 'void' && isTipReturned(order);
  const sold = isVoided ? NO_SHARES : sharesOfOrder(isLowered ? order : { ...order, adjustments: [] });
  const left = refunds
    .filter(({ state }) => state !== 'failed')
    .reduce((rest, { shares }) => addShares(rest, shares, -1), sold);
  if (!isTipReturned(order)) return { ...left, tipCents: 0 };
  const { addedTipCents, waivedTipCents } = order;
  return addShares(left, { ...waivedTip(waivedTipCents), tipCents: addedTipCents + waivedTipCents });
}

/**
 * The shares of a refund of `cents`: the wanted ones if they add up to it, otherwise in proportion to the remaining
 * ones, by largest remainder. Cents beyond all remaining shares have no share: the operator bears them.
 */
export function takeShares(left: Shares, cents: number, wanted?: Shares): Shares {
  if (wanted && sumOf(wanted) === cents) return wanted;
  if (cents >= sumOf(left)) return left;
  const taken = splitInProportion(
    cents,
    PART_NAMES.map((name) => left[name] ?? 0),
  );
  const parts: Parts = recordByName(PART_NAMES, (name) => taken[PART_NAMES.indexOf(name)] ?? 0);
  const { taxesCents, storeDiscountCents } = parts;
  const { storeDeliveryDiscountCents: onDelivery = 0, storeDiscountCents: ofStore = 0 } = left;
  const all = {
    ...parts,
    storeDeliveryDiscountCents: ofStore < 0 ? shareOf(onDelivery, -storeDiscountCents, -ofStore) : 0,
  };
  const accountTaxCents = left.taxesCents > 0 ? shareOf(left.accountTaxCents, taxesCents, left.taxesCents) : 0;
  return { ...mapAmounts((name) => all[name]), accountTaxCents, taxLines: takeTaxes(left.taxLines, taxesCents) };
}
