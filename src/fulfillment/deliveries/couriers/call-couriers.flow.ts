import type { EventHandler } from '../../../ordering/order/dispatch-events.flow.ts';
import type { FollowEvent } from '../../../ordering/order/follow-event.flow.ts';
import type { Order } from '../../../ordering/order/order.ts';
import { tipOf } from '../../../ordering/order/order-view.ts';
import { findAnyOrder } from '../../../ordering/order/orders.db.ts';
import { requireOrder } from '../../../ordering/order/require-order.flow.ts';
import { LeasedQueue } from '../../../platform/jobs/leased-queue.ts';
import { OwnerLimiter, type WorkLimits } from '../../../platform/jobs/owner-limiter.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import type { Metrics } from '../../../platform/lib/metrics.ts';
import { OutsideError } from '../../../platform/lib/outside-error.ts';
import { failActiveSpan } from '../../../platform/lib/tracing.ts';
import { findStore } from '../../../supply/stores/stores.db.ts';
import { applyReport, type ReportDeps } from './apply-report.flow.ts';
import {
  abandonDeliveries,
  abandonReplaced,
  DELIVERY_QUEUE,
  findCouriersOrders,
  insertDelivery,
  lockDelivery,
  markChanged,
  saveDelivery,
  saveTakenTip,
} from './courier-deliveries.db.ts';
import {
  afterFailure,
  type CourierCall,
  type CourierDelivery,
  ended,
  isDeliveryEnded,
  isOverdue,
  nextCallOf,
  requestDelivery,
  scheduled,
} from './courier-delivery.ts';
import type { CourierGateway, CourierJob, Couriers } from './courier-gateway.ts';
import { courierJobOf, readyAtOf } from './courier-job.ts';

/*
 * Calls to courier companies. Each delivery is a row of a leased queue, due when its order changes and at its next
 * look-up; a worker leases it and makes the one call that the row needs (`nextCallOf`). A row is written before a call
 * that may create a delivery, and every call sends the delivery's key: repeated after a crash, it has no second effect.
 */

type CourierDeps = ReportDeps & { couriers: Couriers; metrics: Metrics } & { followEvent: FollowEvent };

/**
 * Limits of concurrent calls per worker. One company leaves two slots to the others, so a hanging company delays no
 * other.
 */
const CALLING_LIMITS: WorkLimits = { max: 10, perOwner: 8, first: 8, slowMs: Number.POSITIVE_INFINITY, maxSlow: 10 };

/** Inputs of one call. */
type Turn = { deps: CourierDeps; gateway: CourierGateway; delivery: CourierDelivery; order: Order };

/** Creates the queue of calls to couriers: new deliveries, cancelations, and look-ups of deliveries without reports. */
export function callCouriers(deps: CourierDeps): LeasedQueue<CourierDelivery> {
  const failures = deps.metrics.count('doorstep_courier_calls_failed_total', 'Calls to couriers that failed.');
  const givenUp = deps.metrics.count('doorstep_courier_deliveries_failed_total', 'Deliveries without a courier.');
  const turn = async (delivery: CourierDelivery) => {
    try {
      await takeTurn(deps, delivery);
    } catch (error) {
      failures.inc();
      failActiveSpan('not_called');
      const after = await recordFailure(deps, delivery, error);
      if (after?.state === 'failed') givenUp.inc();
    }
  };
  return new LeasedQueue<CourierDelivery>({
    name: 'calling couriers',
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    table: DELIVERY_QUEUE,
    limiter: new OwnerLimiter(CALLING_LIMITS),
    ownerOf: ({ gateway }) => gateway,
    work(delivery) {
      const { orderId, gateway } = delivery;
      const work = { name: 'call a courier', orderId, attributes: { 'doorstep.courier': gateway } };
      return deps.followEvent(work, () => turn(delivery));
    },
  });
}

async function takeTurn(deps: CourierDeps, delivery: CourierDelivery): Promise<void> {
  const order = await requireOrder(deps.db, delivery.orderId);
  // If the order ended before its delivery was stored, no later event cancels the courier.
  const isWanted = delivery.isWanted && order.status === 'in_progress';
  const call = nextCallOf({ ...delivery, isWanted });
  if (delivery.isWanted && !isWanted) await change(deps, delivery, (locked) => ({ ...locked, isWanted }));
  if (call === undefined) return change(deps, delivery, scheduled);
  if (call === 'withdraw') return change(deps, delivery, (locked) => ended(locked, 'canceled', null));
  const gateway = deps.couriers.get(delivery.gateway);
  if (!gateway) throw new OutsideError('courier', `${delivery.gateway} is not configured.`, { retryable: true });
  await CALLS[call]({ deps, gateway, delivery, order });
}

