import type { Selectable } from 'kysely';
import type { Database } from '../db/tables.ts';
import { instantOfEpochSeconds } from '../lib/time.ts';
import type { Driver, FrozenQuote, Order, OrderRequest } from './order.ts';

/** An order as its row: the one place where columns and fields meet. */
export type OrderRow = Selectable<Database['orders']>;

export function orderOf(row: OrderRow): Order {
  return {
    orderId: row.orderId,
    accountId: row.accountId,
    mode: row.mode,
    storeId: row.storeId,
    status: row.status,
    request: row.request as OrderRequest,
    quote: row.quote as FrozenQuote,
    idempotencyKey: row.idempotencyKey,
    chargeState: row.chargeState,
    chargeAttempt: row.chargeAttempt,
    chargeStartedAt: row.chargeStartedAt,
    chargeId: row.chargeId,
    chargedCents: row.chargedCents,
    refundedCents: row.refundedCents,
    stockHeld: row.stockHeld,
    slotHeld: row.slotHeld,
    isReady: row.isReady,
    driver: row.driver as Driver,
    driverStage: row.driverStage,
    cancelReason: row.cancelReason,
    eta: row.eta,
    createdAt: row.createdAt,
    placedAt: row.placedAt,
    confirmBy: row.confirmBy,
    completedAt: row.completedAt,
    canceledAt: row.canceledAt,
    lastSequence: row.lastSequence,
  };
}

/** What changes while an order lives, as columns. */
export function progressOf(order: Order) {
  return {
    status: order.status,
    chargeState: order.chargeState,
    chargeAttempt: order.chargeAttempt,
    chargeStartedAt: order.chargeStartedAt?.toString() ?? null,
    chargeId: order.chargeId,
    chargedCents: order.chargedCents,
    refundedCents: order.refundedCents,
    stockHeld: JSON.stringify(order.stockHeld),
    slotHeld: order.slotHeld,
    isReady: order.isReady,
    driver: JSON.stringify(order.driver),
    driverStage: order.driverStage,
    cancelReason: order.cancelReason,
    eta: order.eta?.toString() ?? null,
    placedAt: order.placedAt?.toString() ?? null,
    confirmBy: order.confirmBy?.toString() ?? null,
    completedAt: order.completedAt?.toString() ?? null,
    canceledAt: order.canceledAt?.toString() ?? null,
    lastSequence: order.lastSequence,
  };
}

/** Of these the ones that change when a charged order is placed: every order that is charged waits for this. */
export function placedColumnsOf(order: Order) {
  const { status, chargeState, chargeId, chargedCents, eta, placedAt, confirmBy, lastSequence } = progressOf(order);
  return { status, chargeState, chargeId, chargedCents, eta, placedAt, confirmBy, lastSequence };
}

/** What the event log keeps of an order's progress, instants as text: the order as it was right after the event. */
type LoggedProgress = Pick<Order, (typeof LOGGED)[number]> & Record<(typeof LOGGED_INSTANTS)[number], string | null>;

const LOGGED = [
  'status',
  'chargeState',
  'chargedCents',
  'refundedCents',
  'isReady',
  'driver',
  'driverStage',
  'cancelReason',
  'lastSequence',
] as const;
const LOGGED_INSTANTS = ['eta', 'placedAt', 'confirmBy', 'completedAt', 'canceledAt'] as const;

export function loggedProgressOf(order: Order): LoggedProgress {
  const values = LOGGED.map((name) => [name, order[name]]);
  const instants = LOGGED_INSTANTS.map((name) => [name, order[name]?.toString() ?? null]);
  return Object.fromEntries([...values, ...instants]);
}

/** The order as it was right after an event of its log. */
export function orderAfterEvent(row: OrderRow, progress: unknown): Order {
  const logged = progress as LoggedProgress;
  const instants = LOGGED_INSTANTS.map((name) => {
    const text = logged[name];
    return [name, text === null ? null : Temporal.Instant.from(text)];
  });
  return { ...orderOf(row), ...logged, ...Object.fromEntries(instants) };
}

/** What the client asked for and was quoted, as columns. */
export function requestColumnsOf({ request, quote, storeId, idempotencyKey }: Order) {
  const slot = quote.scheduled;
  return {
    userId: request.customer.userId,
    storeId,
    pickup: request.mode === 'pickup',
    request: JSON.stringify(request),
    quote: JSON.stringify(quote),
    totalWithTip: quote.totalWithTipCents,
    idempotencyKey,
    chargeUser: request.chargeUser,
    paymentMethodId: request.paymentMethodId,
    slotStartsAt: slot ? instantOfEpochSeconds(slot.startEpochS).toString() : null,
    slotEndsAt: slot ? instantOfEpochSeconds(slot.endEpochS).toString() : null,
    favorited: request.favorited,
    customerOrderId: request.customerOrderId || null,
  };
}

/** A new order has not moved: columns that keep their default are left out. */
export function newRowOf(order: Order) {
  return {
    orderId: order.orderId,
    accountId: order.accountId,
    mode: order.mode,
    createdAt: order.createdAt.toString(),
    ...requestColumnsOf(order),
    status: order.status,
    chargeState: order.chargeState,
    chargeAttempt: order.chargeAttempt,
    chargeStartedAt: order.chargeStartedAt?.toString() ?? null,
    stockHeld: JSON.stringify(order.stockHeld),
    slotHeld: order.slotHeld,
  };
}
