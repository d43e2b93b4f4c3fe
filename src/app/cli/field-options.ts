import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { errorCode } from 'doorstep/files';
import { PARTS, type PartName, type PartSchemas } from '../../access/operations/operation.ts';
import { saysEpochSeconds } from '../../platform/http/api-components.ts';
import { parseJsonObject } from '../../platform/lib/json-object.ts';
import { onOrOff } from '../../platform/lib/parse-setting.ts';
import { epochSeconds, parseMoment } from '../../platform/lib/time.ts';

/**
 * The options of a command, from the fields of an operation's input: `tax_class` is `--tax-class`, `store_id` is
 * `--store`, and the fields of an object in the body are options of their own. The schema says how a text is read: a
 * list is repeated or has commas, a switch is `on` or `off`, a moment may be a day, and an empty text is null where
 * null is allowed.
 */

export type TextValue = string | number | boolean | null | readonly unknown[];

export type Field = {
  /** The option or argument; unique among the fields of the operation. */
  name: string;
  part: PartName;
  path: readonly string[];
  isRequired: boolean;
  description: string;
  /** The only values, if they are listed. */
  words?: readonly string[];
  schema: FieldSchema;
};

/** The commands' view of an input or response schema. */
export type FieldSchema = {
  type?: string;
  description?: string;
  enum?: readonly string[];
  const?: unknown;
  anyOf?: readonly FieldSchema[];
  items?: FieldSchema;
  properties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
  contentEncoding?: string;
};

/** The pages of a list are followed, so their cursor and size are no options. */
const PAGE_FIELDS = ['before', 'after', 'limit'];

export function fieldsOf(schemas: PartSchemas): Field[] {
  return PARTS.flatMap((part) => membersOf(part, (schemas[part] ?? {}) as FieldSchema, [], true)).filter(
    ({ part, name }) => part !== 'query' || !PAGE_FIELDS.includes(name),
  );
}

function membersOf(part: PartName, schema: FieldSchema, path: readonly string[], isRequired: boolean): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const inner = [...path, name];
    const isNeeded = isRequired && (schema.required ?? []).includes(name);
    if (member.type === 'object' && !hasLists(member)) return membersOf(part, member, inner, isNeeded);
    const { description = '', enum: words } = member;
    return [{ name, part, path: inner, isRequired: isNeeded, description, schema: member, ...(words && { words }) }];
  });
}

/** Such an object is one option, in JSON. */
const hasLists = ({ properties = {} }: FieldSchema) => Object.values(properties).some(({ type }) => type === 'array');

/** The option of a field; `sandbox_account_id` is `--sandbox`. Its values are boxed, because commander makes an empty text of null. */
export function optionOf({ name, schema, description, words }: Field): Option {
  const short = name === 'preview_id' ? name : name.replace(/(_account)?_id$/, '');
  const flags = `--${short.replaceAll('_', '-')} ${placeholderOf(name, schema)}`;
  const option = new Option(flags, description);
  return (words ? option.choices([...words]) : option).argParser((text: string, earlier?: { value: TextValue }) => ({
    value: readText(text, schema, earlier?.value),
  }));
}

/** The variants of a schema: a union's members, otherwise itself. */
const variantsOf = (schema: FieldSchema): readonly FieldSchema[] => schema.anyOf ?? [schema];
const isNumber = ({ type }: FieldSchema) => type === 'integer' || type === 'number';

function placeholderOf(name: string, schema: FieldSchema): string {
  const variants = variantsOf(schema);
  if (schema.type === 'boolean') return '[on|off]';
  if (variants.some(({ contentEncoding }) => contentEncoding !== undefined)) return '<file>';
  const words = variants.flatMap(({ type, enum: some = [] }) => (type === 'null' ? ['none'] : some));
  if (isMoment(schema)) return '<time>';
  if (variants.some(isNumber)) return `<${['n', ...words].join('|')}>`;
  const [, word = name] = /_(id|url|cents|address|email|phone|host)$/.exec(name) ?? [];
  return `<${word === 'id' ? name : word.replaceAll('_', ' ')}>`;
}

/** The value of a text, as the schema has it; its schema checks the limits. */
export function readText(text: string, schema: FieldSchema, earlier?: TextValue): TextValue {
  const variants = variantsOf(schema);
  const found = variants.find(({ type }) => type !== 'null') ?? schema;
  const isEmpty = text.trim() === '' || (text === 'none' && found.type !== 'string');
  if (isEmpty && variants.some(({ type }) => type === 'null')) return null;
  if (found.type === 'object') return readObject(text);
  if (found.type === 'array') return isEmpty ? [] : [...listOf(earlier), ...itemsOf(text, found.items ?? {})];
  if (found.contentEncoding !== undefined) return text === '' ? '' : readBase64(text);
  const words = variants.flatMap(({ enum: some = [] }) => some);
  if (words.includes(text)) return text;
  if (variants.some(isNumber)) return readNumber(text, schema, words);
  if (words.length > 0) throw new InvalidArgumentError(`The value must be one of ${words.join(', ')}.`);
  const isOn = found.type === 'boolean' ? onOrOff(text) : text;
  if (isOn === undefined) throw new InvalidArgumentError('The value must be on or off.');
  return isOn;
}

const listOf = (value: TextValue | undefined): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A list's values are separated by commas, the members of an object in it by colons, in their sequence; optional ones may be empty. */
function itemsOf(text: string, items: FieldSchema): unknown[] {
  const members = Object.entries(items.properties ?? {});
  if (members.length === 0) return text.split(',').map((word) => readText(word.trim(), items));
  const parts = text.split(':');
  const { required = [] } = items;
  const given = members.flatMap(([name, member], nth) => (parts[nth] ? [[name, readText(parts[nth], member)]] : []));
  if (parts.length <= members.length && required.every((name) => given.some(([known]) => known === name))) {
    return [Object.fromEntries(given)];
  }
  const shape = members.map(([name]) => (required.includes(name) ? name.toUpperCase() : `[${name.toUpperCase()}]`));
  throw new InvalidArgumentError(`The value must be ${shape.join(':')}.`);
}

const isMoment = ({ description }: FieldSchema) => saysEpochSeconds(description);

function readNumber(text: string, schema: FieldSchema, words: readonly string[]): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  const moment = isMoment(schema)
    ? parseMoment(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
    : undefined;
  if (moment) return epochSeconds(moment);
  const numbers = isMoment(schema)
    ? 'a date such as 2026-06-30, or a timestamp such as 2026-06-30T18:00:00Z'
    : 'a number';
  throw new InvalidArgumentError(`The value must be ${[numbers, ...words].join(' or ')}.`);
}

function readObject(text: string): TextValue {
  const object = parseJsonObject(text);
  if (object) return object as unknown as TextValue;
  throw new InvalidArgumentError('The value must be a JSON object.');
}

function readBase64(file: string): string {
  try {
    return readFileSync(file, 'base64');
  } catch (error) {
    throw new InvalidArgumentError(`The file can't be read (${errorCode(error)}).`);
  }
}