const CALLS: Readonly<Record<Exclude<CourierCall, 'withdraw'>, (turn: Turn) => Promise<void>>> = {
  create: makeDelivery,
  recall: recallDelivery,
  cancel: cancelDelivery,
  update: updateDelivery,
  find: findDelivery,
};

/** Quotes and creates the delivery. From `sentAt` on the delivery may exist, even if this process dies. */
async function makeDelivery(turn: Turn): Promise<void> {
  const { deps, delivery, gateway } = turn;
  if (isOverdue(delivery, deps.clock.now()))
    return change(deps, delivery, (locked) => ended(locked, 'failed', 'no answer in time'));
  const job = await prepareJob(turn);
  const quoteId = delivery.sentAt ? delivery.quoteId : await requestQuote(turn, job);
  if (quoteId === undefined) return;
  const isSent = await markSent(turn, quoteId, job.tipCents);
  if (!isSent) return;
  const answer = await gateway.create(job, quoteId);
  if (answer.kind === 'created') return applyReport(deps, delivery, answer.report);
  if (answer.kind === 'refused') return refuse(turn, answer.reason);
  const failure = { message: 'the quote has expired', isFinal: false };
  await change(deps, delivery, (locked, now) => ({
    ...afterFailure(locked, failure, now, Math.random()),
    quoteId: null,
    sentAt: null,
  }));
}

/** Returns a valid quote's id; undefined if the gateway refuses the delivery. */
async function requestQuote(turn: Turn, job: CourierJob): Promise<string | undefined> {
  const answer = await turn.gateway.quote(job);
  if (answer.kind === 'quoted') {
    const { quoteId, feeCents, currency } = answer.quote;
    await change(turn.deps, turn.delivery, (locked) => ({ ...locked, quoteId, feeCents, currency }));
    return quoteId;
  }
  await refuse(turn, answer.reason);
  return undefined;
}

/** Returns false if the order was canceled in the meantime; then no delivery is created. */
async function markSent({ deps, delivery }: Turn, quoteId: string | null, tipCents: number): Promise<boolean> {
  let isSent = false;
  await change(deps, delivery, (locked, now) => {
    isSent = locked.isWanted || locked.sentAt !== null;
    return isSent ? { ...locked, quoteId, tipCents, sentAt: locked.sentAt ?? now } : scheduled(locked, now);
  });
  return isSent;
}

/**
 * Finds a delivery whose response was lost, so that the next call can cancel it. The gateway may still be creating it,
 * so "not found" counts only if no request is recent.
 */
async function recallDelivery(turn: Turn): Promise<void> {
  const { deps, delivery, gateway } = turn;
  const gone = () => change(deps, delivery, (locked) => ended(locked, 'canceled', null));
  const found = await gateway.find(delivery);
  if (found.kind === 'found') return applyReport(deps, delivery, found.report);
  const isOver = isOverdue(delivery, deps.clock.now());
  if (found.kind === 'none' && isOver) return gone();
  if (found.kind === 'none') throw new OutsideError('courier', 'The delivery may still happen.', { retryable: true });
  if (isOver) return change(deps, delivery, (locked) => ended(locked, 'failed', 'no answer in time'));
  // Repeats the request under the same key, so that the gateway returns the existing delivery or creates it.
  const again = await gateway.create(await prepareJob(turn), delivery.quoteId);
  return again.kind === 'created' ? applyReport(deps, delivery, again.report) : gone();
}

async function cancelDelivery(turn: Turn): Promise<void> {
  const { deps, delivery, gateway } = turn;
  if (delivery.deliveryId === null) return;
  const answer = await gateway.cancel(delivery.deliveryId);
  if (answer === 'canceled') return change(deps, delivery, (locked) => ended(locked, 'canceled', null));
  deps.log.error({ orderId: delivery.orderId }, 'a courier has an order that was canceled');
  await change(deps, delivery, (locked, now) => scheduled({ ...locked, isTooLate: true }, now));
}

/**
 * Passes changed notes on, until the courier has the order, and a raised tip. A change during the call gets a call of
 * its own.
 */
