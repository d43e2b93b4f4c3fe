import { existsSync, readFileSync } from 'node:fs';
import Schema from 'typebox/schema';
import { parse } from 'yaml';

type Json = Record<string, unknown>;
type Content = { 'application/json'?: { schema: Json } };
type Operation = {
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Json> } };

export type UberContract = {
  checkRequest(method: string, path: string, body: unknown): string[];
  checkAnswer(method: string, path: string, status: number, body: unknown): string[];
};

/** Members that Uber's reference has and its OpenAPI document, which is older, has not. Any other unknown one is a fault. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  'POST /eats/deliveries/quote': [
    ...['pickup_phone_number', 'dropoff_phone_number', 'pickup_ready_dt', 'manifest_total_value'],
  ],
  'POST /eats/deliveries': [
    ...['pickup_latitude', 'pickup_longitude', 'dropoff_latitude', 'dropoff_longitude', 'pickup_ready_dt'],
    ...['manifest_total_value', 'tip', 'idempotency_key', 'external_id', 'quote_id', 'dropoff_verification'],
  ],
};

/**
 * The paths of an organization, which Uber's reference alone has: the document's operation that each is.
 * https://developer.uber.com/docs/deliveries/daas/api/v1/post-customers-customerid-deliveries
 */
const RENAMED: readonly [RegExp, string][] = [
  [/^POST \/customers\/[^/]+\/delivery_quotes$/, 'POST /eats/deliveries/quote'],
  [/^POST \/customers\/[^/]+\/deliveries$/, 'POST /eats/deliveries'],
  [/^GET \/customers\/[^/]+\/deliveries\/[^/]+$/, 'GET /eats/deliveries/{order_id}'],
  [/^POST \/customers\/[^/]+\/deliveries\/[^/]+\/cancel$/, 'DELETE /eats/deliveries/{order_id}'],
];

/** For tests: Uber Direct's published OpenAPI document as a judge; undefined where the file is absent. */
export function readUberContract(file: string): UberContract | undefined {
  if (!existsSync(file)) return undefined;
  const document = parse(readFileSync(file, 'utf8')) as Document;
  return {
    checkRequest(method, path, body) {
      const name = nameOf(document, method, path);
      const operation = operationOf(document, name);
      if (!operation) return [`Uber has no ${method} ${path}`];
      const schema = operation.requestBody?.content['application/json']?.schema;
      if (!schema) return body === undefined || isEmpty(body) ? [] : [`${name} takes no body`];
      const known = [...namesOf(document, schema), ...(ADDED[name] ?? [])];
      const unknown = Object.keys(body as Json).filter((member) => !known.includes(member));
      return [...faultsOf(document, schema, body, name), ...unknown.map((member) => `${name}: ${member} is not known`)];
    },
    checkAnswer(method, path, status, body) {
      const name = nameOf(document, method, path);
      const answer = operationOf(document, name)?.responses[status];
      if (!answer) return status >= 400 ? [] : [`${name} has no ${status}`];
      const schema = answer.content?.['application/json']?.schema;
      return schema ? faultsOf(document, schema, body, `${name} ${status}`) : [];
    },
  };
}

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0;
}

function nameOf({ paths }: Document, method: string, path: string): string {
  const renamed = RENAMED.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
  if (renamed) return renamed;
  const isOf = (template: string) => new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
  const template = Object.hasOwn(paths, path) ? path : Object.keys(paths).find(isOf);
  return `${method} ${template}`;
}

function operationOf({ paths }: Document, name: string): Operation | undefined {
  const [method = '', path = ''] = name.split(' ');
  return paths[path]?.[method.toLowerCase()];
}

function namesOf(document: Document, schema: Json): string[] {
  return Object.keys((resolve(document, schema).properties as Json | undefined) ?? {});
}

function resolve({ components }: Document, schema: Json): Json {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

function faultsOf(document: Document, schema: Json, body: unknown, where: string): string[] {
  const [isValid, errors] = Schema.Compile(resolve(document, schema)).Errors(body);
  return isValid ? [] : errors.map(({ instancePath, message }) => `${where}${instancePath} ${message}`);
}
