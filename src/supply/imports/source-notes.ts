import { hash } from 'node:crypto';
import { cleanText } from '../../platform/lib/plain-text.ts';
import { FEED_LIMITS, type LineFault } from '../stores/feed-fields.ts';
import { type ParsedStoreLine, parseStoreLine } from './parse-store-line.ts';

/**
 * Used by readers of other formats: notes that trace a store line's error to its source entity, and ids that are unique
 * within a store.
 */

/**
 * Notes of a reader that converts a store to a store line: the source entity of each object of the line, and errors of
 * entities.
 */
export type SourceNotes = {
  /** Records the source entity of an object in the store's line; returns the object. */
  from<T extends object>(entity: string, object: T): T;
  /** Adds an error, which rejects the store. `path` is within the entity. */
  fault(entity: string, path: string, message: string): void;
  warn(entity: string, path: string, message: string): void;
  /** The first `max` of some `things`; more of them are a warning. */
  atMost<T>(entity: string, path: string, all: readonly T[], limit: { max: number; things: string }): readonly T[];
  /** Parses the line by docs/feeds.md; its errors name source entities. */
  parse(line: object): ParsedStoreLine;
};

const STEP = /[^.[\]]+/g;

export function createSourceNotes(): SourceNotes {
  const entities = new WeakMap<object, string>();
  const faults: LineFault[] = [];
  const warnings: LineFault[] = [];
  const add = (list: LineFault[], entity: string, path: string, message: string) => {
    if (list.length < FEED_LIMITS.faultsPerLine)
      list.push({ path: path === '' ? entity : `${entity}: ${path}`, message });
  };
  return {
    from(entity, object) {
      entities.set(object, entity);
      return object;
    },
    fault: (entity, path, message) => add(faults, entity, path, message),
    warn: (entity, path, message) => add(warnings, entity, path, message),
    atMost(entity, path, all, { max, things }) {
      if (all.length > max) add(warnings, entity, path, `expected at most ${max} ${things}; others left out`);
      return all.slice(0, max);
    },
    parse(line) {
      const parsed = parseStoreLine(line);
      const located = (list: readonly LineFault[]) =>
        list.map(({ path, message }) => ({ path: sourcePath(line, path, entities), message }));
      const allWarnings = [...warnings, ...located(parsed.warnings)];
      if (parsed.ok && faults.length === 0) return { ...parsed, warnings: allWarnings };
      const externalId = parsed.ok ? parsed.store.externalId : parsed.externalId;
      const allFaults = parsed.ok ? faults : [...faults, ...located(parsed.faults)];
      return { ok: false, externalId, faults: allFaults, warnings: allWarnings };
    },
  };
}

/**
 * Turns `categories[0].products[2].name` into `MenuItem m3: name`: the nearest entity on the path, and the rest of the
 * path.
 */
function sourcePath(line: object, path: string, entities: WeakMap<object, string>): string {
  let value: unknown = line;
  let entity = entities.get(line) ?? '';
  let rest = path;
  for (const step of path.matchAll(STEP)) {
    if (typeof value !== 'object' || value === null) break;
    value = Object.getOwnPropertyDescriptor(value, step[0])?.value;
    const known = typeof value === 'object' && value !== null ? entities.get(value) : undefined;
    if (known === undefined) continue;
    entity = known;
    const after = step.index + step[0].length;
    rest = path.slice(path[after] === ']' ? after + 1 : after).replace(/^\./, '');
  }
  if (entity === '') return path;
  return rest === '' ? entity : `${entity}: ${rest}`;
}

export type PlacedIds = {
  readonly size: number;
  /**
   * A unique id for a source entity at this position. A shared entity has one per position: the first keeps the
   * source's id, others append their position, and a number if needed.
   */
  place(sourceId: string, place: string): string;
};

/** A source's id, hashed if it is too long for a feed. */
export function feedId(sourceId: string): string {
  const id = cleanText(sourceId);
  return id.length <= FEED_LIMITS.idCharacters ? id : hash('sha256', id);
}

export function createPlacedIds(): PlacedIds {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return {
    get size() {
      return used.size;
    },
    place(sourceId, place) {
      let id = feedId(sourceId);
      const placed = `${sourceId} @${place}`;
      while (used.has(id)) {
        const nth = (counts.get(placed) ?? 0) + 1;
        counts.set(placed, nth);
        id = feedId(nth === 1 ? placed : `${placed} ${nth}`);
      }
      used.add(id);
      return id;
    },
  };
}

/** Whether to stop reading options: one above the limit, so that the line's parser refuses the product. */
export function hasTooManyOptions({ options }: { options: PlacedIds }): boolean {
  return options.size > FEED_LIMITS.optionsPerProduct;
}

/** Whether an add-on contains itself, which is reported as a warning. */
export function containsItself<Node>(notes: SourceNotes, entity: string, node: Node, way: readonly Node[]): boolean {
  if (!way.includes(node)) return false;
  notes.warn(entity, '', 'expected no add-ons that lead back to themselves; left out');
  return true;
}

/** An option, and whether its add-on is on sale. */
export type AddOn = { option: object; isSold: boolean };

/** The options on sale. If too few are left for a required choice, all are kept and the choice is sold out. */
export function soldOptions(addOns: readonly AddOn[], minimum: number): { options: object[]; isSoldOut: boolean } {
  const sold = addOns.filter(({ isSold }) => isSold);
  const isSoldOut = sold.length < minimum && addOns.length >= minimum;
  return { options: (isSoldOut ? addOns : sold).map(({ option }) => option), isSoldOut };
}

/**
 * Counts a store's menu positions. Beyond the limit it returns false, and adds an error of the first entity beyond it.
 */
export function createPlaceCounter(notes: SourceNotes, limit: number): (entityOf: () => string) => boolean {
  let places = 0;
  return (entityOf) => {
    places += 1;
    if (places === limit + 1) notes.fault(entityOf(), '', `expected at most ${limit} places in a store's menus`);
    return places <= limit;
  };
}
