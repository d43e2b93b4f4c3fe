import type { Logger } from 'pino';
import { advanceOrder, allowsStep, type OrderStep } from '../../../ordering/orders/advance-order.ts';
import { deletePosition, savePositions } from '../../../ordering/orders/driver-positions.db.ts';
import { type AdvanceEvent, type Driver, hasLeftTheStore, type Order } from '../../../ordering/orders/order.ts';
import { lockOrder, saveProgress } from '../../../ordering/orders/orders.db.ts';
import { recordStep } from '../../../ordering/orders/take-step.flow.ts';
import type { Db, Sql } from '../../../platform/db/connect.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import { driverMoved } from '../driver-location.ts';
import { findReported, insertDelivery, lockDelivery, saveDelivery } from './courier-deliveries.db.ts';
import {
  afterReport,
  type CourierDelivery,
  ended,
  MAX_ATTEMPTS,
  type Reported,
  requestDelivery,
} from './courier-delivery.ts';
import type { CourierDriver, CourierReport, CourierState } from './courier-gateway.ts';
import { readyAtOf } from './courier-job.ts';

export type ReportDeps = { db: Db; clock: Clock; log: Logger };

/** Applies a report that came by webhook; a report of a delivery that is not ours changes nothing. */
export async function receiveCourierReport(deps: ReportDeps, gateway: string, report: CourierReport): Promise<void> {
  const delivery = await findReported(deps.db, gateway, report);
  if (delivery) return applyReport(deps, delivery, report);
  deps.log.info({ gateway, eventId: report.eventId }, 'a courier reported on an unknown delivery');
}

/** Moves the delivery, and its order with it, as far as the report says, in one transaction. */
export async function applyReport(
  { db, clock, log }: ReportDeps,
  { orderId, key }: Pick<CourierDelivery, 'orderId' | 'key'>,
  report: CourierReport,
): Promise<void> {
  const now = clock.now();
  const outcome = await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const locked = await lockDelivery(tx, key);
    if (!order || !locked) return undefined;
    const reported = afterReport(locked, report, now);
    const isGone = reported.isNew && (report.state === 'canceled' || report.state === 'returned');
    const delivery = isGone
      ? await loseCourier(tx, order, { before: locked, after: reported.delivery }, now)
      : reported.delivery;
    await saveDelivery(tx, delivery);
    const isFollowed = delivery.isWanted && isOfCourier(order, locked);
    if (!isGone && reported.isNew && isFollowed) await followReport(tx, order, { ...reported, report }, now);
    return { delivery, isGone };
  });
  if (!outcome?.isGone || !outcome.delivery.isWanted) return;
  const { attempt, state } = outcome.delivery;
  const level = state === 'lost' || attempt >= MAX_ATTEMPTS ? 'error' : 'warn';
  log[level]({ orderId, attempt, state }, 'a courier gave up a delivery');
}

/**
 * The courier abandoned the delivery. Before pick-up another courier is requested, once; after pick-up the order is
 * lost, so it is canceled and refunded.
 */
async function loseCourier(
  tx: Sql,
  order: Order,
  { before, after }: { before: CourierDelivery; after: CourierDelivery },
  now: Temporal.Instant,
): Promise<CourierDelivery> {
  if (!after.isWanted || order.status !== 'in_progress' || !isOfCourier(order, before)) return after;
  if (before.state === 'picked_up' || after.state === 'returned' || hasLeftTheStore(order)) {
    // A report of the pick-up may have been lost: the order then stands before it, where it is simply canceled.
    const event = allowsStep(order, 'courier_lost') ? 'courier_lost' : 'cancel';
    await recordStep(tx, advanceOrder(order, event, now, { reason: 'courier_gave_up' }), now);
    return ended(after, 'lost', null);
  }
  const alone = withoutCourier(order);
  await saveProgress(tx, alone);
  const attempt = after.attempt + 1;
  if (attempt <= MAX_ATTEMPTS) {
    await insertDelivery(tx, requestDelivery({ ...after, attempt }, readyAtOf(alone, now), now));
  }
  return after;
}

/** Takes the steps that the order's courier has taken already, and moves the driver. */
async function followReport(
  tx: Sql,
  locked: Order,
  { report, isNewer }: Reported & { report: CourierReport },
  now: Temporal.Instant,
): Promise<void> {
  let order = locked;
  for (let step = nextStepOf(order, report, now); step; step = nextStepOf(order, report, now)) {
    order = await recordStep(tx, step, now);
  }
  if (!isNewer || order.status !== 'in_progress' || order.driverStage === 'none') return;
  const { position } = report.driver;
  const driven = withDriver(order, report.driver);
  const { orderId, lastSequence } = order;
  const at = position ? driverMoved(driven, position, now) : { order: driven, step: undefined, moved: undefined };
  // The courier's company knows the whole way; an estimate from the position stands in where it says nothing.
  const eta = report.eta ?? at.order.eta;
  if (at.step) await recordStep(tx, { ...at.step, order: { ...at.step.order, eta } }, now);
  else if (at.moved && driven === order) await savePositions(tx, [{ orderId, lastSequence, moved: at.moved, eta }]);
  else {
    await saveProgress(tx, { ...at.order, eta });
    // The order's own row has the position now.
    await deletePosition(tx, orderId);
  }
}

/** The steps that an order has taken once its courier is so far. */
const STEPS_OF: Readonly<Record<CourierState, readonly AdvanceEvent[]>> = {
  pending: [],
  assigned: ['assign_driver'],
  at_store: ['assign_driver'],
  picked_up: ['assign_driver', 'pick_up'],
  delivered: ['assign_driver', 'pick_up', 'complete'],
  canceled: [],
  returned: [],
};

/**
 * The next step of an order that its courier is further than; undefined where the order is as far. Webhooks may be lost,
 * so one report can bring several steps, each of which is taken in its turn.
 */
function nextStepOf(order: Order, report: CourierReport, now: Temporal.Instant): OrderStep | undefined {
  const next = STEPS_OF[report.state].find((event) => allowsStep(order, event));
  return next && advanceOrder(order, next, now, { driver: reportedDriver(report.driver) });
}

/** Whether no driver has the order, or the courier of this delivery: a store may assign a driver of its own instead. */
function isOfCourier({ driverStage, driver }: Order, { driverName }: Pick<CourierDelivery, 'driverName'>): boolean {
  return driverStage === 'none' || (driver.name ?? null) === driverName;
}

/** The order without the courier that gave up before pick-up: a later step assigns the next driver. */
function withoutCourier(order: Order): Order {
  return { ...order, driver: {}, driverStage: 'none' };
}

/**
 * The order with what the courier's company says of the driver; another driver's name replaces all that was known. The
 * same order where that is nothing new.
 */
function withDriver(order: Order, courier: CourierDriver): Order {
  const { driver } = order;
  const said = reportedDriver(courier);
  if (said.name !== undefined && said.name !== driver.name) return { ...order, driver: said };
  const isKnown =
    (said.phone ?? driver.phone) === driver.phone &&
    (said.vehicleType ?? driver.vehicleType) === driver.vehicleType &&
    (said.photoUrl ?? driver.photoUrl) === driver.photoUrl;
  return isKnown ? order : { ...order, driver: { ...driver, ...said } };
}

function reportedDriver({ name, phone, vehicleType, photoUrl }: CourierDriver): Driver {
  return {
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone }),
    ...(vehicleType === undefined ? {} : { vehicleType }),
    ...(photoUrl === undefined ? {} : { photoUrl }),
  };
}
