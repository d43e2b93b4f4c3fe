import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listen } from '../given/listen.ts';

/** A place in Google's API. */
export type GooglePlace = { readonly id: string } & { readonly [field: string]: unknown };

/** Google's fault on the next call. */
export type GoogleTrouble =
  | 'hang'
  | 'drip'
  | 'reset'
  | 'html'
  | 'garbage'
  | 'huge'
  | { status: number; code: string; reason?: string; retryAfter?: string };

export type GivenGoogle = {
  baseUrl: string;
  key: string;
  /** Every difference between a request or answer and Google's documentation. */
  faults: string[];
  requests: { method: string; path: string; fieldMask: string[]; body: Record<string, unknown> | undefined }[];
  /** The known places; tests may add, change and remove them. */
  places: Map<string, GooglePlace>;
  trouble(trouble: GoogleTrouble): void;
  close(): Promise<void>;
};

const CONTRACT_FILE = join(import.meta.dirname, '../../../shared/data/contracts/google-places-openapi.json');
export const googleContract = readGoogleContract(CONTRACT_FILE);
export const skipWithoutGoogleContract = googleContract ? false : `${CONTRACT_FILE} is not here`;

const KEY = 'AIzaSy-a-key-that-nobody-may-see';
const MOST_PLACES = 20;
const HUGE_BYTES = 3 * 1024 * 1024;

/** A fake of the part of the Places API (New) that the adapter uses, on loopback. */
export async function givenGoogle(places: readonly GooglePlace[] = []): Promise<GivenGoogle> {
  const known = new Map(places.map((place) => [place.id, place]));
  const faults: string[] = [];
  const requests: GivenGoogle['requests'] = [];
  const troubles: GoogleTrouble[] = [];
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    requests.push(call);
    faults.push(...ownFaults(request, call));
    faults.push(...(googleContract?.checkRequest(call.method, call.path, call.body, call.fieldMask) ?? []));
    const trouble = troubles.shift();
    if (trouble) return misbehave(trouble, request, response);
    const { status, body } = answerTo(known, request, call);
    if (status === 200) faults.push(...(googleContract?.checkAnswer(call.method, call.path, body) ?? []));
    send(response, status, body);
  });
  return {
    ...(await listen(server)),
    key: KEY,
    faults,
    requests,
    places: known,
    trouble: (trouble) => void troubles.push(trouble),
  };
}

type Call = GivenGoogle['requests'][number];

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    fieldMask: String(request.headers['x-goog-fieldmask'] ?? '').split(','),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** Rules of Google's documentation that its description cannot express. */
function ownFaults({ headers }: IncomingMessage, { method, path, fieldMask, body }: Call): string[] {
  const faults: string[] = [];
  const isSearch = method === 'POST' && path === '/v1/places:searchText';
  if (!isSearch && !(method === 'GET' && /^\/v1\/places\/[\w-]+$/.test(path))) faults.push(`no ${method} ${path}`);
  if (path.includes(KEY)) faults.push('the key is in the URL');
  if (headers['x-goog-api-key'] !== KEY) faults.push('no key in its header');
  if (fieldMask.some((field) => !/^(places\.)?[a-zA-Z]+(\.[a-zA-Z]+)*$/.test(field))) faults.push('a bad field mask');
  if (fieldMask.some((field) => field.startsWith('places.') !== isSearch)) faults.push('a field mask of another call');
  if (!isSearch) return faults;
  const { textQuery, locationBias } = body as { textQuery?: unknown; locationBias?: { circle: { radius: number } } };
  if (typeof textQuery !== 'string' || textQuery.trim() === '') faults.push('no textQuery');
  if (locationBias && !(locationBias.circle.radius >= 0 && locationBias.circle.radius <= 50_000)) {
    faults.push('a radius outside of 0 to 50000');
  }
  return faults;
}

function answerTo(known: GivenGoogle['places'], { headers }: IncomingMessage, call: Call) {
  if (headers['x-goog-api-key'] !== KEY) return refusal(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID');
  if (call.method === 'GET') {
    const id = call.path.split('/')[3] ?? '';
    const place = known.get(id);
    if (place) return { status: 200, body: masked(place, call.fieldMask) };
    return id.length < 10 ? refusal(400, 'INVALID_ARGUMENT') : refusal(404, 'NOT_FOUND');
  }
  const { textQuery, openNow } = call.body as { textQuery: string; openNow?: boolean };
  const words = textQuery.toLowerCase().split(/\s+/);
  const found = [...known.values()].filter((place) => {
    const text = JSON.stringify([place.displayName, place.addressComponents]).toLowerCase();
    const hours = place.regularOpeningHours as { openNow?: boolean } | undefined;
    return words.every((word) => text.includes(word)) && (!openNow || hours?.openNow === true);
  });
  const fields = call.fieldMask.map((field) => field.replace(/^places\./, ''));
  // Google omits empty members, so an empty result is an empty object.
  if (found.length === 0) return { status: 200, body: {} };
  return { status: 200, body: { places: found.slice(0, MOST_PLACES).map((place) => masked(place, fields)) } };
}

/** The members selected by the field mask. */
function masked(place: GooglePlace, fields: readonly string[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of fields) {
    const [name = '', inner] = field.split('.');
    const value = place[name];
    if (value === undefined) continue;
    out[name] = inner === undefined ? value : { [inner]: (value as Record<string, unknown>)[inner] };
  }
  return out;
}

/** Google's message echoes a refused key. */
function refusal(status: number, code: string, reason?: string) {
  const details = reason ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] : [];
  return { status, body: { error: { code: status, message: `No: ${KEY}`, status: code, details } } };
}

