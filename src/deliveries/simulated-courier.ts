import { Refusal } from '../http/refusal.ts';
import { metresBetween } from '../lib/geo/sphere.ts';
import { allowsStep, type StepDetails } from '../orders/advance-order.ts';
import type { Order } from '../orders/order.ts';
import type { StepName } from '../orders/order-events.ts';
import { doorOf } from './driver-whereabouts.ts';
import { isNear, NEAR_METRES, type Position } from './position.ts';
import { nearlyThere, placeOn, wayOf } from './simulated-way.ts';

/** The driver of sandbox orders; the number is from the range reserved for fiction. */
const SIMULATED_DRIVER = { name: 'Sandbox Driver', phone: 15555550100, rating: 4.9, vehicleType: 'car' } as const;
/** The path of the driver's photo, below `BASE_URL`. */
export const DRIVER_PHOTO_PATH = '/sandbox/driver.svg';

/** Where the service is reached, and a position that the sandbox asks for. */
export type CourierSetting = { baseUrl: string; requested?: Position | undefined };

/**
 * The step details of a sandbox order's courier: the driver and the position; a requested position takes precedence.
 * Refuses `approach` from a requested position that is not near the door, with transition_not_allowed.
 */
export function simulateCourier(order: Order, step: StepName, { baseUrl, requested }: CourierSetting): StepDetails {
  if (order.request.mode === 'pickup') return {};
  const way = wayOf(order);
  switch (step) {
    case 'assign_driver':
      return { driver: { ...SIMULATED_DRIVER, photoUrl: `${baseUrl}${DRIVER_PHOTO_PATH}`, ...placeOn(way, 0) } };
    case 'pick_up':
      return { driver: placeOn(way, 0) };
    case 'approach': {
      // A step that the order's state does not allow is refused for that, wherever the driver is.
      if (requested && allowsStep(order, step)) refuseFar(requested, doorOf(order) ?? requested);
      return { driver: { ...placeOn(way, nearlyThere(way)), ...requested } };
    }
    case 'complete':
      // The course stays that of the driver's last move.
      return { driver: doorOf(order) ?? {} };
    default:
      return {};
  }
}

/** The customer is told that the driver is near, so the driver must be. */
function refuseFar(driver: Position, door: Position): void {
  if (isNear(driver, door)) return;
  const metres = Math.ceil(metresBetween(driver, door));
  throw new Refusal(
    'transition_not_allowed',
    `The driver is ${metres} m from the door: approach is possible within ${NEAR_METRES} m.`,
  );
}
