import type {
  CourierDriver,
  CourierReport,
  CourierState,
} from '../../../../fulfillment/deliveries/couriers/courier-gateway.ts';
import type { Position } from '../../../../fulfillment/deliveries/position.ts';
import { isJsonObject, type JsonObject, listIn, memberOf, objectIn } from '../../../../platform/lib/json-object.ts';
import { parseMoment } from '../../../../platform/lib/time.ts';

/** Uber's states of a delivery in our words. Its courier "in pickup" may still be on the way or be there already. */
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
 * What a delivery of Uber says; undefined for a value that is none. `heard` stands in for the times of a delivery that
 * names none, and `courierAt` for a position that came beside it.
 */
export function reportOf(
  delivery: JsonObject,
  heard: { at: Temporal.Instant; eventId?: string; courierAt?: Position | undefined },
): CourierReport | undefined {
  const deliveryId = textIn(delivery, 'id');
  const status = textIn(delivery, 'status') ?? '';
  const known = Object.hasOwn(STATES, status) ? STATES[status] : undefined;
  if (deliveryId === undefined || known === undefined) return undefined;
  const isAtStore = known === 'assigned' && memberOf(delivery, 'courier_imminent') === true;
  const fee = memberOf(delivery, 'fee');
  return {
    deliveryId,
    key: textIn(delivery, 'external_id') ?? null,
    state: isAtStore ? 'at_store' : known,
    driver: driverOf(objectIn(delivery, 'courier'), heard.courierAt),
    eta: instantIn(delivery, 'dropoff_eta') ?? null,
    feeCents: typeof fee === 'number' && Number.isSafeInteger(fee) && fee >= 0 ? fee : null,
    currency: currencyIn(delivery),
    trackingUrl: httpsIn(delivery, 'tracking_url') ?? null,
    proofUrl: proofIn(delivery) ?? null,
    at: heard.eventId === undefined ? (instantIn(delivery, 'updated') ?? heard.at) : heard.at,
    eventId: heard.eventId ?? null,
  };
}

function driverOf(courier: JsonObject, courierAt: Position | undefined): CourierDriver {
  const name = textIn(courier, 'name');
  const phone = phoneOf(textIn(courier, 'phone_number'));
  const vehicleType = textIn(courier, 'vehicle_type');
  const photoUrl = httpsIn(courier, 'img_href');
  const position =
    courierAt ??
    positionOf(memberOf(courier, 'latitude'), memberOf(courier, 'longitude')) ??
    positionIn(objectIn(courier, 'location'));
  return {
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone }),
    ...(vehicleType === undefined ? {} : { vehicleType }),
    ...(photoUrl === undefined ? {} : { photoUrl }),
    ...(position === undefined ? {} : { position }),
  };
}

/** The position of an object `{ lat, lng }`; undefined for any other. */
export function positionIn(location: JsonObject): Position | undefined {
  return positionOf(memberOf(location, 'lat'), memberOf(location, 'lng'));
}

function positionOf(latitude: unknown, longitude: unknown): Position | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** The digits of a number in E.164; after a comma comes a code for the exchange that hides the courier's own number. */
function phoneOf(text: string | undefined): number | undefined {
  const digits = /^\+?(\d{7,15})$/.exec(text?.split(',')[0]?.trim() ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The picture that the courier took at the door. */
function proofIn(delivery: JsonObject): string | undefined {
  const verification = objectIn(objectIn(delivery, 'dropoff'), 'verification');
  const pictures = [objectIn(verification, 'picture'), ...listIn(verification, 'pictures').filter(isJsonObject)];
  return pictures.map((picture) => httpsIn(picture, 'image_url')).find((url) => url !== undefined);
}

function currencyIn(object: JsonObject): string | null {
  const text = textIn(object, 'currency')?.toLowerCase();
  return text !== undefined && /^[a-z]{3}$/.test(text) ? text : null;
}

export function textIn(object: JsonObject, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' && value !== '' && value.length <= 2000 ? value : undefined;
}

export function instantIn(object: JsonObject, name: string): Temporal.Instant | undefined {
  const text = textIn(object, name);
  if (text === undefined) return undefined;
  try {
    return parseMoment(text);
  } catch {
    return undefined;
  }
}

/** Pages show these links: no scheme but https. */
function httpsIn(object: JsonObject, name: string): string | undefined {
  const url = URL.parse(textIn(object, name) ?? '');
  return url?.protocol === 'https:' ? url.href : undefined;
}
