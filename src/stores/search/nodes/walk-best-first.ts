import { grownFloat64, grownInt32 } from '../../../lib/columns/grow.ts';
import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { NONE, type SpatialTree } from '../spatial-tree.ts';
import type { StoreSort } from '../store-sort.ts';
import {
  chordToBox,
  farthestChordToBox,
  isWithinReach,
  type Reach,
  STOP,
  type VisitStore,
  walkLeaf,
} from '../walk-tree.ts';
import { mayHold } from './node-filter.ts';
import { isSmall, nextListed, visitListed, WORDS_OF_LISTED } from './rated-slots.ts';
import { fiftiethsOf, type SlotFilter, slotFilterOf } from './slot-traits.ts';

/** Stores up to this position are of no interest; null: every store is. */
export type WalkStart = { key: number; chordSquared: number } | null;

export type BestFirstVisitor = {
  visit: VisitStore;
  /** Whether no store of that key and squared chord, or beyond, is of interest. */
  isBeyond(key: number, chordSquared: number): boolean;
  /** No store of a larger key is of interest. */
  worstKey(): number;
};

/**
 * Visits stores by the best key that their node may hold, and near nodes first among equal keys. The walk ends when no
 * node is left that may hold a store of interest.
 */
export type BestFirstWalk = (
  tree: SpatialTree,
  from: UnitVector,
  reach: Reach,
  order: { sort: StoreSort; start: WalkStart },
  visitor: BestFirstVisitor,
) => void;

/** In place of where a list goes on: the node is walked down to its leaves. */
const WALKED = -1;

/** A walk owns the heap of the nodes that it has yet to visit: a visitor must not start the same walk. */
export function createBestFirstWalk(): BestFirstWalk {
  const heap = createNodeHeap();

  return (tree, from, reach, { sort, start }, visitor) => {
    const { firstChild, summaries, boxes } = tree;
    const limited = { ...reach };
    const base = slotFilterOf(reach.filter);
    const { minKeyOfFiftieths } = sort;
    const lists = minKeyOfFiftieths === null || reach.viewport !== null || reach.delivers ? null : tree.ratedSlots;

    function push(node: number, mayBeListed: boolean): void {
      if (!mayHold(summaries, node, reach.filter)) return;
      const chord = chordToBox(boxes, node, from);
      if (chord > limited.farthest || !isWithinReach(tree, from, limited, node, chord)) return;
      const isListed = mayBeListed && lists !== null && isSmall(tree, node);
      // The list of a node that is partly within reach has stores all over the node.
      const position = isListed && farthestChordToBox(boxes, node, from) <= limited.farthest ? 0 : WALKED;
      pushFrom(position, sort.boundOf(summaries, node, chord), chord, node);
    }

    function pushFrom(position: number, bound: number, chord: number, node: number): void {
      let key = bound;
      if (start !== null && key <= start.key) {
        const isPassed = farthestChordToBox(boxes, node, from) < start.chordSquared;
        // No key follows that of stores whose key is unknown.
        if (isPassed && start.key === Infinity) return;
        key = isPassed ? keyAfter(start.key) : start.key;
      }
      if (!visitor.isBeyond(key, chord)) heap.push(key, chord, node, position);
    }

    const run: RunWalk = { tree, from, base, sort, start, limited, visit: visitor.visit, pushFrom };

    function walkLeafNow(leaf: number): number {
      const rating = Math.max(base.rating, sort.leastFiftieths(visitor.worstKey()));
      const part = { leaf, farthest: limited.farthest, delivers: reach.delivers, slots: { ...base, rating } };
      return walkLeaf(tree, from, part, visitor.visit);
    }

    heap.clear();
    push(0, true);
    while (heap.size() > 0) {
      const chord = heap.topChord();
      if (visitor.isBeyond(heap.topKey(), chord)) return;
      const position = heap.topPosition();
      const node = heap.pop();
      const child = firstChild[node] as number;
      if (position === WALKED && child !== NONE) {
        const mayBeListed = !isSmall(tree, node);
        push(child, mayBeListed);
        push(child + 1, mayBeListed);
        continue;
      }
      const limit =
        lists === null || position === WALKED
          ? walkLeafNow(node)
          : walkRun(run, { list: lists.of(node), position, chord, node });
      if (limit === STOP) return;
      limited.farthest = Math.min(limited.farthest, limit);
    }
  };
}

