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
import { slotFilterOf } from './slot-traits.ts';

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

/** A walk owns the heap of the nodes that it has yet to visit: a visitor must not start the same walk. */
export function createBestFirstWalk(): BestFirstWalk {
  const heap = createNodeHeap();

  return (tree, from, reach, { sort, start }, visitor) => {
    const { firstChild, summaries, boxes } = tree;
    const limited = { ...reach };
    const base = slotFilterOf(reach.filter);

    function push(node: number): void {
      if (!mayHold(summaries, node, reach.filter)) return;
      const chord = chordToBox(boxes, node, from);
      if (chord > limited.farthest || !isWithinReach(tree, from, limited, node, chord)) return;
      let key = sort.boundOf(summaries, node, chord);
      if (start !== null && key <= start.key) {
        key = farthestChordToBox(boxes, node, from) < start.chordSquared ? keyAfter(start.key) : start.key;
      }
      if (!visitor.isBeyond(key, chord)) heap.push(key, chord, node);
    }

    heap.clear();
    push(0);
    while (heap.size() > 0) {
      if (visitor.isBeyond(heap.topKey(), heap.topChord())) return;
      const node = heap.pop();
      const child = firstChild[node] as number;
      if (child !== NONE) {
        push(child);
        push(child + 1);
        continue;
      }
      const rating = Math.max(base.rating, sort.leastFiftieths(visitor.worstKey()));
      const leaf = { leaf: node, farthest: limited.farthest, delivers: reach.delivers, slots: { ...base, rating } };
      const limit = walkLeaf(tree, from, leaf, visitor.visit);
      if (limit === STOP) return;
      limited.farthest = Math.min(limited.farthest, limit);
    }
  };
}

/** The least number over the key; Infinity for Infinity. A step of that share is one unit in the last place. */
function keyAfter(key: number): number {
  return key + Math.max(Number.MIN_VALUE, Math.abs(key) * 1.2e-16);
}

/** Nodes, the lowest key first, then the lowest chord. */
function createNodeHeap() {
  let keys = new Float64Array(256);
  let chords = new Float64Array(256);
  let nodes = new Int32Array(256);
  let size = 0;

  function isBefore(key: number, chord: number, at: number): boolean {
    const other = keys[at] as number;
    return key === other ? chord < (chords[at] as number) : key < other;
  }

  function put(at: number, key: number, chord: number, node: number): void {
    keys[at] = key;
    chords[at] = chord;
    nodes[at] = node;
  }

  function move(to: number, from: number): void {
    put(to, keys[from] as number, chords[from] as number, nodes[from] as number);
  }

  function sink(key: number, chord: number, node: number): void {
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && isBefore(keys[child + 1] as number, chords[child + 1] as number, child)) child += 1;
      if (isBefore(key, chord, child)) break;
      move(at, child);
      at = child;
    }
    put(at, key, chord, node);
  }

  return {
    clear(): void {
      size = 0;
    },
    size: () => size,
    topKey: () => keys[0] as number,
    topChord: () => chords[0] as number,
    push(key: number, chord: number, node: number): void {
      if (size === keys.length) {
        keys = grownFloat64(keys, size + 1);
        chords = grownFloat64(chords, keys.length);
        nodes = grownInt32(nodes, keys.length);
      }
      let at = size;
      size += 1;
      for (; at > 0; at = (at - 1) >> 1) {
        const parent = (at - 1) >> 1;
        if (!isBefore(key, chord, parent)) break;
        move(at, parent);
      }
      put(at, key, chord, node);
    },
    pop(): number {
      const top = nodes[0] as number;
      size -= 1;
      if (size > 0) sink(keys[size] as number, chords[size] as number, nodes[size] as number);
      return top;
    },
  };
}
