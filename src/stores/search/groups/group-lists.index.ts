import { LRUCache } from 'lru-cache';
import type { NameIndex } from '../name.index.ts';
import type { SpatialIndex } from '../spatial.index.ts';
import type { RecentChanges } from './recent-changes.index.ts';
import { createCellSorter, type StoresByCell } from './sort-by-cell.ts';

/** The stores of a group as they were after the first `changes` changes. */
export type GroupList = StoresByCell & {
  readonly changes: number;
  /** The stores that changed since and are of the group after the first `checked` changes. */
  changed: readonly number[];
  checked: number;
};

/**
 * The stores of groups of names, sorted by cell: a search passes over all parts of the earth without a store of the group.
 * A list takes 8 bytes a store, and is made in about the time of one look at each of its stores.
 */
export type GroupLists = {
  /** The list of the group, brought up to date; null where the group has none. */
  listOf(group: Uint32Array): GroupList | null;
  make(group: Uint32Array): GroupList;
  /** Notes that a search visited so many stores because the group has no list; returns the visits since its last list. */
  noteVisits(group: Uint32Array, visits: number): number;
};

type Inputs = { spatial: Pick<SpatialIndex, 'cellKeys'>; names: NameIndex; changes: RecentChanges };

/** Bound on the stores in all lists together. */
const MAX_STORES = 4_000_000;

/** Marks of names: a store with the name has changed, and the group has the name. */
const HAS_CHANGED = 1;
const IS_OF_GROUP = 2;

export function createGroupLists({ spatial, names, changes }: Inputs): GroupLists {
  /** The least recently used list is dropped first. */
  const lists = new LRUCache<Uint32Array, GroupList>({ maxSize: MAX_STORES });
  const visitsOf = new WeakMap<Uint32Array, number>();
  const sortByCell = createCellSorter();
  let marks = new Uint8Array(1024);
  /** Scratch, by position in a group: where the stores of the name begin, and how many there are. */
  let [runStarts, runCounts] = [new Uint32Array(1024), new Uint32Array(1024)];

  function make(group: Uint32Array): GroupList {
    const { data } = names.stores;
    const { cellKeys } = spatial;
    const size = noteRuns(group);
    const both = new Uint32Array(2 * size);
    const stores = { cells: both.subarray(0, size), ordinals: both.subarray(size) };
    let filled = 0;
    for (let nth = 0; nth < group.length; nth += 1) {
      const start = runStarts[nth] as number;
      const end = start + (runCounts[nth] as number);
      for (let at = start; at < end; at += 1) {
        stores.ordinals[filled] = data[at] as number;
        filled += 1;
      }
    }
    for (let nth = 0; nth < size; nth += 1) stores.cells[nth] = cellKeys[stores.ordinals[nth] as number] as number;
    sortByCell(stores);
    const list = { ...stores, changes: changes.count, changed: [], checked: changes.count };
    lists.set(group, list, { size: Math.max(1, size) });
    visitsOf.delete(group);
    return list;
  }

  /** Notes where the stores of each name lie; returns the number of all. Loops without branches wait for many reads at once. */
  function noteRuns(group: Uint32Array): number {
    const { starts, counts } = names.stores;
    if (group.length > runStarts.length) {
      runStarts = new Uint32Array(2 * group.length);
      runCounts = new Uint32Array(2 * group.length);
    }
    let size = 0;
    for (let nth = 0; nth < group.length; nth += 1) {
      const count = counts[group[nth] as number] as number;
      runStarts[nth] = starts[group[nth] as number] as number;
      runCounts[nth] = count;
      size += count;
    }
    return size;
  }

  /** The changed stores that are of the group now: each name of the group is looked at once for all of these stores. */
  function changedOf(group: Uint32Array, since: number): number[] {
    const { nameOf, ceiling } = names;
    const ordinals = [...changes.storesSince(since)];
    if (ceiling > marks.length) marks = new Uint8Array(ceiling * 2);
    for (const ordinal of ordinals) marks[nameOf[ordinal] as number] = HAS_CHANGED;
    for (let nth = 0; nth < group.length; nth += 1) {
      const name = group[nth] as number;
      if (marks[name] === HAS_CHANGED) marks[name] = IS_OF_GROUP;
    }
    const found = ordinals.filter((ordinal) => marks[nameOf[ordinal] as number] === IS_OF_GROUP);
    for (const ordinal of ordinals) marks[nameOf[ordinal] as number] = 0;
    return found;
  }

  return {
    listOf(group) {
      const list = lists.get(group);
      if (list === undefined) return null;
      if (!changes.isKnownSince(list.changes)) {
        lists.delete(group);
        return null;
      }
      if (list.checked !== changes.count) {
        list.changed = changedOf(group, list.changes);
        list.checked = changes.count;
      }
      return list;
    },
    make,
    noteVisits(group, visits) {
      const visited = (visitsOf.get(group) ?? 0) + visits;
      visitsOf.set(group, visited);
      return visited;
    },
  };
}
