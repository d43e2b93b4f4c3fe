import { present } from 'doorstep/collections';
import type { Logger } from 'pino';
import { recordStep } from '../../../ordering/money/take-step.flow.ts';
import { advanceOrder, allowsStep, type OrderStep } from '../../../ordering/order/advance-order.ts';
import { laterOf } from '../../../ordering/order/arrival.ts';
import { deletePosition, savePositions } from '../../../ordering/order/driver-positions.db.ts';
import { soonestEpochS } from '../../../ordering/order/kitchen-times.ts';
import { type AdvanceEvent, type Driver, hasLeftTheStore, type Order } from '../../../ordering/order/order.ts';
import { lockOrder, saveProgress } from '../../../ordering/order/orders.db.ts';
import { openWeights } from '../../../ordering/order/weighed-order.ts';
import type { Sql } from '../../../platform/db/connect.ts';
import type { Context } from '../../../platform/db/context.ts';
import { ensureSetting, lockSetting, writeSetting } from '../../../platform/db/settings.db.ts';
import { readPhone } from '../../../platform/lib/phone.ts';
import { instantOfEpochSeconds } from '../../../platform/lib/time.ts';
import { driverMoved } from '../driver-location.ts';
import { findReported, insertDelivery, lockDelivery, saveDelivery } from './courier-deliveries.db.ts';
import {
  afterReport,
  type CourierDelivery,
  ended,
  MAX_ATTEMPTS,
  type ReportEffect,
  requestDelivery,
} from './courier-delivery.ts';
import type { CourierDriver, CourierReport, CourierState } from './courier-gateway.ts';
import { readyAtOf } from './courier-job.ts';

/*
 * Reports of courier companies: load the delivery by the company's ID, decide what the report changes, and write the
 * delivery, the order's step and the driver's position together.
 */

/** The setting with the last day's live orders that left unweighed with their couriers: JSON, by order the time. */
export const UNWEIGHED_ORDERS = 'unweighed_orders';

export type ReportDeps = Context & { log: Logger };

/** Applies a webhook's report; ignores reports about unknown deliveries. */
export async function receiveCourierReport(deps: ReportDeps, gateway: string, report: CourierReport): Promise<void> {
  const delivery = await findReported(deps.db, gateway, report);
  if (delivery) return applyReport(deps, delivery, report);
  deps.log.info({ gateway, eventId: report.eventId }, 'a courier reported on an unknown delivery');
}

/** Advances the delivery and its order to the reported state, in one transaction. */
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
      ? await handleLostCourier(tx, order, { before: locked, after: reported.delivery }, now)
      : reported.delivery;
    await saveDelivery(tx, delivery);
    const isFollowed = delivery.isWanted && isOfCourier(order, locked);
    if (!isGone && reported.isNew && isFollowed) await followReport(tx, order, { ...reported, report }, now);
    const isTaken = report.state === 'picked_up' || report.state === 'delivered';
    const unweighed = isTaken && isFollowed && !hasLeftTheStore(order) ? openWeights(order) : [];
    if (unweighed.length > 0 && order.mode === 'live') {
      await noteUnweighed(tx, orderId, now);
    }
    return { delivery, isGone, unweighed };
  });
  if (outcome && outcome.unweighed.length > 0) {
    const items = outcome.unweighed;
    log.error({ orderId, items }, 'a courier has goods that were not weighed: they count as ordered');
  }
  if (!outcome?.isGone || !outcome.delivery.isWanted) return;
  const { attempt, state } = outcome.delivery;
  const level = state === 'lost' || attempt >= MAX_ATTEMPTS ? 'error' : 'warn';
  log[level]({ orderId, attempt, state }, 'a courier gave up a delivery');
}

async function noteUnweighed(tx: Sql, orderId: string, now: Temporal.Instant): Promise<void> {
  await ensureSetting(tx, UNWEIGHED_ORDERS, '{}');
  const noted = JSON.parse((await lockSetting(tx, UNWEIGHED_ORDERS)) ?? '{}');
  const since = now.subtract({ hours: 24 });
  const recent = Object.entries<string>(noted).filter(([, at]) => Temporal.Instant.compare(at, since) > 0);
  await writeSetting(tx, UNWEIGHED_ORDERS, JSON.stringify(Object.fromEntries([...recent, [orderId, now.toString()]])));
}

