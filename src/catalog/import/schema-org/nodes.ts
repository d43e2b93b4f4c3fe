import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { cleanText } from '../clean-text.ts';
import { SCHEMA_ORG_LIMITS } from './limits.ts';

/** A thing of a document: all objects that share its `@id`, or the one object without one. */
export type LdNode = { readonly parts: readonly JsonObject[] };

/** The things of a document. */
export type LdGraph = {
  /** Things at the top of the document or of its `@graph`. */
  top: readonly LdNode[];
  /** Every thing with a type, in the order of the document. */
  all: readonly LdNode[];
  /** The things and values of a property, references resolved; one value and a list of it are the same. */
  values(node: LdNode, property: string): readonly unknown[];
  /** The thing that a value is, if it is one. */
  nodeOf(value: unknown): LdNode | null;
};

/** How a term may be written: by itself, with the usual prefix, or as the whole address. */
const PREFIXES = ['', 'schema:', 'https://schema.org/', 'http://schema.org/'] as const;
const TERM = /^(?:schema:|https?:\/\/(?:www\.)?schema\.org\/)/;
/** Properties of a top object that hold things of the page itself. */
const HOLDERS = ['@graph', 'mainEntity', 'itemListElement', 'item', 'about'] as const;

/** Null where the document has more objects than a real one. */
export function createLdGraph(values: readonly unknown[]): LdGraph | null {
  const objects = objectsOf(values);
  if (objects === null) return null;
  const byId = new Map<string, JsonObject[]>();
  for (const object of objects) {
    const id = idOf(object);
    // An object that is only a reference says nothing of the thing.
    if (id === null || Object.keys(object).length < 2) continue;
    const parts = byId.get(id) ?? [];
    byId.set(id, parts);
    parts.push(object);
  }
  const known = new Map<JsonObject, LdNode>();
  const nodeOfObject = (object: JsonObject): LdNode => {
    const parts = byId.get(idOf(object) ?? '') ?? [object];
    const [first = object] = parts;
    const node = known.get(first) ?? { parts };
    known.set(first, node);
    return node;
  };
  const nodeOf = (value: unknown) =>
    isJsonObject(value) && !Object.hasOwn(value, '@value') ? nodeOfObject(value) : null;
  const typed = (object: JsonObject) => typesOf({ parts: [object] }).length > 0;
  return {
    top: unique(topObjects(values).map(nodeOfObject)),
    all: unique(objects.filter(typed).map(nodeOfObject)),
    values: (node, property) => listOf(propertyOf(node, property)),
    nodeOf,
  };
}

/** A value of a property: of the first part that has it, since pages say the same thing several times. */
function propertyOf({ parts }: LdNode, property: string): unknown {
  for (const part of parts) {
    for (const prefix of PREFIXES) {
      const key = `${prefix}${property}`;
      if (Object.hasOwn(part, key) && part[key] !== null && part[key] !== undefined) return part[key];
    }
  }
  return undefined;
}

/** The schema.org types of a thing, without prefix. */
export function typesOf({ parts }: LdNode): string[] {
  return parts
    .flatMap((part) => listOf(Object.hasOwn(part, '@type') ? part['@type'] : undefined))
    .flatMap((type) => (typeof type === 'string' ? [type.replace(TERM, '')] : []));
}

/** The `@id` of a thing. */
export function nodeId({ parts }: LdNode): string | null {
  return parts[0] ? idOf(parts[0]) : null;
}

/** Text, a number as text, or the text of a value object; empty where it is none of these. */
export function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return cleanText(value);
  return isJsonObject(value) && Object.hasOwn(value, '@value') && !isJsonObject(value['@value'])
    ? textOf(value['@value'])
    : '';
}

/** The first value of a property as text. */
export function firstText(graph: LdGraph, node: LdNode, property: string): string {
  return textOf(graph.values(node, property)[0]);
}

/** The things among the values of a property. */
export function nodesOf(graph: LdGraph, node: LdNode, property: string): LdNode[] {
  return graph.values(node, property).flatMap((value) => graph.nodeOf(value) ?? []);
}

function idOf(object: JsonObject): string | null {
  const id = Object.hasOwn(object, '@id') ? textOf(object['@id']) : '';
  return id === '' ? null : id;
}

/** JSON-LD lists may be wrapped. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (isJsonObject(value) && Object.hasOwn(value, '@list')) return listOf(value['@list']);
  return Array.isArray(value) ? (value.flat(1) as unknown[]) : [value];
}

function topObjects(values: readonly unknown[]): JsonObject[] {
  const found: JsonObject[] = [];
  let level = values.flatMap(listOf).filter(isJsonObject);
  // A list's element holds its item, and a page its list: four steps reach all that pages do.
  for (let step = 0; step < 4 && level.length > 0; step += 1) {
    for (const object of level) found.push(object);
    level = level
      .flatMap((object) => HOLDERS.flatMap((key) => listOf(propertyOf({ parts: [object] }, key))))
      .filter(isJsonObject);
  }
  return found;
}

/** All objects, outer ones first, without recursion: a document may be nested as deep as it likes. */
function objectsOf(values: readonly unknown[]): JsonObject[] | null {
  const objects: JsonObject[] = [];
  const open: unknown[] = values.toReversed();
  while (open.length > 0) {
    const next = open.pop();
    const children = Array.isArray(next) ? next : isJsonObject(next) ? Object.values(next) : [];
    if (isJsonObject(next)) objects.push(next);
    if (objects.length > SCHEMA_ORG_LIMITS.nodes) return null;
    for (let at = children.length - 1; at >= 0; at -= 1) {
      if (typeof children[at] === 'object' && children[at] !== null) open.push(children[at]);
    }
  }
  return objects;
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
