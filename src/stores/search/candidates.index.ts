import type { UnitVector } from '../../lib/geo/sphere.ts';
import type { GroupTree, GroupTrees } from './groups/group-trees.index.ts';
import type { RecentChanges } from './groups/recent-changes.index.ts';
import type { Group } from './groups/store-group.ts';
import type { NameIndex } from './name.index.ts';
import { type BestFirstVisitor, createBestFirstWalk, type WalkStart } from './nodes/walk-best-first.ts';
import type { SpatialIndex } from './spatial.index.ts';
import type { SpatialTree } from './spatial-tree.ts';
import type { StoreSort } from './store-sort.ts';
import { chordTo, createTreeWalk, type Reach, STOP, type VisitStore } from './walk-tree.ts';

export type StoreVisitor = {
  /** Whether the store could be in the result, judged without its distance. */
  accepts(ordinal: number): boolean;
  /** The same of a store that a walk of a tree has found: its slot has met the filter. */
  acceptsFound(ordinal: number): boolean;
  /** As `VisitStore`, with accepted stores only. */
  visit(ordinal: number, chordSquared: number, isCore: boolean): number;
};

export type Visitor = StoreVisitor & {
  isBeyond: BestFirstVisitor['isBeyond'];
  worstKey: BestFirstVisitor['worstKey'];
  /** All stores that were visited will be visited again. */
  restart(): void;
};

type Walk = { from: UnitVector; reach: Reach; wanted: Wanted; visitor: Visitor };

/** The visitor wants `limit` stores that follow `start` by the sort. */
export type Wanted = { limit: number; sort: StoreSort; start: WalkStart };

export type Candidates = {
  /** Shows the visitor every store of the group within reach that it may be interested in. */
  visit(group: Group, from: UnitVector, reach: Reach, wanted: Wanted, visitor: Visitor): void;
};

type CandidateInputs = { spatial: SpatialIndex; names: NameIndex; groupTrees: GroupTrees; changes: RecentChanges };

/** A smaller group is scanned store by store, wherever its stores are. */
const ALWAYS_SCANNED = 1000;

/** Visiting a store on a walk costs about as much as scanning so many stores. */
const WALK_COST = 8;

/**
 * Stores are visited from near to far where enough of them are near. A walk that has cost as much as scanning the whole
 * group gives up, and the group is scanned.
 */
