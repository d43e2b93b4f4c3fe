import type { UnitVector } from '../../lib/geo/sphere.ts';
import type { Position } from './cursor.ts';
import type { Filter, SegmentFilter } from './filter.ts';
import { NodeHeap } from './node-heap.ts';
import { lowerBound } from './posting-lists.ts';
import type { Segment } from './segment.ts';
import type { Sort } from './sort.ts';
import type { SegmentText, TextGroup } from './text-query.ts';
import { SLOTS, type TopK } from './top-k.ts';
import { FAN_OUT, LEAF_SLOTS, TreeShape } from './tree.ts';
import type { View } from './view.ts';

/** Stores that are wanted: those that meet the filter, match the group (null: whatever their names) and come after a position. */
export type Wanted = { filter: Filter; sort: Sort; group: TextGroup | null; after: Position | null };

/** A list with fewer slots under a node is looked at slot by slot: dividing the node would cost more. */
const FEW_SLOTS = 32;

/** A segment that a walk has come to. */
export type Prepared = { segment: Segment; filter: SegmentFilter; text: SegmentText | null; slots: Uint16Array | null };

/**
 * Finds the best stores of a view in one best-first walk over the trees of all its segments: the node with the best
 * possible (key, distance) is opened next, until no node is left that can hold a better store than the worst one kept.
 * A segment's terms are looked up when the walk first comes to it, so a segment that is too far costs one bound.
 */
export class Walk {
  private readonly heap = new NodeHeap();
  private prepared: (Prepared | undefined)[] = [];

  run(view: View, wanted: Wanted, top: TopK): void {
    const { heap } = this;
    heap.clear();
    this.prepared = new Array(view.segments.length);
    for (const [nth, segment] of view.segments.entries()) {
      if (segment.size > 0) this.pushNode(segment, nth, segment.tree.top, 0, -1, -1, wanted, top);
    }
    while (heap.size > 0) {
      heap.pop();
      const { key, chordSquared, segment: nth, level, nth: node, from, end } = heap.top;
      if (isBeyond(key, chordSquared, top)) break;
      const known = this.prepared[nth];
      if (known !== undefined) {
        this.open(known, nth, level, node, from, end, view, wanted, top);
        continue;
      }
      const prepared = prepare(view.segments[nth] as Segment, wanted);
      this.prepared[nth] = prepared;
      const slots = prepared.slots?.length ?? 0;
      const root = prepared.segment.tree.levelStarts[level] as number;
      if (prepared.slots !== null && slots === 0) continue;
      if (prepared.filter.mayHold(root)) this.open(prepared, nth, level, node, 0, slots, view, wanted, top);
    }
    this.prepared = [];
  }

  /** Looks at the slots of a leaf, or puts the children of a node on the heap. */
  private open(
    prepared: Prepared,
    nth: number,
    level: number,
    node: number,
    from: number,
    end: number,
    view: View,
    wanted: Wanted,
    top: TopK,
  ): void {
    const { segment, slots, filter } = prepared;
    if (slots !== null && (level === 0 || end - from <= FEW_SLOTS)) {
      scan(prepared, nth, from, end, view, wanted, top);
      return;
    }
    if (level === 0) {
      scan(prepared, nth, node * LEAF_SLOTS, Math.min(segment.size, (node + 1) * LEAF_SLOTS), view, wanted, top);
      return;
    }
    const below = level - 1;
    const childSlots = TreeShape.slotsOf(below);
    const lastChild = Math.min((node + 1) * FAN_OUT, segment.tree.nodesOf(below));
    const start = segment.tree.levelStarts[below] as number;
    let listed = from;
    for (let child = node * FAN_OUT; child < lastChild; child += 1) {
      let listedEnd = end;
      if (slots !== null) {
        if (listed === end) return;
        listedEnd = lowerBound(slots, (child + 1) * childSlots, listed, end);
        if (listedEnd === listed) continue;
      }
      if (filter.mayHold(start + child)) this.pushNode(segment, nth, below, child, listed, listedEnd, wanted, top);
      listed = listedEnd;
    }
  }

  private pushNode(
    segment: Segment,
    nth: number,
    level: number,
    node: number,
    from: number,
    end: number,
    { filter, sort, after }: Wanted,
    top: TopK,
  ): void {
    const at = (segment.tree.levelStarts[level] as number) + node;
    const chord = chordToBox(segment.columns.boxes, at, filter.from);
    if (chord > filter.farthest || (filter.delivers && chord > (segment.columns.reaches[at] as number))) return;
    let key = sort.boundOf(segment, at, chord);
    if (after !== null && key <= after.key) {
      const isPassed = farthestChordToBox(segment.columns.boxes, at, filter.from) < after.chordSquared;
      // All stores of the cursor's key are before it, and by distance, or where the key is the last one, so are all others.
      if (isPassed && (sort.isByDistance || after.key === Infinity)) return;
      key = isPassed ? keyAfter(after.key) : after.key;
    }
    if (!isBeyond(key, chord, top)) this.heap.push(key, chord, nth, level, node, from, end);
  }
}

