import { fetchText } from '../../lib/fetch-text.ts';
import { OutsideError } from '../../lib/outside-error.ts';

/** A form as Stripe reads it: nested members become `card[number]`, a list's `payment_method_types[0]`. */
export type Form = { readonly [name: string]: string | number | boolean | Form | readonly string[] };

export type StripeCall = {
  method: 'GET' | 'POST';
  path: string;
  form?: Form;
  /** Stripe answers the same key and form with what it answered first, for at least 24 hours. */
  idempotencyKey?: string;
};

/** The body of an answer, read member by member: nothing of an outside party is trusted to have its documented shape. */
export type StripeObject = { readonly [name: string]: unknown };

/** Answers that a caller tells apart; all others are thrown as OutsideError. */
export type StripeAnswer =
  | { kind: 'ok'; body: StripeObject }
  | { kind: 'card_error'; declineCode: string; body: StripeObject }
  | { kind: 'missing' };

export type StripeOptions = { secretKey: string; baseUrl?: string; timeoutMs?: number };

/** Pinned, so that an upgrade of the Stripe account changes nothing here. */
const API_VERSION = '2024-06-20';
const TIMEOUT_MS = 10_000;
const CALLED = { party: 'payment gateway', host: 'Stripe', maxBytes: 4 * 1024 * 1024 };

/**
 * Speaks Stripe's REST API. What is thrown names a status and Stripe's own code, never a message, a form or a key: a
 * form may hold a card. Time-outs, lost connections, 409, 429 and 5xx are retryable; other refusals are not.
 */
export function createStripeCall(options: StripeOptions): (call: StripeCall) => Promise<StripeAnswer> {
  const { secretKey, baseUrl = 'https://api.stripe.com', timeoutMs = TIMEOUT_MS } = options;
  return async ({ method, path, form = {}, idempotencyKey }) => {
    const text = new URLSearchParams([...flatten(form)]).toString();
    const url = method === 'GET' && text !== '' ? `${baseUrl}${path}?${text}` : `${baseUrl}${path}`;
    const answer = await fetchText(
      url,
      {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          authorization: `Bearer ${secretKey}`,
          'stripe-version': API_VERSION,
          ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(method === 'POST' ? { body: text } : {}),
      },
      CALLED,
    );
    return readAnswer(answer.status, answer.text);
  };
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as StripeObject)[name] : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function listOf(body: StripeObject): readonly StripeObject[] {
  return Array.isArray(body.data) ? (body.data as StripeObject[]) : [];
}

/** An answer that cannot be what Stripe documents says nothing of what happened. */
export function unreadable(what: string): OutsideError {
  return new OutsideError('payment gateway', `Stripe's answer has no ${what}.`, { retryable: true });
}

function* flatten(form: Form | readonly string[], prefix = ''): Generator<[string, string]> {
  for (const [name, value] of Object.entries(form)) {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    if (typeof value === 'object') yield* flatten(value, path);
    else yield [path, String(value)];
  }
}

function readAnswer(status: number, text: string): StripeAnswer {
  const body = parseObject(text);
  if (status === 200) {
    if (!body) throw unreadable('readable body');
    return { kind: 'ok', body };
  }
  const error = memberOf(body, 'error');
  const code = wordOf(memberOf(error, 'decline_code')) ?? wordOf(memberOf(error, 'code'));
  const type = wordOf(memberOf(error, 'type'));
  if (type === 'card_error' && body) {
    return { kind: 'card_error', declineCode: code ?? 'generic_decline', body: error as StripeObject };
  }
  if (status === 404 && code === 'resource_missing') return { kind: 'missing' };
  const retryable = status === 409 || status === 429 || status >= 500 || status < 400;
  throw new OutsideError('payment gateway', `Stripe answered ${status} (${type ?? 'no type'}, ${code ?? 'no code'}).`, {
    retryable,
  });
}

function parseObject(text: string): StripeObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as StripeObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Stripe's codes are words; anything else could be an echo of what was sent. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z_]{1,64}$/.test(value) ? value : undefined;
}
