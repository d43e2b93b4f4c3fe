import type { NodeMemo } from './node-memo.index.ts';

/** Words of slots' traits under a node, each word once and followed by the number of stores that have it. */
export type NodeTally = {
  /** The bits of kinds and price levels alone. */
  kinds: Uint32Array;
  /** The bits of ratings alone. */
  ratings: Uint32Array;
};

/** Tallies of small nodes: counts of a whole continent look at some words of each node in place of all slots. */
export type NodeTallies = NodeMemo<NodeTally>;
