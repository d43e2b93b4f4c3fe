import type {
  CancelAnswer,
  Clock,
  CourierAddress,
  CourierGateway,
  CourierJob,
  CourierQuote,
  CourierRef,
  CourierRefusal,
  CourierReport,
  CourierStop,
  CreateAnswer,
  FindAnswer,
} from 'doorstep/plugin';
import {
  type CompanyAnswer,
  changedNotes,
  e164Of,
  fetchText,
  isDone,
  type JsonObject,
  memberOf,
  objectIn,
  parseJsonObject,
  readAnswer,
  readCents,
  readText,
  retryableError,
  undecided,
  unreadableAnswer,
} from 'doorstep/plugin';
import { uberReport } from './delivery.ts';
import { readUberWebhook } from './webhook.ts';

/** Error codes for a quote that expired, was used, or has another price. No delivery was created. */
const EXPIRED_QUOTE_CODES: ReadonlySet<string> = new Set(['expired_quote', 'used_quote', 'mismatched_price_quote']);
/** Error codes of temporary refusals; the same delivery may be accepted later. */
const TEMPORARY_REFUSALS: ReadonlySet<string> = new Set(['couriers_busy', 'address_undeliverable_limited_couriers']);

/** Creates the Uber Direct gateway. Our key is both `external_id` and `idempotency_key`. */
export function createUberDirect(options: UberDirectOptions & { webhookSecret: string }): CourierGateway {
  const client = createUberClient(options);
  const { clock } = options;
  return {
    async quote(job) {
      const answer = await client.quote(uberQuoteBody(job));
      return isDone(answer) ? { kind: 'quoted', quote: uberQuote(answer.body) } : uberRefusal(answer);
    },
    create: async (job, quoteId) =>
      readCreated(client, await client.create(uberDeliveryBody(job, quoteId)), job.key, clock),
    find: (ref) => findDelivery(client, ref, clock),
    cancel: (deliveryId) => cancelDelivery(client, deliveryId, clock),
    async update(deliveryId, { dropoff, pickup, reference }) {
      const answer = await client.update?.(deliveryId, {
        dropoff_notes: noteOf(changedNotes(dropoff, { hasPhone: true })),
        pickup_notes: pickupNotes(reference, pickup),
      });
      return answer && isDone(answer) ? 'updated' : 'not_updated';
    },
    async raiseTip(deliveryId, tipCents) {
      const answer = await client.update?.(deliveryId, { tip_by_customer: tipCents });
      return answer && isDone(answer) ? 'updated' : 'not_updated';
    },
    readReport: (headers, body) => readUberWebhook(options, headers, body),
  };
}

async function readCreated(
  client: UberClient,
  answer: CompanyAnswer,
  key: string,
  clock: Clock,
): Promise<CreateAnswer> {
  if (isDone(answer)) return { kind: 'created', report: reported(answer.body, clock) };
  if (EXPIRED_QUOTE_CODES.has(answer.code)) return { kind: 'quote_expired' };
  if (answer.status !== 409) return uberRefusal(answer);
  const deliveryId = readDuplicateId(answer);
  const found = deliveryId === undefined ? undefined : await findDelivery(client, { key, deliveryId }, clock);
  // Uber may report another order of the same customer as a duplicate, which is a delivery with a different key.
  if (found?.kind !== 'found' || (found.report.key ?? key) !== key) throw undecided(UBER, answer);
  return { kind: 'created', report: found.report };
}

async function findDelivery(client: UberClient, { deliveryId }: CourierRef, clock: Clock): Promise<FindAnswer> {
  if (deliveryId === null) return { kind: 'unknowable' };
  const answer = await client.get(deliveryId);
  if (isDone(answer)) return { kind: 'found', report: reported(answer.body, clock) };
  if (answer.status === 404) return { kind: 'none' };
  throw undecided(UBER, answer);
}

/** Cancels a delivery. After a refusal, reads its state, because it may already be canceled. */
async function cancelDelivery(client: UberClient, deliveryId: string, clock: Clock): Promise<CancelAnswer> {
  const answer = await client.cancel(deliveryId);
  if (isDone(answer)) return 'canceled';
  const found = await findDelivery(client, { key: '', deliveryId }, clock);
  if (found.kind !== 'found' || found.report.state === 'canceled') return 'canceled';
  const isLeft = !['pending', 'assigned', 'at_store'].includes(found.report.state);
  if (isLeft || answer.code === 'noncancelable_delivery') return 'too_late';
  throw undecided(UBER, answer);
}

function uberQuote(body: JsonObject): CourierQuote {
  const [quoteId, feeCents] = [readText(body, 'id'), readCents(body, 'fee')];
  if (quoteId === undefined || feeCents === undefined) throw unreadableAnswer(UBER, 'quote');
  return { quoteId, feeCents, currency: readText(body, 'currency')?.toLowerCase() ?? 'usd' };
}

function reported(body: JsonObject, clock: Clock): CourierReport {
  const report = uberReport(body, { at: clock.now() });
  if (!report) throw unreadableAnswer(UBER, 'delivery');
  return report;
}

