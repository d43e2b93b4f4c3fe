import { sandboxOf } from '../accounts/account.ts';
import { budgetDay, budgetUsedUp } from '../accounts/budgets/budget.ts';
import { giveBackBudget } from '../accounts/budgets/spend-budget.db.ts';
import { openProduct } from '../catalog/catalog-tokens.ts';
import { takeStock } from '../catalog/stock.db.ts';
import type { Sql } from '../db/connect.ts';
import { OutsideError } from '../lib/outside-error.ts';
import { instantOfEpochSeconds } from '../lib/time.ts';
import { traceparentNow } from '../lib/tracing/span.ts';
import { tooManyDeclines } from '../payments/declines/decline.ts';
import { CardDeclined, type Charge, gatewayOf, type PaymentGateway } from '../payments/payment-gateway.ts';
import { offerAtOf } from '../quotes/offer-times.ts';
import { holdSlot } from '../quotes/slots.db.ts';
import type { OrderStep } from './advance-order.ts';
import { type ChargeAttempt, chargeOnce } from './charges/charge-once.flow.ts';
import { recordCharge, recordDecline } from './charges/record-outcome.flow.ts';
import { refuseDeletedCard } from './charges/refuse-deleted-card.flow.ts';
import {
  authenticationRequired,
  continuedAttempt,
  giveUpWaiting,
  holdForCustomer,
} from './charges/waiting-charge.flow.ts';
import { LATE_CHARGE, lateChargeOf, lateChargeTimes } from './follow-ups.ts';
import { beingPlaced, lockUnplaced } from './lock-unplaced.flow.ts';
import type { Order } from './order.ts';
import type { OrderDeps, PlaceOrderDeps } from './order-deps.ts';
import { type OrderFault, refusalOfFaults } from './order-faults.ts';
import { holdFieldsOf, holdsOf } from './order-holds.ts';
import { orderNotFound } from './order-not-found.ts';
import { insertOrders, lockOrder, rewriteIdleOrder, rewriteOrder, saveProgress } from './orders.db.ts';
import { drawOrderNumber, drawUnpaidNumber } from './place-orders.db.ts';
import type { QuotedOrder } from './quote-order.flow.ts';
import { recordStep, releaseHolds } from './record-step.flow.ts';
import { insertPlaced } from './uncharged/insert-placed.db.ts';

/** An order that shall be placed; `isStored`: the database already has it, unplaced, and with `quoteId` still of that quote. */
export type OrderToPlace = { order: Order; quoted: QuotedOrder; isStored: boolean; quoteId?: string };

/**
 * Places an order, all or nothing under any crash: first the order with its held window and stock, then the charge under
 * the order's own key, then the step `order.placed`. `resolveCharge` resolves an order that a crash left in between.
 * Refuses with slot_unavailable, product_unavailable, payment_declined, too_many_declines, and with rate_limited where the
 * account may place no more orders without a charge; a gateway that stays silent is OutsideError.
 */
export async function placeOrder(deps: PlaceOrderDeps, toPlace: OrderToPlace): Promise<Order> {
  const { order, quoted, isStored } = toPlace;
  const cents = quoted.quote.totalWithTipCents;
  const gateway = order.request.chargeUser && cents > 0 ? gatewayOf(deps.gateways, order.mode) : undefined;
  const now = deps.clock.now();
  if (gateway && quoted.heldBack) throw tooManyDeclines(quoted.heldBack, now);
  const holdsNothing = order.quote.scheduled === null && quoted.stock.length === 0;
  if (!gateway && holdsNothing && !isStored) return placeUncharged(deps, order, now);
  const write = async (sql: Sql) => {
    const orderNumber = gateway ? null : await drawUncharged(deps, sql, order, now);
    const stored = isStored ? await lockUnplaced(sql, order.orderId, toPlace.quoteId) : order;
    if (stored.status !== 'unplaced') {
      if (!gateway) await giveBackBudget(sql, unpaidOf(order, now));
      return stored;
    }
    const continued = gateway && continuedAttempt(stored, order);
    if (!continued) await giveUpWaiting(deps, sql, stored);
    // Counted on from the locked row: another request may have tried meanwhile, and its key must not serve twice.
    const chargeAttempt = continued?.chargeAttempt ?? stored.chargeAttempt + 1;
    const waitingChargeId = continued?.waitingChargeId ?? null;
    const holding = await takeHolds(deps, sql, order, quoted);
    const chargeState = gateway ? 'pending' : 'none';
    const waiting: Order = { ...holding, chargeAttempt, waitingChargeId, chargeStartedAt: now, chargeState };
    await (isStored ? rewriteOrder(sql, waiting, now) : insertNewOrder(sql, waiting));
    return gateway ? waiting : recordStep(sql, placedStep(deps, { ...waiting, orderNumber }, now), now);
  };
  const waiting = gateway && holdsNothing ? await storeWaiting(deps, toPlace, now) : undefined;
  const held = waiting ?? (await deps.db.transaction().execute(write));
  const holds = holdsOf(held);
  if (holds.slot || holds.stock.length > 0) deps.inventory.evict(order.storeId, holds.sandbox);
  if (held.chargeState !== 'pending' || !gateway || !quoted.paymentMethod) return held;
  const isNew = held.waitingChargeId === null;
  const { gatewayToken: cardToken } = quoted.paymentMethod;
  return chargeAndFinish(deps, gateway, { order: held, cardToken, isNew, keyId: quoted.keyId });
}

