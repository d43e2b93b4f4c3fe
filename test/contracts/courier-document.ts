import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Schema from 'typebox/schema';
import { parse } from 'yaml';

type Json = Record<string, unknown>;
type Content = { 'application/json'?: { schema: Json } };
type Operation = {
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Json> } };

/** Validates requests and answers against a company's published OpenAPI document. */
export type CourierDocument = {
  checkRequest(method: string, path: string, body: unknown): string[];
  checkAnswer(method: string, path: string, status: number, body: unknown): string[];
};

/** Additions of a company's reference to its OpenAPI document. */
type Beyond = {
  file: string;
  company: string;
  /** Extra request members by operation. Any other unlisted member is a fault. */
  added: Readonly<Record<string, readonly string[]>>;
  /** Paths with their operation in the document. */
  renamed: readonly [RegExp, string][];
};

const UBER: Beyond = {
  file: 'uber-direct-openapi.yml',
  company: 'Uber',
  added: {
    'POST /eats/deliveries/quote': [
      ...['pickup_phone_number', 'dropoff_phone_number', 'pickup_ready_dt', 'manifest_total_value'],
    ],
    'POST /eats/deliveries': [
      ...['pickup_latitude', 'pickup_longitude', 'dropoff_latitude', 'dropoff_longitude', 'pickup_ready_dt'],
      ...['manifest_total_value', 'tip', 'idempotency_key', 'external_id', 'quote_id', 'dropoff_verification'],
    ],
  },
  // An organization's: https://developer.uber.com/docs/deliveries/daas/api/v1/post-customers-customerid-deliveries
  renamed: [
    [/^POST \/customers\/[^/]+\/delivery_quotes$/, 'POST /eats/deliveries/quote'],
    [/^POST \/customers\/[^/]+\/deliveries$/, 'POST /eats/deliveries'],
    [/^GET \/customers\/[^/]+\/deliveries\/[^/]+$/, 'GET /eats/deliveries/{order_id}'],
    [/^POST \/customers\/[^/]+\/deliveries\/[^/]+\/cancel$/, 'DELETE /eats/deliveries/{order_id}'],
  ],
};
const DOORDASH: Beyond = { file: 'doordash-drive-openapi.yml', company: 'DoorDash', added: {}, renamed: [] };

const FOLDER = join(import.meta.dirname, '../../../shared/data/contracts');

/** Uber Direct's published document; undefined if the file is absent. */
export const readUberDocument = () => readDocument(UBER);
/** DoorDash Drive's published document; undefined if the file is absent. */
export const readDoorDashDocument = () => readDocument(DOORDASH);

function readDocument({ file, company, added, renamed }: Beyond): CourierDocument | undefined {
  const path = join(FOLDER, file);
  if (!existsSync(path)) return undefined;
  const document = parse(readFileSync(path, 'utf8')) as Document;
  return {
    checkRequest(method, path, body) {
      const name = nameOf(document, renamed, method, path);
      const operation = operationOf(document, name);
      if (!operation) return [`${company} has no ${method} ${path}`];
      const schema = operation.requestBody?.content['application/json']?.schema;
      if (!schema) return body === undefined || isEmpty(body) ? [] : [`${name} takes no body`];
      const known = [...namesOf(document, schema), ...(added[name] ?? [])];
      const unknown = Object.keys(body as Json).filter((member) => !known.includes(member));
      return [...faultsOf(document, schema, body, name), ...unknown.map((member) => `${name}: ${member} is not known`)];
    },
    checkAnswer(method, path, status, body) {
      const name = nameOf(document, renamed, method, path);
      const answer = operationOf(document, name)?.responses[status];
      if (!answer) return status >= 400 ? [] : [`${name} has no ${status}`];
      const schema = answer.content?.['application/json']?.schema;
      return schema ? faultsOf(document, schema, body, `${name} ${status}`) : [];
    },
  };
}

const isEmpty = (body: unknown): boolean => typeof body === 'object' && body !== null && Object.keys(body).length === 0;

function nameOf({ paths }: Document, renamed: Beyond['renamed'], method: string, path: string): string {
  const name = renamed.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
  if (name) return name;
  const isOf = (template: string) => new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
  const template = Object.hasOwn(paths, path) ? path : Object.keys(paths).find(isOf);
  return `${method} ${template}`;
}

function operationOf({ paths }: Document, name: string): Operation | undefined {
  const [method = '', path = ''] = name.split(' ');
  return paths[path]?.[method.toLowerCase()];
}

const namesOf = (document: Document, schema: Json): string[] =>
  Object.keys((resolve(document, schema).properties as Json | undefined) ?? {});

/** The schema with all component references inlined. */
function resolve(document: Document, schema: Json): Json {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  if (name !== undefined) return resolve(document, document.components.schemas[name] ?? {});
  const inside = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? resolve(document, value as Json) : value;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inside(value)]));
}

function faultsOf(document: Document, schema: Json, body: unknown, where: string): string[] {
  const [isValid, errors] = Schema.Compile(resolve(document, schema)).Errors(body);
  return isValid ? [] : errors.map(({ instancePath, message }) => `${where}${instancePath} ${message}`);
}
