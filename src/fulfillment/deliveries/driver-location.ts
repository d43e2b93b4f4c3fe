import { METERS_PER_MILE, metersBetween } from 'doorstep/search-engine/geography';
import { advanceOrder, type OrderStep } from '../../ordering/order/advance-order.ts';
import {
  arrivalEpochS,
  clampSpeed,
  doorOf,
  driverPositionOf,
  isOlderPosition,
  isOnTheWay,
  laterOf,
  measuredAt,
  type Trip,
} from '../../ordering/order/arrival.ts';
import type { Driver, Order } from '../../ordering/order/order.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { TYPICAL_MILES_PER_HOUR } from '../../supply/stores/time-estimate.ts';
import { bearingBetween, isNear, type Position } from './position.ts';

/**
 * A driver's position, with the course in degrees from north if known. `measuredEpochS` is when it was measured, with
 * fractions; absent for now.
 */
export type DriverMove = Position & { course?: number | undefined; measuredEpochS?: number | undefined };

/** The driver's fields that a move changes. */
type MovedDriver = Pick<Driver, 'latitude' | 'longitude' | 'course' | 'updatedEpochS' | 'recentSpeed'>;

/** The effect of a move. `comesNear`: the driver has the order and is near the address for the first time. */
type Move = { moved: MovedDriver; eta: Temporal.Instant | null; comesNear: boolean };

/** The order with its driver's new position, the changed fields, and the event that the move causes, if any. */
type MovedOrder = { order: Order; moved: MovedDriver | undefined; step: OrderStep | undefined };

/**
 * Moves an order's driver. A move is not an event, except when a driver with the order is near the address for the
 * first time: that is `order.driver_nearby`. A position older than the known one changes nothing. Refuses with
 * `transition_not_allowed` unless a driver is on the way.
 */
export function driverMoved(order: Order, report: DriverMove, now: Temporal.Instant): MovedOrder {
  const move = moveOf(order, report, now);
  if (!move) return { order, moved: undefined, step: undefined };
  const { moved, eta, comesNear } = move;
  const there = { ...order, driver: { ...order.driver, ...moved }, eta };
  return { order: there, moved, step: comesNear ? advanceOrder(there, 'approach', now) : undefined };
}

/** Returns the effect of a move on the fields of an order that it needs; undefined for an older position. */
export function moveOf(trip: Trip & Pick<Order, 'eta'>, report: DriverMove, now: Temporal.Instant): Move | undefined {
  if (trip.status !== 'in_progress' || trip.driverStage === 'none') {
    throw new Refusal('transition_not_allowed', 'No driver is on the way with this order.');
  }
  const measuredEpochS = measuredAt(report.measuredEpochS, now);
  if (isOlderPosition(trip.driver, measuredEpochS)) return undefined;
  const moved = movedDriver(trip, report, measuredEpochS);
  const arrival = arrivalEpochS({ ...trip, driver: { ...trip.driver, ...moved } });
  const door = doorOf(trip);
  return {
    moved,
    eta: arrival === undefined ? trip.eta : laterOf(instantOfEpochSeconds(arrival), now),
    comesNear: trip.driverStage === 'picked_up' && door !== undefined && isNear(report, door),
  };
}

function movedDriver(trip: Trip, { latitude, longitude, ...move }: DriverMove, updatedEpochS: number): MovedDriver {
  const { driver } = trip;
  const from = driverPositionOf(trip);
  const course = move.course ?? (from && bearingBetween(from, { latitude, longitude })) ?? driver.course;
  const seconds = updatedEpochS - (driver.updatedEpochS ?? updatedEpochS);
  const meters = from ? metersBetween(from, { latitude, longitude }) : 0;
  return {
    latitude,
    longitude,
    updatedEpochS,
    ...(course === undefined ? {} : { course }),
    // Speed counts only from pick-up, because a driver may first wait for other orders.
    ...(isOnTheWay(trip) ? { recentSpeed: recentSpeed(driver.recentSpeed, { meters, seconds }) } : {}),
  };
}

/** Typical straight-line speed of a delivery in town, in meters per second. */
export const TYPICAL_SPEED = (TYPICAL_MILES_PER_HOUR * METERS_PER_MILE) / 3600;
/** Time constant of the smoothed speed, longer than a wait at traffic lights. */
const SMOOTHING_SECONDS = 120;

/** A driver's move since the previous report, in straight-line meters and seconds. */
type Leg = { meters: number; seconds: number };

/**
 * Returns the driver's recent speed after one more move, in straight-line meters per second, between MIN_SPEED and
 * MAX_SPEED. Starts at the typical speed; longer moves weigh more.
 */
export function recentSpeed(before: number | undefined, leg: Leg): number {
  const known = clampSpeed(before ?? TYPICAL_SPEED);
  if (before === undefined || leg.seconds <= 0) return known;
  const weight = 1 - Math.exp(-leg.seconds / SMOOTHING_SECONDS);
  return known + (clampSpeed(leg.meters / leg.seconds) - known) * weight;
}

/** A report of a driver's phone. `accuracy` is in meters. */
export type PositionReport = DriverMove & { accuracy?: number | undefined };

/**
 * Maximum error of a position. Without satellites, phones guess from the cell tower, which is too vague for a street
 * map.
 */
export const MAX_ACCURACY_METERS = 1000;
/** Maximum age of a position. A phone that was offline sends its last position late. */
export const MAX_AGE_SECONDS = 120;
/** Maximum error of a position that is accepted at any distance from the last one. */
const TRUSTED_ACCURACY_METERS = 100;
/** Speed that no road vehicle reaches: 250 km/h. */
const MAX_JUMP_SPEED = 70;

/** Whether a reported position is precise, recent, and reachable from the previous one. */
export function isPlausiblePosition(trip: Trip, report: PositionReport, now: Temporal.Instant): boolean {
  const { accuracy = 0 } = report;
  const measuredEpochS = measuredAt(report.measuredEpochS, now);
  if (accuracy > MAX_ACCURACY_METERS || now.epochMilliseconds / 1000 - measuredEpochS > MAX_AGE_SECONDS) return false;
  const from = driverPositionOf(trip);
  const { updatedEpochS } = trip.driver;
  if (!from || updatedEpochS === undefined) return true;
  const seconds = Math.max(1, measuredEpochS - updatedEpochS);
  return accuracy <= TRUSTED_ACCURACY_METERS || metersBetween(from, report) <= MAX_JUMP_SPEED * seconds;
}
