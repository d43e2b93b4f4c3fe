import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type CompanyAnswer,
  type CourierGateway,
  type CourierJob,
  type CourierReport,
  type CourierState,
  definePlugin,
  fetchText,
  isDone,
  type JsonObject,
  objectIn,
  parseJsonObject,
  readAnswer,
  readCents,
  readInstant,
  readText,
  unreadableAnswer,
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
const COMPANY = 'The company';
/** The company's words for the states of a delivery. */
const STATES: ReadonlyMap<string, CourierState> = new Map([
  ['waiting', 'pending'],
  ['accepted', 'assigned'],
  ['arrived', 'at_store'],
  ['loaded', 'picked_up'],
  ['done', 'delivered'],
  ['canceled', 'canceled'],
  ['brought_back', 'returned'],
]);

/** Makes one request. Throws an `OutsideError` without an answer, whose effect is unknown then, and for 408, 429 and 5xx. */
async function call({ url, key }: Settings, method: string, path: string, body?: object): Promise<CompanyAnswer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = { method, headers, body: body ? JSON.stringify(body) : null };
  const bounds = { party: 'courier', host: COMPANY, maxBytes: 1024 * 1024, timeoutMs: 10_000 };
  return readAnswer(COMPANY, await fetchText(new URL(path, url).href, sent, bounds));
}

const refusalOf = ({ status, body }: CompanyAnswer) =>
  ({ kind: 'refused', reason: readText(body, 'reason') ?? `status_${status}` }) as const;

/** The company's required fields of a job. Read the port's types for the rest: minimum age, drop-off place. */
function bookingOf({ key, reference, pickup, dropoff, items, tipCents, readyAt }: CourierJob) {
  const stopOf = ({ name, phone, notes, address }: CourierJob['pickup']) => {
    return { name, phone, notes, address: address.text, latitude: address.latitude, longitude: address.longitude };
  };
  const stops = { from: stopOf(pickup), to: stopOf(dropoff) };
  return { key, reference, ...stops, items, tip: tipCents, ready_at: readyAt.toString() };
}

/** Reads a delivery as a report; undefined if it is none. */
function readDelivery(delivery: JsonObject, eventId: string | null): CourierReport | undefined {
  const [deliveryId, key, at] = [readText(delivery, 'id'), readText(delivery, 'key'), readInstant(delivery, 'at')];
  const state = STATES.get(readText(delivery, 'state') ?? '');
  if (deliveryId === undefined || key === undefined || at === undefined || state === undefined) return undefined;
  const name = readText(objectIn(delivery, 'driver'), 'name');
  const driver = name === undefined ? {} : { name };
  const feeCents = readCents(delivery, 'fee') ?? null;
  const unknown = { eta: null, trackingUrl: null, proofUrl: null };
  return { deliveryId, key, state, driver, feeCents, currency: 'usd', at, eventId, ...unknown };
}

function requireReport({ body }: CompanyAnswer): CourierReport {
  const report = readDelivery(body, null);
  if (report) return report;
  throw unreadableAnswer(COMPANY, 'delivery');
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
      const answer = await call(settings, 'POST', '/quotes', bookingOf(job));
      if (!isDone(answer)) return refusalOf(answer);
      const feeCents = readCents(answer.body, 'fee');
      if (feeCents === undefined) throw unreadableAnswer(COMPANY, 'fee');
      return { kind: 'quoted', quote: { quoteId: job.key, feeCents, currency: 'usd' } };
    },
    async create(job) {
      const answer = await call(settings, 'PUT', pathOf(job.key), bookingOf(job));
      return isDone(answer) ? { kind: 'created', report: requireReport(answer) } : refusalOf(answer);
    },
    async find({ key }) {
      const answer = await call(settings, 'GET', pathOf(key));
      // Any other failure leaves open whether there is a delivery: a second one would be booked for `none`.
      return answer.status === 404 ? { kind: 'none' } : { kind: 'found', report: requireReport(answer) };
    },
    async cancel(deliveryId) {
      return isDone(await call(settings, 'DELETE', pathOf(deliveryId))) ? 'canceled' : 'too_late';
    },
    async update(deliveryId, job) {
      const { to } = bookingOf(job);
      return isDone(await call(settings, 'PATCH', pathOf(deliveryId), { to })) ? 'updated' : 'not_updated';
    },
    async raiseTip(deliveryId, tip) {
      return isDone(await call(settings, 'PATCH', pathOf(deliveryId), { tip })) ? 'updated' : 'not_updated';
    },
    readReport({ signature }, body) {
      if (!isSigned(settings, signature, body)) return { kind: 'forged' };
      const call = parseJsonObject(body.toString('utf8'));
      if (!call?.delivery) return { kind: 'other' };
      const report = readDelivery(objectIn(call, 'delivery'), readText(call, 'event') ?? null);
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