async function updateDelivery(turn: Turn): Promise<void> {
  const { deps, delivery, gateway, order } = turn;
  const { deliveryId, orderId, key, state } = delivery;
  if (deliveryId === null) return;
  const isRead = state === 'picked_up' || (await gateway.update(deliveryId, await prepareJob(turn))) === 'updated';
  if (!isRead) deps.log.warn({ orderId }, 'a courier takes no changed notes');
  const tipCents = tipOf(order);
  if (tipCents > (delivery.tipCents ?? 0)) {
    if ((await gateway.raiseTip(deliveryId, tipCents)) === 'updated') await saveTakenTip(deps.db, key, tipCents);
    else deps.log.warn({ orderId }, 'a courier takes no raised tip, which is owed to its driver');
  }
  await change(deps, delivery, (locked, now) => {
    const isSame = String(locked.changedAt) === String(delivery.changedAt);
    return scheduled({ ...locked, changedAt: isSame ? null : locked.changedAt }, now);
  });
}

async function findDelivery({ deps, delivery, gateway }: Turn): Promise<void> {
  const found = await gateway.find(delivery);
  if (found.kind === 'found') return applyReport(deps, delivery, found.report);
  throw new OutsideError('courier', "The gateway doesn't know this delivery.", { retryable: true });
}

async function refuse({ deps, delivery }: Turn, reason: string): Promise<void> {
  deps.log.error({ orderId: delivery.orderId, reason }, 'a courier refused a delivery');
  await change(deps, delivery, (locked) => ended(locked, 'refused', reason));
}

async function prepareJob({ deps, delivery, order }: Turn): Promise<CourierJob> {
  return courierJobOf(order, delivery, await findStore(deps.db, order.storeId));
}

/** Applies a rule to a delivery's locked row; skips a delivery that has ended. */
async function change(
  { db, clock }: Pick<CourierDeps, 'db' | 'clock'>,
  { key }: CourierDelivery,
  rule: (locked: CourierDelivery, now: Temporal.Instant) => CourierDelivery,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const locked = await lockDelivery(tx, key);
    if (locked && !isDeliveryEnded(locked)) await saveDelivery(tx, rule(locked, clock.now()));
  });
}

async function recordFailure(deps: CourierDeps, delivery: CourierDelivery, error: unknown) {
  const { db, clock, log } = deps;
  const outside = error instanceof OutsideError ? error : undefined;
  const failure = {
    message: outside?.message ?? 'failed inside',
    isFinal: outside !== undefined && !outside.retryable,
    retryAfterSeconds: outside?.retryAfterSeconds,
  };
  const after = await db.transaction().execute(async (tx) => {
    const locked = await lockDelivery(tx, delivery.key);
    const failed =
      locked && !isDeliveryEnded(locked) ? afterFailure(locked, failure, clock.now(), Math.random()) : undefined;
    if (failed) await saveDelivery(tx, failed);
    return failed;
  });
  const level = !outside || after?.state === 'failed' ? 'error' : 'warn';
  log[level](
    { orderId: delivery.orderId, err: outside ? undefined : error, reason: failure.message },
    'a courier call failed',
  );
  return after;
}

/**
 * Requests a courier once a store confirms a live delivery that no other party brings. Cancels the courier if the order
 * ends another way, or the store assigns its own driver. Passes changed notes, raised tips and delays on.
 */
export function courierEvents({ clock }: { clock: Clock }): EventHandler {
  return async (tx, events) => {
    const now = clock.now();
    const live = events.filter(({ mode }) => mode === 'live');
    const orderIdsByType = (...types: readonly string[]) =>
      live.filter(({ type }) => types.includes(type)).map(({ orderId }) => orderId);
    for (const { orderId, gateway } of await findCouriersOrders(tx, orderIdsByType('order.confirmed'))) {
      const order = await findAnyOrder(tx, orderId);
      // Courier companies collect no money, so the store brings an order that is paid at the door.
      if (!order || order.quote.withoutCourier || order.moneyPlan === 'collected') continue;
      await insertDelivery(tx, requestDelivery({ orderId, attempt: 1, gateway }, readyAtOf(order, now), now));
    }
    await markChanged(tx, orderIdsByType('order.updated', 'order.tipped', 'order.delayed'), now);
    await abandonDeliveries(tx, orderIdsByType('order.canceled', 'order.completed'), now);
    // If the courier itself was assigned, the step's transaction has already advanced the delivery.
    await abandonReplaced(tx, orderIdsByType('order.driver_assigned'), now);
  };
}
