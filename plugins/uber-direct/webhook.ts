import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookHeaders, WebhookReading } from 'doorstep/plugin';
import { memberOf, objectIn, parseJsonObject, readInstant, readLatLng, readText } from 'doorstep/plugin';
import { uberReport } from './delivery.ts';

/** The signature header, and the name it had before Uber renamed it; a call carries one of them. */
const SIGNATURE_HEADERS = ['x-uber-signature', 'x-postmates-signature'];
const KINDS: ReadonlySet<unknown> = new Set(['event.delivery_status', 'event.courier_update']);

export type WebhookOptions = { webhookSecret: string; customerId?: string | undefined };

/**
 * Reads a call to Uber's webhook. The signature is the hexadecimal HMAC-SHA-256 of the body, compared in constant time
 * before the body is parsed (https://developer.uber.com/docs/deliveries/guides/webhooks).
 */
export function readUberWebhook(
  { webhookSecret, customerId }: WebhookOptions,
  headers: WebhookHeaders,
  body: Buffer,
): WebhookReading {
  if (!isSigned(webhookSecret, headers, body)) return { kind: 'forged' };
  const event = parseJsonObject(body.toString('utf8')) ?? {};
  const isForeign = customerId !== undefined && (readText(event, 'customer_id') ?? customerId) !== customerId;
  if (!KINDS.has(memberOf(event, 'kind')) || isForeign) return { kind: 'other' };
  const at = readInstant(event, 'created');
  const id = readText(event, 'delivery_id');
  const status = readText(event, 'status');
  const delivery = { ...(id ? { id } : {}), ...(status ? { status } : {}), ...objectIn(event, 'data') };
  const courierAt = readLatLng(objectIn(event, 'location'));
  const report = at && uberReport(delivery, { at, eventId: readText(event, 'id') ?? '', courierAt });
  return report ? { kind: 'report', report } : { kind: 'unreadable' };
}

function isSigned(secret: string, headers: WebhookHeaders, body: Buffer): boolean {
  const given = SIGNATURE_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  if (typeof given !== 'string' || !/^[0-9a-f]{64}$/i.test(given)) return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
}
