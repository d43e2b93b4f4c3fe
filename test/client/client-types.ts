import { join } from 'node:path';
import { loadApart } from '../apart-packages.ts';
import { type ApiDocument, operationsOf } from '../api-document.ts';
import { ROOT } from '../source-files.ts';

export const CLIENT_TYPES = join(ROOT, 'clients/typescript/src/api-types.ts');

type Writer = { compile(schema: object, name: string, options: object): Promise<string> };
type Json = Record<string, unknown>;
type DescribedOperation = ReturnType<typeof operationsOf>[number] & { id: string; method: string };

const HEAD = `/**
 * The types and the operations of the service's API, for account keys. \`npm run client-types\` writes this file from the
 * service's description; a test fails where the two differ.
 */`;

const REFERENCE = '#/components/schemas/';

/**
 * The client's types: an interface per schema of an account's endpoints, each operation's query, body and answer, the
 * refusal codes, and a table of methods and paths. Deterministic: equal descriptions give equal text.
 */
export async function clientTypesOf(document: ApiDocument): Promise<string> {
  // Store API and page operations need other permissions, or none.
  const operations = describedOf(document, ({ operation }) => operation.security === undefined);
  const problem = { $ref: `${REFERENCE}Problem` };
  return [
    HEAD,
    await typesOf(schemasOf(document, operations, [...eventSchemas(document), problem])),
    `/** What the service posts to an endpoint: \`type\` tells which. */\n${union('WebhookEvent', eventSchemas(document).map(refOf))}`,
    `/** The codes of refusals. */\n${list('PROBLEM_CODES', codesOf(operations))}`,
    '/** The code of a refusal, for programs to decide by. */\nexport type ProblemCode = (typeof PROBLEM_CODES)[number];',
    operationsType(operations),
    operationsTable(operations),
  ].join('\n\n');
}

/** Requests and answers of the operations, and the components that these and the additional schemas refer to. */
function schemasOf(document: ApiDocument, operations: readonly DescribedOperation[], further: readonly Json[]): Json {
  const parts = operations.flatMap((operation) => Object.values(partsOf(operation)));
  const own = parts.filter(({ schema }) => schema !== undefined && refOf(schema) === undefined);
  const named = Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
  return { ...reachedFrom(document, [...parts.map(({ schema }) => schema ?? {}), ...further]), ...named };
}

function describedOf(
  document: ApiDocument,
  isWanted: (one: ReturnType<typeof operationsOf>[number]) => boolean,
): DescribedOperation[] {
  return operationsOf(document)
    .filter(isWanted)
    .map((each) => ({
      ...each,
      id: each.operation.operationId ?? '',
      method: each.name.slice(0, each.name.indexOf(' ')),
    }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

type Part = { name: string; schema: Json | undefined };

/** An operation's request and answer, each part with its type name. */
function partsOf({ id, operation }: DescribedOperation): { query: Part; body: Part; answer: Part } {
  const { parameters = [], requestBody, responses } = operation;
  const query = parameters.filter((one) => one.in === 'query');
  const required = query.filter((one) => one.required).map(({ name }) => name);
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
  const part = (name: string, schema: Json | undefined) => ({ name: typeName(id, name), schema });
  return {
    query: part('Query', query.length > 0 ? { type: 'object', properties, required } : undefined),
    body: part('Body', requestBody?.content['application/json']?.schema),
    answer: part('Answer', responses[200]?.content?.['application/json']?.schema),
  };
}

const typeName = (id: string, part: string) => `${id.slice(0, 1).toUpperCase()}${id.slice(1)}${part}`;

/** The component name of a schema that is only a reference. */
const refOf = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : undefined;

/** Components reachable from the schemas, by name. */
function reachedFrom(document: ApiDocument, schemas: readonly Json[]): Json {
  const reached = new Map<string, Json>();
  const waiting: Json[] = [...schemas];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const component = document.components.schemas[name];
      if (component === undefined || reached.has(name)) continue;
      reached.set(name, component);
      waiting.push(component);
    }
  }
  return Object.fromEntries([...reached].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function typesOf(schemas: Json): Promise<string> {
  const root = { type: 'object', properties: {}, definitions: schemas };
  const text = JSON.stringify(root).replaceAll(REFERENCE, '#/definitions/');
  const { compile } = await loadApart<Writer>(join(import.meta.dirname, './package'));
  const written = await compile(JSON.parse(text), 'Unused', {
    additionalProperties: false,
    bannerComment: '',
    declareExternallyReferenced: true,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  return written
    .replace(/^export interface Unused \{\}\n/m, '')
    .replace(/^export interface (\w+) \{\}$/gm, 'export type $1 = Record<string, never>;')
    .replace(/: \{\};$/gm, ': Record<string, never>;')
    .replace(/\/\*\*\n \* This interface was referenced by `Unused`'s JSON-Schema\n[^/]*\*\/\n/g, '')
    .replace(
      /^ \*\n \* This interface was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/gm,
      '',
    )
    .trim();
}

/** References to the bodies of webhook calls. */
function eventSchemas(document: ApiDocument): Json[] {
  return Object.values(document.webhooks).map(
    ({ post }) => post.requestBody?.content['application/json']?.schema ?? {},
  );
}

function codesOf(operations: readonly DescribedOperation[]): string[] {
  const codes = new Set<string>();
  for (const { operation } of operations) {
    for (const { content } of Object.values(operation.responses)) {
      const parts = (content?.['application/problem+json']?.schema?.allOf ?? []) as ProblemPart[];
      for (const { properties } of parts) for (const code of properties?.code?.enum ?? []) codes.add(code);
    }
  }
  // Any path may answer with these, described or not.
  return [...codes, 'route_not_found', 'method_not_allowed'].sort();
}

type ProblemPart = { properties?: { code?: { enum?: string[] } } };

const list = (name: string, texts: readonly string[]): string =>
  `export const ${name} = [\n${texts.map((text) => `  '${text}',`).join('\n')}\n] as const;`;

const union = (name: string, members: readonly (string | undefined)[]): string =>
  `export type ${name} =\n${members.map((member) => `  | ${member}`).join('\n')};`;

function operationsType(operations: readonly DescribedOperation[]): string {
  const lines = operations.map((each) => {
    const { query, body, answer } = partsOf(each);
    const type = ({ name, schema }: Part, none: string) => (schema === undefined ? none : (refOf(schema) ?? name));
    const names = [...each.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
    const path = names.length > 0 ? `{ ${names.join('; ')} }` : 'undefined';
    return `  ${each.id}: {\n    path: ${path};\n    query: ${type(query, 'undefined')};\n    body: ${type(body, 'undefined')};\n    answer: ${type(answer, 'Uint8Array')};\n  };`;
  });
  return `/** What each operation asks and answers. An answer that is no JSON is its bytes. */\nexport interface Operations {\n${lines.join('\n')}\n}`;
}

function operationsTable(operations: readonly DescribedOperation[]): string {
  const lines = operations.map(({ id, method, path, operation }) => {
    const isIdempotent = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
    return `  ${id}: { method: '${method}', path: '${path}', takesIdempotencyKey: ${isIdempotent} },`;
  });
  return `/** Where each operation is. */\nexport const OPERATIONS = {\n${lines.join('\n')}\n} as const satisfies Record<keyof Operations, object>;\n`;
}
