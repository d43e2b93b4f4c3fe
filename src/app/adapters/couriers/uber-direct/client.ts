import type { Clock } from '../../../../platform/lib/clock.ts';
import { fetchText } from '../../../../platform/lib/fetch-text.ts';
import {
  codeWord,
  type JsonObject,
  memberOf,
  objectIn,
  parseJsonObject,
} from '../../../../platform/lib/json-object.ts';
import { OutsideError } from '../../../../platform/lib/outside-error.ts';

export type UberDirectOptions = {
  clientId: string;
  clientSecret: string;
  /** The organization of the account; undefined for an account that is one organization. */
  customerId?: string | undefined;
  clock: Clock;
  baseUrl?: string;
  tokenUrl?: string;
  timeoutMs?: number;
};

/** An answer that a caller distinguishes; `code` is Uber's word for a refusal, empty where there is none. */
export type UberAnswer = { status: number; code: string; body: JsonObject };

export type UberClient = {
  quote(body: object): Promise<UberAnswer>;
  create(body: object): Promise<UberAnswer>;
  get(deliveryId: string): Promise<UberAnswer>;
  cancel(deliveryId: string): Promise<UberAnswer>;
};

const BASE_URL = 'https://api.uber.com/v1';
const TOKEN_URL = 'https://auth.uber.com/oauth/v2/token';
const TIMEOUT_MS = 10_000;
const CALLED = { party: 'courier', host: 'Uber Direct', maxBytes: 1024 * 1024 };
/** A token is renewed so long before it ends. */
const TOKEN_MARGIN_SECONDS = 60;
/** No retry is put off for longer than this, whatever `Retry-After` says. */
const MAX_RETRY_AFTER_SECONDS = 900;
/** Faults of the account or its credentials: the operator mends them, and the same call succeeds then. */
const MENDED_BY_OPERATOR: ReadonlySet<number> = new Set([401, 402, 403]);

type Call = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: object };

/**
 * Uber Direct over HTTP: one request for each call, within a time and a length, without redirects. Time-outs, lost
 * answers, 408, 409 without a delivery, 429, 5xx and unreadable answers are retryable OutsideErrors, which name a status
 * and Uber's code, and repeat nothing of a request: it holds a person's name, address and phone number.
 */
export function createUberClient(options: UberDirectOptions): UberClient {
  const { customerId, baseUrl = BASE_URL, timeoutMs = TIMEOUT_MS } = options;
  const tokens = createTokens(options);
  const send = async (call: Call, token: string) => {
    const init: RequestInit = {
      method: call.method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
      ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    };
    return fetchText(`${baseUrl}${call.path}`, init, { ...CALLED, timeoutMs });
  };
  const answerTo = async (call: Call) => {
    const token = await tokens.read();
    const first = await send(call, token);
    // A token may be revoked before its time. A second 401 is a fault of the account.
    if (first.status !== 401) return answerOf(first);
    return answerOf(await send(call, await tokens.renew(token)));
  };
  return callsOf(answerTo, customerId);
}

/**
 * The calls and their paths. Uber's OpenAPI document has an account's deliveries under `/eats/deliveries`; its reference
 * has them under the organization: https://developer.uber.com/docs/deliveries/daas/api/v1/post-customers-customerid-deliveries
 */
function callsOf(answerTo: (call: Call) => Promise<UberAnswer>, customerId: string | undefined): UberClient {
  const id = encodeURIComponent;
  if (customerId === undefined) {
    const all = '/eats/deliveries';
    return {
      quote: (body) => answerTo({ method: 'POST', path: `${all}/quote`, body }),
      create: (body) => answerTo({ method: 'POST', path: all, body }),
      get: (deliveryId) => answerTo({ method: 'GET', path: `${all}/${id(deliveryId)}` }),
      cancel: (deliveryId) => answerTo({ method: 'DELETE', path: `${all}/${id(deliveryId)}` }),
    };
  }
  const organization = `/customers/${id(customerId)}`;
  const all = `${organization}/deliveries`;
  return {
    quote: (body) => answerTo({ method: 'POST', path: `${organization}/delivery_quotes`, body }),
    create: (body) => answerTo({ method: 'POST', path: all, body }),
    get: (deliveryId) => answerTo({ method: 'GET', path: `${all}/${id(deliveryId)}` }),
    cancel: (deliveryId) => answerTo({ method: 'POST', path: `${all}/${id(deliveryId)}/cancel`, body: {} }),
  };
}

type Tokens = { read(): Promise<string>; renew(used: string): Promise<string> };
type Token = { value: string; endsAt: Temporal.Instant };

/** The access token, asked for once by all calls that need it, and kept until shortly before it ends. */
function createTokens({
  clientId,
  clientSecret,
  clock,
  tokenUrl = TOKEN_URL,
  timeoutMs = TIMEOUT_MS,
}: UberDirectOptions): Tokens {
  let kept: Token | undefined;
  let asking: Promise<Token> | undefined;
  const ask = async (): Promise<Token> => {
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    const body = new URLSearchParams({ ...form, scope: 'eats.deliveries' });
    const { status, text, headers } = await fetchText(tokenUrl, { method: 'POST', body }, { ...CALLED, timeoutMs });
    const answer = parseJsonObject(text) ?? {};
    const value = memberOf(answer, 'access_token');
    const seconds = Number(memberOf(answer, 'expires_in'));
    if (status !== 200 || typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
      // Wrong credentials are mended by the operator.
      throw refused(`Uber Direct gave no token (${status}).`, true, headers);
    }
    const lifeSeconds = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds) - TOKEN_MARGIN_SECONDS) : 0;
    return { value, endsAt: clock.now().add({ seconds: lifeSeconds }) };
  };
  const get = async (): Promise<string> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    kept = await asking;
    return kept.value;
  };
  return {
    read: async () => (kept && Temporal.Instant.compare(clock.now(), kept.endsAt) < 0 ? kept.value : get()),
    renew: async (used) => (kept && kept.value !== used ? kept.value : get()),
  };
}

function answerOf({ status, text, headers }: { status: number; text: string; headers: Headers }): UberAnswer {
  const body = parseJsonObject(text);
  const isDone = status >= 200 && status < 300;
  if (isDone && !body && text.trim() !== '') throw unreadable('JSON object');
  const code = isDone ? '' : (codeWord(memberOf(body ?? {}, 'code') ?? memberOf(body ?? {}, 'kind')) ?? '');
  const retryable = status === 408 || status === 429 || status >= 500 || (status >= 300 && status < 400);
  if (retryable || MENDED_BY_OPERATOR.has(status))
    throw refused(`Uber Direct answered ${status} (${code}).`, true, headers);
  return { status, code, body: body ?? {} };
}

/** The id of the delivery that an answer 409 says exists already. */
export function duplicateIn({ body }: UberAnswer): string | undefined {
  const id = memberOf(objectIn(body, 'metadata'), 'delivery_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The error of an answer that says nothing readable: what became of the call is unknown. */
export function unreadable(what: string): OutsideError {
  return new OutsideError('courier', `Uber Direct's answer has no ${what}.`, { retryable: true });
}

function refused(message: string, retryable: boolean, headers: Headers): OutsideError {
  return new OutsideError('courier', message, { retryable, retryAfterSeconds: retryAfterOf(headers) });
}

/** Seconds to wait; a date is left to the caller's own schedule. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), MAX_RETRY_AFTER_SECONDS) : undefined;
}
