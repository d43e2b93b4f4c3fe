import { createHmac } from 'node:crypto';
import {
  type Clock,
  type CompanyAnswer,
  type CourierGateway,
  type CourierJob,
  changedNotes,
  courierAnswers,
  e164Of,
  epochSeconds,
  fetchText,
  isDone,
  isoSeconds,
  jsonRequest,
  randomId,
  readAnswer,
  undecided,
  updateOf,
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
/** Lifetime of a token; DoorDash accepts up to 30 minutes. */
const TOKEN_SECONDS = 300;

type Call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) => Promise<CompanyAnswer>;

/**
 * Creates the DoorDash Drive gateway. `external_delivery_id` is our key. A quote gets an id of its own, because an id
 * is good for one quote or delivery. Quotes are never accepted: `/deliveries` takes more fields than a quote, and can
 * be repeated.
 */
export function createDoorDashDrive(options: DoorDashOptions): CourierGateway {
  const { clock } = options;
  const call = createCall(options);
  const answers = courierAnswers({
    company: DOORDASH,
    readDelivery: (body) => readDoordashDelivery(body, clock.now()),
    quoteId: 'external_delivery_id',
  });
  const findDelivery = async (key: string) =>
    answers.findingOf(await call('GET', `/deliveries/${encodeURIComponent(key)}`));
  const change = async (deliveryId: string, body: object) =>
    updateOf(await call('PATCH', `/deliveries/${encodeURIComponent(deliveryId)}`, body));
  return {
    async quote(job) {
      const quoteId = randomId(`${job.key}-quote-`, 6);
      return answers.quoteOf(await call('POST', '/quotes', { ...tripOf(job, clock), external_delivery_id: quoteId }));
    },
    /** After an error, looks it up by key: an earlier attempt may have created it and got no response. */
    async create(job) {
      const answer = await call('POST', '/deliveries', doordashDeliveryBody(job, clock));
      if (isDone(answer)) return { kind: 'created', report: answers.reportOf(answer) };
      const found = await findDelivery(job.key);
      return found.kind === 'found' ? { kind: 'created', report: found.report } : answers.refusalOf(answer);
    },
    find: ({ key }) => findDelivery(key),
    /** DoorDash refuses once a Dasher has it; after an error, its state decides. */
    async cancel(key) {
      const answer = await call('PUT', `/deliveries/${encodeURIComponent(key)}/cancel`);
      if (isDone(answer)) return 'canceled';
      const found = await findDelivery(key);
      if (found.kind !== 'found' || found.report.state === 'canceled') return 'canceled';
      if (found.report.state === 'pending') throw undecided(DOORDASH, answer);
      return 'too_late';
    },
    update: (deliveryId, { dropoff }) =>
      change(deliveryId, {
        dropoff_instructions: changedNotes(dropoff, { hasPhone: false }),
        ...(dropoff.phone === null ? {} : { dropoff_phone_number: e164Of(dropoff.phone) }),
      }),
    raiseTip: (deliveryId, tipCents) => change(deliveryId, { tip: tipCents }),
    readReport: (headers, body) => readDoorDashWebhook(options.webhookAuthorization, headers, body),
  };
}

/** Creates a function for one request per call, bounded in time and length, without redirects. */
function createCall({ baseUrl = BASE_URL, timeoutMs = TIMEOUT_MS, ...account }: DoorDashOptions): Call {
  return async (method, path, body) => {
    const init = jsonRequest(method, { authorization: `Bearer ${tokenOf(account)}` }, body);
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
