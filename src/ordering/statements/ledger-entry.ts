import type { StoreAddress } from '../../supply/stores/store.ts';
import { isChargedHere } from '../order/money-plan.ts';
import { isOutsideDelivery, isTipReturned, type Order } from '../order/order.ts';
import type { OrderEvent, OrderEventType } from '../order/order-events.ts';
import {
  addShares,
  NO_SHARES,
  PART_NAMES,
  type Parts,
  partsOf,
  type Shares,
  sharesOfHold,
  sharesOfOrder,
  storeItemDiscountCents,
  sumOf,
  takeShares,
  waivedTip,
} from '../order/shares.ts';
import type { TaxLine } from '../order/tax-lines.ts';
import { keptCommission, type Owners, ownersOf, payoutOf } from './split-order.ts';
import type { OrderTerms, StatementTerms } from './terms.ts';

/*
 * The ledger of an order: each event that moves its money writes up to one entry, from the event and the entries
 * before it (docs/statements.md#entries). Entries of an order add up to its charges less its refunds.
 */

export const ENTRY_KINDS = ['sale', 'refund', 'adjustment', 'tip'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The changes by one event of an order, in cents; a refund's amounts are negative. */
export type LedgerEntry = Parts &
  Omit<Owners, 'taxCents' | 'accountCents'> & {
    kind: EntryKind;
    /** The taxes by name and class, without zeros; their sum is `taxesCents`. */
    taxLines: readonly TaxLine[];
    /** From the store to the operator. */
    commissionCents: number;
    /** Part of the payout: tips that the store passes on to its own drivers. */
    tipsToPassOnCents: number;
    payoutCents: number;
    /** The total of an order charged elsewhere, and its changes. */
    collectedElsewhereCents: number;
    /** The part driver or store collected at the handoff. */
    collectedCents: number;
  };

/** The sums of a statement, in cents. */
export type Amounts = Omit<LedgerEntry, 'kind' | 'taxLines'> & { taxLines: readonly Pick<TaxLine, 'name' | 'cents'>[] };

export const AMOUNTS = [
  ...PART_NAMES,
  ...(['storeCents', 'driverCents', 'operatorCents'] as const),
  ...(['commissionCents', 'tipsToPassOnCents', 'payoutCents', 'collectedElsewhereCents', 'collectedCents'] as const),
] as const satisfies readonly (keyof Amounts)[];

/** The amounts that add up to an entry's charges less refunds: each cent has one owner. */
export const OWNED = [
  ...(['storeCents', 'driverCents', 'taxesCents', 'operatorCents', 'accountCents', 'accountDiscountCents'] as const),
] as const satisfies readonly (typeof AMOUNTS)[number][];

/** The state or province that taxes an order: its store's, as in the address. */
export type TaxPlace = Pick<StoreAddress, 'country' | 'state'>;

/** The sums of an order's entries so far. */
export type LedgerState = {
  terms: OrderTerms;
  /** Where the store was. */
  place: TaxPlace;
  timeZone: string;
  isChargedHere: boolean;
  /**
   * For an order paid at the handoff: `open` until then, without entries; then whether the store has the
   * money, as with its own driver, or others do. Absent for other orders.
   */
  handover?: 'open' | 'store' | 'others';
  /**
   * For an order with items sold by weight, until it has left its store: `held` on a card without a sale, or its
   * maximum total is `charged` and sold. Absent for other orders.
   */
  hold?: 'held' | 'charged';
  /** Whether one of the store's own drivers brings it, so that the payout includes the driver's tip. */
  isOwnDelivery: boolean;
  /** Refunded cents beyond the shares that were left without the tip: borne by the operator. */
  borneCents: number;
  /**
   * The commission's base, as ordered and after refunds and adjustments: sales, less the store's discounts on its
   * items.
   */
  subtotalCents: number;
  subtotalLeftCents: number;
  /** Charges less refunds. */
  left: Shares;
  collectedElsewhereCents: number;
};

/** Events that the ledger reads; `order.completed` names who delivered. */
export const LEDGER_EVENTS = [
  'order.placed',
  'order.item_changed',
  'order.captured',
  'order.completed',
  'order.canceled',
  'order.refunded',
  'order.tipped',
] as const satisfies readonly OrderEventType[];

/** A store as it is when its order is placed. `hasCourier`: a courier company delivers for it. */
export type LedgerStore = { terms: StatementTerms; hasCourier: boolean };

/** A placed order's state before its first entry. */
export function openLedger(
  order: Pick<Order, 'request' | 'quote' | 'moneyPlan'>,
  { terms, hasCourier }: LedgerStore,
): LedgerState {
  const { request, quote, moneyPlan } = order;
  const { country, state } = quote.store;
  const subtotalCents = commissionedCents(sharesOfOrder({ quote, adjustments: [] }));
  const isPaidAtHandover = moneyPlan === 'collected';
  const isOutside = isOutsideDelivery(quote, { hasCourier, isPaidAtHandover });
  return {
    terms: { ...terms, deliveryFee: terms.deliveryFee ?? (isOutside ? 'operator' : 'store') },
    place: { country, state },
    timeZone: quote.store.timeZone,
    isChargedHere: isChargedHere(order),
    ...(isPaidAtHandover && { handover: 'open' }),
    ...(moneyPlan === 'held' && { hold: 'held' }),
    ...(moneyPlan === 'maximum_charged' && { hold: 'charged' }),
    isOwnDelivery: request.mode === 'delivery' && !isOutside,
    borneCents: 0,
    subtotalCents,
    subtotalLeftCents: subtotalCents,
    left: NO_SHARES,
    collectedElsewhereCents: 0,
  };
}

/** An event with its order right after it. */
export type LedgerEvent = OrderEvent & {
  order: Pick<Order, 'quote' | 'adjustments' | 'addedTipCents' | 'status' | 'driverStage'>;
};

/** The state after an event, and the event's entry, if it moves money. */
export function followEvent(state: LedgerState, event: LedgerEvent): { state: LedgerState; entry?: LedgerEntry } {
  if (state.handover === 'open') return event.type === 'order.completed' ? collect(state, event) : { state };
  if (event.type === 'order.captured') return capture(state, event);
  if (event.type === 'order.placed') {
    if (state.hold === 'held') return { state };
    const commissionCents = keptOf(state) + state.terms.perOrderCents;
    if (!state.isChargedHere) return elsewhere(state, event, { kind: 'sale', commissionCents });
    const shares = state.hold ? sharesOfHold(event.order.quote) : sharesOfOrder(event.order);
    return write(state, { kind: 'sale', shares, commissionCents });
  }
  return state.isChargedHere ? moveMoney(state, event) : moveElsewhere(state, event);
}

/** The sale of an order that is paid when it is handed off: as it is handed off, with the tips until then. */
function collect(state: LedgerState, { order }: LedgerEvent) {
  const shares = sharesOfOrder(order);
  const next: LedgerState = {
    ...state,
    handover: (order.quote.party ?? 'first') === 'first' ? 'store' : 'others',
    subtotalLeftCents: commissionedCents(shares),
  };
  return write(next, {
    kind: 'sale',
    shares: { ...shares, tipCents: shares.tipCents + order.addedTipCents },
    commissionCents: keptOf(next) + state.terms.perOrderCents,
  });
}

/** The sale of an order by weight at handoff, or its difference to the maximum already sold. */
function capture({ hold, ...state }: LedgerState, { order, data }: LedgerEvent & { type: 'order.captured' }) {
  const shares = sharesOfOrder(order);
  const subtotalCents = commissionedCents(shares);
  const next: LedgerState = { ...state, subtotalCents, subtotalLeftCents: subtotalCents };
  if (hold === 'charged') {
    const less = addShares(shares, sharesOfHold(order.quote), -1);
    return write(next, { kind: 'adjustment', shares: less, commissionCents: keptOf(next) - keptOf(state) });
  }
  // The operator bears amounts the card couldn't pay.
  const borneCents = sumOf(shares) - (data.captured_cents ?? 0);
  const commissionCents = keptOf(next) + state.terms.perOrderCents;
  return write({ ...next, borneCents }, { kind: 'sale', shares, commissionCents, borneCents });
}

function moveMoney(state: LedgerState, event: LedgerEvent) {
  const { borneCents, left } = state;
  switch (event.type) {
    case 'order.tipped': {
      const { added_cents: cents, waived_cents: waived = 0 } = event.data;
      const charged = { ...NO_SHARES, tipCents: cents - waived };
      return write(state, { kind: 'tip', shares: addShares(charged, waivedTip(waived)) });
    }
    case 'order.item_changed': {
      const { shares } = event.data;
      return shares ? giveBack(state, 'adjustment', shares) : { state };
    }
    case 'order.refunded': {
      const { kind, refund_cents: cents } = event.data;
      // The excess of the charge over the final total isn't a sale.
      if (kind === 'weighed') return { state };
      const shares = state.hold === 'charged' ? takeShares(left, cents) : event.data.shares;
      const moreCents = cents - sumOf(shares);
      const next = { ...state, borneCents: borneCents + moreCents };
      return giveBack(next, kind === 'item_changed' ? 'adjustment' : 'refund', shares, moreCents);
    }
    case 'order.canceled': {
      const isBack = isTipReturned(event.order);
      // No driver has had the order: the tip's part paid by the operator was the customer's.
      if (isBack && borneCents > 0) {
        return giveBack({ ...state, borneCents: 0 }, 'refund', { ...NO_SHARES, tipCents: borneCents }, -borneCents);
      }
      // With nothing charged there is nothing to refund, and yet the store is not paid for the order.
      const rest = isBack ? left : { ...left, tipCents: 0 };
      const isNothing = PART_NAMES.every((name) => (rest[name] ?? 0) === 0);
      return sumOf(rest) === 0 && !isNothing ? giveBack(state, 'refund', rest) : { state };
    }
    default:
      return { state };
  }
}

/** `borneCents` of a refund are the operator's, and no part of the order. */
function giveBack(state: LedgerState, kind: EntryKind, taken: Shares, borneCents = 0) {
  const next = { ...state, subtotalLeftCents: state.subtotalLeftCents - commissionedCents(taken) };
  const shares = addShares(NO_SHARES, taken, -1);
  return write(next, { kind, shares, commissionCents: keptOf(next) - keptOf(state), borneCents });
}

/** The order's total and commission follow its current amount; its money passes elsewhere. */
function moveElsewhere(state: LedgerState, event: LedgerEvent) {
  const kinds: Partial<Record<OrderEventType, EntryKind>> = {
    'order.item_changed': 'adjustment',
    'order.tipped': 'tip',
    'order.canceled': 'refund',
  };
  const kind = kinds[event.type];
  if (kind === undefined) return { state };
  const isCanceled = event.type === 'order.canceled';
  const subtotalLeftCents = isCanceled ? 0 : commissionedCents(sharesOfOrder(event.order));
  const next = { ...state, subtotalLeftCents };
  return elsewhere(next, event, { kind, commissionCents: keptOf(next) - keptOf(state) });
}

function elsewhere(
  state: LedgerState,
  event: LedgerEvent,
  { kind, commissionCents }: { kind: EntryKind; commissionCents: number },
) {
  const { type, order } = event;
  const total = type === 'order.canceled' ? 0 : sumOf(sharesOfOrder(order)) + order.addedTipCents;
  const collectedElsewhereCents = total - state.collectedElsewhereCents;
  if (kind !== 'sale' && collectedElsewhereCents === 0 && commissionCents === 0) return { state };
  const next = { ...state, collectedElsewhereCents: total };
  return write(next, { kind, shares: NO_SHARES, commissionCents, collectedElsewhereCents });
}

const commissionedCents = (shares: Shares) => shares.salesCents + storeItemDiscountCents(shares);

const keptOf = ({ terms, subtotalCents, subtotalLeftCents }: LedgerState) =>
  keptCommission(terms.commissionPercent, subtotalCents, subtotalLeftCents);

type Change = {
  kind: EntryKind;
  shares: Shares;
  commissionCents?: number;
  collectedElsewhereCents?: number;
  borneCents?: number;
};

function write(
  state: LedgerState,
  { kind, shares, commissionCents = 0, collectedElsewhereCents = 0, borneCents = 0 }: Change,
) {
  const parts = partsOf(shares);
  const { taxCents, storeCents, driverCents, operatorCents } = ownersOf(parts, commissionCents, state.terms);
  const tipsToPassOnCents = state.isOwnDelivery ? driverCents : 0;
  const collectedCents = state.handover === undefined ? 0 : sumOf(parts) - borneCents;
  const keptCents = state.handover === 'store' ? collectedCents : 0;
  const entry: LedgerEntry = {
    kind,
    ...parts,
    taxLines: shares.taxLines.filter(({ cents, baseCents }) => cents !== 0 || baseCents !== 0),
    storeCents,
    driverCents,
    operatorCents: operatorCents - borneCents,
    commissionCents,
    tipsToPassOnCents,
    payoutCents: payoutOf({ storeCents, taxCents }, state.terms) + tipsToPassOnCents - keptCents,
    collectedElsewhereCents,
    collectedCents,
  };
  return { state: { ...state, left: addShares(state.left, shares) }, entry };
}
