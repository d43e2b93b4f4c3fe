import {
  type Clock,
  type CompanyAnswer,
  type CourierAddress,
  type CourierGateway,
  type CourierJob,
  type CourierStop,
  changedNotes,
  courierAnswers,
  e164Of,
  fetchText,
  isDone,
  jsonRequest,
  memberOf,
  objectIn,
  parseJsonObject,
  readAnswer,
  retryableError,
  undecided,
  updateOf,
} from 'doorstep/plugin';
import { uberReport } from './delivery.ts';
import { readUberWebhook } from './webhook.ts';

/** Error codes for a quote that expired, was used, or has another price. No delivery was created. */
const EXPIRED_QUOTE_CODES: ReadonlySet<string> = new Set(['expired_quote', 'used_quote', 'mismatched_price_quote']);
/** Error codes of temporary errors; the same delivery may be accepted later. */
const TEMPORARY_REFUSALS: ReadonlySet<string> = new Set(['couriers_busy', 'address_undeliverable_limited_couriers']);

/** Creates the Uber Direct gateway. Our key is both `external_id` and `idempotency_key`. */
export function createUberDirect(options: UberDirectOptions & { webhookSecret: string }): CourierGateway {
  const client = createUberClient(options);
  const answers = courierAnswers({
    company: UBER,
    readDelivery: (body) => uberReport(body, { at: options.clock.now() }),
    quoteId: 'id',
    temporaryRefusals: TEMPORARY_REFUSALS,
  });
  const findDelivery = async (deliveryId: string) => answers.findingOf(await client.get(deliveryId));
  return {
    quote: async (job) => answers.quoteOf(await client.quote(uberQuoteBody(job))),
    async create(job, quoteId) {
      const answer = await client.create(uberDeliveryBody(job, quoteId));
      if (isDone(answer)) return { kind: 'created', report: answers.reportOf(answer) };
      if (EXPIRED_QUOTE_CODES.has(answer.code)) return { kind: 'quote_expired' };
      if (answer.status !== 409) return answers.refusalOf(answer);
      const deliveryId = readDuplicateId(answer);
      const found = deliveryId === undefined ? undefined : await findDelivery(deliveryId);
      // Uber may report another order of the same customer as a duplicate, which is a delivery with a different key.
      if (found?.kind !== 'found' || (found.report.key ?? job.key) !== job.key) throw undecided(UBER, answer);
      return { kind: 'created', report: found.report };
    },
    find: async ({ deliveryId }) => (deliveryId === null ? { kind: 'unknowable' } : findDelivery(deliveryId)),
    /** After an error, reads the delivery's state, because it may already be canceled. */
    async cancel(deliveryId) {
      const answer = await client.cancel(deliveryId);
      if (isDone(answer)) return 'canceled';
      const found = await findDelivery(deliveryId);
      if (found.kind !== 'found' || found.report.state === 'canceled') return 'canceled';
      const isLeft = !['pending', 'assigned', 'at_store'].includes(found.report.state);
      if (isLeft || answer.code === 'noncancelable_delivery') return 'too_late';
      throw undecided(UBER, answer);
    },
    async update(deliveryId, { dropoff, pickup, reference }) {
      const notes = noteOf(changedNotes(dropoff, { hasPhone: true }));
      const body = { dropoff_notes: notes, pickup_notes: pickupNotes(reference, pickup) };
      return updateOf(await client.update?.(deliveryId, body));
    },
    raiseTip: async (deliveryId, tipCents) =>
      updateOf(await client.update?.(deliveryId, { tip_by_customer: tipCents })),
    readReport: (headers, body) => readUberWebhook(options, headers, body),
  };
}

/** Uber's maximum length of notes. */
const MAX_NOTE_CHARACTERS = 280;

/** Writes a quote request's body. */
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

/** Writes a delivery request's body. For the same key, Uber returns the same delivery. */
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
/** How many seconds before its expiry a token is renewed. */
const TOKEN_MARGIN_SECONDS = 60;

type Call = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: object };

/**
 * Calls Uber Direct over HTTP: one request per call, bounded in time and length, without redirects. Timeouts, lost
 * responses and a 409 without a delivery are also retryable OutsideErrors.
 */
function createUberClient(options: UberDirectOptions): UberClient {
  const { customerId, baseUrl = BASE_URL, timeoutMs = TIMEOUT_MS } = options;
  const tokens = createTokens(options);
  const send = async (call: Call, token: string) => {
    const init = jsonRequest(call.method, { authorization: `Bearer ${token}` }, call.body);
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
 * Lists Uber's calls and their paths. Uber's OpenAPI document lists deliveries under `/eats/deliveries`, its reference
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
function createTokens(options: UberDirectOptions): Tokens {
  const { clientId, clientSecret, clock, tokenUrl = TOKEN_URL, timeoutMs = TIMEOUT_MS } = options;
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

/** Returns the existing delivery's id in a 409 response. */
function readDuplicateId({ body }: CompanyAnswer): string | undefined {
  const id = memberOf(objectIn(body, 'metadata'), 'delivery_id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}
