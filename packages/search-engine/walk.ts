import { lowerBound, type TopK } from 'doorstep/collections';
import { MAX_SLOTS } from './columns.ts';
import type { CursorPosition } from './cursor.ts';
import type { Filter, SegmentFilter } from './filter.ts';
import type { TextGroup } from './known-stores.ts';
import type { NodeHeap, WaitingNode } from './node-heap.ts';
import type { Segment } from './segment.ts';
import type { Sort } from './sort.ts';
import { chordToBox, FAN_OUT, farthestChordToNode, LEAF_SLOTS, TreeShape } from './tree.ts';
import type { IndexView } from './view.ts';

/** Conditions of a walk: the filter, the text group (null for any name), and the cursor that it starts after. */
export type WalkConditions = { filter: Filter; sort: Sort; group: TextGroup | null; after: CursorPosition | null };

/** Maximum number of slots to scan a node's list, because dividing the node would cost more. */
const SCAN_THRESHOLD = 32;

/**
 * Best-first walk over the trees of all segments: opens the node with the best bound (key, distance) until none can
 * beat the worst kept store. Terms are looked up when a segment is first opened, so a far segment costs one bound.
 */
export class Walk {
  private readonly heap: NodeHeap;
  private readonly view: IndexView;
  private readonly wanted: WalkConditions;
  private readonly top: TopK;
  /** Filters by segment, once it is opened. */
  private readonly filters: (SegmentFilter | undefined)[];

  /** Borrows the heap, because walks run one after the other. */
  constructor(view: IndexView, wanted: WalkConditions, top: TopK, heap: NodeHeap) {
    this.view = view;
    this.wanted = wanted;
    this.top = top;
    this.heap = heap;
    this.filters = new Array(view.segments.length);
  }

  run(): void {
    const { heap, top } = this;
    const { segments } = this.view;
    heap.clear();
    for (let nth = 0; nth < segments.length; nth += 1) {
      const { size, tree } = segments[nth] as Segment;
      if (size > 0) this.pushNode(nth, tree.top, 0, -1, -1);
    }
    while (heap.size > 0) {
      heap.pop();
      const node = heap.top;
      if (isBeyond(node.key, node.chordSquared, top)) break;
      const known = this.filters[node.segment];
      if (known !== undefined) this.open(known, node);
      else this.openSegment(node);
    }
  }

  private openSegment(root: WaitingNode): void {
    const filter = filterForSegment(this.view.segments[root.segment] as Segment, this.wanted);
    this.filters[root.segment] = filter;
    const { segment, slots } = filter;
    if (slots?.length === 0 || !filter.mayHold(segment.tree.levelStarts[root.level] as number)) return;
    root.from = 0;
    root.end = slots === null ? 0 : slots.length;
    this.open(filter, root);
  }

  /** Offers the slots of a leaf, or of a node with few slots; otherwise adds the node's children to the heap. */
  private open(filter: SegmentFilter, waiting: WaitingNode): void {
    const { segment: nth, level, nth: node, from, end } = waiting;
    const { segment, slots } = filter;
    if (level === 0 && slots === null) {
      this.scan(filter, nth, node * LEAF_SLOTS, Math.min(segment.size, (node + 1) * LEAF_SLOTS));
      return;
    }
    if (level === 0 || (slots !== null && end - from <= SCAN_THRESHOLD)) {
      this.scan(filter, nth, from, end);
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
      if (filter.mayHold(start + child)) this.pushNode(nth, below, child, listed, listedEnd);
      listed = listedEnd;
    }
  }

  private pushNode(nth: number, level: number, node: number, from: number, end: number): void {
    const { filter, sort, after } = this.wanted;
    const segment = this.view.segments[nth] as Segment;
    const at = (segment.tree.levelStarts[level] as number) + node;
    const chord = chordToBox(segment.columns.boxes, at, filter.from);
    if (chord > filter.farthest || (filter.delivers && chord > (segment.columns.reaches[at] as number))) return;
    let key = sort.boundOf(segment, at, chord);
    if (after !== null && key <= after.key) {
      const isPassed = farthestChordToNode(segment.columns.boxes, at, filter.from) < after.chordSquared;
      // The node's stores with the cursor's key are on earlier pages. If the sort is by distance, or no later key
      // exists, so are its other stores.
      if (isPassed && (sort.isByDistance || after.key === Infinity)) return;
      key = isPassed ? keyAfter(after.key) : after.key;
    }
    if (!isBeyond(key, chord, this.top)) this.heap.push(key, chord, nth, level, node, from, end);
  }

  /** Offers the slots of a part of a list or, without a list, the slots themselves. */
  private scan(filter: SegmentFilter, nth: number, from: number, end: number): void {
    const { filter: query, sort } = this.wanted;
    const { segment, slots, ratingCode } = filter;
    const { points, traits, rating } = segment.columns;
    const { farthest, beyond } = query;
    const { x, y, z } = query.from;
    const { isByDistance } = sort;
    const levels = sort.levelsIn(segment);
    for (let at = from; at < end; at += 1) {
      const slot = slots === null ? at : (slots[at] as number);
      const trait = traits[slot] as number;
      if (!query.acceptsTrait(trait) || (rating[slot] as number) < ratingCode) continue;
      // Comparing levels first rules out most stores without computing a distance.
      const level = levels === null ? -Infinity : sort.levelOf(levels, rating[slot] as number, trait);
      if (level > this.top.worstKey()) continue;
      const dx = (points[slot * 3] as number) - x;
      const dy = (points[slot * 3 + 1] as number) - y;
      const dz = (points[slot * 3 + 2] as number) - z;
      const chord = dx * dx + dy * dy + dz * dz;
      if (chord > farthest || chord <= beyond) continue;
      const key = levels !== null ? level : isByDistance ? chord : sort.keyOf(segment, slot, chord);
      this.offer(filter, nth, slot, key, chord);
    }
  }

  /** Tests the most expensive conditions last. */
  private offer(filter: SegmentFilter, nth: number, slot: number, key: number, chord: number): void {
    const { after } = this.wanted;
    const { segment } = filter;
    if (isBeyond(key, chord, this.top) || !segment.isAlive(slot, this.view.version)) return;
    if (after !== null && !isAfter(after, key, chord, segment, slot)) return;
    if (!filter.hasMore || filter.accepts(slot, chord)) this.top.offer(key, chord, nth * MAX_SLOTS + slot);
  }
}

export const filterForSegment = (segment: Segment, { filter, group }: WalkConditions): SegmentFilter =>
  filter.in(segment, group === null ? null : group.in(segment, filter));

function isAfter(after: CursorPosition, key: number, chord: number, segment: Segment, slot: number): boolean {
  if (key !== after.key) return key > after.key;
  if (chord !== after.chordSquared) return chord > after.chordSquared;
  return segment.ids.at(slot) > after.storeId;
}

/** Whether no store with this key and distance, or worse, can be among the best. */
function isBeyond(key: number, chord: number, top: TopK): boolean {
  if (!top.isFull()) return false;
  const worst = top.worstKey();
  return key > worst || (key === worst && chord > top.worstChord());
}

/** Returns the next representable number above the key; the factor is one unit in the last place. */
const keyAfter = (key: number): number => key + Math.max(Number.MIN_VALUE, Math.abs(key) * 1.2e-16);
