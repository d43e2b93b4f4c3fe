import type {
  CourierDriver,
  CourierReport,
  CourierState,
} from '../../../../fulfillment/deliveries/couriers/courier-gateway.ts';
import type { Position } from '../../../../fulfillment/deliveries/position.ts';
import { isJsonObject, type JsonObject, listIn, memberOf, objectIn } from '../../../../platform/lib/json-object.ts';
import {
  centsIn,
  currencyIn,
  httpsIn,
  instantIn,
  phoneIn,
  positionIn,
  readPosition,
  textIn,
} from '../company-answer.ts';

/** Uber's delivery states in our words. "In pickup" may mean on the way or already there. */
const STATES: Readonly<Record<string, CourierState>> = {
  pending: 'pending',
  pickup: 'assigned',
  pickup_complete: 'picked_up',
  dropoff: 'picked_up',
  delivered: 'delivered',
  canceled: 'canceled',
  returned: 'returned',
};

/**
 * Uber's delivery as a report; undefined if it is none. `heard` is used if it has no time, `courierAt` for a separate
 * position.
 */
export function uberReport(
  delivery: JsonObject,
  heard: { at: Temporal.Instant; eventId?: string; courierAt?: Position | undefined },
): CourierReport | undefined {
  const deliveryId = textIn(delivery, 'id');
  const status = textIn(delivery, 'status') ?? '';
  const known = Object.hasOwn(STATES, status) ? STATES[status] : undefined;
  if (deliveryId === undefined || known === undefined) return undefined;
  const isAtStore = known === 'assigned' && memberOf(delivery, 'courier_imminent') === true;
  return {
    deliveryId,
    key: textIn(delivery, 'external_id') ?? null,
    state: isAtStore ? 'at_store' : known,
    driver: uberDriver(objectIn(delivery, 'courier'), heard.courierAt),
    eta: instantIn(delivery, 'dropoff_eta') ?? null,
    feeCents: centsIn(delivery, 'fee') ?? null,
    currency: currencyIn(delivery, 'currency') ?? null,
    trackingUrl: httpsIn(delivery, 'tracking_url') ?? null,
    proofUrl: proofIn(delivery) ?? null,
    at: heard.eventId === undefined ? (instantIn(delivery, 'updated') ?? heard.at) : heard.at,
    eventId: heard.eventId ?? null,
  };
}

function uberDriver(courier: JsonObject, courierAt: Position | undefined): CourierDriver {
  const name = textIn(courier, 'name');
  const phone = phoneIn(courier, 'phone_number');
  const vehicleType = textIn(courier, 'vehicle_type');
  const photoUrl = httpsIn(courier, 'img_href');
  const position =
    courierAt ??
    readPosition(memberOf(courier, 'latitude'), memberOf(courier, 'longitude')) ??
    positionIn(objectIn(courier, 'location'));
  return {
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone }),
    ...(vehicleType === undefined ? {} : { vehicleType }),
    ...(photoUrl === undefined ? {} : { photoUrl }),
    ...(position === undefined ? {} : { position }),
  };
}

/** The photo taken by the courier at the door. */
function proofIn(delivery: JsonObject): string | undefined {
  const verification = objectIn(objectIn(delivery, 'dropoff'), 'verification');
  const pictures = [objectIn(verification, 'picture'), ...listIn(verification, 'pictures').filter(isJsonObject)];
  return pictures.map((picture) => httpsIn(picture, 'image_url')).find((url) => url !== undefined);
}
