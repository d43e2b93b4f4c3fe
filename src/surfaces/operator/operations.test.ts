import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointOn, type Operation, parseInput } from '../../access/operations/operation.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OPERATOR_OPERATIONS } from './operations.route.ts';

type Schema = {
  type?: string;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
};
type Field = { name: string; schema: Schema; wrap(value: unknown): object };

/** Every text and list of a part, with the smallest part that has it. */
function fieldsOf({ properties = {} }: Schema, wrap: (part: object) => object = (part) => part): Field[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    [property, ...(property.anyOf ?? [])].flatMap((schema): Field[] => {
      const wrapValue = (value: unknown) => wrap({ [name]: value });
      const inner = schema.items ? { properties: { 0: schema.items } } : schema;
      const within = fieldsOf(inner, (part) => wrapValue(schema.items ? Object.values(part) : part));
      const own = schema.type === 'string' || schema.type === 'array' ? [{ name, schema, wrap: wrapValue }] : [];
      return [...own, ...within];
    }),
  );
}

const PARTS = ['params', 'query', 'body'] as const;
const FIELDS = OPERATOR_OPERATIONS.map((one: Operation) => endpointOn(one, 'operator')).flatMap((endpoint) =>
  PARTS.flatMap((part) =>
    fieldsOf((endpoint[part] ?? {}) as Schema).map((field) => ({
      endpoint,
      part,
      ...field,
    })),
  ),
);

/** A value one longer than the field allows; undefined if the values are listed. */
function tooLong({ type, maxLength, maxItems, enum: values, const: only, pattern }: Schema): unknown {
  if (type === 'array') {
    assert.ok(maxItems !== undefined);
    return Array.from({ length: maxItems + 1 }, () => 'x');
  }
  if (values !== undefined || only !== undefined) return undefined;
  const length = maxLength ?? (pattern === undefined || /[*+]/.test(pattern) ? Number.NaN : 1000);
  return 'x'.repeat(length + 1);
}

test('every text and list that an operator’s operation takes has a limit, and a command refuses a longer one by its name', () => {
  assert.ok(FIELDS.length > 150);
  for (const { endpoint, part, name, schema, wrap } of FIELDS) {
    const value = tooLong(schema);
    if (value === undefined || (part !== 'body' && schema.type === 'array')) continue;
    assert.throws(
      () => parseInput({ [part]: endpoint[part] }, { [part]: wrap(value) }),
      (error) => error instanceof Refusal && error.code === 'invalid_request' && error.message.includes(name),
      `${endpoint.name} ${name}`,
    );
  }
});
