import type { NameIndex } from './name-index.ts';
import { MOST_PACKED_STORES, packPlaces } from './packed-places.ts';
import type { PlaceTree } from './place-tree.ts';
import type { WalkedTree } from './walk-places.ts';

/**
 * The stores of popular groups of names, each group in a tree of its own: the nearest twenty of a chain lie in two or
 * three of its blocks, and among all stores far apart.
 */
export type GroupPlaces = {
  /** Stores of the group; may be a few too many or too few after a change. */
  countOf(group: Uint32Array): number;
  /** The group's own tree as it is now; null where it has none. */
  treeOf(group: Uint32Array): WalkedTree | null;
  /** Tells that so many stores were looked at because there was none. */
  spend(group: Uint32Array, looks: number): void;
};

/** A smaller group is looked through as quickly as its tree. */
const LEAST_PACKED_STORES = 64;

/** A store costs about as much to put into such a tree as so many looks: a tree never costs more than it came too late. */
const PACKING_LOOKS = 16;

/** Bound on the stores in all such trees together, some 40 bytes each; then all are let go. */
const MOST_STORES = 500_000;

type Packing = { spent: number; tree: WalkedTree | null };

export function createGroupPlaces(tree: PlaceTree, names: NameIndex): GroupPlaces {
  const counted = new WeakMap<Uint32Array, number>();
  let packings = new WeakMap<Uint32Array, Packing>();
  let packedStores = 0;
  let changesSeen = 0;

  function forgetAll(): void {
    packings = new WeakMap();
    packedStores = 0;
  }

  /** A store that came, moved or went makes every tree a thing of the past. */
  function packingOf(group: Uint32Array): Packing {
    const changes = tree.changes + names.changes;
    if (changes !== changesSeen) forgetAll();
    changesSeen = changes;
    const known = packings.get(group);
    if (known !== undefined) return known;
    const fresh = { spent: 0, tree: null };
    packings.set(group, fresh);
    return fresh;
  }

  function countOf(group: Uint32Array): number {
    const known = counted.get(group);
    if (known !== undefined) return known;
    const { counts } = names.stores;
    let count = 0;
    for (let i = 0; i < group.length; i += 1) count += counts[group[i] as number] as number;
    counted.set(group, count);
    return count;
  }

  /** The count may be an old one. */
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

  function pack(group: Uint32Array): WalkedTree | null {
    const stores = storesOf(group);
    if (stores.length > MOST_PACKED_STORES) return null;
    if (packedStores + stores.length > MOST_STORES) forgetAll();
    packedStores += stores.length;
    return packPlaces(tree, stores);
  }

  return {
    countOf,
    treeOf: (group) => packingOf(group).tree,
    spend(group, looks) {
      const count = countOf(group);
      if (count < LEAST_PACKED_STORES || count > MOST_PACKED_STORES) return;
      const packing = packingOf(group);
      packing.spent += looks;
      if (packing.spent < count * PACKING_LOOKS) return;
      packing.spent = 0;
      packing.tree = pack(group);
      packings.set(group, packing);
    },
  };
}
