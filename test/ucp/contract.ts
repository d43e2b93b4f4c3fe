import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { ROOT } from '../source-files.ts';

/** The protocol's schemas, which are no part of this repository. */
const CONTRACTS = join(ROOT, '../shared/data/contracts/ucp');
export const HAS_CONTRACTS = existsSync(CONTRACTS);

export type Json = { [name: string]: unknown };
type Direction = 'request' | 'response';

/** The shapes that `src/surfaces/ucp` uses; those of a `constant` are checked when the service runs. */
const SHAPES = [
  {
    name: 'PlatformProfile',
    ref: 'profile.json#/$defs/platform_schema',
    constant: 'PLATFORM_PROFILE',
    // Addresses that no one reads, and that clients leave out.
    optional: ['spec', 'schema'],
  },
  { ref: 'common/types/location_distance.json', constant: 'LOCATION_DISTANCE' },
  { ref: 'common/types/location_serves.json', constant: 'LOCATION_SERVES' },
  { ref: 'common/types/location_filter.json', constant: 'LOCATION_FILTER' },
  { ref: 'common/types/pagination.json#/$defs/request', constant: 'PAGINATION' },
  { name: 'Location', ref: 'common/types/location.json' },
  { name: 'Message', ref: 'common/types/message.json' },
  { ref: 'common/location_search.json#/$defs/search_response', answer: 'LOCATIONS' },
  { ref: 'common/location_lookup.json#/$defs/lookup_response', answer: 'FOUND_LOCATIONS' },
  { ref: 'shopping/catalog_search.json#/$defs/search_response', answer: 'PRODUCTS' },
  { ref: 'shopping/catalog_lookup.json#/$defs/lookup_response', answer: 'FOUND_PRODUCTS' },
  { ref: 'shopping/catalog_lookup.json#/$defs/get_product_response', answer: 'PRODUCT' },
  { ref: 'shopping/discount.json#/$defs/dev.ucp.shopping.cart', answer: 'CART_ANSWER' },
  { ref: 'shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout', answer: 'CHECKOUT_ANSWER' },
  { ref: 'shopping/order.json', answer: 'ORDER_ANSWER' },
] as const;

const HEAD = `/**
 * Shapes of the Universal Commerce Protocol, written by \`npm run ucp-contract\` from its schemas.
 *
 * Copyright 2026 UCP Authors. Licensed under the Apache License, Version 2.0
 * (http://www.apache.org/licenses/LICENSE-2.0). Changed here: references are resolved, and descriptions left out.
 */
import type { XStatic } from 'typebox/schema';

type Condition = 'if' | 'then' | 'else' | 'not' | 'allOf' | 'propertyNames' | 'dependentRequired';
/** Conditions restrict values more than a type can. */
type WithoutConditions<Schema> = Schema extends readonly unknown[]
  ? { [Index in keyof Schema]: WithoutConditions<Schema[Index]> }
  : Schema extends object
    ? { [Key in keyof Schema as Exclude<Key, Condition>]: WithoutConditions<Schema[Key]> }
    : Schema;
export type TypeOf<Schema> = XStatic<WithoutConditions<Schema>>;`;

/** Writes the shapes as types, and those that the service checks as schemas too. */
export function contractText(): string {
  const parts = SHAPES.map((shape) => {
    const read = shapeOf(shape.ref, 'constant' in shape ? 'request' : 'response');
    const whole = 'optional' in shape ? withoutNeed(read, shape.optional) : read;
    if ('answer' in shape) return `export const ${shape.answer} = ${JSON.stringify(outlineOf(whole))};`;
    const schema = JSON.stringify(whole);
    const constant = 'constant' in shape ? [`export const ${shape.constant} = ${schema} as const;`] : [];
    const type = 'constant' in shape ? `typeof ${shape.constant}` : schema;
    return [...constant, ...('name' in shape ? [`export type ${shape.name} = TypeOf<${type}>;`] : [])].join('\n');
  });
  return `${[HEAD, ...parts].join('\n\n')}\n`;
}

/** Makes members optional wherever they stand. */
function withoutNeed(schema: Json, names: readonly string[]): Json {
  const without = (key: string, value: unknown) =>
    key === 'required' && Array.isArray(value) ? value.filter((name) => !names.includes(name)) : value;
  return JSON.parse(JSON.stringify(schema, without));
}

/** Levels of a response's members that tools describe: agents read all of them before their first call. */
const OUTLINE_LEVELS = 2;

/** A response's fields without conditions. An outcome, which has no resource, contains only `ucp`. */
function outlineOf({ required: _, ...whole }: Json): Json {
  const { ucp: _ucp, ...rest } = whole.properties as Json;
  return outline({ ...whole, properties: { ucp: { type: 'object' }, ...rest }, required: ['ucp'] }, OUTLINE_LEVELS);
}

function outline({ type, properties: given, required, items, enum: values }: Json, levels: number): Json {
  const isShown = levels > 0 && given !== undefined;
  const shown = Object.entries((given ?? {}) as Record<string, Json>);
  return {
    ...(type === undefined && given === undefined ? {} : { type: type ?? 'object' }),
    ...(values === undefined ? {} : { enum: values }),
    ...(isShown
      ? { properties: Object.fromEntries(shown.map(([name, one]) => [name, outline(one, levels - 1)])) }
      : {}),
    ...(isShown && required !== undefined ? { required } : {}),
    ...(items === undefined ? {} : { items: outline(items as Json, levels) }),
  };
}

export const readContract = (path: string, folder = CONTRACTS): Json =>
  JSON.parse(readFileSync(join(folder, path), 'utf8'));

