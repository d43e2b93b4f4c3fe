import type { StoreAddress } from '../../supply/stores/store.ts';
import { isChargeToCollect, isTipReturned, type Order } from '../order/order.ts';
import type { OrderEvent, OrderEventType } from '../order/order-events.ts';
import {
  addParts,
  isNothing,
  keptCommission,
  NO_PARTS,
  type Owners,
  ownersOf,
  type Parts,
  partsOfOrder,
  payoutOf,
  subtractParts,
  sumOf,
  takeBack,
} from './split-order.ts';
import { addTaxes, orderTaxes, refundedTaxes, type TaxLine, takeTaxes, taxesLeft } from './tax-lines.ts';
import type { OrderTerms, StatementTerms } from './terms.ts';

/*
 * The ledger of an order: each event that moves its money writes at most one entry, from the event and the entries
 * before it (docs/statements.md#entries). Entries of an order add up to its charges less its refunds.
 */

export const ENTRY_KINDS = ['sale', 'refund', 'adjustment', 'tip'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What an event of an order changed, in cents; a refund's amounts are negative. */
export type LedgerEntry = Parts &
  Omit<Owners, 'taxCents' | 'accountCents'> & {
    kind: EntryKind;
    /** The taxes by name and class, without those of nothing; their sum is `taxesCents`. */
    taxLines: readonly TaxLine[];
    /** From the store to the operator. */
    commissionCents: number;
    /** Of its own drivers' tips, what the payout has for the store to pass on; null in entries of earlier versions. */
    tipsToPassOnCents: number;
    payoutCents: number;
    /** The total of an order that was not charged here, and its changes. */
    collectedElsewhereCents: number;
    /** What driver or store collected of it at the handover; null in entries of earlier versions. */
    collectedCents: number;
  };

/** The sums of a statement, in cents. */
export type Amounts = Omit<LedgerEntry, 'kind'>;

export const AMOUNTS = [
  ...(['salesCents', 'deliveryFeesCents', 'serviceFeesCents', 'taxesCents', 'tipCents', 'accountCents'] as const),
  ...(['storeCents', 'driverCents', 'operatorCents'] as const),
  ...(['commissionCents', 'tipsToPassOnCents', 'payoutCents', 'collectedElsewhereCents', 'collectedCents'] as const),
] as const satisfies readonly (keyof Amounts)[];

/** Whose taxes an order has: the state or province of its store, as its address writes it. */
export type TaxPlace = Pick<StoreAddress, 'country' | 'state'>;

/** What the entries of an order come to so far. */
export type LedgerState = {
  terms: OrderTerms;
  /** Where the store was; absent in states of earlier versions. */
  place?: TaxPlace;
  timeZone: string;
  isChargedHere: boolean;
  /**
   * Of an order that is paid when it is handed over: `open` until then, without entries; then whether the store has the
   * money, as with its own driver, or others do. Absent for other orders.
   */
  handover?: 'open' | 'store' | 'others';
  /** Whether one of the store's own drivers brings it. */
  isOwnDelivery: boolean;
  /** Whether the payout has the tip for the store's driver; absent in states of earlier versions. */
  passesTipsOn?: boolean;
  /** What refunds have given back beyond the parts that are left without the tip: borne by the operator. */
  borneCents?: number;
  /** The subtotal that was ordered, and what is left of it after refunds and adjustments. */
  subtotalCents: number;
  subtotalLeftCents: number;
  /** Charges less refunds. */
  left: Parts;
  /** The taxes of `left` by name and class; absent in states of earlier versions. */
  taxesLeft?: readonly TaxLine[];
  /** What refunds of adjustments have taken. */
  adjusted: Parts;
  /** The taxes of `adjusted`; absent while there are none. */
  taxesAdjusted?: readonly TaxLine[];
  collectedElsewhereCents: number;
};

/** Events that the ledger reads; `order.completed` tells who delivered. */
export const LEDGER_EVENTS = [
  'order.placed',
  'order.item_changed',
  'order.completed',
  'order.canceled',
  'order.refunded',
  'order.tipped',
] as const satisfies readonly OrderEventType[];

/** A store as it is when its order is placed. `hasCourier`: a courier company delivers for it. */
export type LedgerStore = { terms: StatementTerms; hasCourier: boolean; place: TaxPlace | undefined };

/** A placed order's state before its first entry. */
export function openLedger(
  order: Pick<Order, 'request' | 'quote' | 'chargeState'>,
  { terms, hasCourier, place }: LedgerStore,
): LedgerState {
  const { request, quote } = order;
  const isPaidAtHandover = isChargeToCollect(order);
  const byCourier = hasCourier && !quote.withoutCourier && !isPaidAtHandover;
  const isOutside = (quote.party ?? 'first') !== 'first' || byCourier;
  return {
    terms: { ...terms, deliveryFee: terms.deliveryFee ?? (isOutside ? 'operator' : 'store') },
    ...(place && { place }),
    timeZone: quote.store.timeZone,
    isChargedHere: request.chargeUser,
    ...(isPaidAtHandover && { handover: 'open' }),
    isOwnDelivery: request.mode === 'delivery' && !isOutside,
    passesTipsOn: request.mode === 'delivery' && !isOutside,
    subtotalCents: quote.subtotalCents,
    subtotalLeftCents: quote.subtotalCents,
    left: NO_PARTS,
    adjusted: NO_PARTS,
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
  if (event.type === 'order.placed') {
    const commissionCents = keptOf(state) + state.terms.perOrderCents;
    if (!state.isChargedHere) return elsewhere(state, event, { kind: 'sale', commissionCents });
    const parts = partsOfOrder(event.order);
    return write(state, event, { kind: 'sale', parts, commissionCents });
  }
  return state.isChargedHere ? moveMoney(state, event) : moveElsewhere(state, event);
}

/** The sale of an order that is paid when it is handed over: as it is handed over, with the tips until then. */
function collect(state: LedgerState, event: LedgerEvent) {
  const { order } = event;
  const agreed = { ...order, adjustments: [] };
  const parts = partsOfOrder(order);
  const next: LedgerState = {
    ...state,
    handover: (order.quote.party ?? 'first') === 'first' ? 'store' : 'others',
    subtotalLeftCents: parts.salesCents,
    adjusted: subtractParts(partsOfOrder(agreed), parts),
    taxesAdjusted: addTaxes(orderTaxes(agreed), orderTaxes(order), -1),
  };
  return write(next, event, {
    kind: 'sale',
    parts: { ...parts, tipCents: parts.tipCents + order.addedTipCents },
    commissionCents: keptOf(next) + state.terms.perOrderCents,
  });
}

/** Keeps the taxes that an adjustment has taken, so that a later one takes only its own. */
function adjustTaxes({ state, entry }: { state: LedgerState; entry: LedgerEntry }) {
  const taxesAdjusted = addTaxes(state.taxesAdjusted ?? [], entry.taxLines, -1);
  return { state: { ...state, taxesAdjusted }, entry };
}

/** The taxes of what the lines of a refund gave; null for a refund by amount. */
function wantedTaxes(state: LedgerState, { type, data, order }: LedgerEvent): TaxLine[] | null {
  if (type !== 'order.refunded') return null;
  if (data.kind === 'requested' && data.items.length > 0) return refundedTaxes(data.items, order);
  if (data.kind !== 'item_changed') return null;
  const now = addTaxes(orderTaxes({ ...order, adjustments: [] }), orderTaxes(order), -1);
  return addTaxes(now, state.taxesAdjusted ?? [], -1);
}

function moveMoney(state: LedgerState, event: LedgerEvent) {
  switch (event.type) {
    case 'order.tipped':
      return write(state, event, { kind: 'tip', parts: { ...NO_PARTS, tipCents: event.data.added_cents } });
    case 'order.refunded': {
      const { kind, refund_cents: cents, tip_cents: tipCents = 0 } = event.data;
      const left = refundableParts(state, event);
      const ownCents = Math.min(cents - tipCents, sumOf(left));
      const parts = takeBack(left, wantedParts(state, event), ownCents);
      const next = { ...state, borneCents: (state.borneCents ?? 0) + cents - ownCents };
      if (kind !== 'item_changed') return giveBack(next, event, 'refund', parts, cents - ownCents);
      const adjusted = { ...next, adjusted: addParts(state.adjusted, parts) };
      return adjustTaxes(giveBack(adjusted, event, 'adjustment', parts, cents - ownCents));
    }
    case 'order.canceled': {
      const { borneCents = 0 } = state;
      // No driver has had the order: what the operator bore of the tip was the customer's.
      if (isTipReturned(event.order) && borneCents > 0) {
        return giveBack(
          { ...state, borneCents: 0 },
          event,
          'refund',
          { ...NO_PARTS, tipCents: borneCents },
          -borneCents,
        );
      }
      // With nothing charged there is nothing to refund, and yet the store is not paid for the order.
      const left = refundableParts(state, event);
      return sumOf(left) === 0 && !isNothing(left) ? giveBack(state, event, 'refund', left) : { state };
    }
    default:
      return { state };
  }
}

/** What refunds may take: everything but the tip, which goes back only if no driver has had a canceled order. */
function refundableParts({ left }: LedgerState, { order }: LedgerEvent): Parts {
  return isTipReturned(order) ? left : { ...left, tipCents: 0 };
}

/** What the lines of a refund gave; null for a refund by amount. */
function wantedParts(state: LedgerState, event: Extract<LedgerEvent, { type: 'order.refunded' }>): Parts | null {
  const { data, order } = event;
  switch (data.kind) {
    case 'canceled':
      return refundableParts(state, event);
    case 'item_changed': {
      const agreed = partsOfOrder({ ...order, adjustments: [] });
      return subtractParts(subtractParts(agreed, partsOfOrder(order)), state.adjusted);
    }
    case 'requested':
      return data.items.length === 0 ? null : partsOfItems(data.items, order);
    case 'at_gateway':
      return null;
  }
}

type RefundedItems = Extract<LedgerEvent, { type: 'order.refunded' }>['data']['items'];

/** Units give back their store price, their markup, and their share of tax. */
function partsOfItems(items: RefundedItems, { quote, adjustments }: LedgerEvent['order']): Parts {
  return items.reduce((parts, { index, quantity, cents, taxCents }) => {
    const { unitCents = 0 } = adjustments.find((one) => one.index === index)?.substitute ?? quote.items[index] ?? {};
    const salesCents = unitCents * quantity;
    return addParts(parts, { ...NO_PARTS, salesCents, taxesCents: taxCents, accountCents: cents - salesCents });
  }, NO_PARTS);
}

/** `borneCents` of a refund are the operator's, and no part of the order. */
function giveBack(state: LedgerState, event: LedgerEvent, kind: EntryKind, taken: Parts, borneCents = 0) {
  const subtotalLeftCents = state.subtotalLeftCents - taken.salesCents;
  const next = { ...state, subtotalLeftCents };
  return write(next, event, {
    kind,
    parts: subtractParts(NO_PARTS, taken),
    commissionCents: keptOf(next) - keptOf(state),
    borneCents,
  });
}

/** The order's total and commission follow what it comes to now; its money passes elsewhere. */
function moveElsewhere(state: LedgerState, event: LedgerEvent) {
  const kinds: Partial<Record<OrderEventType, EntryKind>> = {
    'order.item_changed': 'adjustment',
    'order.tipped': 'tip',
    'order.canceled': 'refund',
  };
  const kind = kinds[event.type];
  if (kind === undefined) return { state };
  const isCanceled = event.type === 'order.canceled';
  const subtotalLeftCents = isCanceled ? 0 : partsOfOrder(event.order).salesCents;
  const next = { ...state, subtotalLeftCents };
  return elsewhere(next, event, { kind, commissionCents: keptOf(next) - keptOf(state) });
}

function elsewhere(
  state: LedgerState,
  event: LedgerEvent,
  { kind, commissionCents }: { kind: EntryKind; commissionCents: number },
) {
  const { type, order } = event;
  const total = type === 'order.canceled' ? 0 : sumOf(partsOfOrder(order)) + order.addedTipCents;
  const collectedElsewhereCents = total - state.collectedElsewhereCents;
  if (kind !== 'sale' && collectedElsewhereCents === 0 && commissionCents === 0) return { state };
  return write({ ...state, collectedElsewhereCents: total }, event, {
    kind,
    parts: NO_PARTS,
    commissionCents,
    collectedElsewhereCents,
  });
}

const keptOf = ({ terms, subtotalCents, subtotalLeftCents }: LedgerState) =>
  keptCommission(terms.commissionPercent, subtotalCents, subtotalLeftCents);

type Change = {
  kind: EntryKind;
  parts: Parts;
  commissionCents?: number;
  collectedElsewhereCents?: number;
  borneCents?: number;
};

function write(
  state: LedgerState,
  event: LedgerEvent,
  { kind, parts, commissionCents = 0, collectedElsewhereCents = 0, borneCents = 0 }: Change,
) {
  const agreed = orderTaxes({ ...event.order, adjustments: [] });
  const before = taxesLeft(state, agreed);
  const taxes =
    kind === 'sale'
      ? soldTaxes(event.order, parts.taxesCents)
      : takeTaxes(before, wantedTaxes(state, event), -parts.taxesCents).map(negated);
  const { taxCents, storeCents, driverCents, operatorCents } = ownersOf(parts, commissionCents, state.terms);
  const tipsToPassOnCents = state.passesTipsOn ? driverCents : 0;
  const collectedCents = state.handover === undefined ? 0 : sumOf(parts) - borneCents;
  const keptCents = state.handover === 'store' ? collectedCents : 0;
  const payoutCents = payoutOf({ storeCents, taxCents }, state.terms) + tipsToPassOnCents - keptCents;
  const taxLines = taxes.filter(({ cents, baseCents }) => cents !== 0 || baseCents !== 0);
  const owners = { storeCents, driverCents, operatorCents: operatorCents - borneCents };
  const shares = {
    ...owners,
    commissionCents,
    tipsToPassOnCents,
    payoutCents,
    collectedElsewhereCents,
    collectedCents,
  };
  const entry: LedgerEntry = { kind, ...parts, taxLines, ...shares };
  return { state: { ...state, left: addParts(state.left, parts), taxesLeft: addTaxes(before, taxes) }, entry };
}

function soldTaxes(order: LedgerEvent['order'], cents: number): TaxLine[] {
  const sold = orderTaxes(order);
  return takeTaxes(sold, sold, cents);
}

const negated = ({ cents, baseCents = 0, ...line }: TaxLine): TaxLine => ({
  ...line,
  cents: cents === 0 ? 0 : -cents,
  baseCents: baseCents === 0 ? 0 : -baseCents,
});