/** Places a new order without a charge and without holds, in one statement. */
async function placeUncharged(
  { config, db }: Pick<OrderDeps, 'config' | 'db'>,
  order: Order,
  now: Temporal.Instant,
): Promise<Order> {
  const begun: Order = { ...order, chargeAttempt: order.chargeAttempt + 1, chargeStartedAt: now };
  const { order: placed, event } = placedStep({ config }, begun, now);
  const done: Order = { ...placed, lastSequence: order.lastSequence + 1 };
  const step = { order: done, event, at: now, traceparent: traceparentNow() };
  const most = order.mode === 'live' ? config.dailyBudgets.unpaid_orders : undefined;
  const inserted = await insertPlaced(db, step, most);
  if (inserted === 'known') throw beingPlaced();
  if (inserted === 'over_budget') throw budgetUsedUp(['unpaid_orders'], now);
  return { ...done, ...inserted };
}

/** The number of an order without a charge; a live order is counted among the budget of its account. */
async function drawUncharged(
  { config }: Pick<OrderDeps, 'config'>,
  sql: Sql,
  order: Order,
  now: Temporal.Instant,
): Promise<string> {
  if (order.mode === 'sandbox') return drawOrderNumber(sql, order, now);
  const number = await drawUnpaidNumber(sql, order, { at: now, most: config.dailyBudgets.unpaid_orders });
  if (number === undefined) throw budgetUsedUp(['unpaid_orders'], now);
  return number;
}

function unpaidOf({ accountId, mode }: Order, now: Temporal.Instant) {
  return { accountId, mode, kind: 'unpaid_orders', day: budgetDay(now), used: 1 } as const;
}

/**
 * Stores an order without holds that shall be charged, in one statement: the new orders of one moment share it. Undefined
 * for a stored order that cannot be charged anew without being looked at.
 */
async function storeWaiting(
  { db, placing }: Pick<OrderDeps, 'db' | 'placing'>,
  { order, isStored, quoteId }: OrderToPlace,
  now: Temporal.Instant,
): Promise<Order | undefined> {
  const chargeAttempt = order.chargeAttempt + 1;
  const waiting: Order = { ...order, chargeAttempt, chargeStartedAt: now, chargeState: 'pending' };
  if (isStored) return (await rewriteIdleOrder(db, waiting, now, quoteId)) ? waiting : undefined;
  if (!(await placing.insertOrder(waiting))) throw beingPlaced();
  return waiting;
}

/** Stores an order for the first time; of two requests with one Idempotency-Key only one is stored. */
export async function insertNewOrder(sql: Sql, order: Order): Promise<void> {
  if (!(await insertOrders(sql, [order])).has(order.orderId)) throw beingPlaced();
}

/** Charges an order whose charge is pending, and ends the attempt. Safe to repeat in any process at any time. */
export async function chargeAndFinish(
  deps: Pick<OrderDeps, 'config' | 'clock' | 'db' | 'jobs' | 'inventory' | 'placing'>,
  gateway: PaymentGateway,
  attempt: ChargeAttempt,
): Promise<Order> {
  const { order, keyId } = attempt;
  const charge = await chargeOnce(gateway, attempt).catch(async (error) => {
    // The gateway refused the call itself: no money moved, so nothing stays held.
    if (error instanceof OutsideError && !error.retryable) await finishPlacing(deps, order, undefined);
    await refuseDeletedCard(deps.db, order, { paymentMethodId: order.request.paymentMethodId, error });
    throw error;
  });
  const placed = await finishPlacing(deps, order, charge, keyId);
  if (charge.status === 'declined') throw new CardDeclined(charge.declineCode);
  if (charge.status === 'waiting') throw authenticationRequired(charge, order.orderId);
  if (placed.chargeId === charge.chargeId) return placed;
  throw new OutsideError('payment gateway', 'charged an order that had been given up', { retryable: true });
}

