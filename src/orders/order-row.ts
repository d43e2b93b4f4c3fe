import type { Selectable } from 'kysely';
import type { Database } from '../db/tables.ts';
import { instantOfEpochSeconds } from '../lib/time.ts';
import type { Driver, FrozenQuote, Order, OrderRequest } from './order.ts';

/** An order as its row: the one place where columns and fields meet. */
export type OrderRow = Selectable<Database['orders']>;

export function orderOf(row: OrderRow): Order {
  return {
    orderId: row.order_id,
    accountId: row.account_id,
    mode: row.mode,
    storeId: row.store_id,
    status: row.status,
    request: row.request as OrderRequest,
    quote: row.quote as FrozenQuote,
    idempotencyKey: row.idempotency_key,
    chargeState: row.charge_state,
    chargeAttempt: row.charge_attempt,
    chargeStartedAt: row.charge_started_at,
    chargeId: row.charge_id,
    chargedCents: row.charged_cents,
    refundedCents: row.refunded_cents,
    stockHeld: row.stock_held,
    slotHeld: row.slot_held,
    isReady: row.is_ready,
    driver: row.driver as Driver,
    driverStage: row.driver_stage,
    cancelReason: row.cancel_reason,
    eta: row.eta,
    createdAt: row.created_at,
    placedAt: row.placed_at,
    confirmBy: row.confirm_by,
    completedAt: row.completed_at,
    canceledAt: row.canceled_at,
    lastSequence: row.last_sequence,
  };
}

/** What changes while an order lives, as columns. */
export function progressOf(order: Order) {
  return {
    status: order.status,
    charge_state: order.chargeState,
    charge_attempt: order.chargeAttempt,
    charge_started_at: order.chargeStartedAt?.toString() ?? null,
    charge_id: order.chargeId,
    charged_cents: order.chargedCents,
    refunded_cents: order.refundedCents,
    stock_held: JSON.stringify(order.stockHeld),
    slot_held: order.slotHeld,
    is_ready: order.isReady,
    driver: JSON.stringify(order.driver),
    driver_stage: order.driverStage,
    cancel_reason: order.cancelReason,
    eta: order.eta?.toString() ?? null,
    placed_at: order.placedAt?.toString() ?? null,
    confirm_by: order.confirmBy?.toString() ?? null,
    completed_at: order.completedAt?.toString() ?? null,
    canceled_at: order.canceledAt?.toString() ?? null,
    last_sequence: order.lastSequence,
  };
}

/** Of these the ones that change when a charged order is placed: every order that is charged waits for this. */
export function placedColumnsOf(order: Order) {
  const { status, charge_state, charge_id, charged_cents, eta, placed_at, confirm_by, last_sequence } =
    progressOf(order);
  return { status, charge_state, charge_id, charged_cents, eta, placed_at, confirm_by, last_sequence };
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
    user_id: request.customer.userId,
    store_id: storeId,
    pickup: request.mode === 'pickup',
    request: JSON.stringify(request),
    quote: JSON.stringify(quote),
    total_with_tip: quote.totalWithTipCents,
    idempotency_key: idempotencyKey,
    charge_user: request.chargeUser,
    payment_method_id: request.paymentMethodId,
    slot_starts_at: slot ? instantOfEpochSeconds(slot.startEpochS).toString() : null,
    slot_ends_at: slot ? instantOfEpochSeconds(slot.endEpochS).toString() : null,
    favorited: request.favorited,
    customer_order_id: request.customerOrderId || null,
  };
}

/** A new order has not moved: columns that keep their default are left out. */
export function newRowOf(order: Order) {
  return {
    order_id: order.orderId,
    account_id: order.accountId,
    mode: order.mode,
    created_at: order.createdAt.toString(),
    ...requestColumnsOf(order),
    status: order.status,
    charge_state: order.chargeState,
    charge_attempt: order.chargeAttempt,
    charge_started_at: order.chargeStartedAt?.toString() ?? null,
    stock_held: JSON.stringify(order.stockHeld),
    slot_held: order.slotHeld,
  };
}