export function createCandidates(
  { spatial, names, groupTrees, changes }: CandidateInputs,
  storeCount: () => number,
): Candidates {
  const walkTree = createTreeWalk();
  const walkBestFirst = createBestFirstWalk();
  /** 1 for each name of the group that was last walked for: popular groups recur. */
  let marks = new Uint8Array(1024);
  let marked: Uint32Array = new Uint32Array(0);

  /** How many stores a walk may visit; 0 where a scan is cheaper. */
  function maxVisitsOf(group: Group, reach: Reach, wanted: Wanted): number {
    const count = group === null ? storeCount() : groupTrees.countOf(group);
    const isBounded = isBoundedBy(reach);
    if (group === null) return ALWAYS_SCANNED + count / WALK_COST;
    if (!wanted.sort.isNearestFirst && !isBounded) return 0;
    if (count < ALWAYS_SCANNED) return 0;
    return isBounded || (2 * wanted.limit * storeCount()) / count < count ? count : 0;
  }

  /** False when the walk gave up after `maxVisits`. */
  function walk(
    group: Group,
    from: UnitVector,
    reach: Reach,
    wanted: Wanted & { maxVisits: number },
    visitor: Visitor,
  ): boolean {
    const { maxVisits } = wanted;
    const { nameOf } = names;
    let limit = reach.farthest;
    let visits = 0;
    if (group !== null) mark(group);
    walkBy(spatial, from, reach, wanted, visitor, (ordinal, chordSquared, isCore) => {
      visits += 1;
      if (visits > maxVisits) return STOP;
      if (group !== null && marks[nameOf[ordinal] as number] !== 1) return limit;
      if (visitor.acceptsFound(ordinal)) limit = visitor.visit(ordinal, chordSquared, isCore);
      return limit;
    });
    if (group !== null) groupTrees.recordVisits(group, Math.min(visits, maxVisits));
    return visits <= maxVisits;
  }

  /** By distance a walk without a heap is quicker. */
  function walkBy(
    tree: SpatialTree,
    from: UnitVector,
    reach: Reach,
    { sort, start }: Wanted,
    { isBeyond, worstKey }: Visitor,
    visit: VisitStore,
  ): void {
    if (sort.isByDistance) walkTree(tree, from, reach, visit);
    else walkBestFirst(tree, from, reach, { sort, start }, { isBeyond, worstKey, visit });
  }

  /** Stores that have changed since the tree was packed are visited as they are now, and not as the tree has them. */
  function walkOwn(own: GroupTree, group: Uint32Array, { from, reach, wanted, visitor }: Walk): void {
    let limit = reach.farthest;
    const isCurrent = changes.count === own.changes;
    if (!isCurrent) {
      mark(group);
      for (const ordinal of changes.storesSince(own.changes)) {
        const isOfGroup = marks[names.nameOf[ordinal] as number] === 1;
        if (isOfGroup) limit = visitScanned(ordinal, from, reach, limit, visitor);
      }
    }
    walkBy(own.tree, from, reach, wanted, visitor, (ordinal, chordSquared, isCore) => {
      if (!isCurrent && changes.hasChangedSince(ordinal, own.changes)) return limit;
      if (visitor.acceptsFound(ordinal)) limit = visitor.visit(ordinal, chordSquared, isCore);
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

  function scan(group: Group, from: UnitVector, reach: Reach, visitor: StoreVisitor): void {
    if (group === null) scanAll(from, reach, visitor);
    else scanNamed(group, from, reach, visitor);
  }

  function scanAll(from: UnitVector, reach: Reach, visitor: StoreVisitor): void {
    let limit = reach.farthest;
    const { nameOf } = names;
    for (let ordinal = 0; ordinal < nameOf.length; ordinal += 1) {
      if (nameOf[ordinal] !== 0) limit = visitScanned(ordinal, from, reach, limit, visitor);
    }
  }

  /** As a walk visits a store: only within reach. */
  function visitScanned(
    ordinal: number,
    from: UnitVector,
    { delivers }: Reach,
    limit: number,
    visitor: StoreVisitor,
  ): number {
    // Reading where a store is costs less than judging the store, but rules nothing out on the whole earth.
    if (limit === Infinity && !visitor.accepts(ordinal)) return limit;
    const chordSquared = chordTo(spatial, ordinal, from);
    if (chordSquared > limit || (limit !== Infinity && !visitor.accepts(ordinal))) return limit;
    if (!delivers) return visitor.visit(ordinal, chordSquared, false);
    const range = spatial.rangeOf(ordinal);
    return chordSquared > range.reach ? limit : visitor.visit(ordinal, chordSquared, chordSquared < range.core);
  }

  function scanNamed(group: Uint32Array, from: UnitVector, reach: Reach, visitor: StoreVisitor): void {
    const { data, starts, counts } = names.stores;
    let limit = reach.farthest;
    let visits = 0;
    for (let i = 0; i < group.length; i += 1) {
      const start = starts[group[i] as number] as number;
      const end = start + (counts[group[i] as number] as number);
      visits += end - start;
      for (let at = start; at < end; at += 1) {
        const ordinal = data[at] as number;
        limit = visitScanned(ordinal, from, reach, limit, visitor);
      }
    }
    groupTrees.recordVisits(group, visits);
  }

  return {
    visit(group, from, reach, wanted, visitor) {
      const own = group === null ? null : groupTrees.treeOf(group);
      if (group !== null && own !== null) {
        walkOwn(own, group, { from, reach, wanted, visitor });
        return;
      }
      const maxVisits = maxVisitsOf(group, reach, wanted);
      if (maxVisits > 0) {
        if (walk(group, from, reach, { ...wanted, maxVisits }, visitor)) return;
        visitor.restart();
      }
      scan(group, from, reach, visitor);
    },
  };
}

function isBoundedBy({ farthest, viewport, delivers }: Reach): boolean {
  return farthest !== Infinity || viewport !== null || delivers;
}
