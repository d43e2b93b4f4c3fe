import type { Country } from 'doorstep/plugin';
import {
  cleanText,
  createPlaceCounter,
  FEED_LIMITS,
  isJsonObject,
  type JsonObject,
  type SourceNotes,
} from 'doorstep/plugin';

/** Limits of one page or document, far above real pages. */
export const SCHEMA_ORG_LIMITS = {
  /** Maximum characters of a document or saved page. */
  documentCharacters: 32 * 1024 * 1024,
  /** Maximum JSON-LD blocks of a page. */
  scripts: 1000,
  /** Maximum objects of a document. */
  nodes: 1_000_000,
  /** Maximum sections, items and offers in a store's menus; a shared node counts at each position. */
  positionsPerStore: 500_000,
  /** Maximum property values that are read per document, for all its stores: about two million dishes. */
  valuesRead: 50_000_000,
} as const;

/** All objects of a document with the same `@id`, or one object without an `@id`. */
export type LdNode = {
  readonly id: string | null;
  /** Its schema.org types, without prefix. */
  readonly types: readonly string[];
  /** Whether the document references this `@id` but does not describe it. */
  readonly isDangling: boolean;
  property(name: string): unknown;
};

/** A document's JSON-LD nodes. */
export type LdGraph = {
  /** Things at the top level of the document or its `@graph`. */
  top: readonly LdNode[];
  /** Every thing with a type, in document order. */
  all: readonly LdNode[];
  /**
   * A property's nodes and values, with references resolved; a single value becomes a list of one. Throws
   * ReadLimitExceeded, because nodes that refer to each other may describe more than any reader has time for.
   */
  values(node: LdNode, property: string): readonly unknown[];
  /** The node of a value; null for a plain value. */
  nodeOf(value: unknown): LdNode | null;
};

/** Spellings of a term: bare, with the usual prefix, or as a URL. */
const PREFIXES = ['', 'schema:', 'https://schema.org/', 'http://schema.org/'] as const;
const TERM = /^(?:schema:|https?:\/\/(?:www\.)?schema\.org\/)/;
/** Properties of a top-level object that contain the page's own things. */
const CONTAINER_PROPERTIES = ['@graph', 'mainEntity', 'itemListElement', 'item', 'about'] as const;
/** Maximum nesting of lists; deeper nesting has no meaning in menus. */
const MAX_LIST_NESTING = 4;
/** Characters of a text that cost about as much as one value. */
const TEXT_WEIGHT = 64;

/** Thrown when a document exceeds the values that any real one has. */
export class ReadLimitExceeded extends Error {
  constructor() {
    super(`expected at most ${SCHEMA_ORG_LIMITS.valuesRead} values to be read in a document`);
    this.name = 'ReadLimitExceeded';
  }
}

/** Builds a document's graph; null beyond the object limit. */
export function createLdGraph(values: readonly unknown[]): LdGraph | null {
  const objects = objectsOf(values);
  if (objects === null) return null;
  const byId = new Map<string, JsonObject[]>();
  for (const object of objects) {
    const id = nodeId(object);
    // An object with only an id is a reference, and describes nothing.
    if (id === null || Object.keys(object).length < 2) continue;
    const parts = byId.get(id) ?? [];
    byId.set(id, parts);
    parts.push(object);
  }
  const known = new Map<JsonObject, LdNode>();
  const nodeOfObject = (object: JsonObject): LdNode => {
    const parts = byId.get(nodeId(object) ?? '') ?? [object];
    const [first = object] = parts;
    const node = known.get(first) ?? createNode(parts);
    known.set(first, node);
    return node;
  };
  const nodeOf = (value: unknown) =>
    isJsonObject(value) && !Object.hasOwn(value, '@value') ? nodeOfObject(value) : null;
  let valuesLeft: number = SCHEMA_ORG_LIMITS.valuesRead;
  return {
    top: unique(topObjects(values).map(nodeOfObject)),
    all: unique(objects.filter((object) => nodeTypes([object]).length > 0).map(nodeOfObject)),
    values(node, property) {
      const list = unwrapList(node.property(property));
      valuesLeft = list.reduce<number>((left, value) => left - valueWeight(value), valuesLeft - 1);
      if (valuesLeft < 0) throw new ReadLimitExceeded();
      return list;
    },
    nodeOf,
  };
}

function createNode(parts: readonly JsonObject[]): LdNode {
  const [first = {}] = parts;
  const id = nodeId(first);
  const facts = parts.length > 1 ? propertiesOf(parts) : null;
  return {
    id,
    types: nodeTypes(parts),
    isDangling: parts.length === 1 && Object.keys(first).length === 1 && id !== null,
    property: (name) => (facts ? facts(name) : ownProperty(first, name)),
  };
}

/**
 * Looks up properties of a node that several objects describe. The first object with a property decides, because pages
 * repeat themselves. Look-ups take constant time for any number of objects.
 */
