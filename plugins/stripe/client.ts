import { codeWord, fetchText, isJsonObject, memberOf, OutsideError, parseJsonObject } from 'doorstep/plugin';
import Stripe from 'stripe';

/* Calls to Stripe: one attempt each, and errors without anything that may repeat a card. */

export type StripeOptions = { secretKey: string; baseUrl?: string; timeoutMs?: number };

/** Answers that callers distinguish; any other response is thrown as OutsideError. */
export type StripeAnswer<T> = { kind: 'ok'; body: T } | StripeRefusal;
type StripeRefusal = { kind: 'card_error'; declineCode: string; intentId: string | undefined } | { kind: 'missing' };
/** The client's token is unusable: the client's error, not ours. */
type RefusedCall = { kind: 'malformed' };

/**
 * Pinned, so that an upgrade of the Stripe account changes nothing here. The package's types describe only this
 * version, so another package version fails the type check until its changes are reviewed.
 */
const API_VERSION = '2026-10-28.endive';
const TIMEOUT_MS = 10_000;
const CALLED_PARTY = { party: 'payment gateway', host: 'Stripe', maxBytes: 4 * 1024 * 1024 };

/**
 * Opens Stripe's package without retries. A retry inside the package would hide a lost response from the caller, who
 * must look up the charge first, and multiply the customer's wait (ADR 14).
 */
export function openStripe({ secretKey, baseUrl = 'https://api.stripe.com', ...options }: StripeOptions): Stripe {
  const { hostname, port, protocol } = new URL(baseUrl);
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    appInfo: { name: 'Doorstep' },
    host: hostname,
    port,
    protocol: protocol === 'http:' ? 'http' : 'https',
    httpClient: Stripe.createFetchHttpClient(sendOnce(options.timeoutMs ?? TIMEOUT_MS)),
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/**
 * Makes one call to Stripe. Errors have a status and Stripe's code, without message, key or cause, which may repeat a
 * card. Time-outs, lost connections, 409, 429 and 5xx are retryable.
 */
export async function callStripe<T>(call: () => Promise<T>): Promise<StripeAnswer<T>> {
  try {
    return { kind: 'ok', body: await call() };
  } catch (error) {
    return stripeRefusal(error);
  }
}

/** Makes a call as `callStripe` does; a 400 is a response too: the operation isn't possible for this token or charge now. */
export async function tryStripe<T>(call: () => Promise<T>): Promise<StripeAnswer<T> | RefusedCall> {
  try {
    return await callStripe(call);
  } catch (error) {
    if (error instanceof RefusedRequest) return { kind: 'malformed' };
    throw error;
  }
}

/** Stripe refused a request as malformed: 400 `invalid_request_error`. */
class RefusedRequest extends OutsideError {}

export const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the error for an undocumented answer, which leaves the call's outcome unknown. */
export const unreadable = (what: string): OutsideError =>
  new OutsideError('payment gateway', `Stripe's response lacks ${what}.`, { retryable: true });

/**
 * Sends a request once, bounded in time and length, and returns only answers that the package parses correctly. The
 * package's own clients resend on a closed connection, follow redirects with a card, and treat some 503 as success.
 */
function sendOnce(timeoutMs: number): typeof fetch {
  return async (url, init) => {
    const { status, text } = await fetchText(String(url), init ?? {}, { ...CALLED_PARTY, timeoutMs });
    const body = parseJsonObject(text);
    if (status !== 200 && !isJsonObject(memberOf(body ?? {}, 'error'))) throw createStripeError(status);
    if (!body) throw unreadable('readable body');
    return new Response(text, { status });
  };
}

function stripeRefusal(error: unknown): StripeRefusal {
  if (error instanceof OutsideError) throw error;
  if (!(error instanceof Stripe.errors.StripeError)) throw unreadable('documented shape');
  if (error.detail instanceof OutsideError) throw error.detail;
  if (error.statusCode === undefined) throw unreadable('status');
  const code = codeWord(error.decline_code) ?? codeWord(error.code);
  const type = codeWord(error.rawType);
  if (type === 'card_error') {
    return {
      kind: 'card_error',
      declineCode: code ?? 'generic_decline',
      intentId: nonEmptyText(error.payment_intent?.id),
    };
  }
  if (error.statusCode === 404 && code === 'resource_missing') return { kind: 'missing' };
  throw createStripeError(error.statusCode, type, code);
}

function createStripeError(status: number, type = 'no type', code = 'no code'): OutsideError {
  const retryable = status === 409 || status === 429 || status >= 500 || status < 400;
  const Kind = status === 400 && type === 'invalid_request_error' ? RefusedRequest : OutsideError;
  const isOutage = retryable && status !== 409 && code !== 'lock_timeout';
  return new Kind('payment gateway', `Stripe returned ${status} (${type}, ${code}).`, { retryable, isOutage });
}

/** Returns an object's id. The types promise one, but a missing one must not become the text "undefined". */
export const stripeId = (object: { id: string }): string => nonEmptyText(object.id) ?? fail(unreadable('id'));

/** Creates the error for a request that Stripe or the adapter refused. No money moved; a retry would be refused too. */
export const refused = (message: string): OutsideError =>
  new OutsideError('payment gateway', message, { retryable: false });

export function fail(error: Error): never {
  throw error;
}
