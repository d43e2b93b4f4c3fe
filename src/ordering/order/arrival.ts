import { type Coordinate, METERS_PER_MILE, milesBetween } from 'doorstep/search-engine/geography';
import type { Mode } from '../../supply/stores/store.ts';
import { travelMinutes } from '../../supply/stores/time-estimate.ts';
import { type Customer, type Driver, hasLeftTheStore, type Order } from './order.ts';

/** The trip of an order from its store to the address, and when it ends. */

/** The fields of an order that determine where its driver is and goes. */
export type Trip = Pick<Order, 'status' | 'driverStage' | 'driver'> & {
  request: { mode: Mode; customer: Pick<Customer, 'latitude' | 'longitude'> };
};

/** Returns the order's delivery address; undefined for pickup, and until the customer has entered it. */
export function doorOf({ request }: Pick<Trip, 'request'>): Coordinate | undefined {
  const { latitude, longitude } = request.customer;
  if (request.mode === 'pickup' || latitude === null || longitude === null) return undefined;
  return { latitude, longitude };
}

/** Returns the driver's last position for an order in progress; undefined once the order has ended. */
export function driverPositionOf({ status, driver, driverStage }: Trip): Coordinate | undefined {
  const { latitude, longitude } = driver;
  if (status !== 'in_progress' || driverStage === 'none') return undefined;
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** A device's clock may run ahead: no position counts as measured after now, or it would rule out later ones. */
export function measuredAt(measuredEpochS: number | undefined, now: Temporal.Instant): number {
  const nowS = now.epochMilliseconds / 1000;
  return Math.min(measuredEpochS ?? nowS, nowS);
}

/** Whether a position measured at this moment is older than the driver's known one. */
export function isOlderPosition({ latitude, updatedEpochS }: Driver, measuredEpochS: number): boolean {
  return latitude !== undefined && updatedEpochS !== undefined && measuredEpochS < updatedEpochS;
}

/** Whether the driver has the order and is on the way to the address. */
export function isOnTheWay(trip: Pick<Trip, 'status' | 'driverStage'>): boolean {
  return trip.status === 'in_progress' && hasLeftTheStore(trip);
}

/** Returns the straight-line miles from the driver to the address; undefined unless on the way there. */
export function milesToDoor(trip: Trip): number | undefined {
  const [door, driver] = [doorOf(trip), driverPositionOf(trip)];
  return door && driver && isOnTheWay(trip) ? milesBetween(driver, door) : undefined;
}

/** Returns the estimated arrival at the address, in epoch seconds, from the last position and speed. */
export function arrivalEpochS(trip: Trip): number | undefined {
  const miles = milesToDoor(trip);
  const { updatedEpochS, recentSpeed } = trip.driver;
  if (miles === undefined || updatedEpochS === undefined) return undefined;
  return Math.floor(updatedEpochS) + minutesToArrive(miles * METERS_PER_MILE, recentSpeed) * 60;
}

/** Minimum estimated speed, because a driver at a red light will drive on. */
export const MIN_SPEED = 1.5;
/** Straight-line speed on a motorway; a faster report is an error of the phone. */
export const MAX_SPEED = 25;

/**
 * Returns the whole minutes until a driver arrives at an address this many straight-line meters away; at least one.
 * Without a recent speed, the speed that quotes assume.
 */
export function minutesToArrive(meters: number, speed: number | undefined): number {
  if (speed === undefined) return travelMinutes(meters / METERS_PER_MILE);
  return Math.max(1, Math.ceil(meters / clampSpeed(speed) / 60));
}

export const clampSpeed = (speed: number): number => Math.min(MAX_SPEED, Math.max(MIN_SPEED, speed));

/** Returns the travel time from the store to the address in seconds; 0 for pickup. */
export function travelSeconds(order: Pick<Trip, 'request'> & { quote: Pick<Order['quote'], 'store'> }): number {
  const door = doorOf(order);
  return door ? travelMinutes(milesBetween(order.quote.store, door)) * 60 : 0;
}

export function laterOf(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? other : one;
}
