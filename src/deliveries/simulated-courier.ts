import type { StepDetails } from '../orders/advance-order.ts';
import type { Driver, Order } from '../orders/order.ts';
import type { AdvanceEvent } from '../orders/order-events.ts';

/** A driver who exists only in the sandbox; the number is of the range kept for fiction. */
const SIMULATED_DRIVER = { name: 'Sandbox Driver', phone: 15555550100, rating: 4.9, vehicleType: 'car' } as const;
/** Degrees of some 200 metres, well within the 500 that count as near the door. */
const NEAR_DEGREES = 0.0018;

export type Position = { latitude: number; longitude: number };

/** What a sandbox order's courier brings along with a step: who drives, and where they are; a told position counts more. */
export function simulateCourier(order: Order, event: AdvanceEvent, told?: Position): StepDetails {
  if (order.request.mode === 'pickup') return {};
  const door = doorOf(order);
  const store = { latitude: order.quote.store.latitude, longitude: order.quote.store.longitude };
  const course = Math.round(courseTo(store, door));
  switch (event) {
    case 'assign_driver':
      return { driver: { ...SIMULATED_DRIVER, ...store, course } };
    case 'pick_up':
      return { driver: { ...store, course } };
    case 'approach':
      return { driver: { ...(told ?? shortOf(door, store)), course } };
    case 'complete':
      return { driver: door };
    default:
      return {};
  }
}

function doorOf(order: Order): Position {
  const { latitude, longitude } = order.request.customer;
  return { latitude: latitude ?? order.quote.store.latitude, longitude: longitude ?? order.quote.store.longitude };
}

/** On the straight way from the store, just before the door; halfway where the store is next door. */
function shortOf(door: Position, store: Position): Position {
  const way = Math.hypot(store.latitude - door.latitude, store.longitude - door.longitude);
  const part = way === 0 ? 0 : Math.min(0.5, NEAR_DEGREES / way);
  const between = (from: number, to: number) => from + (to - from) * part;
  return { latitude: between(door.latitude, store.latitude), longitude: between(door.longitude, store.longitude) };
}

/** Initial bearing of the great circle, in degrees from north. */
function courseTo(from: Required<Pick<Driver, 'latitude' | 'longitude'>>, to: Position): number {
  const radians = Math.PI / 180;
  const [lat1, lat2] = [from.latitude * radians, to.latitude * radians];
  const across = (to.longitude - from.longitude) * radians;
  const y = Math.sin(across) * Math.cos(lat2);
  const x = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(across);
  return (Math.atan2(y, x) / radians + 360) % 360;
}
