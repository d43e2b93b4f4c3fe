import { Refusal } from '../http/refusal.ts';
import { epochSeconds, instantOfEpochSeconds } from '../lib/time.ts';
import { advanceOrder, type OrderStep } from '../orders/advance-order.ts';
import type { Driver, Order } from '../orders/order.ts';
import { arrivalEpochS, doorOf, driverPositionOf } from './driver-whereabouts.ts';
import { courseBetween, isNear, type Position } from './position.ts';

/** A position report of a driver's phone; the course in degrees from north, where the phone knows it. */
export type DriverMove = Position & { course?: number };

/** The order with its driver's new position, and the event that the move causes, if any. */
export type MovedOrder = { order: Order; step: OrderStep | undefined };

/**
 * Moves the driver of an order. A move is no event, except the first time that a driver with the order comes near the
 * door: that is `order.driver_nearby`. Refuses with `transition_not_allowed` when no driver is on the way.
 */
export function driverMoved(order: Order, move: DriverMove, now: Temporal.Instant): MovedOrder {
  if (order.status !== 'in_progress' || order.driverStage === 'none') {
    throw new Refusal('transition_not_allowed', 'No driver is under way with this order.');
  }
  const driver = driverAt(order, move, now);
  const moved = { ...order, driver };
  const arrival = arrivalEpochS(moved);
  const eta = arrival === undefined ? order.eta : instantOfEpochSeconds(arrival);
  const door = doorOf(order);
  const comesNear = order.driverStage === 'picked_up' && door !== undefined && isNear(move, door);
  const there = { ...moved, eta };
  return { order: there, step: comesNear ? advanceOrder(there, 'approach', now, { driver }) : undefined };
}

function driverAt(order: Order, move: DriverMove, now: Temporal.Instant): Driver {
  const { latitude, longitude } = move;
  const from = driverPositionOf(order);
  const course = move.course ?? (from && courseBetween(from, move)) ?? order.driver.course;
  const updatedEpochS = epochSeconds(now);
  return { ...order.driver, latitude, longitude, updatedEpochS, ...(course === undefined ? {} : { course }) };
}
