import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import Format from 'typebox/format';
import { Settings } from 'typebox/system';
import { isJsonObject } from '../lib/json-object.ts';
import { type CleanJson, cleanJson, unsafeText } from './clean-json.ts';
import { type Fault, Refusal } from './refusal.ts';

/* Validates requests against the schemas of their routes, and names every wrong field in one sentence. */

const MAX_FAULTS = 50;
/** Maximum errors per request; the library's default is eight. */
Settings.Set({ maxErrors: MAX_FAULTS });

/**
 * An email address that is safe in a header: it cannot begin a second address, display name or comment, and has no
 * control characters. Mail to any other address could not be sent (isPlainAddress of src/notify/outbox/mailbox.ts).
 * Linear: the domain's first part ends at its first dot, so no part can be matched in two ways.
 */
const EMAIL_ADDRESS =
  /^[^\s\p{Cc}@<>,;:"()[\]\\]+@[^\s\p{Cc}@<>,;:"()[\]\\][^\s\p{Cc}@<>,;:"()[\]\\.]*\.[^\s\p{Cc}@<>,;:"()[\]\\]+$/u;
Format.Set('email', (text) => EMAIL_ADDRESS.test(text));

/** A field of the request itself is read without the spaces around it. */
export const EMAIL = Type.String({ maxLength: 254, format: 'email' });

export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL_ADDRESS.test(text);

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;
/** A double has up to 17 significant digits. */
const MAX_DECIMAL_LENGTH = 100;

export const GIVEN_TWICE = 'was given more than once';

type PropertySchema = {
  type?: string | string[];
  anyOf?: readonly PropertySchema[];
  minimum?: number;
  maximum?: number;
  /** An empty text of a filter is an error; of other parameters it is absent. */
  minLength?: number;
  format?: string;
  enum?: readonly unknown[];
};
type Place = Fault['in'];
type SchemaError = { keyword: string; instancePath: string; message: string; params: unknown };
type ParseResult = { value: unknown } | { error: Refusal };

/**
 * Compiles a schema into a parser. Query values are converted to the schema's types (empty is absent, repeated is
 * invalid). Null body fields are absent unless `null` is allowed. One `invalid_request` lists all errors.
 */
export function compileRequestPart(schema: TSchema, place: Place): (data: unknown) => ParseResult {
  const compiled = Compile(boundValues(schema));
  const properties = (schema as { properties?: Record<string, PropertySchema> }).properties ?? {};
  const known = new Map(Object.entries(properties));
  const nullable = new Set([...known].filter(([, property]) => allowsNull(property)).map(([name]) => name));
  const kept = new Set(namesNotNull(schema));
  const emails = [...known].filter(([, { format }]) => format === 'email').map(([name]) => name);
  return (data) => {
    const { value, faults, isWhole } =
      place === 'body' ? cleanJson(data ?? {}, nullable, kept) : convertTexts(data, known, place);
    if (!isWhole) return { error: invalidRequest(faults) };
    const members: Record<string, unknown> = isJsonObject(value) ? value : {};
    for (const name of emails) if (typeof members[name] === 'string') members[name] = members[name].trim();
    if (faults.length === 0 && compiled.Check(value)) return { value };
    const bad = new Set(faults.map((fault) => fault.name));
    const errors = withoutNull(compiled.Errors(value) as readonly SchemaError[]);
    const more = errors.flatMap((error) => fieldFaults(error, place, value));
    return { error: invalidRequest([...faults, ...distinct(more.filter((fault) => !bad.has(fault.name)))]) };
  };
}

/** Keywords that run only within a limit: the slow ones of a text, and a list's checks of its items. */
const BOUNDED = { maxLength: ['format', 'pattern'], maxItems: ['items', 'uniqueItems'] } as const;
/** Maximum characters of such a text if its schema, one of a protocol, states none. */
const MAX_SLOW_LENGTH = 2000;

/**
 * Copies a schema so that formats and patterns run only on texts within their `maxLength`, and items are checked only
 * in lists within their `maxItems`: to report errors, the library also runs them on longer values. It does not run
 * refinements then.
 */
