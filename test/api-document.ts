import assert from 'node:assert/strict';
import Schema from 'typebox/schema';
import type { Reply } from './harness.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema?: Json; example?: unknown }>;
type Answer = { description?: string; content?: Content; headers?: Json };
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Json };
type Operation = {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Answer>;
};
/** The part of the service's OpenAPI document that tests read. */
export type ApiDocument = Json & {
  openapi: string;
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  components: { schemas: Record<string, Json> };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
};
/** The part of a response that is validated; `body` is parsed JSON and `text` is not compressed. */
type Given = Pick<Reply, 'status' | 'headers' | 'body' | 'text'>;
type Check = (body: unknown) => string;

/** Headers that clients act on: a response that sends one must document it. */
const HEADERS_TO_DESCRIBE = ['allow', 'etag', 'location', 'retry-after', 'www-authenticate'];
/** Refusals possible on any path and method, documented at the top of the description. */
const REFUSALS_OF_ANY_PATH = [400, 404, 405, 413, 415, 429];

const checks = new Map<string, Check>();
/** Compiled validators by schema object: serializing a large schema as a key takes longer than a validation. */
const checksBySchema = new WeakMap<Json, Check>();

/** The document's operations, as `GET /path`. */
export function operationsOf(document: ApiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );
}

/** `loose` also accepts an empty parameter, as the router does. */
type NamedPath = { name: string; pattern: RegExp; loose: RegExp };
/** The paths of a document's operations, by method. */
const namedPaths = new WeakMap<ApiDocument, Map<string, NamedPath[]>>();

/**
 * The operation that answered a request; undefined if the document has none. The router matches an empty parameter only
 * at the end of a path, so the response decides whether the request was routed.
 */
export function operationNameOf(
  document: ApiDocument,
  { method, url }: { method: string; url: string },
  { text }: { text: string },
): string | undefined {
  const pathname = pathOf(url);
  const paths = namedPaths.get(document) ?? namedPathsOf(document);
  namedPaths.set(document, paths);
  const named = paths.get(method === 'HEAD' ? 'GET' : method);
  const exact = named?.find(({ pattern }) => pattern.test(pathname))?.name;
  if (exact !== undefined || /"code":"(route_not_found|method_not_allowed)"/.test(text)) return exact;
  return named?.find(({ loose }) => loose.test(pathname))?.name;
}

function namedPathsOf(document: ApiDocument): Map<string, NamedPath[]> {
  const parameters = ({ path }: { path: string }) => path.split('{').length;
  // A path without a parameter wins over one with it, in OpenAPI as in the router.
  const operations = operationsOf(document).toSorted((a, b) => parameters(a) - parameters(b));
  const named = operations.map(({ name, path }) => {
    const patternWith = (parameter: string) =>
      new RegExp(
        `^${path
          .replace(/[.]/g, '\\.')
          .replace(/\{\w+\}/g, parameter)
          .replace(/(?<=.)\/$/, '')}/?$`,
      );
    return { name, pattern: patternWith('[^/]+'), loose: patternWith('[^/]*') };
  });
  // As routers do: a fixed part of a path comes before a parameter.
  const sorted = named.toSorted((a, b) => a.name.split('{').length - b.name.split('{').length);
  return Map.groupBy(sorted, ({ name }) => name.slice(0, name.indexOf(' ')));
}

function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Checks a response against the document's description of its status; an undescribed field is a fault. */
export function assertDescribed<Kind extends Given>(document: ApiDocument, name: string, reply: Kind): Kind {
  const [method = '', path = ''] = name.split(' ');
  const answer = document.paths[path]?.[method.toLowerCase()]?.responses[reply.status];
  assert.ok(answer, `${name} does not describe ${reply.status}: ${reply.text.slice(0, 300)}`);
  for (const header of HEADERS_TO_DESCRIBE.filter((one) => reply.headers[one] !== undefined)) {
    const names: string[] = Object.keys(answer.headers ?? {}).map((one) => one.toLowerCase());
    assert.ok(names.includes(header), `${name} does not describe the header ${header} of ${reply.status}`);
  }
  const type = mediaTypeOf(reply);
  if (type === '') {
    assert.equal(answer.content, undefined, `${name} describes a body for ${reply.status}, and there is none`);
    assert.equal(reply.text, '', name);
    return reply;
  }
  const content = answer.content?.[type];
  assert.ok(content, `${name} does not describe ${type} for ${reply.status}`);
  if (reply.body !== undefined) assertValid(document, content.schema ?? {}, `${name} ${reply.status}`, reply.body);
  return reply;
}

/** Checks a response of an undescribed path or method against the document's common part. */
export function assertRefusedAnywhere(document: ApiDocument, request: string, reply: Given): void {
  const said = `${request} is not described, and is answered with ${reply.status}: ${reply.text.slice(0, 300)}`;
  assert.ok(REFUSALS_OF_ANY_PATH.includes(reply.status), said);
  assert.equal(mediaTypeOf(reply), 'application/problem+json', said);
  const problem = { $ref: '#/components/schemas/Problem' };
  if (reply.body !== undefined) assertValid(document, problem, 'any path', reply.body);
}

/** Checks a webhook call's body against the document's description of its event. */
export function assertEventDescribed(document: ApiDocument, body: { type: string }): void {
  const schema = document.webhooks[body.type]?.post.requestBody?.content['application/json']?.schema;
  assert.ok(schema, `the webhook ${body.type} is not described`);
  assertValid(document, schema, `the webhook ${body.type}`, body);
}

const mediaTypeOf = ({ headers }: Given): string => String(headers['content-type'] ?? '').split(';')[0] ?? '';

/** Compiles each schema once per process: the documents differ only in their server. */
function assertValid(document: ApiDocument, schema: Json, name: string, body: unknown): void {
  const check = checksBySchema.get(schema) ?? checkOf(document, schema, name);
  checksBySchema.set(schema, check);
  const faults = check(body);
  assert.ok(faults === '', `${name}: ${faults} in ${JSON.stringify(body)?.slice(0, 2000)}`);
}

function checkOf(document: ApiDocument, schema: Json, name: string): Check {
  const key = `${name} ${JSON.stringify(schema)}`;
  const check = checks.get(key) ?? compile(document, schema);
  checks.set(key, check);
  return check;
}

function compile(document: ApiDocument, schema: Json): Check {
  const whole = closed({ ...schema, components: { schemas: componentsOf(document, schema) } }) as Json;
  const compiled = Schema.Compile(whole as never);
  return (body) => (compiled.Check(body) ? '' : JSON.stringify(compiled.Errors(body)[1].slice(0, 3)));
}

/** The components that a schema refers to, directly or indirectly. */
function componentsOf(document: ApiDocument, schema: Json): Record<string, Json> {
  const found: Record<string, Json> = {};
  const waiting: Json[] = [schema];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const component = document.components.schemas[name];
      if (component === undefined || Object.hasOwn(found, name)) continue;
      found[name] = component;
      waiting.push(component);
    }
  }
  return found;
}

/** The same schemas, closed to unlisted members. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isClosed = members.type === 'object' && typeof members.properties === 'object' && !members.additionalProperties;
  return isClosed ? { ...members, additionalProperties: false } : members;
}

/** Parses the router's tree: `├── /path (GET, HEAD)`, indented by four characters per level. */
export function routesOf(tree: string): string[] {
  const prefixes: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? [];
    const level = indent.length / 4;
    prefixes.splice(level, prefixes.length, part);
    const path = prefixes.join('').replace(/:(\w+)/g, '{$1}');
    const named = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD');
    return named.map((method) => `${method} ${path}`);
  });
}