/** Returns a final refusal; a temporary one is an OutsideError. */
function uberRefusal(answer: CompanyAnswer): CourierRefusal {
  if (answer.status === 409 || TEMPORARY_REFUSALS.has(answer.code)) throw undecided(UBER, answer);
  return { kind: 'refused', reason: answer.code || `status_${answer.status}` };
}

/** Uber's maximum length of notes. */
const MAX_NOTE_CHARACTERS = 280;

/** Writes the body of a quote request. */
function uberQuoteBody({ pickup, dropoff, valueCents, readyAt }: CourierJob): Record<string, unknown> {
  return {
    ...stopOf('pickup', pickup),
    ...stopOf('dropoff', dropoff),
    pickup_ready_dt: readyAt.toString({ smallestUnit: 'second' }),
    manifest_total_value: valueCents,
  };
}

const AT_THE_DOOR = 'deliverable_action_leave_at_door';
const IN_PERSON = 'deliverable_action_meet_at_door';

/** Writes the body of a delivery request. For the same key, Uber returns the same delivery. */
function uberDeliveryBody(job: CourierJob, quoteId: string | null): Record<string, unknown> {
  const { key, reference, pickup, dropoff, items, tipCents, minAge, where } = job;
  return {
    ...uberQuoteBody(job),
    pickup_name: pickup.name,
    pickup_notes: pickupNotes(reference, pickup),
    dropoff_name: dropoff.name,
    dropoff_notes: noteOf(dropoff.notes),
    manifest_items: items.map(({ name, quantity }) => ({ name, quantity, size: 'small' })),
    tip: tipCents,
    idempotency_key: key,
    external_id: key,
    ...(where === null ? {} : { deliverable_action: where === 'leave_at_door' ? AT_THE_DOOR : IN_PERSON }),
    ...(quoteId === null ? {} : { quote_id: quoteId }),
    ...(minAge === null ? {} : { dropoff_verification: { identification: { min_age: minAge } } }),
  };
}

function pickupNotes(reference: string, { notes }: CourierStop): string {
  return noteOf(`Order ${reference}. ${notes}`);
}

function stopOf(side: 'pickup' | 'dropoff', { address, phone }: CourierStop): Record<string, unknown> {
  return {
    [`${side}_address`]: uberAddress(address),
    [`${side}_latitude`]: address.latitude,
    [`${side}_longitude`]: address.longitude,
    ...(phone === null ? {} : { [`${side}_phone_number`]: e164Of(phone) }),
  };
}

/** Writes an address as JSON text, which Uber prefers to one line; as one line without its parts. */
function uberAddress({ text, parts }: CourierAddress): string {
  if (!parts || parts.lines.length === 0 || parts.city === '') return text;
  const { lines, city, state, postalCode, country } = parts;
  return JSON.stringify({ street_address: lines, city, state, zip_code: postalCode, country });
}

function noteOf(text: string): string {
  return [...text.trim()].slice(0, MAX_NOTE_CHARACTERS).join('');
}

type UberDirectOptions = {
  clientId: string;
  clientSecret: string;
  /** The account's organization, unless the account itself is the organization. */
  customerId?: string | undefined;
  clock: Clock;
  baseUrl?: string;
  tokenUrl?: string;
  timeoutMs?: number;
};

type UberClient = {
  quote(body: object): Promise<CompanyAnswer>;
  create(body: object): Promise<CompanyAnswer>;
  get(deliveryId: string): Promise<CompanyAnswer>;
  cancel(deliveryId: string): Promise<CompanyAnswer>;
  /** Undefined outside of an organization. */
  update?(deliveryId: string, body: object): Promise<CompanyAnswer>;
};

const BASE_URL = 'https://api.uber.com/v1';
const TOKEN_URL = 'https://auth.uber.com/oauth/v2/token';
const TIMEOUT_MS = 10_000;
const UBER = 'Uber Direct';
const CALLED_PARTY = { party: 'courier', host: UBER, maxBytes: 1024 * 1024 };
/** Seconds before its expiry at which a token is renewed. */
const TOKEN_MARGIN_SECONDS = 60;

type Call = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: object };

/**
 * Calls Uber Direct over HTTP: one request per call, bounded in time and length, without redirects. Time-outs, lost
 * answers and a 409 without a delivery are also retryable OutsideErrors.
 */
function createUberClient(options: UberDirectOptions): UberClient {
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
 * Lists Uber's calls and their paths. Uber's OpenAPI document has deliveries under `/eats/deliveries`, its reference
 * under the organization: https://developer.uber.com/docs/deliveries/daas/api/v1/post-customers-customerid-deliveries
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
    update: (deliveryId, body) => answerTo({ method: 'POST', path: `${all}/${id(deliveryId)}`, body }),
  };
}

type Tokens = { read(): Promise<string>; renew(used: string): Promise<string> };
type Token = { value: string; endsAt: Temporal.Instant };

/** Returns the access token, requested once for all calls that need it, and cached until shortly before it expires. */
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

/** Returns the id of the existing delivery in a 409 answer. */
function readDuplicateId({ body }: CompanyAnswer): string | undefined {
  const id = memberOf(objectIn(body, 'metadata'), 'delivery_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}