export function prepare(segment: Segment, { filter, group }: Wanted): Prepared {
  const text = group === null ? null : group.in(segment);
  const own = filter.in(segment, text?.slots ?? null);
  const isVerified = text === null || (text.accepts === null && own.slots === text.slots);
  return { segment, filter: own, text: isVerified ? null : text, slots: own.slots };
}

/** Offers the slots of a part of the list, or without a list the slots themselves, that meet all conditions. */
function scan(
  { segment, filter, text, slots }: Prepared,
  nth: number,
  from: number,
  end: number,
  { version }: View,
  { filter: query, sort, after }: Wanted,
  top: TopK,
): void {
  const { points, traits, rating, died } = segment.columns;
  const { kinds, prices, farthest } = query;
  const { x, y, z } = query.from;
  const { ratingCode } = filter;
  const { isByDistance } = sort;
  for (let at = from; at < end; at += 1) {
    const slot = slots === null ? at : (slots[at] as number);
    const trait = traits[slot] as number;
    if (((kinds >>> (trait & 31)) & 1) === 0 || ((prices >>> ((trait >>> 5) & 7)) & 1) === 0) continue;
    if ((rating[slot] as number) < ratingCode) continue;
    const dx = (points[slot * 3] as number) - x;
    const dy = (points[slot * 3 + 1] as number) - y;
    const dz = (points[slot * 3 + 2] as number) - z;
    const chord = dx * dx + dy * dy + dz * dz;
    if (chord > farthest) continue;
    const key = isByDistance ? chord : sort.keyOf(segment, slot, chord);
    if (isBeyond(key, chord, top)) continue;
    const deadFrom = died[slot] as number;
    if (deadFrom !== 0 && deadFrom <= version) continue;
    if (after !== null && !isAfter(after, key, chord, segment, slot)) continue;
    if (filter.hasMore && !filter.accepts(slot, chord)) continue;
    if (text !== null && !accepted(text, slot)) continue;
    top.offer(key, chord, nth * SLOTS + slot);
  }
}

/** Whether the store is there and meets all conditions but the radius. */
export function slotAccepted(
  { segment, filter, text }: Prepared,
  slot: number,
  chord: number,
  version: number,
): boolean {
  if (!filter.acceptsTraits(slot) || !segment.isAlive(slot, version)) return false;
  if (filter.hasMore && !filter.accepts(slot, chord)) return false;
  return text === null || accepted(text, slot);
}

function accepted({ slots, accepts }: SegmentText, slot: number): boolean {
  return accepts === null ? slots[lowerBound(slots, slot, 0, slots.length)] === slot : accepts(slot);
}

function isAfter(after: Position, key: number, chord: number, segment: Segment, slot: number): boolean {
  if (key !== after.key) return key > after.key;
  if (chord !== after.chordSquared) return chord > after.chordSquared;
  return segment.ids.at(slot) > after.storeId;
}

/** Whether no store of that key and distance, or beyond, can be among the best. */
function isBeyond(key: number, chord: number, top: TopK): boolean {
  if (!top.isFull()) return false;
  const worst = top.worstKey();
  return key > worst || (key === worst && chord > top.worstChord());
}

export function chordToBox(boxes: Float64Array, node: number, { x, y, z }: UnitVector): number {
  const at = node * 6;
  const dx = Math.max((boxes[at] as number) - x, x - (boxes[at + 1] as number), 0);
  const dy = Math.max((boxes[at + 2] as number) - y, y - (boxes[at + 3] as number), 0);
  const dz = Math.max((boxes[at + 4] as number) - z, z - (boxes[at + 5] as number), 0);
  return dx * dx + dy * dy + dz * dz;
}

/** No store of the node is farther. */
function farthestChordToBox(boxes: Float64Array, node: number, { x, y, z }: UnitVector): number {
  const at = node * 6;
  const dx = Math.max(x - (boxes[at] as number), (boxes[at + 1] as number) - x);
  const dy = Math.max(y - (boxes[at + 2] as number), (boxes[at + 3] as number) - y);
  const dz = Math.max(z - (boxes[at + 4] as number), (boxes[at + 5] as number) - z);
  return dx * dx + dy * dy + dz * dz;
}

/** The least number over the key. A step of that share is one unit in the last place. */
function keyAfter(key: number): number {
  return key + Math.max(Number.MIN_VALUE, Math.abs(key) * 1.2e-16);
}