function propertiesOf(parts: readonly JsonObject[]): (name: string) => unknown {
  const properties = new Map<string, { part: number; value: unknown }>();
  for (const [part, object] of parts.entries()) {
    for (const [key, value] of Object.entries(object)) {
      if (value !== null && value !== undefined && !properties.has(key)) properties.set(key, { part, value });
    }
  }
  return (name) => {
    const found = PREFIXES.flatMap((prefix) => properties.get(`${prefix}${name}`) ?? []);
    const [first, ...more] = found;
    return more.reduce((best, one) => (best && one.part < best.part ? one : best), first)?.value;
  };
}

function ownProperty(object: JsonObject, name: string): unknown {
  for (const prefix of PREFIXES) {
    const key = `${prefix}${name}`;
    if (Object.hasOwn(object, key) && object[key] !== null && object[key] !== undefined) return object[key];
  }
  return undefined;
}

/** A value's cost: a long text takes as much time as many values. */
function valueWeight(value: unknown): number {
  const text = isJsonObject(value) && Object.hasOwn(value, '@value') ? value['@value'] : value;
  if (typeof text !== 'string') return 1;
  return text.length > FEED_LIMITS.descriptionCharacters ? text.length : 1 + text.length / TEXT_WEIGHT;
}

function nodeTypes(parts: readonly JsonObject[]): string[] {
  return parts
    .flatMap((part) => unwrapList(Object.hasOwn(part, '@type') ? part['@type'] : undefined))
    .flatMap((type) => (typeof type === 'string' ? [cleanText(type).replace(TERM, '')] : []));
}

/** A text, a number as text, or the text of a value object; empty for any other value. */
export function ldText(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return cleanText(value);
  return isJsonObject(value) && Object.hasOwn(value, '@value') && !isJsonObject(value['@value'])
    ? ldText(value['@value'])
    : '';
}

/** A property's first value as text. */
export const firstLdText = (graph: LdGraph, node: LdNode, property: string): string =>
  ldText(graph.values(node, property)[0]);

/** The nodes among a property's values. */
export const nodesOf = (graph: LdGraph, node: LdNode, property: string): LdNode[] =>
  graph.values(node, property).flatMap((value) => graph.nodeOf(value) ?? []);

function nodeId(object: JsonObject): string | null {
  const given = Object.hasOwn(object, '@id') ? object['@id'] : undefined;
  if (typeof given === 'string' && given.length > FEED_LIMITS.urlCharacters) return null;
  const id = typeof given === 'string' || typeof given === 'number' ? ldText(given) : '';
  return id === '' ? null : id;
}

/** Flattens nested JSON-LD lists. */
function unwrapList(value: unknown): readonly unknown[] {
  let list = value;
  for (let level = 0; level < MAX_LIST_NESTING; level += 1) {
    if (!isJsonObject(list) || !Object.hasOwn(list, '@list')) break;
    list = list['@list'];
  }
  if (list === undefined || list === null) return [];
  return Array.isArray(list) ? list.flat(1) : [list];
}

function topObjects(values: readonly unknown[]): JsonObject[] {
  const found: JsonObject[] = [];
  let level = values.flatMap(unwrapList).filter(isJsonObject);
  // List elements contain their item, and pages their list; four steps cover real pages.
  for (let step = 0; step < 4 && level.length > 0; step += 1) {
    for (const object of level) found.push(object);
    level = level
      .flatMap((object) => CONTAINER_PROPERTIES.flatMap((key) => unwrapList(ownProperty(object, key))))
      .filter(isJsonObject);
  }
  return found;
}

/** All objects, outer ones first. Not recursive, because a document may be nested to any depth. */
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

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

/** The state shared by the readers of one store. */
export type PageContext = {
  graph: LdGraph;
  notes: SourceNotes;
  country: Country;
  /** Counts a menu position; returns false beyond the limit, which is reported once. */
  takePlace(node: LdNode): boolean;
};

export function createPageContext(graph: LdGraph, notes: SourceNotes, country: Country): PageContext {
  const takePlace = createPlaceCounter(notes, SCHEMA_ORG_LIMITS.positionsPerStore);
  return { graph, notes, country, takePlace: (node) => takePlace(() => nodeLabel(graph, node)) };
}

/** Names a thing in errors and warnings: its type with its name, or its id. */
export function nodeLabel(graph: LdGraph, node: LdNode): string {
  const name = firstLdText(graph, node, 'name') || node.id || '';
  return `${node.types[0] ?? 'Thing'} ${name}`.trim().slice(0, 200);
}

/** A thing's permanent `@id`. A blank node's id is not permanent. */
export const permanentId = (node: LdNode): string | null =>
  node.id === null || node.id.startsWith('_:') ? null : node.id;

/** Whether a reference lacks its node in the document; reported as a warning. */
export function isDangling({ graph, notes }: PageContext, node: LdNode, owner: LdNode, property: string): boolean {
  if (node.isDangling)
    notes.warn(nodeLabel(graph, owner), property, `expected a thing of the document with the id ${node.id}`);
  return node.isDangling;
}
