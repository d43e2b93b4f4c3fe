import { LRUCache } from 'lru-cache';
import { grownUint32 } from '../../lib/columns/grow.ts';
import type { Run } from '../../lib/columns/sequence-interner.ts';

/** Names that match a query, and the terms that the names must have; null where other terms match too. */
export type FoundNames = { names: Uint32Array; termIds: readonly number[] | null };

/** The classes of one query that were found before, by any small number. */
export type QueryClasses = {
  /** Finds the names of a class again where a change of names has made them stale. */
  remembered(nameClass: number, find: () => FoundNames): Uint32Array;
};

/** Names found before, while no change of names has made them stale. */
export type NameClassCache = {
  /** A search looks into the cache once for all classes: a look takes a hash of the query. */
  classesOf(query: string): QueryClasses;
  /** A name with these terms has come or gone; without terms, any name may match otherwise than before. */
  change(termIds: Run): void;
  /** Many names have come. */
  clear(): void;
};

/** Bound on the names of all cached classes together, 4 bytes each. */
const MAX_CACHED_NAMES = 6_000_000;
/** A class of fewer names counts as so many: at most 16,384 classes are cached. */
const LEAST_NAMES = Math.ceil(MAX_CACHED_NAMES / 16_384);

type CachedNames = FoundNames & { version: number };
type CachedQuery = { classes: (CachedNames | undefined)[] };

export function createNameClassCache(): NameClassCache {
  // A page is usually followed by the next one, and popular queries recur.
  const queries = new LRUCache<string, CachedQuery>({ maxSize: MAX_CACHED_NAMES, sizeCalculation: sizeOf });
  /** Number of changes so far, and what that number was when a name of the term last changed. */
  let version = 0;
  let clearedAt = 0;
  let versionOfTerm = new Uint32Array(1024);

  /** Names that match exactly change with the names of their terms alone, and all other classes with any name. */
  function isFresh(cached: CachedNames): boolean {
    if (cached.version === version) return true;
    if (cached.version < clearedAt) return false;
    return cached.termIds?.every((termId) => (versionOfTerm[termId] as number) <= cached.version) === true;
  }

  return {
    classesOf(query) {
      const cached = queries.get(query) ?? { classes: [] };
      return {
        remembered(nameClass, find) {
          const known = cached.classes[nameClass];
          if (known !== undefined && isFresh(known)) return known.names;
          const found = find();
          cached.classes[nameClass] = { ...found, version };
          // The cache asks for the size of a value when the value is added.
          queries.delete(query);
          queries.set(query, cached);
          return found.names;
        },
      };
    },
    clear() {
      version += 1;
      clearedAt = version;
      queries.clear();
    },
    change({ data, from, end }) {
      version += 1;
      for (let at = from; at < end; at += 1) {
        const termId = data[at] as number;
        if (termId >= versionOfTerm.length) versionOfTerm = grownUint32(versionOfTerm, termId + 1);
        versionOfTerm[termId] = version;
      }
    },
  };
}

function sizeOf({ classes }: CachedQuery): number {
  let size = 0;
  for (const found of classes) size += found === undefined ? 0 : Math.max(LEAST_NAMES, found.names.length);
  return size;
}
