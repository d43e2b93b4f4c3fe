import { Refusal } from '../http/refusal.ts';
import { epochSeconds, instantOfEpochSeconds } from '../lib/time.ts';
import { advanceOrder, type OrderStep } from '../orders/advance-order.ts';
import type { Driver, Order } from '../orders/order.ts';
import { arrivalEpochS, doorOf, driverPositionOf } from './driver-whereabouts.ts';
import { courseBetween, isNear, type Position } from './position.ts';

/** What a driver's phone tells; the course in degrees from north where it knows one. */
export type DriverMove = Position & { course?: number };

/** The order with its driver moved, and the event where the move is one. */
export type MovedOrder = { order: Order; step: OrderStep | undefined };

/**
 * Moves the driver of an order under way. It is no event, but the first time that one who has picked the order up
 * comes near the door, which is `order.driver_nearby`. Refuses with `transition_not_allowed` when no driver is under way.
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
