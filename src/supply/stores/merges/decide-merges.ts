import { type ComparedPlace, type SamePlace, samePlace } from './same-place.ts';

/** A store with the compared fields. */
export type ComparedStore = ComparedPlace & {
  storeId: string;
  /** Whether the store has a catalog or its own feed, and is not only from an open directory. */
  isOwn: boolean;
};

/** A merge: `storeId` leaves search, and the standing store `intoStoreId` is shown for both. */
export type Merge = SamePlace & { storeId: string; intoStoreId: string };

/** Returns a key of two stores, independent of their order. */
export const pairKey = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

/**
 * Decides which new stores duplicate a known or earlier one. A store with its own feed takes precedence over
 * directories, and among directories the earlier one. Two stores with their own feeds never merge. Undone decisions are
 * not repeated.
 */
export function decideMerges(
  arrivals: readonly ComparedStore[],
  nearbyOf: (storeId: string) => readonly ComparedStore[],
  undone: ReadonlySet<string>,
): Merge[] {
  const arrivalPosition = new Map(arrivals.map(({ storeId }, position) => [storeId, position]));
  const gone = new Set<string>();
  const merges: Merge[] = [];
  const take = (merge: Merge) => {
    merges.push(merge);
    gone.add(merge.storeId);
  };
  for (const [position, arrival] of arrivals.entries()) {
    if (gone.has(arrival.storeId)) continue;
    const same = nearbyOf(arrival.storeId)
      .filter(({ storeId }) => !gone.has(storeId) && (arrivalPosition.get(storeId) ?? -1) < position)
      .filter(({ storeId }) => !undone.has(pairKey(storeId, arrival.storeId)))
      .flatMap((store) => matchOf(arrival, store))
      .sort((a, b) => Number(b.store.isOwn) - Number(a.store.isOwn) || a.meters - b.meters || byId(a.store, b.store));
    for (const { store, reason, meters } of arrival.isOwn ? same : same.slice(0, 1)) {
      if (!arrival.isOwn) take({ storeId: arrival.storeId, intoStoreId: store.storeId, reason, meters });
      else if (!store.isOwn) take({ storeId: store.storeId, intoStoreId: arrival.storeId, reason, meters });
    }
  }
  return merges;
}

function matchOf(arrival: ComparedStore, store: ComparedStore): (SamePlace & { store: ComparedStore })[] {
  const match = samePlace(arrival, store);
  return match ? [{ ...match, store }] : [];
}

const byId = (one: ComparedStore, other: ComparedStore): number => (one.storeId < other.storeId ? -1 : 1);

/** Returns the standing store of each merged store, which may itself be merged. */
export function standingStores(merges: readonly Merge[]): Map<string, string> {
  const intoOf = new Map(merges.map(({ storeId, intoStoreId }) => [storeId, intoStoreId]));
  const standingFor = (storeId: string): string => {
    const into = intoOf.get(storeId);
    return into === undefined ? storeId : standingFor(into);
  };
  return new Map(merges.map(({ storeId }) => [storeId, standingFor(storeId)]));
}
