import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { CourierDocument } from '../contracts/courier-document.ts';
import { listen } from '../given/listen.ts';
import type { ForeignAnswer } from './uber-direct-double.ts';

type Json = Record<string, unknown>;
export type DoorDashOperation = 'quote' | 'create' | 'get' | 'update' | 'cancel';
/** A fault of a DoorDash call: its response is lost after the work, never sent, or something else. */
export type DoorDashTrouble = 'lose_answer' | 'hang' | number | ForeignAnswer;
export type DoorDashRequest = { operation: DoorDashOperation; headers: IncomingMessage['headers']; body: Json };
export type DoorDashDelivery = Json & { external_delivery_id: string; delivery_status: string };
type Answer = { status: number; body: Json };

export type DoorDashDouble = {
  baseUrl: string;
  /** The account's settings. */
  account: { developerId: string; keyId: string; signingSecret: string; webhookAuthorization: string };
  /** Every difference between a request or answer and DoorDash's published document. */
  faults: string[];
  requests: DoorDashRequest[];
  deliveries: DoorDashDelivery[];
  /** Whether a reused id is a 409 or returns the existing delivery; DoorDash documents both. */
  refuseDuplicates(refuses: boolean): void;
  /** Sets the faults of an operation's next calls, replacing pending ones. */
  trouble(operation: DoorDashOperation, ...troubles: (DoorDashTrouble | undefined)[]): void;
  /** Advances a delivery and returns the webhook call for it, without sending the call. */
  move(key: string, status: string, at: string, more?: Json): { body: Buffer; headers: Record<string, string> };
  close(): Promise<void>;
};

const ACCOUNT = {
  developerId: 'developer-1',
  keyId: 'key-1',
  signingSecret: Buffer.from('doordash-signing-secret').toString('base64url'),
  webhookAuthorization: 'Basic ZG9vcnN0ZXA6d2ViaG9vay1zZWNyZXQ=',
};
const CREATED = '2026-06-10T17:00:00Z';
const EVENTS: Readonly<Record<string, string>> = {
  confirmed: 'DASHER_CONFIRMED',
  enroute_to_pickup: 'DASHER_ENROUTE_TO_PICKUP',
  arrived_at_pickup: 'DASHER_CONFIRMED_PICKUP_ARRIVAL',
  picked_up: 'DASHER_PICKED_UP',
  enroute_to_dropoff: 'DASHER_ENROUTE_TO_DROPOFF',
  arrived_at_dropoff: 'DASHER_CONFIRMED_DROPOFF_ARRIVAL',
  delivered: 'DASHER_DROPPED_OFF',
  cancelled: 'DELIVERY_CANCELLED',
  returned: 'DELIVERY_RETURNED',
};
const OPERATIONS: readonly [RegExp, DoorDashOperation][] = [
  [/^POST \/quotes$/, 'quote'],
  [/^POST \/deliveries$/, 'create'],
  [/^GET \/deliveries\/[^/]+$/, 'get'],
  [/^PATCH \/deliveries\/[^/]+$/, 'update'],
  [/^PUT \/deliveries\/[^/]+\/cancel$/, 'cancel'],
];

/** A fake of the part of DoorDash Drive that the adapter uses, on loopback. `now` is DoorDash's clock. */
export async function startDoorDashDouble(
  document: CourierDocument | undefined,
  now: () => Temporal.Instant,
): Promise<DoorDashDouble> {
  const books: Books = { deliveries: [], used: new Set(), refusesDuplicates: true };
  const faults: string[] = [];
  const requests: DoorDashRequest[] = [];
  const troubles = new Map<DoorDashOperation, (DoorDashTrouble | undefined)[]>();
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    requests.push(call);
    const trouble = troubles.get(call.operation)?.shift();
    if (trouble === 'hang') return;
    const send = (status: number, text: string, headers = {}) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    if (typeof trouble === 'object') return send(trouble.status, trouble.text, trouble.headers);
    faults.push(...(document?.checkRequest(call.method, call.path, call.sent) ?? []));
    const isKnown = isSigned(call.headers.authorization ?? '', now());
    const refusal = typeof trouble === 'number' ? trouble : isKnown ? undefined : 401;
    const answer = refusal === undefined ? answerOf(books, call) : apiError(refusal, 'unknown_error');
    faults.push(...(document?.checkAnswer(call.method, call.path, answer.status, answer.body) ?? []));
    if (trouble === 'lose_answer') return void request.socket.destroy();
    send(answer.status, JSON.stringify(answer.body));
  });
  return {
    ...(await listen(server)),
    account: ACCOUNT,
    faults,
    requests,
    deliveries: books.deliveries,
    refuseDuplicates(refuses) {
      books.refusesDuplicates = refuses;
    },
    trouble: (operation, ...more) => void troubles.set(operation, more),
    move(key, status, at, more = {}) {
      const delivery = deliveryOf(books, key) ?? assert.fail(`no delivery of ${key}`);
      Object.assign(delivery, { delivery_status: status, updated_at: at }, more);
      const { delivery_status: _, ...stated } = delivery;
      const body = Buffer.from(JSON.stringify({ ...stated, event_name: EVENTS[status], created_at: at }));
      return { body, headers: { 'content-type': 'application/json', authorization: ACCOUNT.webhookAuthorization } };
    },
  };
}

