import type { UnitVector } from '../../lib/geo/sphere.ts';
import { mayHold, type NodeFilter } from './nodes/node-filter.ts';
import { isSmall, nextListed, type RatedSlots, visitListed, WORDS_OF_LISTED } from './nodes/rated-slots.ts';
import { type SlotFilter, slotFilterOf, WORDS_OF_SLOT } from './nodes/slot-traits.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { BLOCK_SIZE, NONE, SLOT_BITS, SLOT_MASK, type SpatialTree } from './spatial-tree.ts';

/** A map's viewport in degrees, bounds included; one that crosses the antimeridian has `west` over `east`. */
export type Viewport = { south: number; north: number; west: number; east: number };

/**
 * The part of the earth that a walk visits; distances are squared chords of the unit sphere. `delivers` leaves out the
 * stores that are too far off to deliver to where the walk starts, `filter` whole nodes of which no store meets it.
 */
export type Reach = {
  nearest: number;
  farthest: number;
  viewport: Viewport | null;
  delivers: boolean;
  filter: NodeFilter;
};

/** A visitor returns this to end the walk. */
export const STOP = -1;

/** Deeper than the tree: a descent leaves at most one sibling behind at each level. */
const STACK_DEPTH = 128;

/**
 * Gets a store's ordinal and squared chord; returns how far the visitor is still interested (squared chord), or STOP.
 * `isCore`: the start of the walk is so near to the store that the store delivers there.
 */
export type VisitStore = (ordinal: number, chordSquared: number, isCore: boolean) => number;

/**
 * Visits the stores within reach, near cells first. It may also visit stores outside of the viewport: the visitor checks
 * the viewport.
 */
export type TreeWalk = (tree: SpatialTree, from: UnitVector, reach: Reach, visit: VisitStore) => void;

/** A walk owns the stack of the nodes that it has yet to visit: a visitor must not start the same walk. */
export function createTreeWalk(): TreeWalk {
  const stackNodes = new Int32Array(STACK_DEPTH);
  const stackChords = new Float64Array(STACK_DEPTH);

  /** Puts the farther child below the nearer one, so that the nearer is visited first; returns the new depth. */
  function pushChildren(tree: SpatialTree, from: UnitVector, reach: Reach, first: number, depth: number): number {
    const { boxes } = tree;
    // A summary is one line of the cache, and rules out a node before its box, two lines, is read.
    const a = mayHold(tree.summaries, first, reach.filter) ? chordToBox(boxes, first, from) : Infinity;
    const b = mayHold(tree.summaries, first + 1, reach.filter) ? chordToBox(boxes, first + 1, from) : Infinity;
    const near = a <= b ? first : first + 1;
    const far = a <= b ? first + 1 : first;
    let top = depth;
    const [nearChord, farChord] = [Math.min(a, b), Math.max(a, b)];
    if (isWithinReach(tree, from, reach, far, farChord)) {
      stackNodes[top] = far;
      stackChords[top] = farChord;
      top += 1;
    }
    if (isWithinReach(tree, from, reach, near, nearChord)) {
      stackNodes[top] = near;
      stackChords[top] = nearChord;
      top += 1;
    }
    return top;
  }

  return (tree, from, reach, visit) => {
    let limit = reach.farthest;
    const slots = slotFilterOf(reach.filter);
    stackNodes[0] = 0;
    stackChords[0] = 0;
    if (!mayHold(tree.summaries, 0, reach.filter)) return;
    const lists = listsFor(tree, reach);
    for (let depth = 1; depth > 0; ) {
      depth -= 1;
      if ((stackChords[depth] as number) > limit) continue;
      const node = stackNodes[depth] as number;
      const child = tree.firstChild[node] as number;
      const list = lists === null ? null : listAt(tree, lists, node);
      if (list === null && child !== NONE) {
        depth = pushChildren(tree, from, reach, child, depth);
        continue;
      }
      const part = { leaf: node, farthest: limit, delivers: reach.delivers, slots };
      limit = list === null ? walkLeaf(tree, from, part, visit) : walkListed(tree, from, { ...part, list }, visit);
      if (limit === STOP) return;
    }
  };
}

/** Lists take a walk sooner to stores of a cuisine and a rating, of which few leaves have one. */
function listsFor({ ratedSlots }: SpatialTree, { farthest, viewport, delivers, filter }: Reach): RatedSlots | null {
  const isBounded = farthest !== Infinity || viewport !== null || delivers;
  return isBounded || filter.cuisine === null || filter.minimumRating <= 0 ? null : ratedSlots;
}

function listAt(tree: SpatialTree, lists: RatedSlots, node: number): Uint32Array | null {
  return isSmall(tree, node) ? lists.of(node) : null;
}

