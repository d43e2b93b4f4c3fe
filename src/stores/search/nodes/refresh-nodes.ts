import { type Cell, narrow } from '../halved-cell.ts';
import { BLOCK_SIZE, NO_REACH, NONE, SLOT_BITS, SLOT_MASK, type SpatialTree } from '../spatial-tree.ts';
import type { StoreTraits } from '../store-columns.ts';
import { addToSummary, emptySummary, mergeSummaries } from './node-summaries.ts';

/**
 * Brings the reaches and summaries of the nodes above a coordinate up to date after a store there has changed, and
 * forgets their lists and tallies. `path` is room for as many nodes as the tree is deep.
 */
export function refreshNodes(
  tree: SpatialTree,
  traits: StoreTraits,
  { latitude, longitude }: { latitude: number; longitude: number },
  path: Uint32Array,
): void {
  const cell: Cell = { south: -90, north: 90, west: -180, east: 180 };
  let node = 0;
  let depth = 0;
  for (; tree.firstChild[node] !== NONE; depth += 1) {
    path[depth] = node;
    node = (tree.firstChild[node] as number) + narrow(cell, depth, latitude, longitude);
  }
  refreshLeaf(tree, traits, node);
  forgetNode(tree, node);
  for (depth -= 1; depth >= 0; depth -= 1) {
    const parent = path[depth] as number;
    const first = tree.firstChild[parent] as number;
    refreshParent(tree, parent, first);
    forgetNode(tree, parent);
  }
}

/** Forgets what is kept of the stores under a node beside its summary. */
export function forgetNode({ ratedSlots, tallies }: SpatialTree, node: number): void {
  ratedSlots?.forget(node);
  tallies?.forget(node);
}

/** `first` is the first child of the node. */
export function refreshParent(tree: SpatialTree, node: number, first: number): void {
  tree.reaches[node] = Math.max(tree.reaches[first] as number, tree.reaches[first + 1] as number);
  mergeSummaries(tree.summaries, node, first);
}

export function refreshLeaf(tree: SpatialTree, traits: StoreTraits, leaf: number): void {
  const { firstBlock, nextBlock, blockSizes, ranges, ordinals, summaries } = tree;
  let reach = NO_REACH;
  emptySummary(summaries, leaf);
  for (let block = firstBlock[leaf] as number; block !== NONE; block = nextBlock[block] as number) {
    const start = block * BLOCK_SIZE;
    const end = start + (blockSizes[block] as number);
    const segment = ranges[start >>> SLOT_BITS] as Float32Array;
    const stores = ordinals[start >>> SLOT_BITS] as Uint32Array;
    for (let at = start; at < end; at += 1) {
      reach = Math.max(reach, segment[(at & SLOT_MASK) * 2 + 1] as number);
      addToSummary(summaries, leaf, traits, stores[at & SLOT_MASK] as number);
    }
  }
  tree.reaches[leaf] = reach;
}
