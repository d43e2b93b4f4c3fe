import type { LineFault, ReadOsmHours } from './feed/feed-fields.ts';
import { FEED_LIMITS } from './feed/feed-limits.ts';
import { type ParsedStoreLine, parseStoreLine } from './feed/parse-store-line.ts';

/**
 * The notes of a reader that turns a store of another format into a store line: the source entity of each object of the
 * line, and the faults of these entities.
 */
export type SourceNotes = {
  /** Says which entity of the source an object of the line is; returns the object. */
  from<T extends object>(entity: string, object: T): T;
  /** A fault rejects the store. `path` is within the entity. */
  fault(entity: string, path: string, message: string): void;
  warn(entity: string, path: string, message: string): void;
  /** Reads the line by the rules of docs/feeds.md; faults name the entities of the source. */
  parse(line: object, readOsmHours: ReadOsmHours): ParsedStoreLine;
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
    parse(line, readOsmHours) {
      const parsed = parseStoreLine(line, readOsmHours);
      const told = (list: readonly LineFault[]) =>
        list.map(({ path, message }) => ({ path: sourcePath(line, path, entities), message }));
      const allWarnings = [...warnings, ...told(parsed.warnings)];
      if (parsed.ok && faults.length === 0) return { ...parsed, warnings: allWarnings };
      const externalId = parsed.ok ? parsed.store.externalId : parsed.externalId;
      const allFaults = parsed.ok ? faults : [...faults, ...told(parsed.faults)];
      return { ok: false, externalId, faults: allFaults, warnings: allWarnings };
    },
  };
}

/** `categories[0].products[2].name` as `MenuItem m3: name`: the nearest entity on the way, and the way on from it. */
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