function misbehave(trouble: GoogleTrouble, request: IncomingMessage, response: ServerResponse): void {
  const json = { 'content-type': 'application/json' };
  if (trouble === 'hang') return;
  if (trouble === 'reset') return void request.socket.resetAndDestroy();
  if (trouble === 'html') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
  if (trouble === 'garbage') return void response.writeHead(200, json).end('{"places":[');
  if (trouble === 'huge') return void response.writeHead(200, json).end(`{"a":"${'x'.repeat(HUGE_BYTES)}"}`);
  if (trouble === 'drip') {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 20);
    return void response.on('close', () => clearInterval(timer));
  }
  const { status, body } = refusal(trouble.status, trouble.code, trouble.reason);
  if (trouble.retryAfter) response.setHeader('retry-after', trouble.retryAfter);
  send(response, status, body);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A café in Vancouver with every field that is read, and some that must not be requested. */
export function googleCafe(changes: Readonly<Record<string, unknown>> & { id: string }): GooglePlace {
  return {
    name: `places/${changes.id}`,
    displayName: { text: 'Fern & Ferry Café', languageCode: 'en' },
    primaryType: 'cafe',
    types: ['cafe', 'coffee_shop', 'food', 'point_of_interest', 'establishment'],
    addressComponents: [
      componentOf('787', '787', 'street_number'),
      componentOf('West Georgia Street', 'W Georgia St', 'route'),
      componentOf('Vancouver', 'Vancouver', 'locality', 'political'),
      componentOf('British Columbia', 'BC', 'administrative_area_level_1', 'political'),
      componentOf('Canada', 'CA', 'country', 'political'),
      componentOf('V6C 1A1', 'V6C 1A1', 'postal_code'),
    ],
    location: { latitude: 49.2836, longitude: -123.1187 },
    internationalPhoneNumber: '+1 604-555-0142',
    businessStatus: 'OPERATIONAL',
    googleMapsUri: `https://maps.google.com/?cid=${changes.id.length}`,
    rating: 4.5,
    websiteUri: 'https://fern.example',
    regularOpeningHours: {
      openNow: true,
      periods: [0, 1, 2, 3, 4, 5, 6].map((day) => ({
        open: { day, hour: 7, minute: 0 },
        close: { day, hour: 19, minute: 30 },
      })),
    },
    ...changes,
  };
}

export const componentOf = (longText: string, shortText: string, ...types: string[]) => ({
  longText,
  shortText,
  types,
  languageCode: 'en',
});

type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
};
type Operation = {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/**
 * Validates requests and answers against Google's published description of the Places API; each check returns the
 * differences.
 */
type GoogleContract = {
  checkRequest(method: string, path: string, body: unknown, fieldMask: readonly string[]): string[];
  checkAnswer(method: string, path: string, body: unknown): string[];
};

const PLACE = 'GoogleMapsPlacesV1Place';
/**
 * The document describes all GETs with one entry that has a different answer, so a place is checked against its own
 * schema.
 */
const PLACE_PATH = /^\/v1\/places\/[^/:]+$/;

/** Undefined if the file is absent. */
function readGoogleContract(file: string): GoogleContract | undefined {
  if (!existsSync(file)) return undefined;
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  const resolve = (schema: Schema | undefined): Schema => {
    const name = schema?.$ref?.split('/').at(-1);
    return (name === undefined ? schema : document.components.schemas[name]) ?? {};
  };
  const operationOf = (method: string, path: string): Operation | undefined =>
    document.paths[PLACE_PATH.test(path) ? '/v1/{name}' : path]?.[method.toLowerCase()];
  const answerSchemaOf = (operation: Operation, path: string): Schema =>
    PLACE_PATH.test(path)
      ? (document.components.schemas[PLACE] ?? {})
      : resolve(operation.responses['200']?.content['application/json']?.schema);
  return {
    checkRequest(method, path, body, fieldMask) {
      const operation = operationOf(method, path);
      if (!operation) return [`Google has no ${method} ${path}`];
      const schema = operation.requestBody?.content['application/json']?.schema;
      const bodyFaults = schema ? valueFaults(resolve, schema, body, 'body') : body === undefined ? [] : ['a body'];
      const answer = answerSchemaOf(operation, path);
      const unknown = fieldMask.filter((field) => !hasField(resolve, answer, field.split('.')));
      return [...bodyFaults, ...unknown.map((field) => `the field mask names ${field}`)];
    },
    checkAnswer(method, path, body) {
      const operation = operationOf(method, path);
      return operation ? valueFaults(resolve, answerSchemaOf(operation, path), body, 'answer') : [];
    },
  };
}

type Resolve = (schema: Schema | undefined) => Schema;

function hasField(resolve: Resolve, schema: Schema, [name, ...rest]: readonly string[]): boolean {
  const whole = resolve(schema);
  const object = whole.type === 'array' ? resolve(whole.items) : whole;
  const member = object.properties?.[name ?? ''];
  return member !== undefined && (rest.length === 0 || hasField(resolve, member, rest));
}

function valueFaults(resolve: Resolve, given: Schema, value: unknown, at: string): string[] {
  const schema = resolve(given);
  if (schema.properties) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`];
    return Object.entries(value).flatMap(([name, member]) => {
      const known = schema.properties?.[name];
      return known ? valueFaults(resolve, known, member, `${at}.${name}`) : [`${at}.${name} is not known`];
    });
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((member, n) => valueFaults(resolve, schema.items ?? {}, member, `${at}[${n}]`));
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is not one of ${schema.enum.join(', ')}`];
  if (schema.type === 'integer') return Number.isInteger(value) ? [] : [`${at} is no whole number`];
  return schema.type === undefined || typeof value === schema.type ? [] : [`${at} is no ${schema.type}`];
}
