import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../platform/http/refusal.ts';
import { parseInput } from './procedure.ts';
import { PROCEDURES } from './procedures.route.ts';

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
const FIELDS = PROCEDURES.flatMap((procedure) =>
  PARTS.flatMap((part) =>
    fieldsOf((procedure as Partial<Record<typeof part, Schema>>)[part] ?? {}).map((field) => ({
      procedure,
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

test('every text and list that a procedure takes has a limit, and a command refuses a longer one by its name', () => {
  assert.ok(FIELDS.length > 150);
  for (const { procedure, part, name, schema, wrap } of FIELDS) {
    const value = tooLong(schema);
    if (value === undefined || (part !== 'body' && schema.type === 'array')) continue;
    assert.throws(
      () => parseInput({ [part]: procedure[part as never] }, { [part]: wrap(value) }),
      (error) => error instanceof Refusal && error.code === 'invalid_request' && error.message.includes(name),
      `${procedure.name} ${name}`,
    );
  }
});
