import type { NameIndex } from './name.index.ts';
import { MAX_PACKED_STORES, packTree } from './pack-tree.ts';
import type { SpatialIndex } from './spatial.index.ts';
import type { SpatialTree } from './spatial-tree.ts';

/**
 * Spatial trees of popular groups of names: the nearest twenty stores of a chain lie in two or three blocks of its own
 * tree, and far apart in the tree of all stores.
 */
export type GroupTrees = {
  /** Number of stores of the group; after a change it may be off by a few. */
  countOf(group: Uint32Array): number;
  /** The group's tree as the stores are now; null where the group has none. */
  treeOf(group: Uint32Array): SpatialTree | null;
  /** Records that a search visited so many stores because the group has no tree. */
  recordVisits(group: Uint32Array, visits: number): void;
};

/** All stores of a smaller group are visited as quickly as its tree. */
const MIN_PACKED_STORES = 64;

/** Packing a store costs about as much as so many visits: a group gets a tree once it has cost as many visits. */
const VISITS_PER_PACKING = 4;

/** Bound on the stores in all trees together, some 40 bytes each; past it, all trees are dropped. */
const MAX_STORES = 500_000;

type GroupState = { visits: number; tree: SpatialTree | null };

export function createGroupTrees(index: SpatialIndex, names: NameIndex): GroupTrees {
  const counts = new WeakMap<Uint32Array, number>();
  let states = new WeakMap<Uint32Array, GroupState>();
  let packedStores = 0;
  let changesSeen = 0;

  function dropAll(): void {
    states = new WeakMap();
    packedStores = 0;
  }

  /** A store that came, moved or went makes every tree stale. */
  function stateOf(group: Uint32Array): GroupState {
    const changes = index.changes + names.changes;
    if (changes !== changesSeen) dropAll();
    changesSeen = changes;
    const known = states.get(group);
    if (known !== undefined) return known;
    const fresh = { visits: 0, tree: null };
    states.set(group, fresh);
    return fresh;
  }

  function countOf(group: Uint32Array): number {
    const known = counts.get(group);
    if (known !== undefined) return known;
    let count = 0;
    for (let i = 0; i < group.length; i += 1) count += names.stores.counts[group[i] as number] as number;
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

  function pack(group: Uint32Array): SpatialTree | null {
    // The count of `countOf` may be stale.
    const stores = storesOf(group);
    if (stores.length > MAX_PACKED_STORES) return null;
    if (packedStores + stores.length > MAX_STORES) dropAll();
    packedStores += stores.length;
    return packTree(index, stores);
  }

  return {
    countOf,
    treeOf: (group) => stateOf(group).tree,
    recordVisits(group, visits) {
      const count = countOf(group);
      if (count < MIN_PACKED_STORES || count > MAX_PACKED_STORES) return;
      const state = stateOf(group);
      state.visits += visits;
      if (state.visits < count * VISITS_PER_PACKING) return;
      state.visits = 0;
      state.tree = pack(group);
      states.set(group, state);
    },
  };
}