function boundValues<Schema>(schema: Schema): Schema;
function boundValues(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(boundValues);
  if (!isJsonObject(schema)) return schema;
  // Refinements are not enumerable.
  const keywords = Object.getOwnPropertyNames(schema);
  const isText = [schema.type].flat().includes('string');
  const limit = isText ? 'maxLength' : 'maxItems';
  const bounded =
    isText || schema.maxItems !== undefined ? keywords.filter((keyword) => isBounded(limit, keyword)) : [];
  const copy = Object.fromEntries(keywords.map((keyword) => [keyword, boundValues(schema[keyword])]));
  if (bounded.length === 0) return copy;
  const given = Object.fromEntries(bounded.map((keyword) => [keyword, copy[keyword]]));
  for (const keyword of bounded) delete copy[keyword];
  const most = { [limit]: schema[limit] ?? MAX_SLOW_LENGTH };
  // The library reports the errors of an `else`, but not of a `then`.
  return { ...copy, ...most, if: { not: most }, else: given };
}

const isBounded = (limit: keyof typeof BOUNDED, keyword: string) =>
  (BOUNDED[limit] as readonly string[]).includes(keyword);

const NOT_NULL = Symbol('null is a fault');

/** Marks a field of a body whose null is an error, because an absent field means another amount. */
export const notNull = <Schema extends TSchema>(schema: Schema): Schema => Object.assign(schema, { [NOT_NULL]: true });

type Nested = { properties?: Record<string, Nested>; items?: Nested };

function namesNotNull({ properties = {}, items }: Nested): string[] {
  const own = Object.entries(properties).flatMap(([name, property]) => [
    ...(NOT_NULL in property ? [name] : []),
    ...namesNotNull(property),
  ]);
  return items ? [...own, ...namesNotNull(items)] : own;
}

const allowsNull = ({ type, anyOf }: PropertySchema): boolean =>
  type?.includes('null') || anyOf?.some(allowsNull) || false;

/** Creates a 400 `invalid_request` with a sentence naming every wrong field. */
export function invalidRequest(faults: readonly Fault[]): Refusal {
  const shown = faults.slice(0, MAX_FAULTS);
  return new Refusal(
    'invalid_request',
    shown
      .map((fault) => `${fault.name} ${fault.message}`)
      .join('; ')
      .concat('.'),
    { errors: shown },
  );
}

/** Creates a 400 `invalid_request` for one wrong field. */
export const invalidField = (place: Fault['in'], name: string, message: string): Refusal =>
  invalidRequest([{ in: place, name, message }]);

/** Refuses a URL whose path, or parameters, are not percent-encoded UTF-8, and names them; undefined if all are. */
export function badEncoding(url: string): Refusal | undefined {
  if (isWellEncoded(url)) return undefined;
  const [path = ''] = url.split('?', 1);
  const message = 'must be percent-encoded UTF-8';
  if (!isWellEncoded(path)) return invalidField('path', 'path', message);
  const pairs = url.slice(path.length + 1).split('&');
  const names = pairs.filter((pair) => !isWellEncoded(pair)).map((pair) => /^([a-z_]{1,64})=/.exec(pair)?.[1]);
  return invalidRequest(names.map((name) => ({ in: 'query', name: name ?? 'query', message })));
}

/** Returns a URL that the router can decode: a path that it cannot finds its route as text, where it is refused. */
export const routableUrl = ({ url = '/' }: { url?: string }): string =>
  isWellEncoded(url) || isWellEncoded(url.split('?', 1)[0] ?? '') ? url : url.replaceAll('%', '%25');

function isWellEncoded(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function convertTexts(data: unknown, properties: ReadonlyMap<string, PropertySchema>, place: Place): CleanJson {
  const faults: Fault[] = [];
  const out: Record<string, unknown> = {};
  const texts = (data ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(texts)) {
    const property = properties.get(name);
    const raw = texts[name];
    if (property === undefined || (raw === '' && !property.minLength)) continue;
    const converted = Array.isArray(raw) ? { fault: GIVEN_TWICE } : convertText(String(raw), property);
    if ('fault' in converted) faults.push({ in: place, name, message: converted.fault });
    else out[name] = converted.value;
  }
  return { value: out, faults, isWhole: true };
}

function convertText(text: string, { type }: PropertySchema): { value: unknown } | { fault: string } {
  const unsafe = unsafeText(text);
  if (unsafe) return { fault: unsafe };
  if (type === 'boolean') {
    const lower = text.toLowerCase();
    return lower === 'true' || lower === 'false' ? { value: lower === 'true' } : { fault: 'must be true or false' };
  }
  if (type !== 'number' && type !== 'integer') return { value: text };
  const value = text.length <= MAX_DECIMAL_LENGTH && DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) return { fault: 'must be a finite decimal number' };
  if (type === 'integer' && !Number.isSafeInteger(value)) return { fault: 'must be a whole number' };
  return { value };
}

