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

/** Where the driver of an order under way was last seen; nobody follows one who is done. */
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

/** When a driver who is on the way will be at the door, in epoch seconds, from where they were last seen. */
export function arrivalEpochS(order: Order): number | undefined {
  const miles = milesToDoor(order);
  const { updatedEpochS } = order.driver;
  return miles === undefined || updatedEpochS === undefined ? undefined : updatedEpochS + travelMinutes(miles) * 60;
}
