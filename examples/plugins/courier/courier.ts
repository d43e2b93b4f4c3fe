import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type CourierGateway,
  type CourierJob,
  type CourierReport,
  type CourierState,
  definePlugin,
  OutsideError,
} from 'doorstep/plugin';

/*
 * A courier company over HTTP, as a fleet of your own or a company without an adapter may have it:
 *
 *     COURIER_URL=https://fleet.example COURIER_KEY=… doorstep serve --plugin courier.ts
 *     doorstep stores set STORE_ID --courier courier
 *
 * The company keeps one delivery a `key`, and reports each state to BASE_URL/couriers/courier/webhook, signed with the
 * key (HMAC-SHA-256 of the body, in hexadecimal, in the header `signature`).
 */

type Settings = { url: URL; key: string };
/** The company's words for the states of a delivery. */
const STATES: Readonly<Record<string, CourierState>> = {
  waiting: 'pending',
  accepted: 'assigned',
  arrived: 'at_store',
  loaded: 'picked_up',
  done: 'delivered',
  canceled: 'canceled',
  brought_back: 'returned',
};
/** A delivery as the company describes it. */
type Delivery = { id: string; key: string; state: string; fee: number; at: string; driver?: { name?: string } };

/** Makes one request. Without an answer, its effect is unknown. */
async function ask<Answer>(
  { url, key }: Settings,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; answer: Answer }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(10_000);
  const sent = { method, headers, signal, body: body ? JSON.stringify(body) : null };
  try {
    const reply = await fetch(new URL(path, url), sent);
    if (reply.status < 500) return { status: reply.status, answer: (await reply.json()) as Answer };
    throw new Error(`answered ${reply.status}`);
  } catch (cause) {
    throw new OutsideError('courier', 'The company did not answer.', { retryable: true, cause });
  }
}

/** What the company needs of a job. Read the types of the port for the rest: the minimum age, where to leave it. */
function bookingOf({ key, reference, pickup, dropoff, items, tipCents, readyAt }: CourierJob) {
  const stopOf = ({ name, phone, notes, address }: CourierJob['pickup']) => {
    return { name, phone, notes, address: address.text, latitude: address.latitude, longitude: address.longitude };
  };
  const stops = { from: stopOf(pickup), to: stopOf(dropoff) };
  return { key, reference, ...stops, items, tip: tipCents, ready_at: readyAt.toString() };
}

function reportOf(delivery: Delivery, eventId: string | null): CourierReport | undefined {
  const state = Object.hasOwn(STATES, delivery.state) ? STATES[delivery.state] : undefined;
  if (state === undefined) return undefined;
  const { id: deliveryId, key, fee: feeCents, at, driver = {} } = delivery;
  const unknown = { eta: null, trackingUrl: null, proofUrl: null };
  return {
    deliveryId,
    key,
    state,
    driver,
    feeCents,
    currency: 'usd',
    at: Temporal.Instant.from(at),
    eventId,
    ...unknown,
  };
}

function requireReport(delivery: Delivery): CourierReport {
  const report = reportOf(delivery, null);
  if (report) return report;
  throw new OutsideError('courier', 'The company answered an unknown state.', { retryable: true });
}

function isSigned({ key }: Settings, signature: string | string[] | undefined, body: Buffer): boolean {
  const right = createHmac('sha256', key).update(body).digest();
  const given = Buffer.from(String(signature), 'hex');
  return given.length === right.length && timingSafeEqual(given, right);
}

export function createCourier(settings: Settings): CourierGateway {
  const pathOf = (id: string) => `/deliveries/${encodeURIComponent(id)}`;
  return {
    async quote(job) {
      const { status, answer } = await ask<{ fee: number; reason: string }>(
        settings,
        'POST',
        '/quotes',
        bookingOf(job),
      );
      if (status >= 400) return { kind: 'refused', reason: answer.reason };
      return { kind: 'quoted', quote: { quoteId: job.key, feeCents: answer.fee, currency: 'usd' } };
    },
    async create(job) {
      type Answer = Delivery & { reason: string };
      const { status, answer } = await ask<Answer>(settings, 'PUT', pathOf(job.key), bookingOf(job));
      if (status >= 400) return { kind: 'refused', reason: answer.reason };
      return { kind: 'created', report: requireReport(answer) };
    },
    async find({ key }) {
      const { status, answer } = await ask<Delivery>(settings, 'GET', pathOf(key));
      return status === 404 ? { kind: 'none' } : { kind: 'found', report: requireReport(answer) };
    },
    async cancel(deliveryId) {
      const { status } = await ask(settings, 'DELETE', pathOf(deliveryId));
      return status < 400 ? 'canceled' : 'too_late';
    },
    async update(deliveryId, job) {
      const { to } = bookingOf(job);
      const { status } = await ask(settings, 'PATCH', pathOf(deliveryId), { to });
      return status < 400 ? 'updated' : 'not_updated';
    },
    async raiseTip(deliveryId, tip) {
      const { status } = await ask(settings, 'PATCH', pathOf(deliveryId), { tip });
      return status < 400 ? 'updated' : 'not_updated';
    },
    readReport({ signature }, body) {
      if (!isSigned(settings, signature, body)) return { kind: 'forged' };
      const { event, delivery } = JSON.parse(body.toString('utf8')) as { event: string; delivery?: Delivery };
      if (!delivery) return { kind: 'other' };
      const report = reportOf(delivery, event);
      return report ? { kind: 'report', report } : { kind: 'unreadable' };
    },
  };
}

export default definePlugin({
  name: 'courier',
  version: '1.0.0',
  api: 1,
  settings: {
    url: { expected: 'an http or https URL', parse: (text) => URL.parse(text) ?? undefined },
    key: { expected: 'the key of the company' },
  },
  couriers: [{ name: 'courier', open: async ({ settings: { url, key } }) => createCourier({ url, key }) }],
});
