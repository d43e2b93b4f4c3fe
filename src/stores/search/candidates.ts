import type { UnitVector } from '../../lib/geo/sphere.ts';
import type { GroupPlaces } from './group-places.ts';
import type { NameIndex } from './name-index.ts';
import type { PlaceTree } from './place-tree.ts';
import { chordTo, type Reach, STOP, type WalkedTree, walkPlaces } from './walk-places.ts';

/** Stores that rank together: those of some names, or all (null). */
export type Group = Uint32Array | null;

export type Visitor = {
  /** Whether the store could matter, judged without its distance. */
  wants(ordinal: number): boolean;
  /** Gets a wanted store and its squared chord; answers how far it is still interested. */
  visit(ordinal: number, chordSquared: number): number;
  /** All that was seen will be seen again. */
  restart(): void;
};

/** `most` stores are wanted; `isNearestFirst` says that the visitor loses interest in far ones. */
export type Wish = { most: number; isNearestFirst: boolean };

export type Candidates = {
  /** Shows the visitor every store of the group within reach that it may be interested in. */
  visit(group: Group, from: UnitVector, reach: Reach, wish: Wish, visitor: Visitor): void;
  /** The same for a visitor that wants them all. */
  scan(group: Group, from: UnitVector, reach: Reach, visitor: Visitor): void;
};

/** Fewer stores than this are looked at one by one, wherever they are. */
const ALWAYS_SCANNED = 1000;

/** Looking at a store on a walk costs about as much as looking at so many in a row. */
const WALK_COST = 8;

/**
 * Stores are looked for from near to far, where enough of them soon come by; a walk that has cost as much as looking
 * at the whole group in a row gives up, and that is done instead.
 */
export function createCandidates(
  { tree, names, groupPlaces }: { tree: PlaceTree; names: NameIndex; groupPlaces: GroupPlaces },
  storeCount: () => number,
): Candidates {
  /** 1 for a name of the group that was last walked for: popular ones are asked for again and again. */
  let marks = new Uint8Array(1024);
  let marked: Uint32Array = new Uint32Array(0);

  /** How many stores a walk may look at; 0 when it is not worth beginning. */
  function looksOf(group: Group, reach: Reach, wish: Wish): number {
    const count = group === null ? storeCount() : groupPlaces.countOf(group);
    const isBounded = isBoundedBy(reach);
    if (!wish.isNearestFirst && !isBounded) return 0;
    if (group === null) return ALWAYS_SCANNED + count / WALK_COST;
    if (count < ALWAYS_SCANNED) return 0;
    return isBounded || (2 * wish.most * storeCount()) / count < count ? count : 0;
  }

  /** False when it gave up after so many looks. */
  function walk(group: Group, from: UnitVector, reach: Reach, mostLooks: number, visitor: Visitor): boolean {
    const { nameOf } = names;
    let limit = reach.farthest;
    let looks = 0;
    if (group !== null) mark(group);
    walkPlaces(tree, from, reach, (ordinal, chordSquared) => {
      looks += 1;
      if (looks > mostLooks) return STOP;
      if (group !== null && marks[nameOf[ordinal] as number] !== 1) return limit;
      if (visitor.wants(ordinal)) limit = visitor.visit(ordinal, chordSquared);
      return limit;
    });
    if (group !== null) groupPlaces.spend(group, Math.min(looks, mostLooks));
    return looks <= mostLooks;
  }

  function walkOwn(own: WalkedTree, from: UnitVector, reach: Reach, visitor: Visitor): void {
    let limit = reach.farthest;
    walkPlaces(own, from, reach, (ordinal, chordSquared) => {
      if (visitor.wants(ordinal)) limit = visitor.visit(ordinal, chordSquared);
      return limit;
    });
  }

  function mark(group: Uint32Array): void {
    if (group === marked && names.ceiling <= marks.length) return;
    if (names.ceiling > marks.length) marks = new Uint8Array(names.ceiling * 2);
    else for (let i = 0; i < marked.length; i += 1) marks[marked[i] as number] = 0;
    for (let i = 0; i < group.length; i += 1) marks[group[i] as number] = 1;
    marked = group;
  }

  function scan(group: Group, from: UnitVector, reach: Reach, visitor: Visitor): void {
    if (group === null) scanAll(from, reach, visitor);
    else scanNamed(group, from, reach, visitor);
  }

  function scanAll(from: UnitVector, reach: Reach, visitor: Visitor): void {
    let limit = reach.farthest;
    const { nameOf } = names;
    for (let ordinal = 0; ordinal < nameOf.length; ordinal += 1) {
      if (nameOf[ordinal] === 0 || !visitor.wants(ordinal)) continue;
      const chordSquared = chordTo(tree, ordinal, from);
      if (chordSquared <= limit) limit = visitor.visit(ordinal, chordSquared);
    }
  }

  function scanNamed(group: Uint32Array, from: UnitVector, reach: Reach, visitor: Visitor): void {
    const { data, starts, counts } = names.stores;
    let limit = reach.farthest;
    let looks = 0;
    for (let i = 0; i < group.length; i += 1) {
      const start = starts[group[i] as number] as number;
      const end = start + (counts[group[i] as number] as number);
      looks += end - start;
      for (let at = start; at < end; at += 1) {
        const ordinal = data[at] as number;
        if (!visitor.wants(ordinal)) continue;
        const chordSquared = chordTo(tree, ordinal, from);
        if (chordSquared <= limit) limit = visitor.visit(ordinal, chordSquared);
      }
    }
    groupPlaces.spend(group, looks);
  }

  return {
    scan,
    visit(group, from, reach, wish, visitor) {
      const own = group !== null && (wish.isNearestFirst || isBoundedBy(reach)) ? groupPlaces.treeOf(group) : null;
      if (own !== null) {
        walkOwn(own, from, reach, visitor);
        return;
      }
      const mostLooks = looksOf(group, reach, wish);
      if (mostLooks > 0) {
        if (walk(group, from, reach, mostLooks, visitor)) return;
        visitor.restart();
      }
      scan(group, from, reach, visitor);
    },
  };
}

function isBoundedBy({ farthest, viewport }: Reach): boolean {
  return farthest !== Infinity || viewport !== null;
}
