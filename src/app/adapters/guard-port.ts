import type { CourierGateway } from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import type { Mailer, SmsSender } from '../../notify/outbox/messaging.ts';
import type { Printer } from '../../notify/outbox/printer.ts';
import type { GatewayNotices, PaymentGateway } from '../../ordering/payments/payment-gateway.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { Geocoder } from '../../supply/addresses/geocoder.ts';
import type { PhotoBucket } from '../../supply/photos/photo.ts';
import type { PlaceDirectory } from '../../supply/places/place-directory.ts';
import type { TaxCalculator } from '../../supply/pricing/tax-calculator.ts';
import type { OpenedTracer, PluginRoute } from './plugin.ts';

/*
 * Holds an adapter to its port: an operation that throws anything but OutsideError or a refusal, or that takes too
 * long, fails as an OutsideError of its party.
 */

/** The operations of a port. */
export type Operations<Port> = {
  readonly [Name in keyof Port as NonNullable<Port[Name]> extends (...call: never) => unknown ? Name : never]-?: true;
};

/** Longer than the time-outs of our own adapters, and shorter than the leases of queues. */
const TIMEOUT_MS = 22_000;

export const COURIER: Operations<CourierGateway> = {
  quote: true,
  create: true,
  find: true,
  cancel: true,
  update: true,
  raiseTip: true,
  readReport: true,
};
export const GATEWAY: Operations<PaymentGateway> = {
  saveCard: true,
  acceptToken: true,
  openCardPage: true,
  readCardPage: true,
  charge: true,
  authorize: true,
  capture: true,
  findCharge: true,
  cancelCharge: true,
  readCharge: true,
  refund: true,
  deleteCard: true,
};
export const NOTICES: Operations<GatewayNotices> = { read: true };
export const TAX: Operations<TaxCalculator> = { calculate: true, record: true, reverse: true };
export const GEOCODING: Operations<Geocoder> = { geocode: true, reverseGeocode: true };
export const PLACES: Operations<PlaceDirectory> = { search: true, find: true };
export const PHOTOS: Operations<PhotoBucket> = { save: true, read: true, remove: true };
export const MAIL: Operations<Mailer> = { sendMail: true, close: true };
export const SMS: Operations<SmsSender> = { sendText: true };
export const TRACING: Operations<OpenedTracer> = { begin: true, flush: true, close: true };
export const PRINTING: Operations<Printer> = { print: true };
export const ROUTE: Operations<PluginRoute> = { handle: true };

function functionOf(port: object, operation: string): (...args: unknown[]) => unknown {
  const found: unknown = Reflect.get(port, operation);
  if (typeof found === 'function') return (...args) => Reflect.apply(found, port, args);
  throw new TypeError(`no ${operation}`);
}

/** Operations without a promise. */
export const AT_ONCE: ReadonlySet<string> = new Set(['readReport', 'close']);

/** Sets of operations: an adapter has all of a set, or none. */
const OPTIONAL: readonly (readonly string[])[] = [['authorize', 'capture'], ['reverseGeocode']];

/** Throws ConfigError if an adapter lacks operations of its port. */
export function requireOperations<Port>(who: string, port: Port, operations: Operations<Port>): void {
  const lacks = (each: string) => typeof Reflect.get(Object(port), each) !== 'function';
  const without = OPTIONAL.filter((set) => set.every(lacks)).flat();
  const missing = Object.keys(operations).filter((each) => lacks(each) && !without.includes(each));
  if (missing.length > 0) throw new ConfigError([`The ${who} has no ${missing.join(', ')}.`]);
}

/** Guards every operation of a port. `who` is named in errors: the adapter's own name. */
export function guardPort<Port extends object>(
  { party, who, timeoutMs = TIMEOUT_MS }: { party: string; who: string; timeoutMs?: number | undefined },
  port: Port,
  operations: Operations<Port>,
): Port {
  const failed = (operation: string, why: string, cause?: unknown) =>
    new OutsideError(party, `${who}: ${operation} ${why}.`, { retryable: true, cause });
  const own = Object.keys(operations).filter((operation) => Reflect.has(port, operation));
  const guarded = own.map((operation) => {
    const thrown = (error: unknown) =>
      error instanceof OutsideError || error instanceof Refusal ? error : failed(operation, 'failed', error);
    const call = functionOf(port, operation);
    const runNow = (...args: unknown[]) => {
      try {
        return call(...args);
      } catch (error) {
        throw thrown(error);
      }
    };
    const run = async (...args: unknown[]) => {
      const late = () => failed(operation, 'did not answer in time');
      try {
        return await withinTime(Promise.try(call, ...args), timeoutMs, late);
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
