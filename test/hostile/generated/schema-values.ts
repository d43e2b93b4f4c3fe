import fc from 'fast-check';
import { BAD_JSON_VALUES, BAD_QUERY_VALUES } from '../bad-values.ts';
import { idsFor, likelyValues } from './likely-values.ts';

/** The subset of JSON Schema from which values are generated. */
export type ValueSchema = {
  type?: string | readonly string[];
  properties?: Record<string, ValueSchema>;
  required?: string[];
  items?: ValueSchema;
  enum?: readonly unknown[];
  anyOf?: readonly ValueSchema[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

const MAX_LENGTH_MADE = 5000;
const MANY = 10_000;
const BIG = 1e15;

const HUGE_JSON: readonly string[] = [
  `[${'0,'.repeat(MANY - 1)}0]`,
  `[${'{},'.repeat(MANY - 1)}{}]`,
  `[${'"a",'.repeat(MANY - 1)}"a"]`,
  `{${Array.from({ length: MANY }, (_, n) => `"k${n}":${n}`).join(',')}}`,
  `"${'y'.repeat(100_000)}"`,
  `"${'\\u0000'.repeat(1000)}"`,
  '1'.repeat(10_000),
  `1e${'9'.repeat(300)}`,
];
const HUGE_TEXTS: readonly string[] = [
  'z'.repeat(7000),
  '%F0%9F%9A%80'.repeat(500),
  '%00'.repeat(1000),
  '1'.repeat(400),
];

/** JSON for a schema: usually valid, otherwise at a bound, of a wrong type, or malformed. */
export function jsonOf(schema: ValueSchema, name = ''): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 240, arbitrary: fittingOf(schema, name) },
    { weight: 30, arbitrary: fc.constantFrom(...boundsOf(schema)).map(jsonText) },
    { weight: 30, arbitrary: fc.constantFrom(...BAD_JSON_VALUES.filter((text) => text.length < 2000)) },
    { weight: 10, arbitrary: fc.oneof(fc.constantFrom(...BAD_JSON_VALUES), fc.json({ maxDepth: 3 })) },
    { weight: 1, arbitrary: fc.constantFrom(...HUGE_JSON) },
  );
}

/** A query, path or form text, percent-encoded or invalid. */
export function encodedOf(schema: ValueSchema, name: string): fc.Arbitrary<string> {
  const encode = (value: unknown) => encodeURIComponent(textOf(value).toWellFormed());
  return fc.oneof(
    { weight: 240, arbitrary: fittingOf(schema, name).map((json) => encode(JSON.parse(json))) },
    { weight: 30, arbitrary: fc.constantFrom(...boundsOf(schema)).map(encode) },
    { weight: 30, arbitrary: fc.constantFrom(...BAD_QUERY_VALUES.filter((text) => text.length < 2000)) },
    { weight: 10, arbitrary: fc.string({ unit: 'binary' }).map(encode) },
    { weight: 2, arbitrary: fc.constantFrom(...BAD_QUERY_VALUES, ...HUGE_TEXTS) },
  );
}

/** JSON that is valid for the schema; unconstrained object members are arbitrary. */
function fittingOf(schema: ValueSchema, name: string): fc.Arbitrary<string> {
  const known = [...likelyValues(name).map(jsonText), ...idsFor(name).map(jsonText)];
  const made = madeOf(schema, name);
  return known.length === 0 ? made : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, made);
}

function madeOf(schema: ValueSchema, name: string): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum.map(jsonText));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fittingOf(one, name)));
  const types = [schema.type ?? []].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => madeOf({ ...schema, type }, name)));
  const { minimum = -BIG, maximum = BIG, minLength = 0, maxLength = MAX_LENGTH_MADE } = schema;
  switch (types[0]) {
    case 'integer':
      return fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }).map(String);
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true }).map(jsonText);
    case 'boolean':
      return fc.boolean().map(String);
    case 'string':
      return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) }).map(jsonText);
    case 'array':
      return arrayOf(schema, name);
    case 'object':
      return objectOf(schema);
    case 'null':
      return fc.constant('null');
    default:
      return fc.json({ maxDepth: 2 });
  }
}

function arrayOf({ items = {}, minItems = 0, maxItems = 3 }: ValueSchema, name: string): fc.Arbitrary<string> {
  const list = fc.array(jsonOf(items, name), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, 3)),
  });
  return list.map((texts) => `[${texts.join(',')}]`);
}

/** An object with most of its members; some are missing, duplicated, unknown, or named like prototype members. */
function objectOf({ properties = {}, required = [] }: ValueSchema): fc.Arbitrary<string> {
  const members = Object.entries(properties).map(([name, schema]) => {
    const member = jsonOf(schema, name).map((text) => `${jsonText(name)}:${text}`);
    return fc.option(member, { freq: required.includes(name) ? 60 : 1, nil: undefined });
  });
  return fc
    .tuple(fc.tuple(...members), strayMembers())
    .map(([given, stray]) => `{${[...given, ...stray].filter((member) => member !== undefined).join(',')}}`);
}

/** Members outside the schema; rarely any. */
export function strayMembers(): fc.Arbitrary<string[]> {
  const stray = fc.tuple(
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'then',
      'length',
      '',
      'order_id',
      'account_id',
      '\\u0000',
      'x',
    ),
    fc.constantFrom('{"admin":true}', 'null', '1', '"x"', '[]', '{"prototype":{"admin":true}}'),
  );
  const made = fc.array(
    stray.map(([name, value]) => `"${name}":${value}`),
    { minLength: 1, maxLength: 2 },
  );
  return fc.oneof({ weight: 12, arbitrary: fc.constant<string[]>([]) }, made);
}

/** Values at the schema's bounds and one step beyond, and numbers that break programs. */
export function boundsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems }: ValueSchema): unknown[] {
  const around = [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound, bound - 1, bound + 1, bound + 0.5],
  );
  const lengths = [minLength, maxLength].flatMap((length) =>
    length === undefined ? [] : [length, length + 1, length - 1],
  );
  const texts = lengths
    .filter((length) => length >= 0 && length <= MAX_LENGTH_MADE)
    .map((length) => 'b'.repeat(length));
  const counts = [minItems, maxItems].flatMap((count) => (count === undefined ? [] : [count, count + 1]));
  const lists = counts.map((count) => Array.from({ length: Math.min(count, MANY) }, () => 0));
  return [...around, ...texts, ...lists, 0, -0, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 'NaN', '-0', ''];
}

/** JSON of a value; keeps the sign of -0. */
const jsonText = (value: unknown): string => (Object.is(value, -0) ? '-0' : JSON.stringify(value));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value));
