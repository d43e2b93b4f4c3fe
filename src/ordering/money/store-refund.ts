import { present } from 'doorstep/collections';
import { Refusal } from '../../platform/http/refusal.ts';
import { formatPrice, shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { movementOf } from '../order/money-plan.ts';
import { type Order, refundableCents } from '../order/order.ts';
import { taxationOf } from '../order/reprice-order.ts';
import { addShares, NO_SHARES, type Shares, sharesOfOrder, sumOf, takeShares } from '../order/shares.ts';
import { storeTaxes, type TaxLine, unitTaxes } from '../order/tax-lines.ts';
import * as units from './item-refund.ts';
import {
  type FrozenItem,
  MISSING,
  type PricedRefund,
  type Refund,
  type RefundedWhat,
  type RefundItemRequest,
} from './refund.ts';

/*
 * The refunds of a store itself (docs/store-api.md#refunds): its own part of an order, which is its items, the delivery
 * fee where the terms say so, and the taxes on both. Tip, the operator's fees, and the account's markup stay.
 */

/** Days after completion where a store may return. */
const STORE_REFUND_DAYS = 7;

type EarlierRefund = Pick<Refund, 'kind' | 'state' | 'items' | 'shares' | 'requestedBy'>;
type StoreRefund = { what: RefundedWhat; reason: string; hasDeliveryFee: boolean };

/** Prices a store's refund of an amount or units, and freezes its shares; refuses a late one, and more than is left. */
export function priceStoreRefund(
  order: Order,
  refunds: readonly EarlierRefund[],
  { what, reason, hasDeliveryFee }: StoreRefund,
  now: Temporal.Instant,
): PricedRefund {
  const lastAt = order.completedAt?.add({ hours: 24 * STORE_REFUND_DAYS });
  if (lastAt && Temporal.Instant.compare(now, lastAt) > 0) {
    throw new Refusal(
      'refund_not_allowed',
      `A store can refund an order until ${STORE_REFUND_DAYS} days after completion.`,
    );
  }
  const left = storeSharesLeft(order, refunds, hasDeliveryFee);
  const maxCents = Math.max(0, Math.min(sumOf(left), refundableCents(order)));
  const items = 'items' in what ? priceOwnUnits(order, refunds, { requests: what.items, reason, maxCents }) : [];
  const cents = 'items' in what ? units.amountOf(items) : what.cents;
  const sentence = `The store can still refund up to ${formatPrice(maxCents)} of its own part of this order.`;
  if (cents > maxCents) throw new Refusal('refund_not_allowed', sentence);
  return { cents, items, shares: 'items' in what ? units.sharesOf(items) : takeShares(left, cents) };
}

/** The store's own part that no refund has returned. Taxes that others refunded count by the store's share of them. */
function storeSharesLeft(order: Order, refunds: readonly EarlierRefund[], hasDeliveryFee: boolean): Shares {
  const sold = movementOf(order, 'change') === 'lower' ? order : { ...order, adjustments: [] };
  const whole = sharesOfOrder(sold);
  const own = storeTaxes(sold, hasDeliveryFee);
  const centsIn = (lines: readonly TaxLine[], { name, taxClass }: TaxLine) =>
    lines.find((line) => line.name === name && line.taxClass === taxClass)?.cents ?? 0;
  const ownTaxes = (lines: readonly TaxLine[]) =>
    own.map((line): TaxLine => {
      const all = centsIn(whole.taxLines, line);
      const part = (cents: number) => (all > 0 ? shareOf(cents, centsIn(lines, line), all) : 0);
      return { ...line, cents: part(Math.min(line.cents, all)), baseCents: part(line.baseCents) };
    });
  const ownPart = (shares: Shares, isStores = false): Shares => {
    const { salesCents, deliveryFeesCents, taxLines: lines } = shares;
    const taxLines = isStores ? lines : ownTaxes(lines);
    const taxesCents = sumCents(taxLines.map(({ cents }) => cents));
    return {
      ...NO_SHARES,
      salesCents,
      ...ownDiscount(shares),
      deliveryFeesCents: hasDeliveryFee ? deliveryFeesCents : 0,
      taxesCents,
      taxLines,
    };
  };
  return refunds
    .filter(({ state }) => state !== 'failed')
    .reduce((left, one) => addShares(left, ownPart(one.shares, one.requestedBy === 'store'), -1), ownPart(whole));
}

const ownDiscount = ({ storeDiscountCents, storeDeliveryDiscountCents }: Shares) =>
  present({ storeDiscountCents, storeDeliveryDiscountCents });

/**
 * Units at the store's own price with the tax on it. A markdown, which the account bears, goes back to the account, and
 * discounts to their payers: the customer gets the paid amount. `taxes` count the whole units, for later refunds of the
 * line.
 */
function priceOwnUnits(
  order: Order,
  refunds: readonly EarlierRefund[],
  { requests, reason, maxCents }: { requests: readonly RefundItemRequest[]; reason: string; maxCents: number },
): FrozenItem[] {
  const items = units.refundableItems(order, refunds);
  const taxation = taxationOf(order);
  const whole = units.withShares(order, items, units.priceItemRefund(items, requests, reason === MISSING));
  const own = whole.map((item) => {
    const { accountCents, accountTaxCents } = item.shares;
    if (accountCents < 0) return item;
    const taxCents = item.taxCents - Math.min(Math.max(0, accountTaxCents), item.taxCents);
    const taxes = item.taxes.length === 0 ? [] : splitInProportion(taxCents, item.taxes);
    return { ...item, cents: item.cents - accountCents, taxCents, taxes };
  });
  return units.fitRounding(own, items, maxCents).map((item, at) => {
    const { taxes, shares } = whole[at] as FrozenItem;
    const isDown = shares.accountCents < 0;
    const kept = isDown ? shares : { ...shares, accountCents: 0, accountTaxCents: 0 };
    const before = units.unitsBefore(items, whole, at);
    const taxLines = unitTaxes(taxation, item, { before, ofStore: !isDown });
    return { ...item, taxes, shares: { ...kept, taxesCents: item.taxCents, taxLines } };
  });
}
