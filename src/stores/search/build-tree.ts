import { unitVectorAt } from '../../lib/geo/sphere.ts';
import { type Cell, MAX_HALVINGS, middleOf } from './halved-cell.ts';
import { mergeBoxes } from './nodes/merge-boxes.ts';
import { refreshLeaf, refreshParent } from './nodes/refresh-nodes.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { BLOCK_SIZE, type DeliveryRange, NONE, widenNode } from './spatial-tree.ts';
import type { TreeLeaves } from './tree-leaves.ts';

/** Nodes between two places where the work may be interrupted. */
const STEP_NODES = 64;

/** Stores `from` to `end` of a list lie in the cell of a node. */
type Part = { node: number; depth: number; from: number; end: number; cell: Cell };

export type BuiltTree = {
  leaves: TreeLeaves;
  /** The stores, which the work reorders. */
  ordinals: Uint32Array;
  rangeOf(ordinal: number): DeliveryRange;
};

/**
 * Fills a tree that has one empty leaf, its root: the same nodes as if the stores were inserted one after the other, at
 * a tenth of the cost. A store is looked at once at each depth, and nodes are summed up from their leaves.
 */
export function* buildTree(tree: SpatialIndex, { leaves, ordinals, rangeOf }: BuiltTree): Generator<void> {
  const root: Cell = { south: -90, north: 90, west: -180, east: 180 };
  const waiting: Part[] = [{ node: 0, depth: 0, from: 0, end: ordinals.length, cell: root }];
  const parents: number[] = [];
  for (let nodes = 1; waiting.length > 0; nodes += 1) {
    const part = waiting.pop() as Part;
    if (part.end - part.from <= BLOCK_SIZE || part.depth >= MAX_HALVINGS) fillLeaf(part);
    else halve(part);
    if (nodes % STEP_NODES === 0) yield;
  }
  // The children of a node were halved after it.
  for (let nth = parents.length - 1; nth >= 0; nth -= 1) {
    const node = parents[nth] as number;
    const first = tree.firstChild[node] as number;
    mergeBoxes(tree, node, first);
    refreshParent(tree, node, first);
    if (nth % STEP_NODES === 0) yield;
  }

  function halve({ node, depth, from, end, cell }: Part): void {
    const middle = partition(tree, ordinals, { node, depth, from, end, cell });
    const first = leaves.addNode();
    leaves.addNode();
    tree.firstChild[node] = first;
    tree.firstBlock[node] = NONE;
    parents.push(node);
    const below = { depth: depth + 1 };
    waiting.push({ ...below, node: first + 1, from: middle, end, cell: halfOf(cell, depth, 1) });
    waiting.push({ ...below, node: first, from, end: middle, cell: halfOf(cell, depth, 0) });
  }

  function fillLeaf({ node, from, end }: Part): void {
    for (let nth = from; nth < end; nth += 1) {
      const ordinal = ordinals[nth] as number;
      const [latitude, longitude] = [tree.latitudes[ordinal] as number, tree.longitudes[ordinal] as number];
      const vector = unitVectorAt(latitude, longitude);
      widenNode(tree, node, vector, { latitude, longitude });
      leaves.add(node, ordinal, rangeOf(ordinal), vector);
    }
    refreshLeaf(tree, tree.columns, node);
  }
}

/** Moves the stores of the southern or western half to the front; returns where the other half begins. */
function partition(
  { latitudes, longitudes }: SpatialIndex,
  ordinals: Uint32Array,
  { depth, from, end, cell }: Part,
): number {
  let [low, high] = [from, end - 1];
  const { coordinates, middle } =
    depth % 2 === 0
      ? { coordinates: latitudes, middle: middleOf(cell.south, cell.north) }
      : { coordinates: longitudes, middle: middleOf(cell.west, cell.east) };
  for (;;) {
    while (low <= high && (coordinates[ordinals[low] as number] as number) < middle) low += 1;
    while (low <= high && (coordinates[ordinals[high] as number] as number) >= middle) high -= 1;
    if (low > high) return low;
    const moved = ordinals[low] as number;
    ordinals[low] = ordinals[high] as number;
    ordinals[high] = moved;
  }
}

function halfOf(cell: Cell, depth: number, side: 0 | 1): Cell {
  const isLatitude = depth % 2 === 0;
  const middle = isLatitude ? middleOf(cell.south, cell.north) : middleOf(cell.west, cell.east);
  if (isLatitude) return side === 1 ? { ...cell, south: middle } : { ...cell, north: middle };
  return side === 1 ? { ...cell, west: middle } : { ...cell, east: middle };
}