/** Reports each member once, even if several others require it. */
function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.name} ${fault.message}`, fault])).values()];
}

/** For nullable values, only the errors of the other type. */
function withoutNull(errors: readonly SchemaError[]): SchemaError[] {
  const isUnion = ({ keyword }: SchemaError) => keyword === 'anyOf';
  const isOfNull = ({ keyword, params }: SchemaError) => keyword === 'type' && (params as ErrorParams).type === 'null';
  const pathsOf = (list: readonly SchemaError[]) => new Set(list.map(({ instancePath }) => instancePath));
  const [unions, nulls] = [pathsOf(errors.filter(isUnion)), pathsOf(errors.filter(isOfNull))];
  const isOfNullable = ({ instancePath: path }: SchemaError) => unions.has(path) && nulls.has(path);
  return errors.filter((error) => !(isOfNullable(error) && (isUnion(error) || isOfNull(error))));
}

function fieldFaults({ keyword, instancePath, message, params }: SchemaError, place: Place, value: unknown): Fault[] {
  const base = fieldName(instancePath);
  if (keyword === 'required') {
    const missing = (params as { requiredProperties?: string[] }).requiredProperties ?? [];
    return missing.map((name) => ({ in: place, name: base ? `${base}.${name}` : name, message: 'is required' }));
  }
  if (keyword === 'additionalProperties') {
    const { additionalProperties: unknown = [] } = params as { additionalProperties?: string[] };
    return unknown.map((name) => unknownField(place, base ? `${base}.${name}` : name));
  }
  // The errors within a branch of an `if` are reported separately.
  if (keyword === 'if') return [];
  // The library reports an unknown field twice. The second report, at the field, is used.
  if (keyword === 'boolean') return [unknownField(place, base)];
  if (keyword === 'dependentRequired' && base === '') {
    const { property, dependencies = [] } = params as { property?: string; dependencies?: string[] };
    const missing = dependencies.filter((name) => !Object.hasOwn(value as object, name));
    const given = Object.keys(value as object).filter((name) => name === property || dependencies.includes(name));
    return missing.map((name) => ({ in: place, name, message: `is required with ${given.join(' and ')}` }));
  }
  return [{ in: place, name: base || place, message: expectedSentence(keyword, params as ErrorParams) ?? message }];
}

/** Maximum characters of an unknown name in an error; the name is client text. */
const MAX_QUOTED_NAME_LENGTH = 100;

export function unknownField(place: Place, name: string, meant?: string): Fault {
  return {
    in: place,
    name: name.slice(0, MAX_QUOTED_NAME_LENGTH).toWellFormed() || '""',
    message: `is not a field of this request; ${meant === undefined ? 'check its spelling' : `you may mean ${meant}`}`,
  };
}

type ErrorParams = { allowedValues?: unknown[]; limit?: number; type?: string | string[]; format?: string };

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
};

/** Describes the expected value in our words; undefined if the library's words suffice. */
function expectedSentence(keyword: string, { allowedValues, limit = 0, type, format }: ErrorParams) {
  if (allowedValues) return `must be one of ${allowedValues.join(', ')}`;
  if (keyword === 'type')
    return `must be ${[type ?? []]
      .flat()
      .map((name) => TYPE_NAMES[name] ?? name)
      .join(' or ')}`;
  if (keyword === 'format' && format === 'email') return 'must be an email address';
  if (keyword === 'minimum') return `must be at least ${limit}`;
  if (keyword === 'maximum') return `must be at most ${limit}`;
  const unit = { Items: 'item', Length: 'character', Properties: 'member' }[keyword.slice(3)];
  if (unit === undefined || !/^m(in|ax)/.test(keyword)) return undefined;
  if (keyword.startsWith('min') && limit === 1) return 'must not be empty';
  const bound = keyword.startsWith('min') ? 'at least' : 'at most';
  return `must have ${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
}

function fieldName(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name ? `${name}.${part}` : part), '');
}
