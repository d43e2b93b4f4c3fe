import { Refusal } from '../http/refusal.ts';
import { metresBetween } from '../lib/geo/sphere.ts';
import { epochSeconds, instantOfEpochSeconds } from '../lib/time.ts';
import { advanceOrder, type OrderStep } from '../orders/advance-order.ts';
import type { Driver, Order } from '../orders/order.ts';
import { arrivalEpochS, doorOf, driverPositionOf, isOnTheWay, type Trip } from './driver-whereabouts.ts';
import { recentSpeed } from './estimate-arrival.ts';
import { courseBetween, isNear, type Position } from './position.ts';

/** A position report of a driver's phone; the course in degrees from north, where the phone knows it. */
export type DriverMove = Position & { course?: number | undefined };

/** The members of a driver that a move changes. */
type MovedDriver = Pick<Driver, 'latitude' | 'longitude' | 'course' | 'updatedEpochS' | 'recentSpeed'>;

/** What a move changes. `comesNear`: the driver has the order, was not near the door before, and is near it now. */
type Move = { moved: MovedDriver; eta: Temporal.Instant | null; comesNear: boolean };

/** The order with its driver's new position, the part that the move changed, and the event that it causes, if any. */
type MovedOrder = { order: Order; moved: MovedDriver; step: OrderStep | undefined };

/**
 * Moves the driver of an order. A move is no event, except the first time that a driver with the order comes near the
 * door: that is `order.driver_nearby`. Refuses with `transition_not_allowed` when no driver is under way.
 */
export function driverMoved(order: Order, report: DriverMove, now: Temporal.Instant): MovedOrder {
  const { moved, eta, comesNear } = moveOf(order, report, now);
  const there = { ...order, driver: { ...order.driver, ...moved }, eta };
  return { order: there, moved, step: comesNear ? advanceOrder(there, 'approach', now) : undefined };
}

/** The same of the part of an order that a move needs. */
export function moveOf(trip: Trip & Pick<Order, 'eta'>, report: DriverMove, now: Temporal.Instant): Move {
  if (trip.status !== 'in_progress' || trip.driverStage === 'none') {
    throw new Refusal('transition_not_allowed', 'No driver is under way with this order.');
  }
  const moved = movedDriver(trip, report, epochSeconds(now));
  const arrival = arrivalEpochS({ ...trip, driver: { ...trip.driver, ...moved } });
  const door = doorOf(trip);
  return {
    moved,
    eta: arrival === undefined ? trip.eta : instantOfEpochSeconds(arrival),
    comesNear: trip.driverStage === 'picked_up' && door !== undefined && isNear(report, door),
  };
}

function movedDriver(trip: Trip, { latitude, longitude, ...move }: DriverMove, updatedEpochS: number): MovedDriver {
  const { driver } = trip;
  const from = driverPositionOf(trip);
  const course = move.course ?? (from && courseBetween(from, { latitude, longitude })) ?? driver.course;
  const seconds = updatedEpochS - (driver.updatedEpochS ?? updatedEpochS);
  const metres = from ? metresBetween(from, { latitude, longitude }) : 0;
  return {
    ...{ latitude, longitude, updatedEpochS },
    ...(course === undefined ? {} : { course }),
    // On the way to the store a driver waits for other orders too: the speed counts from pick-up.
    ...(isOnTheWay(trip) ? { recentSpeed: recentSpeed(driver.recentSpeed, { metres, seconds }) } : {}),
  };
}
