import { unitVectorAt } from '../../../lib/geo/sphere.ts';
import { type Cell, MAX_HALVINGS, narrow, sideOf } from '../halved-cell.ts';
import type { SpatialIndex } from '../spatial.index.ts';
import { BLOCK_SIZE, type DeliveryRange, NONE, ordinalAt, rangeAt, widenNode } from '../spatial-tree.ts';
import type { TreeLeaves } from '../tree-leaves.ts';
import { addToSummary } from './node-summaries.ts';
import { forgetNode, refreshLeaf } from './refresh-nodes.ts';

/** Takes a store, whose coordinate the index has, into a tree that is built. Only the nodes above the store change. */
export function insertStore(tree: SpatialIndex, leaves: TreeLeaves, ordinal: number, range: DeliveryRange): void {
  const [latitude, longitude] = [tree.latitudes[ordinal] as number, tree.longitudes[ordinal] as number];
  const vector = unitVectorAt(latitude, longitude);
  const cell: Cell = { south: -90, north: 90, west: -180, east: 180 };
  for (let node = 0, depth = 0; ; depth += 1) {
    widenNode(tree, node, vector, { latitude, longitude });
    tree.reaches[node] = Math.max(tree.reaches[node] as number, Math.fround(range.reach));
    addToSummary(tree.summaries, node, tree.columns, ordinal);
    forgetNode(tree, node);
    if (tree.firstChild[node] === NONE) {
      if (leaves.countOf(node) < BLOCK_SIZE || depth >= MAX_HALVINGS) {
        leaves.add(node, ordinal, range, vector);
        return;
      }
      split(tree, leaves, { leaf: node, depth, cell });
    }
    node = (tree.firstChild[node] as number) + narrow(cell, depth, latitude, longitude);
  }
}

/** A leaf is split when it has exactly one full block. */
function split(
  tree: SpatialIndex,
  leaves: TreeLeaves,
  { leaf, depth, cell }: { leaf: number; depth: number; cell: Cell },
): void {
  const block = leaves.halve(leaf);
  const first = tree.firstChild[leaf] as number;
  for (let i = 0; i < BLOCK_SIZE; i += 1) {
    const ordinal = ordinalAt(tree, block * BLOCK_SIZE + i);
    const latitude = tree.latitudes[ordinal] as number;
    const longitude = tree.longitudes[ordinal] as number;
    const vector = unitVectorAt(latitude, longitude);
    const child = first + sideOf(cell, depth, latitude, longitude);
    widenNode(tree, child, vector, { latitude, longitude });
    leaves.add(child, ordinal, rangeAt(tree, block * BLOCK_SIZE + i), vector);
  }
  leaves.releaseBlock(block);
  for (const child of [first, first + 1]) refreshLeaf(tree, tree.columns, child);
}
