import type { RankedDocument } from 'doorstep/collections';
import { MAX_SLOTS } from './columns.ts';
import type { SegmentFilter } from './filter.ts';
import type { Segment } from './segment.ts';
import { chordToBox, farthestChordToNode, LEAF_SLOTS } from './tree.ts';
import type { IndexView } from './view.ts';
import { filterForSegment, type WalkConditions } from './walk.ts';

/** The store at a rank, undefined beyond the last; `passed` is the rank, or the number of stores. */
type FoundRank = { found: RankedDocument | undefined; passed: number };

/** Leaves that are counted between two yields; they take a few tenths of a millisecond. */
const LEAVES_PER_STEP = 128;
/** Number of rings of equal width around the coordinate, each with a count of stores. */
const RINGS = 8192;
/** Maximum chord of the unit sphere. */
const MAX_CHORD = 2;

/** The wanted slots of a leaf: all of them, or its part of a list. */
type LeafPart = { nth: number; leaf: number; from: number; end: number };
/** A leaf with the rings of its nearest and farthest possible store, and its number of wanted stores. */
type CountedLeaf = LeafPart & { firstRing: number; lastRing: number; count: number };

/** Rings from the first to the last. */
type Band = { first: number; last: number };

/**
 * Finds the store at a far rank without walking there. Stores are counted by key, then by leaf and ring; only leaves
 * that intersect the rank's ring are read slot by slot. Runs in steps on one version.
 */
export class RankSearch {
  private readonly view: IndexView;
  private readonly wanted: WalkConditions;
  private readonly filters: readonly SegmentFilter[];
  private readonly matched = new Uint32Array(LEAF_SLOTS);

  constructor(view: IndexView, wanted: WalkConditions) {
    this.view = view;
    this.wanted = wanted;
    this.filters = view.segments.map((segment) => filterForSegment(segment, wanted));
  }

  *find(rank: number): Generator<void, FoundRank> {
    const { isByDistance } = this.wanted.sort;
    const { key, before } = isByDistance ? { key: null, before: 0 } : yield* this.findKey(rank);
    const leaves: CountedLeaf[] = [];
    for (const part of this.leafParts()) {
      if (part === null) yield;
      else this.countLeaf(part, key, leaves);
    }
    const band = bandOf(leaves, rank - before);
    if (band === null) return { found: undefined, passed: leaves.reduce((sum, { count }) => sum + count, before) };
    let passed = before;
    const [chords, refs]: [number[], number[]] = [[], []];
    for (const [nth, leaf] of leaves.entries()) {
      if (nth % LEAVES_PER_STEP === 0) yield;
      if (leaf.lastRing < band.first) passed += leaf.count;
      else if (leaf.firstRing <= band.last) passed += this.readLeaf(leaf, key, band, chords, refs);
    }
    const chordSquared = Float64Array.from(chords).sort()[rank - passed] as number;
    const nearer = chords.reduce((count, chord) => count + (chord < chordSquared ? 1 : 0), 0);
    const ties = refs
      .filter((_, nth) => chords[nth] === chordSquared)
      .sort((a, b) => (this.view.idAt(a) < this.view.idAt(b) ? -1 : 1));
    const ref = ties[rank - passed - nearer] as number;
    return { found: { key: key ?? chordSquared, chordSquared, ref }, passed: rank };
  }

