import { createHmac } from 'node:crypto';
import type {
  CancelAnswer,
  Clock,
  CourierGateway,
  CourierJob,
  CourierQuote,
  CourierReport,
  CreateAnswer,
  FindAnswer,
  JsonObject,
  QuoteAnswer,
} from 'doorstep/plugin';
import {
  type CompanyAnswer,
  changedNotes,
  e164Of,
  epochSeconds,
  fetchText,
  isDone,
  isoSeconds,
  randomId,
  readAnswer,
  readCents,
  readCurrency,
  readText,
  undecided,
  unreadableAnswer,
} from 'doorstep/plugin';
import { readDoorDashWebhook, readDoordashDelivery } from './delivery.ts';

/* DoorDash Drive as a courier: quotes, deliveries and reports in its wire format, under our keys. */

export type DoorDashOptions = {
  developerId: string;
  keyId: string;
  /** The signing secret in base64url, as shown in the portal. */
  signingSecret: string;
  /** The whole `Authorization` header of webhook calls, such as `Basic …`. */
  webhookAuthorization: string;
  clock: Clock;
  baseUrl?: string;
  timeoutMs?: number;
};

const DOORDASH = 'DoorDash Drive';
const BASE_URL = 'https://openapi.doordash.com/drive/v2';
const TIMEOUT_MS = 10_000;
const CALLED_PARTY = { party: 'courier', host: DOORDASH, maxBytes: 1024 * 1024 };
/** Lifetime of a token; DoorDash accepts at most 30 minutes. */
const TOKEN_SECONDS = 300;

type Call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) => Promise<CompanyAnswer>;

/**
 * Creates the DoorDash Drive gateway. `external_delivery_id` is our key. A quote has an id of its own, because an id is
 * good for one quote or delivery. Quotes are never accepted: `/deliveries` takes what a quote lacks, and can be
 * repeated.
 */
export function createDoorDashDrive(options: DoorDashOptions): CourierGateway {
  const { clock } = options;
  const call = createCall(options);
  return {
    async quote(job): Promise<QuoteAnswer> {
      const quoteId = randomId(`${job.key}-quote-`, 6);
      const answer = await call('POST', '/quotes', { ...tripOf(job, clock), external_delivery_id: quoteId });
      if (isDone(answer)) return { kind: 'quoted', quote: doordashQuote(answer.body) };
      return doordashRefusal(answer);
    },
    create: (job) => createDelivery(call, job, clock),
    find: ({ key }) => findDelivery(call, key, clock),
    cancel: (deliveryId) => cancelDelivery(call, deliveryId, clock),
    async update(deliveryId, { dropoff }) {
      const answer = await call('PATCH', `/deliveries/${encodeURIComponent(deliveryId)}`, {
        dropoff_instructions: changedNotes(dropoff, { hasPhone: false }),
        ...(dropoff.phone === null ? {} : { dropoff_phone_number: e164Of(dropoff.phone) }),
      });
      return isDone(answer) ? 'updated' : 'not_updated';
    },
    async raiseTip(deliveryId, tipCents) {
      const answer = await call('PATCH', `/deliveries/${encodeURIComponent(deliveryId)}`, { tip: tipCents });
      return isDone(answer) ? 'updated' : 'not_updated';
    },
    readReport: (headers, body) => readDoorDashWebhook(options.webhookAuthorization, headers, body),
  };
}

