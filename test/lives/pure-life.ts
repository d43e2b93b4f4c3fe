import assert from 'node:assert/strict';
import { adjustItem, refuseTooLate } from '../../src/ordering/money/adjust-item.ts';
import { amountOf, priceRefund, sharesOf } from '../../src/ordering/money/item-refund.ts';
import { owedRefund } from '../../src/ordering/money/owed-refund.ts';
import {
  allocateRefund,
  endedShares,
  endRefund,
  newRefund,
  type OrderCharge,
  type Refund,
  type RefundItemRequest,
  type RefundPart,
  type RefundToBook,
  returnedTip,
  withRefund,
} from '../../src/ordering/money/refund.ts';
import { capturedStep, settledCents, settledOrder } from '../../src/ordering/money/settle-order.flow.ts';
import { priceStoreRefund } from '../../src/ordering/money/store-refund.ts';
import { addTip, tipRaiseOf } from '../../src/ordering/money/tip.ts';
import { advanceOrder, type OrderStep } from '../../src/ordering/order/advance-order.ts';
import { fulfilledItems } from '../../src/ordering/order/fulfilled-items.ts';
import { awaitsSettlement, movementOf, placedState, planOf } from '../../src/ordering/order/money-plan.ts';
import {
  type ItemAdjustment,
  isTipReturned,
  type Order,
  refundableCents,
  type StepName,
} from '../../src/ordering/order/order.ts';
import type { OrderEvent } from '../../src/ordering/order/order-events.ts';
import { holdCents } from '../../src/ordering/order/weighed-order.ts';
import { Refusal } from '../../src/platform/http/refusal.ts';
import type { GatewayMood } from './gateway-model.ts';
import type { Pays } from './life-model.ts';

export type LedgerRefund = Refund & {
  parts: (Pick<RefundPart, 'chargeId' | 'cents' | 'state'> & { key: string })[];
};

type GatewayBooks = {
  charges: Map<string, number>;
  refunds: Map<string, { chargeId: string; cents: number }>;
};

/** An order with its ledger, moved by the pure rules in the flows' sequence. */
export type PureLife = {
  order: Order;
  ledger: LedgerRefund[];
  tips: { chargeId: string; cents: number }[];
  books: GatewayBooks;
  notified: Set<string>;
  now: Temporal.Instant;
  lastKey: number;
  /** Whether the card declines what the order comes to. */
  isLost: boolean;
  /** The order's events, its refunds included. */
  log: LifeEvent[];
  /** What happened, in order: events, and refunds as they are booked and as they end. */
  facts: LifeFact[];
};

export type LifeFact = LifeEvent | { booked: LedgerRefund; order: Order } | { ended: LedgerRefund; order: Order };

/** An event with its order right after it. */
export type LifeEvent = { event: OrderEvent; order: Order };

function note(life: PureLife, event: OrderEvent): void {
  const happened = { event, order: life.order };
  life.log.push(happened);
  life.facts.push(happened);
}

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');

/** `hold`: a card that holds the maximum; `lost_hold`: one that then can't be charged; `at_store`: the store is paid. */
export type Paying = Pays | 'hold' | 'lost_hold' | 'at_store';
const CHARGES: Partial<Record<Paying, string>> = {
  card: 'succeeded',
  cash: 'to_collect',
  hold: 'authorized',
  lost_hold: 'authorized',
};

export function placedLife(order: Order, pays: Paying): PureLife {
  const isByCard = order.quote.totalWithTipCents > 0 && pays !== 'cash';
  const isChargedHere = CHARGES[pays] !== undefined;
  const byStore = pays === 'at_store' && { placedBy: 'store' as const };
  const request = { ...order.request, ...byStore, chargeUser: isChargedHere };
  const moneyPlan = planOf({ ...order, request }, isByCard || pays === 'cash' ? CHARGES[pays] : undefined);
  const most = holdCents(order.quote);
  const chargedCents = movementOf({ moneyPlan }, 'place').startsWith('charge') ? most : 0;
  const placed: Order = {
    ...order,
    moneyPlan,
    status: 'awaiting_confirmation',
    driverStage: 'none',
    driverLink: 0,
    isReady: false,
    driver: {},
    placedAt: NOW,
    completedAt: null,
    chargeId: moneyPlan === 'free' || !isChargedHere ? null : 'first',
    authorizedCents: moneyPlan === 'held' || moneyPlan === 'maximum_charged' ? most : null,
    chargedCents,
    chargeState: placedState(moneyPlan),
    request,
  };
  const charges = new Map(chargedCents > 0 ? [['first', chargedCents]] : []);
  const books = { charges, refunds: new Map() };
  const log: LifeEvent[] = [{ event: { type: 'order.placed', data: {} }, order: placed }];
  return {
    order: placed,
    ledger: [],
    tips: [],
    books,
    notified: new Set(),
    now: NOW,
    lastKey: 0,
    isLost: pays === 'lost_hold',
    log,
    facts: [...log],
  };
}

export function orRefused<T>(rule: () => T): T | undefined {
  try {
    return rule();
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return undefined;
  }
}

