import { LRUCache } from 'lru-cache';
import { grownUint32 } from '../../lib/columns/grow.ts';
import type { Run } from '../../lib/columns/sequence-interner.ts';

/** Names that match a query, and the terms that the names must have; null where other terms match too. */
export type FoundNames = { names: Uint32Array; termIds: readonly number[] | null };

/** Names found before, while no change of names has made them stale. */
export type NameClassCache = {
  remembered(key: string, find: () => FoundNames): Uint32Array;
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

export function createNameClassCache(): NameClassCache {
  // A page is usually followed by the next one, and popular queries recur.
  const classes = new LRUCache<string, CachedNames>({
    maxSize: MAX_CACHED_NAMES,
    sizeCalculation: ({ names }) => Math.max(LEAST_NAMES, names.length),
  });
  /** Number of changes so far, and what that number was when a name of the term last changed. */
  let version = 0;
  let versionOfTerm = new Uint32Array(1024);

  /** Names that match exactly change with the names of their terms alone, and all other classes with any name. */
  function isFresh(cached: CachedNames): boolean {
    if (cached.version === version) return true;
    return cached.termIds?.every((termId) => (versionOfTerm[termId] as number) <= cached.version) === true;
  }

  return {
    remembered(key, find) {
      const known = classes.get(key);
      if (known !== undefined && isFresh(known)) return known.names;
      const found = find();
      classes.set(key, { ...found, version });
      return found.names;
    },
    clear: () => classes.clear(),
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
