import { COURIER_STATES, type CourierGateway } from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import type { Mailer, SmsSender } from '../../notify/outbox/messaging.ts';
import type { Printer } from '../../notify/outbox/printer.ts';
import type { GatewayNotices, PaymentGateway } from '../../ordering/payments/payment-gateway.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { isJsonObject } from '../../platform/lib/json-object.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { type Geocoder, MAX_RESULTS, PRECISIONS } from '../../supply/addresses/geocoder.ts';
import type { PhotoBucket } from '../../supply/photos/photo.ts';
import { MAX_PLACES, type PlaceDirectory } from '../../supply/places/place-directory.ts';
import type { TaxCalculator } from '../../supply/pricing/tax-calculator.ts';
import type { OpenedTracer, PluginRoute } from './plugin.ts';

/*
 * Holds an adapter to its port: an operation that throws anything but OutsideError or an error, that takes too long,
 * or whose response the port does not have, fails as an OutsideError of its party.
 */

type Check = (answer: unknown) => boolean;
/** How the response of each operation is recognized. */
export type Operations<Port> = {
  readonly [Name in keyof Port as NonNullable<Port[Name]> extends (...call: never) => unknown ? Name : never]-?: Check;
};

/** Longer than the time-outs of our own adapters, and shorter than the leases of queues. */
const TIMEOUT_MS = 22_000;
const MAX_TEXT = 10_000;
const MAX_LIST = 10_000;

const anything: Check = () => true;
const text: Check = (value) => typeof value === 'string' && value.length <= MAX_TEXT;
const name: Check = (value) => text(value) && value !== '';
const whole: Check = (value) => Number.isSafeInteger(value);
const flag: Check = (value) => typeof value === 'boolean';
const finite: Check = (value) => Number.isFinite(value);
const instant: Check = (value) => value instanceof Temporal.Instant;
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const nullable = (check: Check): Check => either(oneOf(null), check);
const optional = (check: Check): Check => either(oneOf(undefined), check);
const list =
  (check: Check, max = MAX_LIST): Check =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(check);
const shape =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(members).every(([key, check]) => check(value[key]));
const kind = (word: string, members: Readonly<Record<string, Check>> = {}) => shape({ kind: oneOf(word), ...members });

const position = { latitude: finite, longitude: finite };
const report = shape({
  deliveryId: name,
  key: nullable(text),
  state: oneOf(...COURIER_STATES),
  driver: shape({
    name: optional(text),
    phone: optional(whole),
    vehicleType: optional(text),
    photoUrl: optional(text),
    position: optional(shape(position)),
  }),
  eta: nullable(instant),
  feeCents: nullable(whole),
  currency: nullable(text),
  trackingUrl: nullable(text),
  proofUrl: nullable(text),
  at: instant,
  eventId: nullable(text),
});
const refused = kind('refused', { reason: text });
const isUpdated = oneOf('updated', 'not_updated');

export const COURIER: Operations<CourierGateway> = {
  quote: either(kind('quoted', { quote: shape({ quoteId: name, feeCents: whole, currency: name }) }), refused),
  create: either(kind('created', { report }), kind('quote_expired'), refused),
  find: either(kind('found', { report }), kind('none'), kind('unknowable')),
  cancel: oneOf('canceled', 'too_late'),
  update: isUpdated,
  raiseTip: isUpdated,
  readReport: either(kind('report', { report }), kind('forged'), kind('other'), kind('unreadable')),
};

const savedCard = {
  token: name,
  fingerprint: nullable(text),
  brand: name,
  last4: text,
  expirationMonth: whole,
  expirationYear: whole,
};
const charge = either(
  shape({ chargeId: name, status: oneOf('succeeded', 'to_collect') }),
  shape({ chargeId: name, status: oneOf('authorized'), captureBefore: instant }),
  shape({ chargeId: name, status: oneOf('declined'), declineCode: name }),
  shape({ chargeId: name, status: oneOf('waiting'), authenticationUrl: nullable(name) }),
);
const bookedRefund = shape({ refundId: name, amountCents: whole, isOurs: flag, hasFailed: flag });

export const GATEWAY: Operations<PaymentGateway> = {
  saveCard: shape({ token: name, fingerprint: nullable(text) }),
  acceptToken: shape(savedCard),
  openCardPage: shape({ session: name, url: name }),
  readCardPage: either(
    shape({ state: oneOf('open', 'over') }),
    shape({ state: oneOf('completed'), card: shape(savedCard) }),
  ),
  charge,
  authorize: charge,
  capture: anything,
  findCharge: optional(charge),
  cancelCharge: anything,
  readCharge: optional(
    shape({ key: name, orderId: name, amountCents: whole, outcome: optional(charge), refunds: list(bookedRefund) }),
  ),
  refund: shape({ refundId: name }),
  deleteCard: anything,
};

