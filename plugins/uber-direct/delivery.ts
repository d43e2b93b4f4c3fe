import { present } from 'doorstep/collections';
import type { CourierDriver, CourierReport, CourierState, Position } from 'doorstep/plugin';
import {
  type JsonObject,
  memberOf,
  objectIn,
  objectsIn,
  readCents,
  readCurrency,
  readHttpsUrl,
  readInstant,
  readLatLng,
  readPhone,
  readPosition,
  readText,
} from 'doorstep/plugin';

/** Our states for Uber's delivery states. "In pickup" may mean on the way or already there. */
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
 * Reads Uber's delivery as a report; undefined if it is not one. `received` is used if it has no time, `courierAt` for
 * a separate position.
 */
export function uberReport(
  delivery: JsonObject,
  received: { at: Temporal.Instant; eventId?: string; courierAt?: Position | undefined },
): CourierReport | undefined {
  const deliveryId = readText(delivery, 'id');
  const status = readText(delivery, 'status') ?? '';
  const known = Object.hasOwn(STATES, status) ? STATES[status] : undefined;
  if (deliveryId === undefined || known === undefined) return undefined;
  const isAtStore = known === 'assigned' && memberOf(delivery, 'courier_imminent') === true;
  return {
    deliveryId,
    key: readText(delivery, 'external_id') ?? null,
    state: isAtStore ? 'at_store' : known,
    driver: uberDriver(objectIn(delivery, 'courier'), received.courierAt),
    eta: readInstant(delivery, 'dropoff_eta') ?? null,
    feeCents: readCents(delivery, 'fee') ?? null,
    currency: readCurrency(delivery, 'currency') ?? null,
    trackingUrl: readHttpsUrl(delivery, 'tracking_url') ?? null,
    proofUrl: readProofPhoto(delivery) ?? null,
    at: received.eventId === undefined ? (readInstant(delivery, 'updated') ?? received.at) : received.at,
    eventId: received.eventId ?? null,
  };
}

function uberDriver(courier: JsonObject, courierAt: Position | undefined): CourierDriver {
  const name = readText(courier, 'name');
  const phone = readPhone(readText(courier, 'phone_number'))?.number;
  const vehicleType = readText(courier, 'vehicle_type');
  const photoUrl = readHttpsUrl(courier, 'img_href');
  const position =
    courierAt ??
    readPosition(memberOf(courier, 'latitude'), memberOf(courier, 'longitude')) ??
    readLatLng(objectIn(courier, 'location'));
  return present({ name, phone, vehicleType, photoUrl, position });
}

/** Reads the photo taken by the courier at the door. */
function readProofPhoto(delivery: JsonObject): string | undefined {
  const verification = objectIn(objectIn(delivery, 'dropoff'), 'verification');
  const pictures = [objectIn(verification, 'picture'), ...objectsIn(verification, 'pictures')];
  return pictures.map((picture) => readHttpsUrl(picture, 'image_url')).find((url) => url !== undefined);
}
