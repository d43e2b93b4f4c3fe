import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { CourierDocument } from '../contracts/courier-document.ts';
import { listen } from '../given/listen.ts';
import {
  answerOf,
  apiError,
  signed,
  type UberAnswer,
  type UberBooks,
  type UberDelivery,
  type UberEvent,
  type UberOperation,
} from './uber-books.ts';

/** A fault of an Uber call: its response is lost after the work, never sent, or something else. */
export type UberTrouble = 'lose_answer' | 'hang' | number | ForeignAnswer;
export type ForeignAnswer = { status: number; text: string; headers?: Record<string, string> };

type Json = Record<string, unknown>;
export type UberRequest = { operation: UberOperation; path: string; headers: IncomingMessage['headers']; body: Json };
export type UberDouble = {
  baseUrl: string;
  tokenUrl: string;
  clientSecret: string;
  webhookSecret: string;
  /** Every difference between a request or answer and Uber's published document. */
  faults: string[];
  requests: UberRequest[];
  books: UberBooks;
  deliveryOf(key: string): UberDelivery;
  /** Sets the faults of an operation's next calls, replacing pending ones. */
  trouble(operation: UberOperation, ...troubles: (UberTrouble | undefined)[]): void;
  /** Revokes every issued token. */
  revokeTokens(): void;
  /** Advances a delivery and returns the webhook call for it, without sending the call. */
  move(key: string, status: string, at: string, more?: Json): UberEvent;
  /** The webhook call with a courier's position. */
  position(key: string, latitude: number, longitude: number, at: string): UberEvent;
  close(): Promise<void>;
};

const SECRETS = { clientSecret: 'uber-client-secret', webhookSecret: 'uber-webhook-secret' };

/** A fake of the part of Uber Direct that the adapter uses, on loopback. */
export async function startUberDouble(contract: CourierDocument | undefined): Promise<UberDouble> {
  const books: UberBooks = { deliveries: [], keys: new Map(), quotes: 0, pointsToDuplicates: false };
  const faults: string[] = [];
  const requests: UberRequest[] = [];
  const troubles = new Map<UberOperation, (UberTrouble | undefined)[]>();
  const tokens = new Set<string>();
  let given = 0;
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    requests.push(call);
    const trouble = troubles.get(call.operation)?.shift();
    if (trouble === 'hang') return;
    if (typeof trouble === 'object') return send(response, trouble);
    if (isPublished(call)) {
      faults.push(...(contract?.checkRequest(call.method, call.path, call.sent) ?? []));
    }
    const answer = typeof trouble === 'number' ? apiError(trouble, 'unknown_error') : answerTo(call);
    if (isPublished(call)) {
      faults.push(...(contract?.checkAnswer(call.method, call.path, answer.status, answer.body) ?? []));
    }
    if (trouble === 'lose_answer') return void request.socket.destroy();
    send(response, { ...answer, text: JSON.stringify(answer.body ?? {}) });
  });
  const answerTo = (call: Awaited<ReturnType<typeof readCall>>): UberAnswer => {
    if (call.operation === 'token') {
      if (call.body.client_secret !== SECRETS.clientSecret) return apiError(401, 'invalid_client');
      given += 1;
      tokens.add(`token-${given}`);
      return { status: 200, body: { access_token: `token-${given}`, expires_in: 2_592_000, token_type: 'Bearer' } };
    }
    const token = (call.headers.authorization ?? '').replace('Bearer ', '');
    return tokens.has(token) ? answerOf(books, call) : apiError(401, 'unauthorized');
  };
  const { baseUrl: url, close } = await listen(server);
  const deliveryOf = (key: string) =>
    books.deliveries.find((one) => one.external_id === key) ?? assert.fail(`no delivery of ${key}`);
  let events = 0;
  const eventOf = (kind: string, delivery: UberDelivery, created: string, more: Json = {}) => {
    events += 1;
    const head = { kind, id: `evt_${events}`, created, delivery_id: delivery.id, status: delivery.status };
    return signed(SECRETS.webhookSecret, { ...head, live_mode: true, customer_id: 'cus_1', data: delivery, ...more });
  };
  return {
    ...SECRETS,
    baseUrl: `${url}/v1`,
    tokenUrl: `${url}/oauth/v2/token`,
    close,
    faults,
    requests,
    books,
    deliveryOf,
    trouble: (operation, ...more) => void troubles.set(operation, more),
    revokeTokens: () => tokens.clear(),
    move(key, status, at, more = {}) {
      const delivery = deliveryOf(key);
      Object.assign(delivery, { status, updated: at }, more);
      return eventOf('event.delivery_status', { ...delivery }, at);
    },
    position(key, lat, lng, at) {
      const delivery = deliveryOf(key);
      const courier = { ...(delivery.courier as Json), location: { lat, lng } };
      Object.assign(delivery, { courier, updated: at });
      return eventOf('event.courier_update', { ...delivery }, at, { location: { lat, lng } });
    },
  };
}

/** Whether Uber's document has the operation; changes are in its reference only. */
const isPublished = ({ operation }: { operation: UberOperation }) => operation !== 'token' && operation !== 'update';

const OPERATIONS: readonly [RegExp, UberOperation][] = [
  [/^POST \/oauth\/v2\/token$/, 'token'],
  [/^POST \/v1\/(eats\/deliveries\/quote|customers\/cus_1\/delivery_quotes)$/, 'quote'],
  [/^POST \/v1\/(eats|customers\/cus_1)\/deliveries$/, 'create'],
  [/^GET \/v1\/(eats|customers\/cus_1)\/deliveries\/[^/]+$/, 'get'],
  [/^POST \/v1\/customers\/cus_1\/deliveries\/[^/]+$/, 'update'],
  [/^(DELETE \/v1\/eats\/deliveries\/[^/]+|POST \/v1\/customers\/cus_1\/deliveries\/[^/]+\/cancel)$/, 'cancel'],
];

async function readCall(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  const operation = OPERATIONS.find(([pattern]) => pattern.test(`${method} ${url}`))?.[1];
  assert.ok(operation, `Uber has no ${method} ${url}`);
  const text = Buffer.concat(chunks).toString('utf8');
  const isForm = /urlencoded/.test(headers['content-type'] ?? '');
  const sent: Json | undefined = text === '' ? undefined : isForm ? undefined : JSON.parse(text);
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : (sent ?? {});
  const deliveryId = decodeURIComponent(/\/deliveries\/([^/]+)/.exec(url)?.[1] ?? '');
  return { operation, method, path: url.replace(/^\/v1/, ''), headers, body, sent, deliveryId };
}

function send(response: ServerResponse, { status, text, headers = {} }: ForeignAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
