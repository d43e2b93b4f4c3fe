import { grownFloat64, grownInt32, grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import type { UnitVector } from '../../lib/geo/sphere.ts';
import { emptySummary, grownSummaries } from './nodes/node-summaries.ts';
import { putSlotTraits, WORDS_OF_SLOT } from './nodes/slot-traits.ts';
import type { SpatialIndex } from './spatial.index.ts';
import {
  BLOCK_SIZE,
  type DeliveryRange,
  emptyBox,
  NO_REACH,
  NONE,
  ordinalAt,
  putRange,
  SEGMENT_BLOCKS,
  SLOT_BITS,
  SLOT_MASK,
} from './spatial-tree.ts';

/** The nodes of a tree that grows, and the blocks of stores of its leaves. The nodes above a leaf are the caller's. */
export type TreeLeaves = {
  /** A new leaf without stores. */
  addNode(): number;
  /** Number of stores of a leaf. */
  countOf(leaf: number): number;
  leafOf(slot: number): number;
  /** Puts a store into a slot, in place of what the slot had. */
  put(slot: number, ordinal: number, range: DeliveryRange, vector: UnitVector): void;
  add(leaf: number, ordinal: number, range: DeliveryRange, vector: UnitVector): void;
  /** Takes away the last slot of the leaf's first block. */
  dropLast(leaf: number): void;
  /** Makes a leaf of one block the parent of two new leaves; returns the block, which is to be released. */
  halve(leaf: number): number;
  releaseBlock(block: number): void;
};

export function createTreeLeaves(tree: SpatialIndex): TreeLeaves {
  let nodes = 0;
  let blocks = 0;
  let freeBlock = NONE;
  let leafCounts = new Uint32Array(64);
  let leafOfBlock = new Uint32Array(64);

  function addNode(): number {
    const node = nodes;
    nodes += 1;
    if (nodes > tree.firstChild.length) {
      tree.firstChild = grownInt32(tree.firstChild, nodes);
      tree.firstBlock = grownInt32(tree.firstBlock, nodes);
      tree.boxes = grownFloat64(tree.boxes, tree.firstChild.length * 6);
      tree.bounds = grownFloat64(tree.bounds, tree.firstChild.length * 4);
      tree.reaches = grownFloat64(tree.reaches, tree.firstChild.length);
      tree.summaries = grownSummaries(tree.summaries, tree.firstChild.length);
      leafCounts = grownUint32(leafCounts, nodes);
    }
    tree.firstChild[node] = NONE;
    tree.firstBlock[node] = NONE;
    tree.reaches[node] = NO_REACH;
    emptySummary(tree.summaries, node);
    emptyBox(tree, node);
    return node;
  }

  function addBlock(leaf: number): number {
    let block = freeBlock;
    if (block !== NONE) freeBlock = tree.nextBlock[block] as number;
    else {
      block = blocks;
      blocks += 1;
      growBlocks();
    }
    tree.blockSizes[block] = 0;
    tree.nextBlock[block] = tree.firstBlock[leaf] as number;
    tree.firstBlock[leaf] = block;
    leafOfBlock[block] = leaf;
    return block;
  }

  function growBlocks(): void {
    if (blocks > tree.points.length * SEGMENT_BLOCKS) {
      tree.points.push(new Float64Array(SEGMENT_BLOCKS * BLOCK_SIZE * 3));
      tree.ordinals.push(new Uint32Array(SEGMENT_BLOCKS * BLOCK_SIZE));
      tree.ranges.push(new Float32Array(SEGMENT_BLOCKS * BLOCK_SIZE * 2));
      tree.traits.push(new Uint32Array(SEGMENT_BLOCKS * BLOCK_SIZE * WORDS_OF_SLOT));
    }
    if (blocks <= tree.blockSizes.length) return;
    tree.blockSizes = grownUint8(tree.blockSizes, blocks);
    tree.nextBlock = grownInt32(tree.nextBlock, blocks);
    leafOfBlock = grownUint32(leafOfBlock, blocks);
  }

  function releaseBlock(block: number): void {
    tree.nextBlock[block] = freeBlock;
    freeBlock = block;
  }

  function put(slot: number, ordinal: number, range: DeliveryRange, { x, y, z }: UnitVector): void {
    const points = tree.points[slot >>> SLOT_BITS] as Float64Array;
    const within = slot & SLOT_MASK;
    (tree.ordinals[slot >>> SLOT_BITS] as Uint32Array)[within] = ordinal;
    putRange(tree, slot, range);
    points[within * 3] = x;
    points[within * 3 + 1] = y;
    points[within * 3 + 2] = z;
    tree.vectors[ordinal * 3] = x;
    tree.vectors[ordinal * 3 + 1] = y;
    tree.vectors[ordinal * 3 + 2] = z;
    putSlotTraits(tree, slot, tree.columns, ordinal);
    tree.slotOf[ordinal] = slot;
  }

  return {
    addNode,
    countOf: (leaf) => leafCounts[leaf] as number,
    leafOf: (slot) => leafOfBlock[Math.floor(slot / BLOCK_SIZE)] as number,
    put,
    add(leaf, ordinal, range, vector) {
      let block = tree.firstBlock[leaf] as number;
      if (block === NONE || tree.blockSizes[block] === BLOCK_SIZE) block = addBlock(leaf);
      const size = tree.blockSizes[block] as number;
      tree.blockSizes[block] = size + 1;
      put(block * BLOCK_SIZE + size, ordinal, range, vector);
      leafCounts[leaf] = (leafCounts[leaf] as number) + 1;
    },
    dropLast(leaf) {
      const block = tree.firstBlock[leaf] as number;
      const size = (tree.blockSizes[block] as number) - 1;
      tree.blockSizes[block] = size;
      leafCounts[leaf] = (leafCounts[leaf] as number) - 1;
      if (size > 0) return;
      tree.firstBlock[leaf] = tree.nextBlock[block] as number;
      releaseBlock(block);
    },
    halve(leaf) {
      const block = tree.firstBlock[leaf] as number;
      const first = addNode();
      addNode();
      tree.firstChild[leaf] = first;
      tree.firstBlock[leaf] = NONE;
      leafCounts[leaf] = 0;
      return block;
    },
    releaseBlock,
  };
}

/** The slot that `dropLast` takes away, and the store in it. */
export function lastOf(tree: SpatialIndex, leaf: number): { slot: number; ordinal: number } {
  const block = tree.firstBlock[leaf] as number;
  const slot = block * BLOCK_SIZE + (tree.blockSizes[block] as number) - 1;
  return { slot, ordinal: ordinalAt(tree, slot) };
}
