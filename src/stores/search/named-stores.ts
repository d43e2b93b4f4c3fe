import type { NameIndex } from './name-index.ts';
import type { PlaceTree } from './place-tree.ts';
import type { UnitVector } from './sphere.ts';
import { chordTo, type Reach, STOP, walkPlaces } from './walk-places.ts';

/** Gets a store and its squared chord; answers how far it is still interested, or STOP. */
export type Visit = (ordinal: number, chordSquared: number) => number;

/** Fewer stores of a name than this are looked at one by one, wherever they are. */
const ALWAYS_SCANNED = 1000;

/** Visits the stores of some names that lie within reach. `restart` tells the visitor to forget what it saw. */
export type NamedStores = {
  countOf(names: Uint32Array): number;
  /** Looks at every store of the names. */
  scan(names: Uint32Array, from: UnitVector, reach: Reach, visit: Visit): void;
  visit(names: Uint32Array, from: UnitVector, reach: Reach, wish: NamedWish, visit: Visit, restart: () => void): void;
};

/** `most` stores are wanted, or all; `isNearestFirst` says that the visitor loses interest in far ones. */
export type NamedWish = { most: number; isNearestFirst: boolean; stores: number };

/**
 * A name borne by many stores is looked for around the place, where one soon comes by, as long as that looks at
 * fewer stores than there are of the name; else all of its stores are looked at.
 */
export function createNamedStores(tree: PlaceTree, names: NameIndex, storeCount: () => number): NamedStores {
  /** Scratch: 1 for a name that is looked for. */
  let marks = new Uint8Array(1024);

  function countOf(ids: Uint32Array): number {
    const { counts } = names.stores;
    let count = 0;
    for (let i = 0; i < ids.length; i += 1) count += counts[ids[i] as number] as number;
    return count;
  }

  function isWorthWalking(reach: Reach, wish: NamedWish): boolean {
    if (wish.stores < ALWAYS_SCANNED) return false;
    if (reach.farthest !== Infinity || reach.viewport !== null) return true;
    return wish.isNearestFirst && (2 * wish.most * storeCount()) / wish.stores < wish.stores;
  }

  /** False when it gave up after so many looks. */
  function walk(ids: Uint32Array, from: UnitVector, reach: Reach, mostLooks: number, visit: Visit): boolean {
    if (marks.length < names.ceiling) marks = new Uint8Array(names.ceiling * 2);
    for (let i = 0; i < ids.length; i += 1) marks[ids[i] as number] = 1;
    const { nameOf } = names;
    let limit = reach.farthest;
    let looks = 0;
    walkPlaces(tree, from, reach, (ordinal, chordSquared) => {
      looks += 1;
      if (looks > mostLooks) return STOP;
      if (marks[nameOf[ordinal] as number] === 1) limit = visit(ordinal, chordSquared);
      return limit;
    });
    for (let i = 0; i < ids.length; i += 1) marks[ids[i] as number] = 0;
    return looks <= mostLooks;
  }

  function scan(ids: Uint32Array, from: UnitVector, reach: Reach, visit: Visit): void {
    const { data, starts, counts } = names.stores;
    let limit = reach.farthest;
    for (let i = 0; i < ids.length; i += 1) {
      const id = ids[i] as number;
      const start = starts[id] as number;
      const end = start + (counts[id] as number);
      for (let at = start; at < end; at += 1) {
        const ordinal = data[at] as number;
        const chordSquared = chordTo(tree, ordinal, from);
        if (chordSquared <= limit) limit = visit(ordinal, chordSquared);
      }
    }
  }

  return {
    countOf,
    scan,
    visit(ids, from, reach, wish, visit, restart) {
      if (isWorthWalking(reach, wish)) {
        if (walk(ids, from, reach, wish.stores, visit)) return;
        restart();
      }
      scan(ids, from, reach, visit);
    },
  };
}
