import assert from 'node:assert/strict';
import Schema from 'typebox/schema';
import type { Reply } from './harness.ts';

type Json = Record<string, unknown>;
type Answer = { description?: string; content?: Record<string, { schema: Json }>; headers?: Json };
type Parameter = { name: string; in: string; description?: string; schema: Json };
type Operation = {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  responses: Record<string, Answer>;
};
/** The service's own OpenAPI document, as far as tests read it. */
export type ApiDocument = Json & {
  openapi: string;
  servers: { url: string }[];
  tags: { name: string }[];
  components: { schemas: Record<string, Json> };
  paths: Record<string, Record<string, Operation>>;
};

/** Its operations, as `GET /path`. */
export function operationsOf(document: ApiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );
}

/** Holds an answer against the schema that the document has for its status; a field that is not described is a fault. */
export function assertDescribed(document: ApiDocument, name: string, reply: Reply): Reply {
  const [method = '', path = ''] = name.split(' ');
  const answer = document.paths[path]?.[method.toLowerCase()]?.responses[reply.status];
  assert.ok(answer, `${name} does not describe ${reply.status}: ${reply.text}`);
  const type = String(reply.headers['content-type']).split(';')[0] ?? '';
  const schema = answer.content?.[type]?.schema;
  assert.ok(schema, `${name} does not describe ${type} for ${reply.status}`);
  const whole = closed({ ...schema, components: document.components }) as Json;
  const [isGood, errors] = Schema.Compile(whole as never).Errors(reply.body);
  assert.ok(isGood, `${name} ${reply.status}: ${JSON.stringify(errors.slice(0, 3))} in ${reply.text.slice(0, 2000)}`);
  return reply;
}

/** The same schemas, without room for members that they do not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isClosed = members.type === 'object' && typeof members.properties === 'object' && !members.additionalProperties;
  return isClosed ? { ...members, additionalProperties: false } : members;
}

/** The lines of the router's tree: `├── /path (GET, HEAD)`, four characters for each level. */
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