/** Windows before products, always: so no two orders wait for each other in a circle. */
async function takeHolds(
  { tokens }: Pick<OrderDeps, 'tokens'>,
  tx: Sql,
  order: Order,
  { store, stock }: QuotedOrder,
): Promise<Order> {
  const slot = order.quote.scheduled;
  const sandbox = sandboxOf(order);
  const faults: OrderFault[] = [];
  if (slot) {
    const startsAt = instantOfEpochSeconds(slot.startEpochS);
    const hold = { storeId: store.storeId, sandbox, pickup: order.request.mode === 'pickup', startsAt };
    const isHeld = await holdSlot(tx, { ...hold, capacity: store.scheduling.capacity });
    if (!isHeld)
      faults.push({ code: 'slot_unavailable', name: 'scheduled_id', message: 'This window has just been taken.' });
  }
  const gone = await takeStock(tx, store.storeId, stock, sandbox);
  for (const productNo of gone) {
    const item = order.quote.items.find(({ productId }) => openProduct(tokens, productId)?.productNo === productNo);
    const message = `The last of ${item ? `"${item.name}"` : 'a product'} has just been sold.`;
    faults.push({ code: 'product_unavailable', name: 'items', message, productIds: item ? [item.productId] : [] });
  }
  if (faults.length > 0) throw refusalOfFaults(faults);
  return { ...order, ...holdFieldsOf({ sandbox, stock, slot: slot !== null }) };
}

/**
 * Ends an attempt with a known outcome: the order is placed after a charge, else unplaced again without holds (`charge`
 * undefined: the gateway has no record, and is asked again later). The outcome counts for the key of the request. A second caller finds the attempt ended and changes
 * nothing of the order; its charge is refunded.
 */
export async function finishPlacing(
  deps: Pick<OrderDeps, 'config' | 'clock' | 'db' | 'jobs' | 'inventory' | 'placing'>,
  order: Order,
  charge: Charge | undefined,
  keyId?: string,
): Promise<Order> {
  const now = deps.clock.now();
  if (charge?.status === 'succeeded') {
    await recordCharge(deps.db, { order, keyId }, now);
    const placed = placedStep(deps, chargedOrder(order, charge), now);
    const done = { ...placed.order, lastSequence: order.lastSequence + 1 };
    const step = { order: done, event: placed.event, at: now, traceparent: traceparentNow() };
    const orderNumber = await deps.placing.endAttempt(step);
    if (orderNumber !== undefined) return { ...done, orderNumber };
  }
  const ended = await deps.db.transaction().execute(async (tx) => {
    const orderNumber = charge?.status === 'succeeded' ? await drawOrderNumber(tx, order, now) : null;
    const locked = await lockOrder(tx, order.orderId);
    if (!locked) throw orderNotFound();
    if (locked.chargeState !== 'pending' || locked.chargeAttempt !== order.chargeAttempt) {
      const isLate = charge?.status === 'succeeded' && locked.chargeId !== charge.chargeId;
      if (isLate) await deps.jobs.enqueue(tx, LATE_CHARGE, lateChargeOf(order));
      return locked;
    }
    if (!charge) {
      const payload = lateChargeOf(order);
      const searches = lateChargeTimes(now).map((startAfter) => ({ payload, startAfter }));
      await deps.jobs.enqueueMany(tx, LATE_CHARGE, searches);
    }
    if (charge?.status === 'waiting') return holdForCustomer(deps, tx, locked, charge);
    if (charge?.status !== 'succeeded') {
      const freed: Order = { ...(await releaseHolds(tx, locked)), chargeState: 'declined' };
      await saveProgress(tx, freed);
      if (charge) await recordDecline(tx, { order, keyId }, now);
      return freed;
    }
    return recordStep(tx, placedStep(deps, { ...chargedOrder(locked, charge), orderNumber }, now), now);
  });
  if (ended.chargeState === 'declined' || ended.chargeState === 'waiting') {
    deps.inventory.evict(order.storeId, sandboxOf(order));
  }
  return ended;
}

function chargedOrder(order: Order, { chargeId }: Charge): Order {
  return { ...order, chargeState: 'charged', chargeId, chargedCents: order.quote.totalWithTipCents };
}

function placedStep({ config }: Pick<OrderDeps, 'config'>, order: Order, now: Temporal.Instant): OrderStep {
  const offerAt = offerAtOf(order.quote, now);
  const milliseconds = Math.round(config.orderConfirmTimeoutMinutes * 60_000);
  const placed: Order = {
    ...order,
    status: 'awaiting_confirmation',
    placedAt: now,
    offerAt,
    confirmBy: offerAt.add({ milliseconds }),
    eta: instantOfEpochSeconds(order.quote.etaEpochS),
  };
  return { order: placed, event: { type: 'order.placed', data: {} } };
}
