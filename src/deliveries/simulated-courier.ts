import { Refusal } from '../http/refusal.ts';
import { metresBetween } from '../lib/geo/sphere.ts';
import { allowsStep, type StepDetails } from '../orders/advance-order.ts';
import type { Order } from '../orders/order.ts';
import type { AdvanceEvent } from '../orders/order-events.ts';
import { doorOf } from './driver-whereabouts.ts';
import { courseBetween, isNear, NEAR_METRES, type Position } from './position.ts';

/** The driver of sandbox orders; the number is from the range reserved for fiction. */
const SIMULATED_DRIVER = { name: 'Sandbox Driver', phone: 15555550100, rating: 4.9, vehicleType: 'car' } as const;
/** Degrees of some 200 metres, well within the 500 that count as near the door. */
const NEAR_DEGREES = 0.0018;

/**
 * The step details of a sandbox order's courier: the driver and the position; a requested position takes precedence.
 * Refuses `approach` from a requested position that is not near the door, with transition_not_allowed.
 */
export function simulateCourier(order: Order, event: AdvanceEvent, requested?: Position): StepDetails {
  if (order.request.mode === 'pickup') return {};
  const store = { latitude: order.quote.store.latitude, longitude: order.quote.store.longitude };
  const door = doorOf(order) ?? store;
  const course = courseBetween(store, door) ?? 0;
  switch (event) {
    case 'assign_driver':
      return { driver: { ...SIMULATED_DRIVER, ...store, course } };
    case 'pick_up':
      return { driver: { ...store, course } };
    case 'approach':
      // A step that the order's state does not allow is refused for that, wherever the driver is.
      if (requested && allowsStep(order, event)) refuseFar(requested, door);
      return { driver: { ...(requested ?? shortOf(door, store)), course } };
    case 'complete':
      return { driver: door };
    default:
      return {};
  }
}

/** The customer is requested that the driver is near, so the driver must be. */
function refuseFar(driver: Position, door: Position): void {
  if (isNear(driver, door)) return;
  const metres = Math.ceil(metresBetween(driver, door));
  throw new Refusal(
    'transition_not_allowed',
    `The driver is ${metres} m from the door: approach is possible within ${NEAR_METRES} m.`,
  );
}

/** On the straight way from the store, just before the door; halfway where the store is next door. */
function shortOf(door: Position, store: Position): Position {
  const way = Math.hypot(store.latitude - door.latitude, store.longitude - door.longitude);
  const part = way === 0 ? 0 : Math.min(0.5, NEAR_DEGREES / way);
  const between = (from: number, to: number) => from + (to - from) * part;
  return { latitude: between(door.latitude, store.latitude), longitude: between(door.longitude, store.longitude) };
}
