import { milesBetween } from '../lib/geo/sphere.ts';
import type { Order } from '../orders/order.ts';
import { travelMinutes } from '../stores/time-estimate.ts';
import type { Position } from './position.ts';

/** Where the order goes; undefined while the customer has not said it, and for pickup. */
export function doorOf({ request }: Order): Position | undefined {
  const { latitude, longitude } = request.customer;
  if (request.mode === 'pickup' || latitude === null || longitude === null) return undefined;
  return { latitude, longitude };
}

/** The last position of the driver of an order in progress; undefined once the order has ended. */
export function driverPositionOf({ status, driver, driverStage }: Order): Position | undefined {
  const { latitude, longitude } = driver;
  if (status !== 'in_progress' || driverStage === 'none') return undefined;
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** Whether the driver has the order and is on the way to the door. */
export function isOnTheWay({ status, driverStage }: Order): boolean {
  return status === 'in_progress' && (driverStage === 'picked_up' || driverStage === 'nearby');
}

/** Straight-line miles that the driver still has to the door; undefined while not on the way there. */
export function milesToDoor(order: Order): number | undefined {
  const [door, driver] = [doorOf(order), driverPositionOf(order)];
  return door && driver && isOnTheWay(order) ? milesBetween(driver, door) : undefined;
}

/** The arrival of a driver with the order at the door, in epoch seconds, estimated from the last position. */
export function arrivalEpochS(order: Order): number | undefined {
  const miles = milesToDoor(order);
  const { updatedEpochS } = order.driver;
  return miles === undefined || updatedEpochS === undefined ? undefined : updatedEpochS + travelMinutes(miles) * 60;
}
