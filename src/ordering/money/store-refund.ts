import { Refusal } from '../../platform/http/refusal.ts';
import { formatPrice, shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { isPaidAtHandover, type Order, refundableCents } from '../order/order.ts';
import { taxationOf } from '../order/reprice-order.ts';
import { addShares, NO_SHARES, type Shares, sharesOfOrder, sumOf, takeShares } from '../order/shares.ts';
import { storeTaxes, type TaxLine, unitTaxes } from '../order/tax-lines.ts';
import {
  amountOf,
  fitRounding,
  priceItemRefund,
  type RefundItemRequest,
  refundableItems,
  sharesOf,
  withShares,
} from './item-refund.ts';
import { type FrozenItem, MISSING, type Refund } from './refund.ts';

/*
 * What a store gives back itself (docs/store-api.md#refunds): its own part of an order, which is its items, the delivery
 * fee where the terms say so, and the taxes on both. Tip, the operator's fees, and the account's markup stay.
 */

/** Days after completion in which a store may give back. */
const STORE_REFUND_DAYS = 7;

export function refuseLateRefund({ completedAt }: Pick<Order, 'completedAt'>, now: Temporal.Instant): void {
  const lastAt = completedAt?.add({ hours: 24 * STORE_REFUND_DAYS });
  if (!lastAt || Temporal.Instant.compare(now, lastAt) <= 0) return;
  const sentence = `A store gives back until ${STORE_REFUND_DAYS} days after completion; the account and the operator still can.`;
  throw new Refusal('refund_not_allowed', sentence);
}

type EarlierRefund = Pick<Refund, 'kind' | 'state' | 'items' | 'shares' | 'requestedBy'>;

/** The store's own part that no refund has given back. */
export function storeSharesLeft(order: Order, refunds: readonly EarlierRefund[], hasDeliveryFee: boolean): Shares {
  const sold = isPaidAtHandover(order) ? order : { ...order, adjustments: [] };
  const whole = sharesOfOrder(sold);
  const own = storeTaxes(sold, hasDeliveryFee);
  const linesOf = (lines: readonly TaxLine[], { name, taxClass }: TaxLine) =>
    sumCents(lines.filter((line) => line.name === name && line.taxClass === taxClass).map(({ cents }) => cents));
  /** Other refunds take back of the store's taxes what these are of the order's. */
  const ownTaxes = ({ taxLines }: Shares) =>
    own.map((line): TaxLine => {
      const [wholeCents, takenCents] = [linesOf(whole.taxLines, line), linesOf(taxLines, line)];
      const part = (cents: number) => (wholeCents > 0 ? shareOf(cents, takenCents, wholeCents) : 0);
      return { ...line, cents: part(Math.min(line.cents, wholeCents)), baseCents: part(line.baseCents) };
    });
  const ownPart = (shares: Shares, taxLines = ownTaxes(shares)): Shares => ({
    ...NO_SHARES,
    salesCents: shares.salesCents,
    deliveryFeesCents: hasDeliveryFee ? shares.deliveryFeesCents : 0,
    taxesCents: sumCents(taxLines.map(({ cents }) => cents)),
    taxLines,
  });
  return refunds
    .filter(({ state }) => state !== 'failed')
    .map(({ shares, requestedBy }) =>
      requestedBy === 'store' ? ownPart(shares, [...shares.taxLines]) : ownPart(shares),
    )
    .reduce((left, taken) => addShares(left, taken, -1), ownPart(whole));
}

type StoreRefundRequest = {
  what: { cents: number } | { items: readonly RefundItemRequest[] };
  reason: string;
  /** Whether the terms of the order give its delivery fee to the store. */
  hasDeliveryFee: boolean;
};

/** Prices a store's refund of an amount or units, and freezes its shares; refuses more than the store's own part left. */
export function priceStoreRefund(
  order: Order,
  refunds: readonly EarlierRefund[],
  { what, reason, hasDeliveryFee }: StoreRefundRequest,
): { cents: number; items: readonly FrozenItem[]; shares: Shares } {
  const left = storeSharesLeft(order, refunds, hasDeliveryFee);
  const maxCents = Math.max(0, Math.min(sumOf(left), refundableCents(order)));
  const items = 'items' in what ? priceOwnUnits(order, refunds, { requests: what.items, reason, maxCents }) : [];
  const cents = 'items' in what ? amountOf(items) : what.cents;
  if (cents > maxCents) {
    const sentence = `The store's own part of this order has ${formatPrice(maxCents)} left to give back.`;
    throw new Refusal('refund_not_allowed', sentence);
  }
  return { cents, items, shares: 'items' in what ? sharesOf(items) : takeShares(left, cents) };
}

/**
 * Units at the store's own price with the tax on it. A markdown, which the account bears, goes back to the account: the
 * customer gets what was paid. `taxes` count the whole units, for later refunds of the line.
 */
function priceOwnUnits(
  order: Order,
  refunds: readonly EarlierRefund[],
  { requests, reason, maxCents }: { requests: readonly RefundItemRequest[]; reason: string; maxCents: number },
): FrozenItem[] {
  const items = refundableItems(order, refunds);
  const taxation = taxationOf(order);
  const whole = withShares(order, items, priceItemRefund(items, requests, reason === MISSING));
  const own = whole.map((item) => {
    const { salesCents, accountCents, accountTaxCents } = item.shares;
    if (accountCents < 0) return item;
    const taxCents = item.taxCents - Math.max(0, accountTaxCents);
    const taxes = item.taxes.length === 0 ? [] : splitInProportion(taxCents, item.taxes);
    return { ...item, cents: salesCents, taxCents, taxes };
  });
  return fitRounding(own, items, maxCents).map((item, at) => {
    const { taxes, shares } = whole[at] as FrozenItem;
    const accountCents = Math.min(0, shares.accountCents);
    const accountTaxCents = accountCents < 0 ? shares.accountTaxCents : 0;
    const given = { salesCents: shares.salesCents, accountCents, accountTaxCents, taxesCents: item.taxCents };
    const taxLines = unitTaxes(taxation, item, accountCents < 0 ? 'markedUnitCents' : 'unitCents');
    return { ...item, taxes, shares: { ...NO_SHARES, ...given, taxLines } };
  });
}