const takenOf = ({ ledger }: PureLife, chargeId: string) =>
  ledger
    .flatMap(({ parts }) => parts)
    .reduce((sum, part) => (part.chargeId === chargeId && part.state !== 'failed' ? sum + part.cents : sum), 0);

function chargesOf(life: PureLife): OrderCharge[] {
  const { order, tips } = life;
  const cents = tips.reduce((rest, tip) => rest - tip.cents, order.chargedCents);
  const first = order.chargeId === null ? [] : [{ chargeId: order.chargeId, cents }];
  return [...first, ...tips].map((charge) => ({ ...charge, takenCents: takenOf(life, charge.chargeId) }));
}

type Booking = Omit<RefundToBook, 'key'>;

function write(life: PureLife, booking: Booking, order = life.order): LedgerRefund {
  const parts = allocateRefund(chargesOf(life), booking.cents).map((part) => {
    life.lastKey += 1;
    return { ...part, state: 'pending' as const, key: `key-${life.lastKey}` };
  });
  return push(life, booking, parts, order);
}

function push(life: PureLife, booking: Booking, parts: LedgerRefund['parts'], order = life.order): LedgerRefund {
  const booked = newRefund('', { order, refunds: life.ledger }, { ...booking, key: '' }, life.now);
  const refund = { ...booked, parts };
  life.ledger.push(refund);
  life.facts.push({ booked: refund, order });
  return refund;
}

function book(life: PureLife, booking: Booking): void {
  life.order = withRefund(life.order, write(life, booking));
}

function record(life: PureLife, { order, event, refundCents = 0 }: OrderStep): void {
  if (refundCents > 0) write(life, { kind: 'canceled', cents: refundCents }, order);
  life.order = order;
  note(life, event);
}

export function takeStep(life: PureLife, event: StepName): boolean {
  const step = orRefused(() => advanceOrder(life.order, event, life.now));
  if (step) record(life, step);
  const { collectedCents, chargedCents } = life.order;
  if (event === 'complete' && step && collectedCents && chargedCents > 0) life.books.charges.set('first', chargedCents);
  settle(life);
  return step !== undefined;
}

/** Captures or voids the hold, or books the refund of what the maximum exceeds the final amount by. */
function settle(life: PureLife): void {
  if (life.order.chargeState !== 'capturing') return;
  const cents = settledCents(life.order);
  const isHeld = life.order.moneyPlan === 'held';
  const taken = { chargeId: 'first', cents: isHeld ? cents : (life.order.authorizedCents ?? 0) };
  const isPaid = !(life.isLost && cents > 0);
  life.order = settledOrder(life.order, { cents, taken: isPaid ? taken : undefined });
  if (isHeld && isPaid && cents > 0) life.books.charges.set('first', cents);
  if (!isTipReturned(life.order)) note(life, capturedStep(life.order).event);
  if (life.order.status === 'canceled') bookRest(life);
  else if (isPaid && taken.cents > cents) book(life, { kind: 'weighed', cents: taken.cents - cents });
}

const isRefundable = ({ order }: PureLife) =>
  (order.status === 'in_progress' || order.status === 'completed') &&
  order.chargedCents > 0 &&
  !awaitsSettlement(order);

/** Refunds an amount or units; returns the cents, or undefined if refused. */
export function refund(
  life: PureLife,
  what: { cents: number } | { items: readonly RefundItemRequest[]; reason: string },
): number | undefined {
  if (!isRefundable(life)) return undefined;
  const leftCents = refundableCents(life.order);
  const items = 'items' in what ? orRefused(() => priceRefund(life.order, life.ledger, what.items, what.reason)) : [];
  if (!items) return undefined;
  const cents = 'items' in what ? amountOf(items) : what.cents;
  if (cents <= 0 || cents > leftCents) return undefined;
  const reason = 'reason' in what ? what.reason : '';
  book(life, { kind: 'requested', cents, items, shares: sharesOf(items), reason });
  return cents;
}

/** The store's own refund of an amount or units; returns the cents, or undefined if refused. */
export function refundByStore(
  life: PureLife,
  what: { cents: number } | { items: readonly RefundItemRequest[] },
  hasDeliveryFee: boolean,
): number | undefined {
  if (!isRefundable(life)) return undefined;
  const request = { what, reason: 'cold', hasDeliveryFee };
  const priced = orRefused(() => priceStoreRefund(life.order, life.ledger, request, life.now));
  if (!priced || priced.cents <= 0 || priced.cents > refundableCents(life.order)) return undefined;
  book(life, { kind: 'requested', requestedBy: 'store', reason: 'cold', ...priced });
  return priced.cents;
}

/** Gives the tip back; returns the cents, or undefined if refused. */
export function refundTip(life: PureLife): number | undefined {
  const cents = orRefused(() => returnedTip(life.order));
  if (cents === undefined || life.order.chargedCents === 0 || awaitsSettlement(life.order)) return undefined;
  book(life, { kind: 'requested', cents, tipCents: cents });
  return cents;
}

