import { NONE, type SpatialTree } from '../spatial-tree.ts';
import { countOfNode } from './node-filter.ts';
import type { NodeMemo } from './node-memo.index.ts';

/** Words of slots' traits under a node, each word once and followed by the number of stores that have it. */
export type NodeTally = {
  /** The bits of kinds and price levels alone. */
  kinds: Uint32Array;
  /** The bits of ratings alone. */
  ratings: Uint32Array;
};

/** Tallies of nodes down to parts: counts of a whole continent look at some words of some nodes in place of all slots. */
export type NodeTallies = NodeMemo<NodeTally> & {
  /** Makes all missing tallies in steps: all after a load, and later those of nodes that were forgotten. */
  make(): Generator<void, void>;
};

/** A larger node is divided: the stores of a part are looked at one by one. */
const MAX_STORES_OF_PART = 512;

/** Whether a node is not divided further by counts. A leaf of stores at one point may have any number of stores. */
export function isPart({ firstChild, summaries }: SpatialTree, node: number): boolean {
  return firstChild[node] === NONE || countOfNode(summaries, node) <= MAX_STORES_OF_PART;
}