/** `used` has the ids of quotes and deliveries, which share one namespace at DoorDash. */
type Books = { deliveries: DoorDashDelivery[]; used: Set<string>; refusesDuplicates: boolean };

const deliveryOf = ({ deliveries }: Books, key: string): DoorDashDelivery | undefined =>
  deliveries.find(({ external_delivery_id }) => external_delivery_id === key);

function answerOf(books: Books, call: { operation: DoorDashOperation; body: Json; key: string }): Answer {
  if (call.operation === 'quote') return quote(books, call.body);
  if (call.operation === 'create') return create(books, call.body);
  const delivery = deliveryOf(books, call.key);
  if (!delivery) return apiError(404, 'unknown_delivery_id');
  if (call.operation === 'get') return { status: 200, body: delivery };
  if (call.operation === 'update') {
    const closed = ['delivered', 'cancelled', ...('tip' in call.body ? [] : ['picked_up'])];
    if (closed.includes(delivery.delivery_status)) {
      return apiError(400, 'invalid_delivery_status');
    }
    return { status: 200, body: Object.assign(delivery, call.body) };
  }
  if (delivery.delivery_status !== 'created') return apiError(400, 'invalid_delivery_status');
  delivery.delivery_status = 'cancelled';
  return { status: 200, body: delivery };
}

function quote(books: Books, body: Json): Answer {
  const id = String(body.external_delivery_id);
  if (books.used.has(id)) return apiError(409, 'duplicate_delivery_id');
  if (isTooFar(body)) return apiError(422, 'address_out_of_coverage');
  books.used.add(id);
  const times = { pickup_time: '2026-06-10T17:10:00Z', delivery_time: '2026-06-10T17:25:00Z' };
  const price = { fee: 975, currency: 'USD', expires_at: '2026-06-10T17:05:00Z' };
  return { status: 200, body: { external_delivery_id: id, ...price, ...times } };
}

function create(books: Books, body: Json): Answer {
  const id = String(body.external_delivery_id);
  const first = deliveryOf(books, id);
  if (first && !books.refusesDuplicates) return { status: 200, body: first };
  if (books.used.has(id)) return apiError(409, 'duplicate_delivery_id');
  if (isTooFar(body)) return apiError(422, 'address_out_of_coverage');
  const price = { fee: 975, currency: 'USD', tracking_url: `https://track.example/${id}` };
  const times = { created_at: CREATED, updated_at: CREATED };
  const delivery = { external_delivery_id: id, delivery_status: 'created', ...price, ...times };
  books.used.add(id);
  books.deliveries.push(delivery);
  return { status: 200, body: delivery };
}

const isTooFar = ({ dropoff_address: address }: Json): boolean => String(address).includes('Far Street');

/** DoorDash's message may echo the request, so no part of it may be passed on. */
function apiError(status: number, code: string): Answer {
  const field_errors = [{ field: 'dropoff_address', error: 'No: 10 W 21st St' }];
  return { status, body: { code, message: 'No: Test Customer, 10 W 21st St, +12125550199.', field_errors } };
}

/** Validates a token of the account: algorithm, claims, time and signature. */
function isSigned(authorization: string, now: Temporal.Instant): boolean {
  const [header = '', claims = '', signature] = authorization.replace(/^Bearer /, '').split('.');
  const key = Buffer.from(ACCOUNT.signingSecret, 'base64url');
  if (createHmac('sha256', key).update(`${header}.${claims}`).digest('base64url') !== signature) return false;
  const read = (part: string): Json => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  const { aud, iss, kid, iat, exp } = read(claims);
  const seconds = now.epochMilliseconds / 1000;
  assert.deepEqual(read(header), { alg: 'HS256', typ: 'JWT', 'dd-ver': 'DD-JWT-V1' });
  assert.ok(Number(exp) - Number(iat) <= 1800, 'a token of at most 30 minutes');
  const isTimely = Number(iat) <= seconds && seconds < Number(exp);
  return aud === 'doordash' && iss === ACCOUNT.developerId && kid === ACCOUNT.keyId && isTimely;
}

async function readCall(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url: path = '', headers } = request;
  const operation = OPERATIONS.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
  assert.ok(operation, `DoorDash has no ${method} ${path}`);
  const text = Buffer.concat(chunks).toString('utf8');
  const sent: Json | undefined = text === '' ? undefined : JSON.parse(text);
  const key = decodeURIComponent(/\/deliveries\/([^/]+)/.exec(path)?.[1] ?? '');
  return { operation, method, path, headers, sent, body: sent ?? {}, key };
}
