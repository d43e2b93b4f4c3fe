import assert from 'node:assert/strict';
import { fillPlaceholders, findId } from '../../packages/api-reference/browser/former-answers.ts';
import { type ApiDocument, assertDescribed, operationsOf } from '../api-document.ts';

export type WireRequest = { method: string; path: string; headers: Record<string, string>; body?: string | Buffer };
export type WireAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The parsed JSON; undefined for another content type. */
  body: unknown;
};
export type Exchange = (request: WireRequest) => Promise<WireAnswer>;

type Json = Record<string, unknown>;
type DescribedOperation = ReturnType<typeof operationsOf>[number];
type Media = { schema?: Json; example?: unknown };

export type Sending = {
  headers?: Record<string, string>;
  /** Overrides members of the example's body; the request then no longer counts as the example. */
  change?: Json;
  /** What another party appends to the address. */
  query?: string;
  /** The body of a binary operation. */
  bytes?: Buffer;
};

/** Sends the examples of an API description as its reader would. */
export type ExampleClient = {
  /** Sends an operation's example with ids of earlier answers; fails unless the response is a documented success. */
  send(operationId: string, headers: Record<string, string>, sending?: Sending): Promise<WireAnswer>;
  /** Like `send`, but accepts any status. */
  ask(operationId: string, headers: Record<string, string>, sending?: Sending): Promise<WireAnswer>;
  /** Opens a page whose links provide ids for later examples. */
  visit(path: string): Promise<void>;
  /** Adds ids that arrive by email or SMS. */
  know(ids: Json): void;
  /** JSON answers to unchanged examples, and their events, by the `operationId` of the endpoint or webhook. */
  answers: Map<string, unknown>;
  succeeded: ReadonlySet<string>;
};

const FORM = 'application/x-www-form-urlencoded';
const ADDRESS = /\b(?:href|src|action)="([^"]+)"/g;

/** `open` reads human-facing pages, whose paths the API description does not list. */
export function createExampleClient(
  document: ApiDocument,
  exchange: Exchange,
  open: Exchange = exchange,
): ExampleClient {
  const operations = new Map(operationsOf(document).map((each) => [each.operation.operationId ?? '', each]));
  const former: unknown[] = [];
  const addresses: string[] = [];
  const answers = new Map<string, unknown>();
  const succeeded = new Set<string>();

  const valuesFor = (path: string) => (name: string) => {
    // Pages name files, and many answers contain a `name` member.
    const places = name === 'name' ? addresses.map((address) => [address]) : former;
    for (const place of places) {
      const value = findId(place, name, path);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const remember = (path: string, { text, body, headers }: WireAnswer) => {
    if (body !== undefined) former.unshift(body);
    for (const event of eventsIn(body)) {
      const id = document.webhooks[event.type]?.post.operationId;
      if (id !== undefined && !answers.has(id)) answers.set(id, event);
    }
    if (!String(headers['content-type']).startsWith('text/html')) return;
    const found = [...text.matchAll(ADDRESS)].map(
      ([, address = '']) => new URL(address, `http://host${path}`).pathname,
    );
    addresses.unshift(...found);
  };
  const ask: ExampleClient['ask'] = async (operationId, headers, sending = {}) => {
    const described = operations.get(operationId) ?? assert.fail(`no operation is named ${operationId}`);
    const request = requestOf(described, valuesFor(described.path), sending);
    const answer = await exchange({ ...request, headers: { ...request.headers, ...headers, ...sending.headers } });
    remember(request.path, answer);
    return assertDescribed(document, described.name, answer as never);
  };
  return {
    ask,
    async send(operationId, headers, sending = {}) {
      const answer = await ask(operationId, headers, sending);
      assert.ok(answer.status >= 200 && answer.status < 400, `${operationId} ${answer.status}: ${answer.text}`);
      if (sending.change) return answer;
      succeeded.add(operationId);
      if (answer.status === 200 && answer.body !== undefined && !answers.has(operationId)) {
        answers.set(operationId, answer.body);
      }
      return answer;
    },
    visit: async (path) => remember(path, await open({ method: 'GET', path, headers: {} })),
    know: (ids) => void former.unshift(ids),
    answers,
    succeeded,
  };
}

type Event = { type: string };

/** The events of a response are also the bodies of webhook calls. */
function eventsIn(body: unknown): Event[] {
  const { events = [] } = (body ?? {}) as { events?: unknown };
  return Array.isArray(events) ? events : [];
}

function requestOf(
  { name, path, operation }: DescribedOperation,
  valueFor: (name: string) => string | undefined,
  { change, bytes, query: added = '' }: Sending,
): WireRequest {
  const filled = (text: string) => {
    const whole = fillPlaceholders(text, valueFor);
    const [missing] = /\{[a-z_]+\}/.exec(whole) ?? [];
    return missing === undefined ? whole : assert.fail(`${name}: no former answer has ${missing}`);
  };
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let address = path;
  for (const { name: parameter, in: part, ...described } of operation.parameters ?? []) {
    const { example } = described as { example?: unknown };
    if (example === undefined) continue;
    const value = filled(String(example));
    if (part === 'path') address = address.replace(`{${parameter}}`, encodeURIComponent(value));
    else if (part === 'query') query.append(parameter, value);
    // An idempotency key belongs to one request only.
    else if (parameter !== 'Idempotency-Key') headers[parameter] = value;
  }
  address = fillPlaceholders(address, (parameter) => encodeURIComponent(filled(`{${parameter}}`)));
  const [method = ''] = name.split(' ');
  const request = { method, path: query.size > 0 ? `${address}?${query}` : `${address}${added}`, headers };
  const [[type, media] = ['', {}]] = Object.entries(operation.requestBody?.content ?? {});
  if (type === '') return request;
  const body = bytes ?? textOf(name, type, media, filled, change);
  return { ...request, headers: { ...headers, 'content-type': type }, body };
}

/** The example's body; an empty object for an operation without an example. */
function textOf(name: string, type: string, media: Media, filled: (text: string) => string, change: Json = {}): string {
  const { example } = media;
  const needed = (media.schema?.required as string[] | undefined) ?? [];
  if (example === undefined && needed.length > 0) assert.fail(`${name} has no example of its body`);
  const members = { ...JSON.parse(filled(JSON.stringify(example ?? {}))), ...change };
  return type === FORM ? String(new URLSearchParams(members)) : JSON.stringify(members);
}
