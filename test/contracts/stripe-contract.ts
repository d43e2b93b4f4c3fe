import { existsSync, readFileSync } from 'node:fs';

type Schema = {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  required?: string[];
  enum?: unknown[];
  nullable?: boolean;
};
type Operation = {
  parameters?: { name: string; required?: boolean; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

export type Nested = { [name: string]: string | Nested };
export type StripeContract = {
  checkRequest(method: string, path: string, form: Nested): string[];
  checkAnswer(method: string, path: string, status: number, body: unknown): string[];
};

/**
 * The pinned API version differs from the older published description: since 2026-09-30.endive Stripe refuses
 * `payment_method_types` on a PaymentIntent and accepts a list under the new name.
 * https://docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents
 */
const RENAMED_SINCE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/v1/payment_intents': { payment_method_types: 'allowed_payment_method_types' },
  '/v1/checkout/sessions': { payment_method_types: 'allowed_payment_method_types' },
};

/** `capture_before` is newer than the published description: https://docs.stripe.com/payments/place-a-hold-on-a-payment-method */
const ADDED_SINCE: Readonly<Record<string, Record<string, Schema>>> = {
  payment_method_details_card: { capture_before: { type: 'integer' } },
};

/** Parses a form's `card[number]=…` to `{ card: { number } }`. */
export function nestForm(params: URLSearchParams): Nested {
  const root: Nested = {};
  for (const [path, value] of params) {
    const names = path.split(/[[\]]+/).filter((name) => name !== '');
    const last = names.pop() ?? '';
    let node = root;
    for (const name of names) {
      node[name] ??= {};
      node = node[name] as Nested;
    }
    node[last] = value;
  }
  return root;
}

/** Validates requests and answers against Stripe's published OpenAPI document; undefined if the file is absent. */
export function readStripeContract(file: string): StripeContract | undefined {
  if (!existsSync(file)) return undefined;
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  const operationOf = (method: string, path: string) => {
    const pattern = Object.keys(document.paths).find((one) =>
      new RegExp(`^${one.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
    );
    return document.paths[path]?.[method.toLowerCase()] ?? document.paths[pattern ?? '']?.[method.toLowerCase()];
  };
  return {
    checkRequest(method, path, form) {
      const operation = operationOf(method, path);
      if (!operation) return [`Stripe has no ${method} ${path}`];
      return formFaults(withNewNames(formSchemaOf(operation, method), path), form, path);
    },
    checkAnswer(method, path, status, body) {
      const { responses } = operationOf(method, path) ?? { responses: {} };
      const schema = (responses[status] ?? responses.default)?.content['application/json']?.schema;
      return schema ? answerFaults(document, schema, body, path) : [`Stripe has no ${method} ${path}`];
    },
  };
}

function formSchemaOf(operation: Operation, method: string): Schema {
  if (method === 'POST') {
    return operation.requestBody?.content['application/x-www-form-urlencoded']?.schema ?? { properties: {} };
  }
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return {
    properties: Object.fromEntries(query.map((parameter) => [parameter.name, parameter.schema])),
    required: query.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

function withNewNames(schema: Schema, path: string): Schema {
  const renamed = RENAMED_SINCE[path] ?? {};
  const properties = Object.entries(schema.properties ?? {}).map(([name, member]) => [renamed[name] ?? name, member]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function formFaults(schema: Schema, value: string | Nested, path: string): string[] {
  if (schema.anyOf) {
    const attempts = schema.anyOf.map((one) => formFaults(one, value, path));
    return attempts.find((faults) => faults.length === 0) ?? attempts[0] ?? [];
  }
  if (typeof value === 'string') return textFits(schema, value) ? [] : [`${path} is not of type ${schema.type}`];
  if (schema.type === 'array') {
    return Object.entries(value).flatMap(([at, item]) => formFaults(schema.items ?? {}, item, `${path}[${at}]`));
  }
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path}: no ${name}`);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const known = schema.properties?.[name] ?? schema.additionalProperties;
    return known ? formFaults(known, member, `${path}[${name}]`) : [`${path}: ${name} is not known`];
  });
  return [...missing, ...members];
}

function textFits(schema: Schema, text: string): boolean {
  if (schema.enum && !schema.enum.includes(text)) return false;
  if (schema.type === 'integer') return /^-?\d+$/.test(text);
  if (schema.type === 'boolean') return text === 'true' || text === 'false';
  return schema.type === 'string' || schema.type === undefined;
}

/** Checks required members and enum values at every depth of the response. */
function answerFaults(document: Document, given: Schema, value: unknown, path: string): string[] {
  const schema = resolve(document, given);
  if (value === null || value === undefined) return schema.nullable ? [] : [`${path} is null`];
  if (schema.anyOf) {
    const attempts = schema.anyOf.map((one) => answerFaults(document, one, value, path));
    return attempts.find((faults) => faults.length === 0) ?? attempts[0] ?? [];
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is not one of ${schema.enum.join(', ')}`];
  if (schema.type === 'string' && typeof value !== 'string') return [`${path} is no string`];
  if (schema.type === 'integer' && !Number.isInteger(value)) return [`${path} is no integer`];
  if (schema.type === 'boolean' && typeof value !== 'boolean') return [`${path} is no boolean`];
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((item, at) => answerFaults(document, schema.items ?? {}, item, `${path}[${at}]`));
  }
  if (!schema.properties) return [];
  if (typeof value !== 'object') return [`${path} is no object`];
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path}: no ${name}`);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const known = schema.properties?.[name];
    return known ? answerFaults(document, known, member, `${path}.${name}`) : [`${path}: ${name} is not known`];
  });
  return [...missing, ...members];
}

function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const named = document.components.schemas[name] ?? {};
  const properties = named.properties && { properties: { ...named.properties, ...ADDED_SINCE[name] } };
  return { ...named, ...properties, nullable: schema.nullable ?? false };
}
