import { lowerBound } from '../../../lib/columns/lower-bound.ts';
import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { CELL_KEY_BITS } from '../nodes/cell-key.ts';
import { mayHold } from '../nodes/node-filter.ts';
import { NONE, type SpatialTree } from '../spatial-tree.ts';
import { chordToBox, isWithinReach, type Reach } from '../walk-tree.ts';
import type { StoresByCell } from './sort-by-cell.ts';

/** Deeper than the tree is halved by numbers of cells: a descent leaves at most one sibling behind at each level. */
const STACK_DEPTH = CELL_KEY_BITS + 2;

/** So few stores are visited as quickly as the nodes above them. */
const VISITED_AT_ONCE = 4;

/** Gets a store that may be within reach, and how far the visitor is interested; returns how far the visitor still is. */
export type VisitListed = (ordinal: number, limit: number) => number;

/** Visits the stores of a list within reach, near cells first; also some stores outside of the reach. */
export type ListWalk = (
  tree: SpatialTree,
  list: StoresByCell,
  from: UnitVector,
  reach: Reach,
  visit: VisitListed,
) => void;

/**
 * The nodes of the tree of all stores divide a list that is sorted by cell: each node has one range of the list, and
 * nodes without a store of the list are passed over unread. A walk owns its stack: a visitor must not start the same walk.
 */
export function createListWalk(): ListWalk {
  const nodes = new Int32Array(STACK_DEPTH);
  const chords = new Float64Array(STACK_DEPTH);
  /** By entry: where the node's range of the list begins and ends, the node's first cell, and the node's depth. */
  const froms = new Uint32Array(STACK_DEPTH);
  const ends = new Uint32Array(STACK_DEPTH);
  const cells = new Uint32Array(STACK_DEPTH);
  const depths = new Uint8Array(STACK_DEPTH);

  function put(top: number, node: number, chord: number, part: { from: number; end: number; cell: number }): void {
    nodes[top] = node;
    chords[top] = chord;
    froms[top] = part.from;
    ends[top] = part.end;
    cells[top] = part.cell;
  }

  /** Puts the farther child below the nearer one; returns the new height of the stack. */
  function pushChildren(
    tree: SpatialTree,
    list: StoresByCell,
    from: UnitVector,
    reach: Reach,
    { top, first }: { top: number; first: number },
  ): number {
    const [begin, end, cell, depth] = [
      froms[top] as number,
      ends[top] as number,
      cells[top] as number,
      depths[top] as number,
    ];
    const half = (cell + 2 ** (CELL_KEY_BITS - 1 - depth)) >>> 0;
    const middle = lowerBound(list.cells, half, begin, end);
    const low = begin < middle ? chordWithin(tree, from, reach, first) : Infinity;
    const high = middle < end ? chordWithin(tree, from, reach, first + 1) : Infinity;
    let height = top;
    const push = (side: 0 | 1): void => {
      depths[height] = depth + 1;
      if (side === 0) put(height, first, low, { from: begin, end: middle, cell });
      else put(height, first + 1, high, { from: middle, end, cell: half });
      height += 1;
    };
    const near = low <= high ? 0 : 1;
    if (Math.max(low, high) !== Infinity) push(near === 0 ? 1 : 0);
    if (Math.min(low, high) !== Infinity) push(near);
    return height;
  }

  return (tree, list, from, reach, visit) => {
    let limit = reach.farthest;
    put(0, 0, 0, { from: 0, end: list.ordinals.length, cell: 0 });
    depths[0] = 0;
    for (let height = 1; height > 0; ) {
      const top = height - 1;
      height = top;
      if ((chords[top] as number) > limit) continue;
      const first = tree.firstChild[nodes[top] as number] as number;
      const [begin, end] = [froms[top] as number, ends[top] as number];
      if (first !== NONE && end - begin > VISITED_AT_ONCE && (depths[top] as number) < CELL_KEY_BITS) {
        height = pushChildren(tree, list, from, reach, { top, first });
        continue;
      }
      for (let at = begin; at < end; at += 1) limit = visit(list.ordinals[at] as number, limit);
    }
  };
}

/** The squared chord to the box of a node; Infinity for a node without a part of the reach. */
function chordWithin(tree: SpatialTree, from: UnitVector, reach: Reach, node: number): number {
  if (!mayHold(tree.summaries, node, reach.filter)) return Infinity;
  const chord = chordToBox(tree.boxes, node, from);
  return isWithinReach(tree, from, reach, node, chord) ? chord : Infinity;
}
