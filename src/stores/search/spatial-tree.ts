import type { UnitVector } from '../../lib/geo/sphere.ts';
import type { NodeSummaries } from './nodes/node-summaries.ts';
import type { NodeTallies } from './nodes/node-tallies.ts';
import type { RatedSlots } from './nodes/rated-slots.ts';

/** Points of a block. Measured with 73,000 and 1.5 M points: 16 is a fifth slower, 64 no faster. */
export const BLOCK_SIZE = 32;

/**
 * Blocks lie in segments of this many, so that a growing tree never copies its points: one copy of 1.5 M of them blocks
 * the event loop for 180 ms.
 */
export const SEGMENT_BLOCKS = 1024;

/** The number of a slot is the number of its segment, then the number within the segment. */
export const SLOT_BITS = 15;
export const SLOT_MASK = SEGMENT_BLOCKS * BLOCK_SIZE - 1;

/** No block, or no child. */
export const NONE = -1;

/**
 * Where a store delivers around itself, in squared chords: everywhere nearer than `core`, nowhere beyond `reach`. Both
 * are kept in single precision, half of what a walk reads for them otherwise.
 */
export type DeliveryRange = { core: number; reach: number };

/** The reach of a store that does not deliver: less than any squared chord. */
export const NO_REACH = -1;

/** A binary tree over points of the unit sphere; its leaves hold blocks of points. */
export type SpatialTree = {
  /** By node: the first of its two children (the other follows it), or NONE for a leaf. */
  firstChild: Int32Array;
  /** By leaf: its first block, or NONE. Only the first block of a leaf may be partly filled. */
  firstBlock: Int32Array;
  /** By node, 6 numbers: lowest and highest x, y and z of its points. */
  boxes: Float64Array;
  /** By node, 4 numbers: south, north, west and east of its points. */
  bounds: Float64Array;
  /** By node: the largest of the reaches of its stores, or NO_REACH. */
  reaches: Float64Array;
  summaries: NodeSummaries;
  blockSizes: Uint8Array;
  nextBlock: Int32Array;
  /** By segment, 3 numbers for each slot: x, y, z. */
  points: Float64Array[];
  /** By segment, for each slot: the ordinal of the store at the point. */
  ordinals: Uint32Array[];
  /** By segment, 2 numbers for each slot: core and reach of the store's delivery. */
  ranges: Float32Array[];
  /** By segment, 2 words for each slot: what `SlotFilter` looks at. */
  traits: Uint32Array[];
  /** null where searches take all stores from leaves. */
  ratedSlots: RatedSlots | null;
  /** null where counts take all stores from leaves. */
  tallies: NodeTallies | null;
};

/** Widens a range, its lowest and then its highest number, so that it holds the value. */
export function widenRange(ranges: Float64Array, at: number, value: number): void {
  if (value < (ranges[at] as number)) ranges[at] = value;
  if (value > (ranges[at + 1] as number)) ranges[at + 1] = value;
}

export function emptyBox({ boxes, bounds }: SpatialTree, node: number): void {
  for (let i = 0; i < 6; i += 1) boxes[node * 6 + i] = i % 2 === 0 ? Infinity : -Infinity;
  for (let i = 0; i < 4; i += 1) bounds[node * 4 + i] = i % 2 === 0 ? Infinity : -Infinity;
}

/** Widens a node, so that the node holds a point. */
export function widenNode(
  { boxes, bounds }: SpatialTree,
  node: number,
  { x, y, z }: UnitVector,
  { latitude, longitude }: { latitude: number; longitude: number },
): void {
  widenRange(boxes, node * 6, x);
  widenRange(boxes, node * 6 + 2, y);
  widenRange(boxes, node * 6 + 4, z);
  widenRange(bounds, node * 4, latitude);
  widenRange(bounds, node * 4 + 2, longitude);
}

export function ordinalAt({ ordinals }: SpatialTree, slot: number): number {
  return (ordinals[slot >>> SLOT_BITS] as Uint32Array)[slot & SLOT_MASK] as number;
}

export function rangeAt({ ranges }: SpatialTree, slot: number): DeliveryRange {
  const segment = ranges[slot >>> SLOT_BITS] as Float32Array;
  const at = (slot & SLOT_MASK) * 2;
  return { core: segment[at] as number, reach: segment[at + 1] as number };
}

export function putRange({ ranges }: SpatialTree, slot: number, { core, reach }: DeliveryRange): void {
  const segment = ranges[slot >>> SLOT_BITS] as Float32Array;
  const at = (slot & SLOT_MASK) * 2;
  segment[at] = core;
  segment[at + 1] = reach;
}