/**
 * Handles a courier that abandoned the delivery. Before pickup another courier is requested, once. After pick-up the
 * order is lost, so it is canceled and refunded.
 */
async function handleLostCourier(
  tx: Sql,
  order: Order,
  { before, after }: { before: CourierDelivery; after: CourierDelivery },
  now: Temporal.Instant,
): Promise<CourierDelivery> {
  if (!after.isWanted || order.status !== 'in_progress' || !isOfCourier(order, before)) return after;
  if (before.state === 'picked_up' || after.state === 'returned' || hasLeftTheStore(order)) {
    // If the report of the pick-up was lost, the order is still before pick-up and is only canceled.
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

/** Takes the steps that the courier's report implies, and moves the driver. */
async function followReport(
  tx: Sql,
  locked: Order,
  { report, isNewer, delivery: { key } }: ReportEffect & { report: CourierReport },
  now: Temporal.Instant,
): Promise<void> {
  let order = locked;
  for (let step = nextStepOf(order, report, key, now); step; step = nextStepOf(order, report, key, now)) {
    order = await recordStep(tx, step, now);
  }
  if (!isNewer || order.status !== 'in_progress' || order.driverStage === 'none') return;
  const { position } = report.driver;
  const driven = withDriver(order, reportedDriver(report.driver, key));
  const { orderId, lastSequence } = order;
  const move = position && { ...position, measuredEpochS: report.at.epochMilliseconds / 1000 };
  const at = move ? driverMoved(driven, move, now) : { order: driven, step: undefined, moved: undefined };
  const eta = etaOf(at.order, report, now);
  if (at.step) await recordStep(tx, { ...at.step, order: { ...at.step.order, eta } }, now);
  else if (at.moved && driven === order) await savePositions(tx, [{ orderId, lastSequence, moved: at.moved, eta }]);
  else {
    await saveProgress(tx, { ...at.order, eta });
    // From now on, the order's own row contains the position.
    await deletePosition(tx, orderId);
  }
}

/**
 * Returns the ETA. The company's estimate takes precedence, unless it leaves no time for the trip from the store;
 * without one, the estimate from the position stays.
 */
function etaOf(order: Order, { eta }: CourierReport, now: Temporal.Instant): Temporal.Instant | null {
  return eta ? laterOf(eta, instantOfEpochSeconds(soonestEpochS(order, now))) : order.eta;
}

/** Steps of an order up to each courier state. */
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
 * Returns the order's next step toward its courier's state; undefined if there is none. Webhooks may be lost, so one
 * report can cause several steps, one after the other.
 */
function nextStepOf(order: Order, report: CourierReport, key: string, now: Temporal.Instant): OrderStep | undefined {
  const next = STEPS_OF[report.state].find((event) => allowsStep(order, event));
  return next && advanceOrder(order, next, now, { driver: reportedDriver(report.driver, key), isReported: true });
}

/**
 * Whether the order's driver is absent or this delivery's courier. A store may have assigned its own driver
 * instead.
 */
function isOfCourier({ driverStage, driver }: Order, { key }: Pick<CourierDelivery, 'key'>): boolean {
  return driverStage === 'none' || driver.courierKey === key;
}

/** Removes a courier that gave up before pick-up from the order. A later step assigns the next driver. */
function withoutCourier(order: Order): Order {
  return { ...order, driver: {}, driverStage: 'none' };
}

/**
 * Returns the order with the company's details of the driver; a new name replaces all earlier details. Returns the same
 * order if nothing is new.
 */
function withDriver(order: Order, said: Driver): Order {
  const { driver } = order;
  if (said.name !== undefined && said.name !== driver.name) return { ...order, driver: said };
  const isKnown =
    (said.phone ?? driver.phone) === driver.phone &&
    (said.vehicleType ?? driver.vehicleType) === driver.vehicleType &&
    (said.photoUrl ?? driver.photoUrl) === driver.photoUrl;
  return isKnown ? order : { ...order, driver: { ...driver, ...said } };
}

function reportedDriver({ name, phone: reported, vehicleType, photoUrl }: CourierDriver, courierKey: string): Driver {
  const phone = readPhone(reported)?.number;
  return { courierKey, ...present({ name, phone, vehicleType, photoUrl }) };
}
