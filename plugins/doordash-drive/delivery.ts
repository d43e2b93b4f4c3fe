import { hash, timingSafeEqual } from 'node:crypto';
import { present } from 'doorstep/collections';
import type { CourierDriver, CourierReport, CourierState, WebhookHeaders, WebhookReading } from 'doorstep/plugin';
import {
  type JsonObject,
  objectIn,
  parseJsonObject,
  readCents,
  readCurrency,
  readHttpsUrl,
  readInstant,
  readLatLng,
  readPhone,
  readText,
} from 'doorstep/plugin';

/** DoorDash's delivery statuses. A Dasher who returns an order keeps it until it is returned. */
const STATES: ReadonlyMap<string, CourierState> = new Map([
  ['created', 'pending'],
  ['confirmed', 'assigned'],
  ['enroute_to_pickup', 'assigned'],
  ['arrived_at_pickup', 'at_store'],
  ['picked_up', 'picked_up'],
  ['enroute_to_dropoff', 'picked_up'],
  ['arrived_at_dropoff', 'picked_up'],
  ['enroute_to_return', 'picked_up'],
  ['arrived_at_return', 'picked_up'],
  ['delivered', 'delivered'],
  ['cancelled', 'canceled'],
  ['returned', 'returned'],
]);

/** The events of DoorDash's webhook (https://developer.doordash.com/en-US/docs/drive/reference/webhooks). */
const EVENTS: ReadonlyMap<string, CourierState> = new Map([
  ['DASHER_CONFIRMED', 'assigned'],
  ['DASHER_ENROUTE_TO_PICKUP', 'assigned'],
  ['DASHER_CONFIRMED_PICKUP_ARRIVAL', 'at_store'],
  ['DASHER_PICKED_UP', 'picked_up'],
  ['DASHER_ENROUTE_TO_DROPOFF', 'picked_up'],
  ['DASHER_CONFIRMED_DROPOFF_ARRIVAL', 'picked_up'],
  ['DELIVERY_RETURN_INITIALIZED', 'picked_up'],
  ['DASHER_ENROUTE_TO_RETURN', 'picked_up'],
  ['DASHER_CONFIRMED_RETURN_ARRIVAL', 'picked_up'],
  ['DASHER_DROPPED_OFF', 'delivered'],
  ['DELIVERY_CANCELLED', 'canceled'],
  ['DELIVERY_RETURNED', 'returned'],
]);

/** Reads a delivery as a report; undefined if it is not one. `receivedAt` is used if it has no time. */
export function readDoordashDelivery(delivery: JsonObject, receivedAt: Temporal.Instant): CourierReport | undefined {
  const state = STATES.get(readText(delivery, 'delivery_status') ?? '');
  return doordashReport(delivery, state, readInstant(delivery, 'updated_at') ?? receivedAt);
}

/**
 * Reads a call to DoorDash's webhook. Instead of signing it, DoorDash sends the `Authorization` header that the
 * operator entered in the portal. Hashes are compared, so that timing reveals nothing about the header.
 */
export function readDoorDashWebhook(authorization: string, headers: WebhookHeaders, body: Buffer): WebhookReading {
  const given = headers.authorization;
  if (typeof given !== 'string' || !timingSafeEqual(sha256(given), sha256(authorization))) {
    return { kind: 'forged' };
  }
  const event = parseJsonObject(body.toString('utf8')) ?? {};
  const at = readInstant(event, 'created_at') ?? readInstant(event, 'updated_at');
  const state = EVENTS.get(readText(event, 'event_name')?.toUpperCase() ?? '');
  const report = at && doordashReport(event, state, at);
  return report ? { kind: 'report', report } : { kind: state === undefined ? 'other' : 'unreadable' };
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function doordashReport(
  delivery: JsonObject,
  state: CourierState | undefined,
  at: Temporal.Instant,
): CourierReport | undefined {
  const key = readText(delivery, 'external_delivery_id');
  if (key === undefined || state === undefined) return undefined;
  return {
    deliveryId: key,
    key,
    state,
    driver: readDasher(delivery),
    eta: readInstant(delivery, 'dropoff_time_estimated') ?? null,
    feeCents: readCents(delivery, 'fee') ?? null,
    currency: readCurrency(delivery, 'currency') ?? null,
    trackingUrl: readHttpsUrl(delivery, 'tracking_url') ?? null,
    proofUrl: readHttpsUrl(delivery, 'dropoff_verification_image_url') ?? null,
    at,
    eventId: null,
  };
}

function readDasher(delivery: JsonObject): CourierDriver {
  const name = readText(delivery, 'dasher_name');
  const phone = readPhone(readText(delivery, 'dasher_phone_number'))?.number;
  const position = readLatLng(objectIn(delivery, 'dasher_location'));
  return present({ name, phone, position });
}
