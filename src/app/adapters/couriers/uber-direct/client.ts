import type { Clock } from '../../../../platform/lib/clock.ts';
import { fetchText } from '../../../../platform/lib/fetch-text.ts';
import { memberOf, objectIn, parseJsonObject } from '../../../../platform/lib/json-object.ts';
import { type CompanyAnswer, readAnswer, retryableError } from '../company-answer.ts';

export type UberDirectOptions = {
  clientId: string;
  clientSecret: string;
  /** The account's organization, unless the account itself is the organization. */
  customerId?: string | undefined;
  clock: Clock;
  baseUrl?: string;
  tokenUrl?: string;
  timeoutMs?: number;
};

export type UberClient = {
  quote(body: object): Promise<CompanyAnswer>;
  create(body: object): Promise<CompanyAnswer>;
  get(deliveryId: string): Promise<CompanyAnswer>;
  cancel(deliveryId: string): Promise<CompanyAnswer>;
};

const BASE_URL = 'https://api.uber.com/v1';
const TOKEN_URL = 'https://auth.uber.com/oauth/v2/token';
const TIMEOUT_MS = 10_000;
export const UBER = 'Uber Direct';
const CALLED_PARTY = { party: 'courier', host: UBER, maxBytes: 1024 * 1024 };
/** Seconds before its expiry at which a token is renewed. */
const TOKEN_MARGIN_SECONDS = 60;

type Call = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: object };

/**
 * Uber Direct over HTTP: one request per call, bounded in time and length, without redirects. Time-outs, lost answers
 * and a 409 without a delivery are also retryable OutsideErrors.
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
    return fetchText(`${baseUrl}${call.path}`, init, { ...CALLED_PARTY, timeoutMs });
  };
  const answerTo = async (call: Call) => {
    const token = await tokens.read();
    const first = await send(call, token);
    // A token may be revoked early. A second 401 is an account error.
    if (first.status !== 401) return readAnswer(UBER, first);
    return readAnswer(UBER, await send(call, await tokens.renew(token)));
  };
  return uberCalls(answerTo, customerId);
}

/**
 * Uber's calls and their paths. Uber's OpenAPI document has deliveries under `/eats/deliveries`, its reference under
 * the organization: https://developer.uber.com/docs/deliveries/daas/api/v1/post-customers-customerid-deliveries
 */
function uberCalls(answerTo: (call: Call) => Promise<CompanyAnswer>, customerId: string | undefined): UberClient {
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

/** The access token: requested once for all calls that need it, and cached until shortly before it expires. */
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
    const { status, text, headers } = await fetchText(
      tokenUrl,
      { method: 'POST', body },
      { ...CALLED_PARTY, timeoutMs },
    );
    const answer = parseJsonObject(text) ?? {};
    const value = memberOf(answer, 'access_token');
    const seconds = Number(memberOf(answer, 'expires_in'));
    if (status !== 200 || typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
      // The operator can fix wrong credentials, so the error is retryable.
      throw retryableError(`${UBER} gave no token (${status}).`, headers);
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

/** The id of the existing delivery in a 409 answer. */
export function readDuplicateId({ body }: CompanyAnswer): string | undefined {
  const id = memberOf(objectIn(body, 'metadata'), 'delivery_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}
