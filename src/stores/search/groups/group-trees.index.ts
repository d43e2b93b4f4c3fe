import { LRUCache } from 'lru-cache';
import type { NameIndex } from '../name.index.ts';
import { MAX_PACKED_STORES, packTree } from '../pack-tree.ts';
import type { SpatialIndex } from '../spatial.index.ts';
import type { SpatialTree } from '../spatial-tree.ts';
import type { RecentChanges } from './recent-changes.index.ts';

/**
 * Spatial trees of popular groups of names, for sorts other than by distance: nodes of a group's own tree tell the best
 * rating, price and time of its stores. By distance a list does (`GroupLists`).
 */
export type GroupTrees = {
  /** About the number of stores of the group. */
  countOf(group: Uint32Array): number;
  /** The group's tree; null where the group has none. */
  treeOf(group: Uint32Array): GroupTree | null;
  /** Records that a search visited so many stores because the group has no tree. */
  recordVisits(group: Uint32Array, visits: number): void;
};

/** The stores of a group as they were after the first `changes` changes: stores that changed since are looked at beside. */
export type GroupTree = { tree: SpatialTree; changes: number };

/** All stores of a smaller group are visited as quickly as its tree. */
const MIN_PACKED_STORES = 64;

/** Of a group of more names, the stores of each eighth name are counted. */
const ALWAYS_COUNTED = 256;
const SAMPLED = 8;

/** Packing a store costs about as much as so many visits: a group gets a tree once it has cost as many visits. */
const VISITS_PER_PACKING = 4;

/** Bound on the stores in all trees together, some 40 bytes each: only searches by rating, price or time use trees. */
const MAX_STORES = 500_000;

export function createGroupTrees(index: SpatialIndex, names: NameIndex, changes: RecentChanges): GroupTrees {
  const counts = new WeakMap<Uint32Array, number>();
  /** The least recently used tree is dropped first. */
  const trees = new LRUCache<Uint32Array, GroupTree>({ maxSize: MAX_STORES });
  const visitsOf = new WeakMap<Uint32Array, number>();

  function countOf(group: Uint32Array): number {
    const known = counts.get(group);
    if (known !== undefined) return known;
    let count = 0;
    const every = group.length > ALWAYS_COUNTED ? SAMPLED : 1;
    for (let i = 0; i < group.length; i += every) count += names.stores.counts[group[i] as number] as number;
    count *= every;
    counts.set(group, count);
    return count;
  }

  function storesOf(group: Uint32Array): Uint32Array {
    const { data, starts, counts } = names.stores;
    const stores: number[] = [];
    for (let i = 0; i < group.length; i += 1) {
      const start = starts[group[i] as number] as number;
      const end = start + (counts[group[i] as number] as number);
      for (let at = start; at < end; at += 1) stores.push(data[at] as number);
    }
    return Uint32Array.from(stores);
  }

  function pack(group: Uint32Array): void {
    // The count of `countOf` may be stale.
    const stores = storesOf(group);
    if (stores.length === 0 || stores.length > MAX_PACKED_STORES) return;
    trees.set(group, { tree: packTree(index, stores), changes: changes.count }, { size: stores.length });
  }

  return {
    countOf,
    treeOf(group) {
      const found = trees.get(group);
      if (found === undefined || changes.isKnownSince(found.changes)) return found ?? null;
      trees.delete(group);
      return null;
    },
    recordVisits(group, visits) {
      const count = countOf(group);
      if (count < MIN_PACKED_STORES || count > MAX_PACKED_STORES) return;
      const visited = (visitsOf.get(group) ?? 0) + visits;
      const isDue = visited >= count * VISITS_PER_PACKING;
      visitsOf.set(group, isDue ? 0 : visited);
      if (isDue) pack(group);
    },
  };
}
