import type { UnitVector } from '../../lib/geo/sphere.ts';
import type { GroupList, GroupLists } from './groups/group-lists.index.ts';
import { createGroupMarks, isMarked } from './groups/group-marks.index.ts';
import type { GroupTree, GroupTrees } from './groups/group-trees.index.ts';
import type { RecentChanges } from './groups/recent-changes.index.ts';
import type { Group } from './groups/store-group.ts';
import { createListWalk } from './groups/walk-list.ts';
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

type CandidateInputs = {
  spatial: SpatialIndex;
  names: NameIndex;
  groupTrees: GroupTrees;
  groupLists: GroupLists;
  changes: RecentChanges;
};

/** A smaller group is scanned store by store, wherever its stores are. */
const ALWAYS_SCANNED = 1000;

/** The same by distance: all stores are visited as quickly as a list of them is made. */
const SCANNED_BY_DISTANCE = 64;

/** A store of a list that is made costs about as much as so many visits of a walk of all stores. */
const LISTING_COST = 2;

/** A larger group has no list: making the list would take more than 5 ms, and a walk meets stores of the group soon. */
const MAX_LISTED_STORES = 65_536;

/** Visiting a store on a walk costs about as much as scanning so many stores. */
const WALK_COST = 8;

/**
 * Stores are visited from near to far where enough of them are near. A walk that has cost as much as scanning the whole
 * group gives up, and the group is scanned.
 */
export function createCandidates(
  { spatial, names, groupTrees, groupLists, changes }: CandidateInputs,
  storeCount: () => number,
): Candidates {
  const walkTree = createTreeWalk();
  const walkBestFirst = createBestFirstWalk();
  const walkList = createListWalk();
  const { marksOf } = createGroupMarks(names);

  /** How many stores a walk may visit; 0 where a scan is cheaper. */
  function maxVisitsOf(group: Group, reach: Reach, wanted: Wanted): number {
    const count = group === null ? storeCount() : groupTrees.countOf(group);
    const isBounded = isBoundedBy(reach);
    if (group === null) return ALWAYS_SCANNED + count / WALK_COST;
    if (!wanted.sort.isNearestFirst && !isBounded) return 0;
    if (count < ALWAYS_SCANNED) return 0;
    return isBounded || (2 * wanted.limit * storeCount()) / count < count ? count : 0;
  }

  /** Returns how many stores were visited: more than `maxVisits` when the walk gave up. */
  function walk(group: Group, { from, reach, wanted, visitor }: Walk, maxVisits: number): number {
    const { nameOf } = names;
    const marks = group === null ? null : marksOf(group);
    let limit = reach.farthest;
    let visits = 0;
    walkBy(spatial, from, reach, wanted, visitor, (ordinal, chordSquared, isCore) => {
      visits += 1;
      if (visits > maxVisits) return STOP;
      if (marks !== null && !isMarked(marks, nameOf[ordinal] as number)) return limit;
      if (visitor.acceptsFound(ordinal)) limit = visitor.visit(ordinal, chordSquared, isCore);
      return limit;
    });
    return visits;
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
      const marks = marksOf(group);
      for (const ordinal of changes.storesSince(own.changes)) {
        if (isMarked(marks, names.nameOf[ordinal] as number))
          limit = visitScanned(ordinal, from, reach, limit, visitor);
      }
    }
    walkBy(own.tree, from, reach, wanted, visitor, (ordinal, chordSquared, isCore) => {
      if (!isCurrent && changes.hasChangedSince(ordinal, own.changes)) return limit;
      if (visitor.acceptsFound(ordinal)) limit = visitor.visit(ordinal, chordSquared, isCore);
      return limit;
    });
  }

  /** By distance: a list of the group's stores is walked, unless a walk of all stores costs less than making the list. */
  function visitByDistance(group: Uint32Array, near: Walk): void {
    const { from, reach, wanted, visitor } = near;
    const known = groupLists.listOf(group);
    if (known !== null) {
      walkListed(known, near);
      return;
    }
    const count = groupTrees.countOf(group);
    if (count < SCANNED_BY_DISTANCE) {
      scanNamed(group, from, reach, visitor);
      return;
    }
    const mayBeListed = count <= MAX_LISTED_STORES;
    const expectedVisits = (wanted.limit * storeCount()) / count;
    const isListedAtOnce = mayBeListed && groupLists.noteVisits(group, expectedVisits) >= count * LISTING_COST;
    if (!isListedAtOnce) {
      if (walk(group, near, count) <= count) return;
      visitor.restart();
    }
    if (mayBeListed) walkListed(groupLists.make(group), near);
    else scanNamed(group, from, reach, visitor);
  }

  /** As `walkOwn`: stores that have changed since the list was made are visited as they are now. */
  function walkListed(list: GroupList, { from, reach, visitor }: Walk): void {
    const isCurrent = changes.count === list.changes;
    let farthest = reach.farthest;
    for (const ordinal of list.changed) farthest = visitScanned(ordinal, from, reach, farthest, visitor);
    walkList(spatial, list, from, { ...reach, farthest }, (ordinal, limit) => {
      if (!isCurrent && changes.hasChangedSince(ordinal, list.changes)) return limit;
      return visitScanned(ordinal, from, reach, limit, visitor);
    });
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
    for (let i = 0; i < group.length; i += 1) {
      const start = starts[group[i] as number] as number;
      const end = start + (counts[group[i] as number] as number);
      for (let at = start; at < end; at += 1) {
        const ordinal = data[at] as number;
        limit = visitScanned(ordinal, from, reach, limit, visitor);
      }
    }
  }

  /** By any other sort: from near to far, or the best nodes first. */
  function visitBySort(group: Group, best: Walk): void {
    const { from, reach, wanted, visitor } = best;
    const own = group === null ? null : groupTrees.treeOf(group);
    if (group !== null && own !== null) {
      walkOwn(own, group, best);
      return;
    }
    const maxVisits = maxVisitsOf(group, reach, wanted);
    if (maxVisits > 0) {
      const visits = walk(group, best, maxVisits);
      if (group !== null) groupTrees.recordVisits(group, Math.min(visits, maxVisits));
      if (visits <= maxVisits) return;
      visitor.restart();
    }
    scan(group, from, reach, visitor);
    if (group !== null) groupTrees.recordVisits(group, groupTrees.countOf(group));
  }

  return {
    visit(group, from, reach, wanted, visitor) {
      const walk = { from, reach, wanted, visitor };
      if (group !== null && wanted.sort.isByDistance) visitByDistance(group, walk);
      else visitBySort(group, walk);
    },
  };
}

function isBoundedBy({ farthest, viewport, delivers }: Reach): boolean {
  return farthest !== Infinity || viewport !== null || delivers;
}
