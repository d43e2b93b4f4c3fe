import { newSummaries } from './nodes/node-summaries.ts';
import { refreshLeaf, refreshParent } from './nodes/refresh-nodes.ts';
import { putSlotTraits, WORDS_OF_SLOT } from './nodes/slot-traits.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { BLOCK_SIZE, NONE, SLOT_BITS, type SpatialTree, widenRange } from './spatial-tree.ts';

/** A packed tree lies in one segment; packing so many stores takes some 5 ms. */
export const MAX_PACKED_STORES = 1 << (SLOT_BITS - 1);

/** Enough to halve stores as they lie on earth. With fewer passes boxes overlap, and the tree is only slower. */
const MAX_PASSES = 40;

/** Stores by ordinal, with x, y and z of their unit vectors; the ranges are filled in when the stores have their slots. */
type Stores = { ordinals: Uint32Array; points: Float64Array; ranges: Float32Array };

/**
 * Builds a tree of some stores of the index, at most `MAX_PACKED_STORES`. The box of a node is halved across its longest
 * side until one block holds its stores, and all blocks but the last are full. The tree never changes.
 */
export function packTree(index: SpatialIndex, ordinals: Uint32Array): SpatialTree {
  const blocks = Math.ceil(ordinals.length / BLOCK_SIZE);
  const stores: Stores = { ordinals, points: pointsOf(index, ordinals), ranges: new Float32Array(ordinals.length * 2) };
  const packed = emptyTree(blocks, stores);
  let nodes = 1;
  build(0, 0, blocks);
  return packed;

  function build(node: number, firstBlock: number, endBlock: number): void {
    const from = firstBlock * BLOCK_SIZE;
    const end = Math.min(endBlock * BLOCK_SIZE, ordinals.length);
    surround(index, packed, stores, { node, from, end });
    if (endBlock - firstBlock <= 1) {
      for (let i = from; i < end; i += 1) {
        const { core, reach } = index.rangeOf(ordinals[i] as number);
        stores.ranges.set([core, reach], i * 2);
        putSlotTraits(packed, i, index.columns, ordinals[i] as number);
      }
      packed.firstBlock[node] = firstBlock;
      refreshLeaf(packed, index.columns, node);
      return;
    }
    const middle = (firstBlock + endBlock) >> 1;
    halve(stores, longestSide(packed.boxes, node), { from, end, at: middle * BLOCK_SIZE });
    const first = nodes;
    nodes += 2;
    packed.firstChild[node] = first;
    build(first, firstBlock, middle);
    build(first + 1, middle, endBlock);
    refreshParent(packed, node, first);
  }
}

/** Copies the numbers of the index: a distance is the same to the last bit in both trees. */
function pointsOf(index: SpatialIndex, ordinals: Uint32Array): Float64Array {
  const points = new Float64Array(ordinals.length * 3);
  for (let i = 0; i < ordinals.length; i += 1) {
    const at = (ordinals[i] as number) * 3;
    for (let axis = 0; axis < 3; axis += 1) points[i * 3 + axis] = index.vectors[at + axis] as number;
  }
  return points;
}

function emptyTree(blocks: number, { ordinals, points, ranges }: Stores): SpatialTree {
  const nodes = Math.max(1, 2 * blocks - 1);
  const sizeOf = (_: unknown, block: number): number => Math.min(BLOCK_SIZE, ordinals.length - block * BLOCK_SIZE);
  const sideOf = (_: unknown, at: number): number => (at % 2 === 0 ? Infinity : -Infinity);
  return {
    firstChild: new Int32Array(nodes).fill(NONE),
    firstBlock: new Int32Array(nodes).fill(NONE),
    boxes: Float64Array.from({ length: nodes * 6 }, sideOf),
    bounds: Float64Array.from({ length: nodes * 4 }, sideOf),
    reaches: new Float64Array(nodes),
    summaries: newSummaries(nodes),
    blockSizes: Uint8Array.from({ length: blocks }, sizeOf),
    nextBlock: new Int32Array(blocks).fill(NONE),
    points: [points],
    ordinals: [ordinals],
    ranges: [ranges],
    traits: [new Uint32Array(ordinals.length * WORDS_OF_SLOT)],
    ratedSlots: null,
    tallies: null,
  };
}

function surround(
  index: SpatialIndex,
  packed: SpatialTree,
  { ordinals, points }: Stores,
  { node, from, end }: { node: number; from: number; end: number },
): void {
  for (let i = from; i < end; i += 1) {
    const ordinal = ordinals[i] as number;
    widenRange(packed.boxes, node * 6, points[i * 3] as number);
    widenRange(packed.boxes, node * 6 + 2, points[i * 3 + 1] as number);
    widenRange(packed.boxes, node * 6 + 4, points[i * 3 + 2] as number);
    widenRange(packed.bounds, node * 4, index.latitudes[ordinal] as number);
    widenRange(packed.bounds, node * 4 + 2, index.longitudes[ordinal] as number);
  }
}

type Side = { axis: number; low: number; high: number };

function longestSide(boxes: Float64Array, node: number): Side {
  let longest: Side = { axis: 0, low: 0, high: -1 };
  for (let axis = 0; axis < 3; axis += 1) {
    const low = boxes[node * 6 + axis * 2] as number;
    const high = boxes[node * 6 + axis * 2 + 1] as number;
    if (high - low > longest.high - longest.low) longest = { axis, low, high };
  }
  return longest;
}

/**
 * Puts the stores that are lower on the axis before slot `at`, and the higher ones from there on. The value between them
 * is found by bisection: unlike with a pivot taken from the stores, no sequence of stores makes that slow.
 */
function halve(stores: Stores, side: Side, { from, end, at }: { from: number; end: number; at: number }): void {
  let { low, high } = side;
  let [start, stop] = [from, end];
  for (let pass = 0; pass < MAX_PASSES && low < high; pass += 1) {
    const middle = (low + high) / 2;
    const parted = part(stores, side.axis, start, stop, middle);
    if (parted === at) return;
    if (parted < at) [start, low] = [parted, middle];
    else [stop, high] = [parted, middle];
  }
}

/** Moves the stores up to that value to the front; returns the slot of the first store beyond it. */
function part(stores: Stores, axis: number, from: number, end: number, value: number): number {
  const { points } = stores;
  let [low, high] = [from, end - 1];
  for (;;) {
    while (low <= high && (points[low * 3 + axis] as number) <= value) low += 1;
    while (low <= high && (points[high * 3 + axis] as number) > value) high -= 1;
    if (low > high) return low;
    swap(stores, low, high);
  }
}

function swap({ ordinals, points }: Stores, one: number, other: number): void {
  const ordinal = ordinals[one] as number;
  ordinals[one] = ordinals[other] as number;
  ordinals[other] = ordinal;
  for (let axis = 0; axis < 3; axis += 1) {
    const value = points[one * 3 + axis] as number;
    points[one * 3 + axis] = points[other * 3 + axis] as number;
    points[other * 3 + axis] = value;
  }
}