  /** Adds the stores of a leaf within the rings to the lists, and returns the number of nearer ones. */
  private readLeaf(
    leaf: CountedLeaf,
    key: number | null,
    { first, last }: Band,
    chords: number[],
    refs: number[],
  ): number {
    const segment = this.segmentAt(leaf.nth);
    const count = this.matchLeaf(leaf, key);
    let nearer = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const slot = this.matched[nth] as number;
      const chord = segment.chordTo(slot, this.wanted.filter.from);
      const ring = distanceRing(chord);
      if (ring < first) nearer += 1;
      else if (ring <= last) {
        chords.push(chord);
        refs.push(leaf.nth * MAX_SLOTS + slot);
      }
    }
    return nearer;
  }

  /** Finds the key at the rank, or the last key, and the number of stores with a better key. */
  private *findKey(rank: number): Generator<void, { key: number; before: number }> {
    const counts = new Map<number, number>();
    const count = (key: number, stores: number) => void counts.set(key, (counts.get(key) ?? 0) + stores);
    const ofLevels = this.filters.map(
      ({ segment }) => new Uint32Array(this.wanted.sort.levelsIn(segment)?.length ?? 0),
    );
    for (const part of this.leafParts()) {
      if (part === null) yield;
      else this.countKeys(part, ofLevels[part.nth] as Uint32Array, count);
    }
    for (const [nth, { segment }] of this.filters.entries()) {
      const levels = this.wanted.sort.levelsIn(segment);
      for (const [level, stores] of (ofLevels[nth] as Uint32Array).entries()) {
        if (levels !== null && stores > 0) count(levels[level] as number, stores);
      }
    }
    let [key, before, total] = [Infinity, 0, 0];
    for (const [own, count] of [...counts].sort(([a], [b]) => (a === b ? 0 : a - b))) {
      if (total > rank) break;
      [key, before] = [own, total];
      total += count;
    }
    return { key, before };
  }

  /** Counts a leaf's matching stores: in `ofLevels` if the sort has levels, otherwise by key with `count`. */
  private countKeys(part: LeafPart, ofLevels: Uint32Array, count: (key: number, stores: number) => void): void {
    const { sort } = this.wanted;
    const segment = this.segmentAt(part.nth);
    const { rating, traits } = segment.columns;
    const matched = this.matchLeaf(part, null);
    for (let nth = 0; nth < matched; nth += 1) {
      const slot = this.matched[nth] as number;
      if (ofLevels.length === 0) count(this.keyAt(segment, slot), 1);
      else {
        const level = sort.levelNumber(rating[slot] as number, traits[slot] as number);
        ofLevels[level] = (ofLevels[level] as number) + 1;
      }
    }
  }

  /** Yields the parts of all leaves that may contain wanted stores, and null where the caller may yield. */
  private *leafParts(): Generator<LeafPart | null, void> {
    for (const [nth, filter] of this.filters.entries()) {
      const { segment, slots } = filter;
      const leaves = Math.ceil(segment.size / LEAF_SLOTS);
      let from = 0;
      for (let leaf = 0; leaf < leaves; leaf += 1) {
        if (leaf % LEAVES_PER_STEP === 0) yield null;
        const after = Math.min(segment.size, (leaf + 1) * LEAF_SLOTS);
        let end = slots === null ? after : from;
        while (slots !== null && end < slots.length && (slots[end] as number) < after) end += 1;
        if (end > from && this.isLeafWanted(filter, leaf)) yield { nth, leaf, from, end };
        from = end;
      }
    }
  }

  private isLeafWanted(filter: SegmentFilter, leaf: number): boolean {
    if (!filter.mayHold(leaf)) return false;
    const { boxes, reaches } = filter.segment.columns;
    const { farthest, delivers, from } = this.wanted.filter;
    if (farthest === Infinity && !delivers) return true;
    const chord = chordToBox(boxes, leaf, from);
    return chord <= farthest && !(delivers && chord > (reaches[leaf] as number));
  }

  private countLeaf(part: LeafPart, key: number | null, leaves: CountedLeaf[]): void {
    const { boxes } = this.segmentAt(part.nth).columns;
    const { from } = this.wanted.filter;
    const farthest = farthestChordToNode(boxes, part.leaf, from);
    const isWhole = key === null && this.isWhole(part, farthest);
    const count = isWhole ? part.end - part.from : this.matchLeaf(part, key);
    if (count === 0) return;
    const firstRing = distanceRing(chordToBox(boxes, part.leaf, from));
    leaves.push({ ...part, firstRing, lastRing: distanceRing(farthest), count });
  }

  /** Whether all stores of a leaf are wanted, judging by the leaf and its tombstones. */
  private isWhole({ nth, leaf, from, end }: LeafPart, farthest: number): boolean {
    const filter = this.filters[nth] as SegmentFilter;
    const { segment, slots } = filter;
    if (slots !== null || farthest > this.wanted.filter.farthest || !filter.acceptsAll(leaf)) return false;
    for (let slot = from; slot < end; slot += 1) if (!segment.isAlive(slot, this.view.version)) return false;
    return true;
  }

  /**
   * Writes a leaf's wanted slots with the key, or with any key if it is null, to `matched` and returns their number.
   * Columns are tested before distances: all slots of the index pass here.
   */
  private matchLeaf({ nth, from, end }: LeafPart, key: number | null): number {
    const { matched } = this;
    const { version } = this.view;
    const { sort, filter: query } = this.wanted;
    const filter = this.filters[nth] as SegmentFilter;
    const { segment, slots, ratingCode } = filter;
    const { rating, traits, died } = segment.columns;
    const levels = key === null ? null : sort.levelsIn(segment);
    const hasMore = filter.hasMore || query.farthest !== Infinity || query.beyond >= 0;
    let count = 0;
    for (let at = from; at < end; at += 1) {
      const slot = slots === null ? at : (slots[at] as number);
      const [trait, code, diedAt] = [traits[slot] as number, rating[slot] as number, died[slot] as number];
      if (levels !== null && sort.levelOf(levels, code, trait) !== key) continue;
      if (code < ratingCode || (diedAt !== 0 && diedAt <= version) || !query.acceptsTrait(trait)) continue;
      if (hasMore && !this.isInside(filter, slot)) continue;
      if (key !== null && levels === null && this.keyAt(segment, slot) !== key) continue;
      matched[count] = slot;
      count += 1;
    }
    return count;
  }

  private isInside(filter: SegmentFilter, slot: number): boolean {
    const { farthest, beyond, from } = this.wanted.filter;
    const chord = filter.segment.chordTo(slot, from);
    return chord <= farthest && chord > beyond && (!filter.hasMore || filter.accepts(slot, chord));
  }

  private keyAt(segment: Segment, slot: number): number {
    return this.wanted.sort.keyOf(segment, slot, segment.chordTo(slot, this.wanted.filter.from));
  }

  private segmentAt(nth: number): Segment {
    return this.view.segments[nth] as Segment;
  }
}

/**
 * Returns the possible rings of the rank's store: the leaves' nearest rings give the lower bound, their farthest the
 * upper. Null if there are too few stores.
 */
function bandOf(leaves: readonly CountedLeaf[], rank: number): Band | null {
  const begun = new Uint32Array(RINGS + 1);
  const ended = new Uint32Array(RINGS + 1);
  for (const { firstRing, lastRing, count } of leaves) {
    begun[firstRing] = (begun[firstRing] as number) + count;
    ended[lastRing] = (ended[lastRing] as number) + count;
  }
  return ringOfRank(ended, rank) === null
    ? null
    : { first: ringOfRank(begun, rank) as number, last: ringOfRank(ended, rank) as number };
}

/** Returns the first ring where the counts exceed the rank. */
function ringOfRank(counts: Uint32Array, rank: number): number | null {
  let total = 0;
  for (let ring = 0; ring < counts.length; ring += 1) {
    total += counts[ring] as number;
    if (total > rank) return ring;
  }
  return null;
}

/** Returns the ring of a distance. The corner of a box may be beyond every point of the sphere, in the last ring. */
const distanceRing = (chordSquared: number): number =>
  Math.min(RINGS, Math.floor((Math.sqrt(chordSquared) / MAX_CHORD) * RINGS));
