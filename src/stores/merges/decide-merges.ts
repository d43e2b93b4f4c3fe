import { type ComparedPlace, type SamePlace, samePlace } from './same-place.ts';

/** A store as it is compared. */
export type ComparedStore = ComparedPlace & {
  storeId: string;
  /** It has a catalogue, or comes from a feed of its own, and not from an open directory of places. */
  isOwn: boolean;
};

/** The store that leaves search, and the one that stands for both. */
export type Merge = SamePlace & { storeId: string; intoStoreId: string };

/** Two stores in either order. */
export function pairKey(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

/**
 * Which of the stores that have just come are one place with one that is there, or that came before them. A store of
 * its own stands for the places that it is; of two places the earlier one stands; two stores of their own are two
 * stores. What somebody has once undone is not decided again.
 */
export function decideMerges(
  arrivals: readonly ComparedStore[],
  nearbyOf: (storeId: string) => readonly ComparedStore[],
  undone: ReadonlySet<string>,
): Merge[] {
  const orderOf = new Map(arrivals.map(({ storeId }, order) => [storeId, order]));
  const gone = new Set<string>();
  const merges: Merge[] = [];
  const take = (merge: Merge) => {
    merges.push(merge);
    gone.add(merge.storeId);
  };
  for (const [order, arrival] of arrivals.entries()) {
    if (gone.has(arrival.storeId)) continue;
    const same = nearbyOf(arrival.storeId)
      .filter(({ storeId }) => !gone.has(storeId) && (orderOf.get(storeId) ?? -1) < order)
      .filter(({ storeId }) => !undone.has(pairKey(storeId, arrival.storeId)))
      .flatMap((store) => matchOf(arrival, store))
      .sort((a, b) => Number(b.store.isOwn) - Number(a.store.isOwn) || a.metres - b.metres || byId(a.store, b.store));
    for (const { store, reason, metres } of arrival.isOwn ? same : same.slice(0, 1)) {
      if (!arrival.isOwn) take({ storeId: arrival.storeId, intoStoreId: store.storeId, reason, metres });
      else if (!store.isOwn) take({ storeId: store.storeId, intoStoreId: arrival.storeId, reason, metres });
    }
  }
  return merges;
}

function matchOf(arrival: ComparedStore, store: ComparedStore): (SamePlace & { store: ComparedStore })[] {
  const match = samePlace(arrival, store);
  return match ? [{ ...match, store }] : [];
}

function byId(one: ComparedStore, other: ComparedStore): number {
  return one.storeId < other.storeId ? -1 : 1;
}

/** The store that stands in the end for each store merged, where one into which another was merged goes itself. */
export function standingStores(merges: readonly Merge[]): Map<string, string> {
  const intoOf = new Map(merges.map(({ storeId, intoStoreId }) => [storeId, intoStoreId]));
  const standingFor = (storeId: string): string => {
    const into = intoOf.get(storeId);
    return into === undefined ? storeId : standingFor(into);
  };
  return new Map(merges.map(({ storeId }) => [storeId, standingFor(storeId)]));
}