/** Examples of the shopping part, whose schemas are those of the whole. */
export const SHOPPING_EXAMPLES = `${CONTRACTS}-shopping`;

/** A schema for one direction: without references, `allOf` of objects joined, annotations applied and left out. */
export function shapeOf(ref: string, direction: Direction, operation = 'read', within: readonly string[] = []): Json {
  const [file = '', pointer = ''] = ref.split('#');
  const document = readContract(`schemas/${file}`);
  const target = pointer
    .split('/')
    .slice(1)
    .reduce((at, key) => at[key] as Json, document);
  return resolve(target, { file, direction, operation, within });
}

/** `within` are the references that led here. */
type Place = { file: string; direction: Direction; operation: string; within: readonly string[] };

function resolve(schema: Json, place: Place): Json {
  const { $ref, allOf, ...own } = schema;
  const parts = [
    ...(typeof $ref === 'string' ? [follow($ref, place)] : []),
    ...((allOf as Json[] | undefined) ?? []).map((part) => resolve(part, place)),
    members(own, place),
  ];
  return parts.reduce(joined);
}

/** A schema that contains itself allows anything at its second level. */
function follow(ref: string, { file: from, direction, operation, within }: Place): Json {
  const [path = '', pointer = ''] = ref.split('#');
  const relative = path.replace(/^https:\/\/ucp\.dev\/[\d-]+\/schemas\//, '/');
  const beside = relative.startsWith('/') ? relative.slice(1) : join(from, '..', path);
  const target = `${path === '' ? from : normalize(beside)}#${pointer}`;
  return within.includes(target) ? {} : shapeOf(target, direction, operation, [...within, target]);
}

const LEFT_OUT = /^(\$(schema|id|defs|comment)|title|description|examples?|name|default|ucp_(request|response))$/;
/** Keywords whose members are schemas by name, schemas, or lists of schemas. */
const BY_NAME = ['properties', 'patternProperties'];
const ONE = ['additionalProperties', 'items', 'propertyNames', 'if', 'then', 'else', 'not', 'contains'];
const MANY = ['anyOf', 'oneOf'];

function members(schema: Json, place: Place): Json {
  const out: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (LEFT_OUT.test(key)) continue;
    if (BY_NAME.includes(key)) out[key] = properties(value as Record<string, Json>, place);
    else if (ONE.includes(key) && typeof value === 'object') out[key] = resolve(value as Json, place);
    else if (MANY.includes(key)) Object.assign(out, choice(key, value as Json[], place));
    else out[key] = value;
  }
  return withAnnotations(schema, out, place);
}

/** A choice between several that allow anything at their second level has more than one response. */
function choice(key: string, given: readonly Json[], place: Place): Json {
  const resolved = given.map((one) => resolve(one, place));
  const isOpen = resolved.some((one) => Object.keys(one).length === 0);
  return { [key === 'oneOf' && isOpen ? 'anyOf' : key]: resolved };
}

function properties(given: Record<string, Json>, place: Place): Json {
  const kept = Object.entries(given).filter(([, one]) => annotationOf(one, place) !== 'omit');
  return Object.fromEntries(kept.map(([name, one]) => [name, resolve(one, place)]));
}

/** Applies \`ucp_request\` and \`ucp_response\` to the list of required members. */
function withAnnotations({ properties: given = {}, required = [] }: Json, out: Json, place: Place): Json {
  const says = Object.entries(given as Record<string, Json>).map(
    ([name, one]) => [name, annotationOf(one, place)] as const,
  );
  const changed = (required as string[]).filter(
    (name) => !says.some(([other, what]) => other === name && what !== undefined && what !== 'required'),
  );
  const all = [...new Set([...changed, ...says.filter(([, what]) => what === 'required').map(([name]) => name)])];
  const { required: _, ...rest } = out;
  return all.length > 0 ? { ...rest, required: all } : rest;
}

function annotationOf(schema: Json, { direction, operation }: Place): string | undefined {
  const given = schema[`ucp_${direction}`];
  return typeof given === 'object' && given !== null
    ? (given as Record<string, string>)[operation]
    : (given as string | undefined);
}

/** `true` allows anything, so the other one decides. */
function joinOpen(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object') return typeof other === 'object' ? other : one;
  return joined(one as Json, other as Json);
}

/** Joins two schemas that must both hold. What cannot be joined stays an `allOf`. */
function joined(one: Json, other: Json): Json {
  const out: Json = { ...one };
  const apart: Json = {};
  for (const [key, value] of Object.entries(other)) {
    const known = out[key];
    if (known === undefined || JSON.stringify(known) === JSON.stringify(value)) out[key] = value;
    else if (key === 'required') out[key] = [...new Set([...(known as string[]), ...(value as string[])])];
    else if (key === 'allOf') out[key] = [...(known as Json[]), ...(value as Json[])];
    else if (key === 'properties')
      out[key] = joinProperties(known as Record<string, Json>, value as Record<string, Json>);
    else if (key === 'additionalProperties' || key === 'items') out[key] = joinOpen(known, value);
    else apart[key] = value;
  }
  if (Object.keys(apart).length === 0) return out;
  // The parts of a condition stay together.
  const rest = 'if' in apart ? Object.fromEntries(conditionOf(other)) : apart;
  return { ...out, allOf: [...((out.allOf as Json[] | undefined) ?? []), rest] };
}

const conditionOf = (schema: Json) => Object.entries(schema).filter(([key]) => /^(if|then|else)$/.test(key));

function joinProperties(one: Record<string, Json>, other: Record<string, Json>): Json {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => {
      const [a, b] = [one[name], other[name]];
      return [name, a && b ? joined(a, b) : (a ?? b)];
    }),
  );
}