export const NOTICES: Operations<GatewayNotices> = {
  read: optional(
    either(
      shape({ kind: oneOf('charge', 'refund'), chargeId: name }),
      kind('dispute', { eventId: name, at: instant, chargeId: name, amountCents: whole, status: text, reason: text }),
      kind('setup', { setupId: name, session: name }),
      kind('unreadable'),
    ),
  ),
};

export const TAX: Operations<TaxCalculator> = {
  calculate: shape({
    id: name,
    taxes: list(shape({ name, percent: finite })),
    lines: list(shape({ subject: name, baseCents: whole, cents: list(whole) })),
  }),
  record: name,
  reverse: name,
};

const locatedAddresses = list(
  shape({
    ...position,
    address: name,
    precision: oneOf(...PRECISIONS),
    parts: optional(shape({ streetNum: text, streetName: text, aptNum: text, city: text, state: text, zipcode: text })),
  }),
  MAX_RESULTS,
);

export const GEOCODING: Operations<Geocoder> = { geocode: locatedAddresses, reverseGeocode: locatedAddresses };
/** The members of a place are the directory's own words, which the flows that read them check. */
export const PLACES: Operations<PlaceDirectory> = {
  search: list(shape({ placeId: name }), MAX_PLACES),
  find: optional(shape({ placeId: name })),
};
export const PHOTOS: Operations<PhotoBucket> = {
  save: anything,
  read: optional((value) => value instanceof Uint8Array),
  remove: anything,
};
export const MAIL: Operations<Mailer> = { sendMail: anything, close: anything };
export const SMS: Operations<SmsSender> = { sendText: anything };
export const TRACING: Operations<OpenedTracer> = { begin: anything, flush: anything, close: anything };
export const PRINTING: Operations<Printer> = { print: anything };

export const ROUTE: Operations<PluginRoute> = {
  handle: shape({
    status: optional((value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) < 500),
    type: optional(name),
    body: optional(
      either(
        (value) => typeof value === 'string',
        (value) => value instanceof Uint8Array,
      ),
    ),
  }),
};

function functionOf(port: object, operation: string): (...args: unknown[]) => unknown {
  const found: unknown = Reflect.get(port, operation);
  if (typeof found === 'function') return (...args) => Reflect.apply(found, port, args);
  throw new TypeError(`no ${operation}`);
}

/** Operations without a promise. */
export const AT_ONCE: ReadonlySet<string> = new Set(['readReport', 'close']);

/** Sets of operations: an adapter has all of a set, or none. */
const OPTIONAL: readonly (readonly string[])[] = [['authorize', 'capture'], ['reverseGeocode']];

/** The names of operations that an adapter lacks. */
export function missingOperations<Port>(port: Port, operations: Operations<Port>): string[] {
  const lacks = (each: string) => typeof Reflect.get(Object(port), each) !== 'function';
  const without = OPTIONAL.filter((set) => set.every(lacks)).flat();
  return Object.keys(operations).filter((each) => lacks(each) && !without.includes(each));
}

/** Guards every operation of a port. `who` is named in errors: the adapter's own name. */
export function guardPort<Port extends object>(
  { party, who, timeoutMs = TIMEOUT_MS }: { party: string; who: string; timeoutMs?: number | undefined },
  port: Port,
  operations: Operations<Port>,
): Port {
  const failed = (operation: string, why: string, cause?: unknown) =>
    new OutsideError(party, `${who}: ${operation} ${why}.`, { retryable: true, cause });
  const own = Object.entries<Check>(operations).filter(([operation]) => Reflect.has(port, operation));
  const guarded = own.map(([operation, isAnswer]) => {
    const checked = (answer: unknown) => {
      if (isAnswer(answer)) return answer;
      throw failed(operation, 'answered what the port does not have');
    };
    const thrown = (error: unknown) =>
      error instanceof OutsideError || error instanceof Refusal ? error : failed(operation, 'failed', error);
    const call = functionOf(port, operation);
    const runNow = (...args: unknown[]) => {
      try {
        return checked(call(...args));
      } catch (error) {
        throw thrown(error);
      }
    };
    const run = async (...args: unknown[]) => {
      const late = () => failed(operation, 'did not answer in time');
      try {
        return checked(await withinTime(Promise.try(call, ...args), timeoutMs, late));
      } catch (error) {
        throw thrown(error);
      }
    };
    return [operation, AT_ONCE.has(operation) ? runNow : run] as const;
  });
  return { ...port, ...Object.fromEntries(guarded) };
}

/** The promise's outcome, or a rejection once the time is over. */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  const timeOut = AbortSignal.timeout(timeoutMs);
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(late());
  timeOut.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    timeOut.removeEventListener('abort', end);
  }
}