/** Returns how far the visitor is still interested, or STOP. */
function walkListed(
  tree: SpatialTree,
  from: UnitVector,
  { list, farthest, slots }: { list: Uint32Array; farthest: number; slots: SlotFilter },
  visit: VisitStore,
): number {
  let limit = farthest;
  for (let at = nextListed(list, 0, slots); at < list.length && limit !== STOP; ) {
    limit = visitListed(tree, from, { list, at, farthest: limit }, visit);
    at = nextListed(list, at + WORDS_OF_LISTED, slots);
  }
  return limit;
}

/** Whether a node has a part of the reach; `chord` is the squared chord to its box, Infinity for a node to leave out. */
export function isWithinReach(tree: SpatialTree, from: UnitVector, reach: Reach, node: number, chord: number): boolean {
  if (chord === Infinity || (reach.delivers && chord > (tree.reaches[node] as number))) return false;
  if (reach.nearest > 0 && farthestChordToBox(tree.boxes, node, from) < reach.nearest) return false;
  return reach.viewport === null || touchesViewport(tree.bounds, node, reach.viewport);
}

/** The part of a leaf that a walk visits. */
export type LeafReach = { leaf: number; farthest: number; delivers: boolean; slots: SlotFilter };

/** Returns how far the visitor is still interested, or STOP. */
export function walkLeaf(
  tree: SpatialTree,
  from: UnitVector,
  { leaf, farthest, delivers, slots }: LeafReach,
  visit: VisitStore,
): number {
  const { blockSizes, nextBlock } = tree;
  const { x, y, z } = from;
  const { kinds, prices, rating, cuisines } = slots;
  let limit = farthest;
  for (let block = tree.firstBlock[leaf] as number; block !== NONE; block = nextBlock[block] as number) {
    const segment = (block * BLOCK_SIZE) >>> SLOT_BITS;
    const points = tree.points[segment] as Float64Array;
    const ordinals = tree.ordinals[segment] as Uint32Array;
    const ranges = tree.ranges[segment] as Float32Array;
    const start = (block * BLOCK_SIZE) & SLOT_MASK;
    const end = start + (blockSizes[block] as number);
    const traits = tree.traits[segment] as Uint32Array;
    for (let at = start; at < end; at += 1) {
      const trait = traits[at * WORDS_OF_SLOT] as number;
      if ((trait & kinds) === 0 || (trait & prices) === 0 || trait >>> 24 < rating) continue;
      if (cuisines !== 0 && ((traits[at * WORDS_OF_SLOT + 1] as number) & cuisines) === 0) continue;
      const dx = (points[at * 3] as number) - x;
      const dy = (points[at * 3 + 1] as number) - y;
      const dz = (points[at * 3 + 2] as number) - z;
      const chordSquared = dx * dx + dy * dy + dz * dz;
      if (chordSquared > limit || (delivers && chordSquared > (ranges[at * 2 + 1] as number))) continue;
      limit = visit(ordinals[at] as number, chordSquared, delivers && chordSquared < (ranges[at * 2] as number));
      if (limit === STOP) return STOP;
    }
  }
  return limit;
}

/** Squared chord from a point to a store of the index. */
export function chordTo(index: SpatialIndex, ordinal: number, from: UnitVector): number {
  const { vectors } = index;
  const dx = (vectors[ordinal * 3] as number) - from.x;
  const dy = (vectors[ordinal * 3 + 1] as number) - from.y;
  const dz = (vectors[ordinal * 3 + 2] as number) - from.z;
  return dx * dx + dy * dy + dz * dz;
}

/** Infinity for a node without stores. */
export function chordToBox(boxes: Float64Array, node: number, from: UnitVector): number {
  const at = node * 6;
  const dx = Math.max((boxes[at] as number) - from.x, from.x - (boxes[at + 1] as number), 0);
  const dy = Math.max((boxes[at + 2] as number) - from.y, from.y - (boxes[at + 3] as number), 0);
  const dz = Math.max((boxes[at + 4] as number) - from.z, from.z - (boxes[at + 5] as number), 0);
  return dx * dx + dy * dy + dz * dz;
}

/** No store of the node is farther; meaningless for a node without stores. */
export function farthestChordToBox(boxes: Float64Array, node: number, from: UnitVector): number {
  const at = node * 6;
  const dx = Math.max(from.x - (boxes[at] as number), (boxes[at + 1] as number) - from.x);
  const dy = Math.max(from.y - (boxes[at + 2] as number), (boxes[at + 3] as number) - from.y);
  const dz = Math.max(from.z - (boxes[at + 4] as number), (boxes[at + 5] as number) - from.z);
  return dx * dx + dy * dy + dz * dz;
}

function touchesViewport(bounds: Float64Array, node: number, viewport: Viewport): boolean {
  const at = node * 4;
  if ((bounds[at] as number) > viewport.north || (bounds[at + 1] as number) < viewport.south) return false;
  const isWestOfEast = (bounds[at + 2] as number) <= viewport.east;
  const isEastOfWest = (bounds[at + 3] as number) >= viewport.west;
  return viewport.west <= viewport.east ? isWestOfEast && isEastOfWest : isWestOfEast || isEastOfWest;
}