type RunWalk = {
  tree: SpatialTree;
  from: UnitVector;
  base: SlotFilter;
  sort: StoreSort;
  start: WalkStart;
  limited: Pick<Reach, 'farthest'>;
  visit: VisitStore;
  pushFrom(position: number, bound: number, chord: number, node: number): void;
};
type ListedNode = { list: Uint32Array; position: number; chord: number; node: number };

/** Visits the stores of equal rating from the position on, and leaves the rest of the list for later. */
function walkRun(walk: RunWalk, { list, position, chord, node }: ListedNode): number {
  const { tree, from, base, sort } = walk;
  let limit = walk.limited.farthest;
  let at = positionAfterStart(walk, list, position);
  // The stores in front do not count: other nodes may have better stores than the next one here.
  const rating = at === position ? fiftiethsOf(list[at] ?? 0) : -1;
  while (at < list.length && fiftiethsOf(list[at] as number) === rating) {
    limit = visitListed(tree, from, { list, at, farthest: limit }, walk.visit);
    if (limit === STOP) return STOP;
    at = nextListed(list, at + WORDS_OF_LISTED, base);
  }
  if (at < list.length) walk.pushFrom(at, sort.minKeyOfFiftieths?.(fiftiethsOf(list[at] as number)) ?? 0, chord, node);
  return limit;
}

/** The first position from this one on of a store that meets the filter and has no better rating than the start. */
function positionAfterStart({ base, sort, start }: RunWalk, list: Uint32Array, position: number): number {
  let at = nextListed(list, position, base);
  const maxFiftieths = start === null ? Infinity : sort.leastFiftieths(start.key);
  while (at < list.length && fiftiethsOf(list[at] as number) > maxFiftieths) {
    at = nextListed(list, at + WORDS_OF_LISTED, base);
  }
  return at;
}

/** The least number over the key; Infinity for Infinity. A step of that share is one unit in the last place. */
function keyAfter(key: number): number {
  return key + Math.max(Number.MIN_VALUE, Math.abs(key) * 1.2e-16);
}

/** Nodes, each with a position in its list, the lowest key first, then the lowest chord. */
function createNodeHeap() {
  let keys = new Float64Array(256);
  let chords = new Float64Array(256);
  let nodes = new Int32Array(256);
  let positions = new Int32Array(256);
  let size = 0;

  function isBefore(key: number, chord: number, at: number): boolean {
    const other = keys[at] as number;
    return key === other ? chord < (chords[at] as number) : key < other;
  }

  function put(at: number, key: number, chord: number, node: number, position: number): void {
    keys[at] = key;
    chords[at] = chord;
    nodes[at] = node;
    positions[at] = position;
  }

  function move(to: number, from: number): void {
    put(to, keys[from] as number, chords[from] as number, nodes[from] as number, positions[from] as number);
  }

  /** Moves the node at `moving`, the last of the heap, to its position below the free top. */
  function sink(moving: number): void {
    const [key, chord] = [keys[moving] as number, chords[moving] as number];
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && isBefore(keys[child + 1] as number, chords[child + 1] as number, child)) child += 1;
      if (isBefore(key, chord, child)) break;
      move(at, child);
      at = child;
    }
    move(at, moving);
  }

  return {
    clear(): void {
      size = 0;
    },
    size: () => size,
    topKey: () => keys[0] as number,
    topChord: () => chords[0] as number,
    topPosition: () => positions[0] as number,
    push(key: number, chord: number, node: number, position: number): void {
      if (size === keys.length) {
        keys = grownFloat64(keys, size + 1);
        chords = grownFloat64(chords, keys.length);
        nodes = grownInt32(nodes, keys.length);
        positions = grownInt32(positions, keys.length);
      }
      let at = size;
      size += 1;
      for (; at > 0; at = (at - 1) >> 1) {
        const parent = (at - 1) >> 1;
        if (!isBefore(key, chord, parent)) break;
        move(at, parent);
      }
      put(at, key, chord, node, position);
    },
    pop(): number {
      const top = nodes[0] as number;
      size -= 1;
      if (size > 0) sink(size);
      return top;
    },
  };
}
