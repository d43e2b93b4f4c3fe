import { type Cell, narrow } from './halved-cell.ts';
import { BLOCK_SIZE, NO_REACH, NONE, SLOT_BITS, SLOT_MASK, type SpatialTree } from './spatial-tree.ts';

/**
 * Brings the reaches of the nodes above a coordinate up to date after the reach of a store there has changed. `path` is
 * room for as many nodes as the tree is deep.
 */
export function refreshReaches(tree: SpatialTree, latitude: number, longitude: number, path: Uint32Array): void {
  const cell: Cell = { south: -90, north: 90, west: -180, east: 180 };
  let node = 0;
  let depth = 0;
  for (; tree.firstChild[node] !== NONE; depth += 1) {
    path[depth] = node;
    node = (tree.firstChild[node] as number) + narrow(cell, depth, latitude, longitude);
  }
  tree.reaches[node] = reachOfLeaf(tree, node);
  for (depth -= 1; depth >= 0; depth -= 1) {
    const parent = path[depth] as number;
    const first = tree.firstChild[parent] as number;
    tree.reaches[parent] = Math.max(tree.reaches[first] as number, tree.reaches[first + 1] as number);
  }
}

export function reachOfLeaf({ firstBlock, nextBlock, blockSizes, ranges }: SpatialTree, leaf: number): number {
  let reach = NO_REACH;
  for (let block = firstBlock[leaf] as number; block !== NONE; block = nextBlock[block] as number) {
    const start = block * BLOCK_SIZE;
    const end = start + (blockSizes[block] as number);
    const segment = ranges[start >>> SLOT_BITS] as Float32Array;
    for (let at = start; at < end; at += 1) reach = Math.max(reach, segment[(at & SLOT_MASK) * 2 + 1] as number);
  }
  return reach;
}
