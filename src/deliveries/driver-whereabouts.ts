import { METRES_PER_MILE, milesBetween } from '../lib/geo/sphere.ts';
import { type Customer, hasLeftTheStore, type Order } from '../orders/order.ts';
import type { Mode } from '../stores/store.ts';
import { minutesToArrive } from './estimate-arrival.ts';
import type { Position } from './position.ts';

/** The part of an order that tells where its driver is and goes. */
export type Trip = Pick<Order, 'status' | 'driverStage' | 'driver'> & {
  request: { mode: Mode; customer: Pick<Customer, 'latitude' | 'longitude'> };
};

/** Where the order goes; undefined while the customer has not said it, and for pickup. */
export function doorOf({ request }: Pick<Trip, 'request'>): Position | undefined {
  const { latitude, longitude } = request.customer;
  if (request.mode === 'pickup' || latitude === null || longitude === null) return undefined;
  return { latitude, longitude };
}

/** The last position of the driver of an order in progress; undefined once the order has ended. */
export function driverPositionOf({ status, driver, driverStage }: Trip): Position | undefined {
  const { latitude, longitude } = driver;
  if (status !== 'in_progress' || driverStage === 'none') return undefined;
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** Whether the driver has the order and is on the way to the door. */
export function isOnTheWay(trip: Pick<Trip, 'status' | 'driverStage'>): boolean {
  return trip.status === 'in_progress' && hasLeftTheStore(trip);
}

/** Straight-line miles that the driver still has to the door; undefined while not on the way there. */
export function milesToDoor(trip: Trip): number | undefined {
  const [door, driver] = [doorOf(trip), driverPositionOf(trip)];
  return door && driver && isOnTheWay(trip) ? milesBetween(driver, door) : undefined;
}

/** The arrival of a driver with the order at the door, in epoch seconds, estimated from the last position and speed. */
export function arrivalEpochS(trip: Trip): number | undefined {
  const miles = milesToDoor(trip);
  const { updatedEpochS, recentSpeed } = trip.driver;
  if (miles === undefined || updatedEpochS === undefined) return undefined;
  return updatedEpochS + minutesToArrive(miles * METRES_PER_MILE, recentSpeed) * 60;
}