export function tip(life: PureLife, tipCents: number): number | undefined {
  const cents = orRefused(() => tipRaiseOf(life.order, tipCents, life.now));
  if (!cents) return cents;
  const isCharged = movementOf(life.order, 'tip') === 'charge_tip';
  record(life, addTip(life.order, cents, isCharged ? cents : 0));
  if (!isCharged) return cents;
  const chargeId = `tip-${life.tips.length + 1}`;
  life.tips.push({ chargeId, cents });
  life.books.charges.set(chargeId, cents);
  return cents;
}

/** Hands off fewer units or a weight; returns the drop in price, or undefined if refused. */
export function adjust(
  life: PureLife,
  index: number,
  quantity: number,
  scaled?: ItemAdjustment['scaled'],
): number | undefined {
  const step = orRefused(() => {
    refuseTooLate(life.order);
    return adjustItem(life.order, { index, quantity, substitute: null, ...(scaled && { scaled }) }, 'key');
  });
  if (!step) return undefined;
  life.order = step.order;
  const isLast = fulfilledItems(life.order).every((item) => item.quantity === 0);
  const owed = isLast ? undefined : owedRefund(life.order, life.ledger);
  const free = owed?.cents === 0 && { shares: owed.shares };
  const changed = { ...step.changed, ...free, refund_cents: 0, is_last: false };
  note(life, { type: 'order.item_changed', data: changed });
  if (isLast) {
    takeStep(life, 'cancel');
    return step.lessCents;
  }
  if (owed) book(life, { kind: 'item_changed', ...owed });
  return step.lessCents;
}

const backOf = ({ books }: PureLife, chargeId: string) =>
  [...books.refunds.values()].reduce((sum, one) => (one.chargeId === chargeId ? sum + one.cents : sum), 0);

/** A refund made directly at the gateway. */
export function refundOutside(life: PureLife, at: number, cents: number): number {
  const [chargeId = '', charged = 0] = [...life.books.charges][at] ?? [];
  const made = Math.min(cents, charged - backOf(life, chargeId));
  if (made > 0) life.books.refunds.set(`outside-${life.books.refunds.size}`, { chargeId, cents: made });
  return made;
}

export function askGateway(life: PureLife, mood: GatewayMood): void {
  const pending = life.ledger.flatMap((one) => one.parts.map((part) => ({ one, part })));
  for (const { one, part } of pending) {
    if (part.state !== 'pending' || mood === 'silent') continue;
    const { chargeId, cents, key } = part;
    const charged = life.books.charges.get(chargeId) ?? 0;
    const fits = life.books.refunds.has(key) || backOf(life, chargeId) + cents <= charged;
    if (fits) life.books.refunds.set(key, { chargeId, cents });
    if (fits && mood === 'loses_answers') continue;
    if (!fits && life.order.status === 'canceled') continue;
    part.state = fits ? 'done' : 'failed';
    if (finish(life, one)) bookRest(life);
  }
}

/** Ends a refund whose parts have all ended; returns false while one is pending. */
function finish(life: PureLife, one: LedgerRefund): boolean {
  if (one.parts.some(({ state }) => state === 'pending')) return false;
  const done = one.parts.filter(({ state }) => state === 'done').reduce((sum, { cents }) => sum + cents, 0);
  life.order = endRefund(life.order, one, done);
  const shares = endedShares(one, done);
  Object.assign(one, { refundedCents: done, shares, state: done > 0 ? 'done' : 'failed' });
  life.facts.push({ ended: one, order: life.order });
  noteRefund(life, one);
  return true;
}

function noteRefund(life: PureLife, one: LedgerRefund): void {
  const { kind, items, refundedCents, tipCents, reason, shares, requestedBy: by } = one;
  if (refundedCents === 0) return;
  const tip = tipCents === 0 ? {} : { tip_cents: Math.min(tipCents, refundedCents) };
  const what = { kind, reason, items: [...items], ...(shares && { shares }), ...(by && { by }) };
  const data = { refund_id: '', refund_cents: refundedCents, ...tip, ...what };
  note(life, { type: 'order.refunded', data });
}

function bookRest(life: PureLife): void {
  const cents = refundableCents(life.order);
  if (life.order.status === 'canceled' && cents > 0) book(life, { kind: 'canceled', cents: cents });
}

export function receiveNotice(life: PureLife): void {
  const outside = [...life.books.refunds].filter(([key]) => key.startsWith('outside-') && !life.notified.has(key));
  if (outside.length > 0) askGateway(life, 'answers');
  for (const [key, { chargeId, cents }] of outside) {
    life.notified.add(key);
    const charge = chargesOf(life).find((one) => one.chargeId === chargeId);
    if (charge && cents > charge.cents - charge.takenCents) endPendingParts(life, chargeId);
    const parts = [{ chargeId, cents, state: 'done' as const, key }];
    const counted = push(life, { kind: 'at_gateway', cents }, parts);
    life.order = withRefund(life.order, counted);
    if (finish(life, counted)) bookRest(life);
  }
}

function endPendingParts(life: PureLife, chargeId: string): void {
  for (const one of life.ledger) {
    const pending = one.parts.filter((part) => part.state === 'pending' && part.chargeId === chargeId);
    for (const part of pending) part.state = 'failed';
    if (pending.length > 0) finish(life, one);
  }
}