/** Creates a function for one request per call, bounded in time and length, without redirects. */
function createCall({ baseUrl = BASE_URL, timeoutMs = TIMEOUT_MS, ...account }: DoorDashOptions): Call {
  return async (method, path, body) => {
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${tokenOf(account)}`,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    return readAnswer(DOORDASH, await fetchText(`${baseUrl}${path}`, init, { ...CALLED_PARTY, timeoutMs }));
  };
}

/** Signs a JWT with the account's secret (https://developer.doordash.com/en-US/docs/drive/reference/JWTs). */
function tokenOf({ developerId, keyId, signingSecret, clock }: DoorDashOptions): string {
  const iat = epochSeconds(clock.now());
  const header = { alg: 'HS256', typ: 'JWT', 'dd-ver': 'DD-JWT-V1' };
  const claims = { aud: 'doordash', iss: developerId, kid: keyId, iat, exp: iat + TOKEN_SECONDS };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = createHmac('sha256', Buffer.from(signingSecret, 'base64url')).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}

/**
 * Creates a delivery. After a refusal, looks it up by key: an earlier attempt may have created it and got no answer.
 */
async function createDelivery(call: Call, job: CourierJob, clock: Clock): Promise<CreateAnswer> {
  const answer = await call('POST', '/deliveries', doordashDeliveryBody(job, clock));
  if (isDone(answer)) return { kind: 'created', report: reported(answer.body, clock) };
  const found = await findDelivery(call, job.key, clock);
  return found.kind === 'found' ? { kind: 'created', report: found.report } : doordashRefusal(answer);
}

async function findDelivery(call: Call, key: string, clock: Clock): Promise<FindAnswer> {
  const answer = await call('GET', `/deliveries/${encodeURIComponent(key)}`);
  if (isDone(answer)) return { kind: 'found', report: reported(answer.body, clock) };
  if (answer.status === 404) return { kind: 'none' };
  throw undecided(DOORDASH, answer);
}

/** Cancels a delivery. DoorDash refuses once a Dasher has it; after a refusal, its state decides. */
async function cancelDelivery(call: Call, key: string, clock: Clock): Promise<CancelAnswer> {
  const answer = await call('PUT', `/deliveries/${encodeURIComponent(key)}/cancel`);
  if (isDone(answer)) return 'canceled';
  const found = await findDelivery(call, key, clock);
  if (found.kind !== 'found' || found.report.state === 'canceled') return 'canceled';
  if (found.report.state === 'pending') throw undecided(DOORDASH, answer);
  return 'too_late';
}

/** Returns a final refusal. A 409 is a conflict with another call, and a retry may succeed. */
function doordashRefusal(answer: CompanyAnswer): { kind: 'refused'; reason: string } {
  if (answer.status === 409) throw undecided(DOORDASH, answer);
  return { kind: 'refused', reason: answer.code || `status_${answer.status}` };
}

function reported(body: JsonObject, clock: Clock): CourierReport {
  const report = readDoordashDelivery(body, clock.now());
  if (!report) throw unreadableAnswer(DOORDASH, 'delivery');
  return report;
}

function doordashQuote(body: JsonObject): CourierQuote {
  const [quoteId, feeCents] = [readText(body, 'external_delivery_id'), readCents(body, 'fee')];
  if (quoteId === undefined || feeCents === undefined) throw unreadableAnswer(DOORDASH, 'quote');
  return { quoteId, feeCents, currency: readCurrency(body, 'currency') ?? 'usd' };
}

/** Writes addresses, time and value of a trip; a pickup without a time is immediate. */
function tripOf({ pickup, dropoff, valueCents, readyAt }: CourierJob, clock: Clock): Record<string, unknown> {
  const isLater = Temporal.Instant.compare(readyAt, clock.now()) > 0;
  return {
    pickup_address: pickup.address.text,
    pickup_business_name: pickup.name,
    ...(pickup.phone === null ? {} : { pickup_phone_number: e164Of(pickup.phone) }),
    dropoff_address: dropoff.address.text,
    ...(dropoff.phone === null ? {} : { dropoff_phone_number: e164Of(dropoff.phone) }),
    order_value: valueCents,
    ...(isLater ? { pickup_time: isoSeconds(readyAt) } : {}),
  };
}

function doordashDeliveryBody(job: CourierJob, clock: Clock): Record<string, unknown> {
  const { key, reference, pickup, dropoff, items, tipCents, minAge, where } = job;
  return {
    ...tripOf(job, clock),
    external_delivery_id: key,
    pickup_reference_tag: reference,
    pickup_instructions: pickup.notes,
    dropoff_contact_given_name: dropoff.name,
    dropoff_instructions: dropoff.notes,
    items: items.map(({ name, quantity }) => ({ name, quantity })),
    tip: tipCents,
    contains_alcohol: minAge !== null,
    ...(where === null ? {} : { contactless_dropoff: where === 'leave_at_door' }),
  };
}
