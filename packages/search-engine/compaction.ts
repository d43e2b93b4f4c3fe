import { MAX_SLOTS } from './columns.ts';
import { HILBERT_END, hilbertKey } from './hilbert.ts';
import { SegmentBuilder } from './seal.ts';
import type { Segment } from './segment.ts';

/**
 * Segment sizes in stores. Changed stores move from small segments to large ones: memtable → young → old → range. Each
 * step rewrites a few times as many stores as it adds.
 */
export type CompactionLimits = {
  /** Size that freezes a memtable. */
  memtable: number;
  /** Maximum size of a young segment before it is merged into the old one. */
  young: number;
  /** Maximum size of the old segment before the range with most of its stores is rewritten. */
  old: number;
  /** Stores of a new range; a range with a quarter more is divided. */
  range: number;
};

export const COMPACTION_LIMITS: CompactionLimits = { memtable: 512, young: 8192, old: 24_576, range: 100_000 };

/** The stores on one part of the Hilbert curve, `from` up to `end`, exclusive; null if there are none. */
export type Range = { from: number; end: number; segment: Segment | null };

export const WHOLE_CURVE: Range = { from: 0, end: HILBERT_END, segment: null };

/**
 * The segments of a version by their role. Ranges cover the curve and are disjoint, except where a part of it has more
 * stores than a segment: then several ranges have the same limits.
 */
export type Levels = {
  frozen: readonly Segment[];
  young: Segment | null;
  old: Segment | null;
  ranges: readonly Range[];
};

/** Consecutive slots of a segment. */
export type Source = { segment: Segment; from: number; end: number };

/** The next rewrite: whole segments into one, or a range and its part of the old segment. */
export type CompactionTask =
  | { into: 'young' | 'old'; sources: readonly Source[] }
  | { into: 'range'; range: Range; sources: readonly Source[] };

/** Maximum stores of a merged segment, less than a segment can have, so that it can grow. */
const MAX_MERGED_STORES = 60_000;
/** Slots that are copied between two yields; they take a few milliseconds. */
const SLOTS_PER_STEP = 2048;
/** Size that divides a range, as a multiple of a new range's size. */
const DIVIDE_FACTOR = 1.25;

export function planCompaction(
  { frozen, young, old, ranges }: Levels,
  limits: CompactionLimits,
): CompactionTask | null {
  const [youngSize, oldSize] = [young?.liveSlots ?? 0, old?.liveSlots ?? 0];
  const isYoungFull = youngSize > limits.young;
  if (
    old !== null &&
    (oldSize > limits.old || (isYoungFull && oldSize > 0 && youngSize + oldSize > MAX_MERGED_STORES))
  ) {
    return rewriteRange(old, ranges);
  }
  if (isYoungFull) return { into: 'old', sources: [young, old].flatMap(wholeSegment) };
  if (frozen.length === 0) return null;
  const sources = wholeSegment(young);
  let total = youngSize;
  for (const segment of frozen) {
    total += segment.liveSlots;
    if (total <= MAX_MERGED_STORES) sources.push(...wholeSegment(segment));
  }
  return { into: 'young', sources };
}

/** Selects the range that adds the most stores and drops the most tombstones, relative to its size. */
function rewriteRange(old: Segment, ranges: readonly Range[]): CompactionTask | null {
  let [best, bestGain] = [null as CompactionTask | null, 0];
  for (const range of ranges) {
    const part = { segment: old, from: slotFrom(old, range.from), end: slotFrom(old, range.end) };
    const moved = countLive(part);
    const { segment } = range;
    const gain = (moved + (segment?.tombstones ?? 0)) / (1 + (segment?.size ?? 0));
    if (moved === 0 || gain <= bestGain) continue;
    [best, bestGain] = [{ into: 'range', range, sources: [...wholeSegment(segment), part] }, gain];
  }
  return best;
}

function countLive({ segment, from, end }: Source): number {
  let count = 0;
  for (let slot = from; slot < end; slot += 1) if (segment.columns.died[slot] === 0) count += 1;
  return count;
}

export const wholeSegment = (segment: Segment | null): Source[] =>
  segment === null ? [] : [{ segment, from: 0, end: segment.size }];

/** Returns the first slot at or after the key; slots are in curve order. */
function slotFrom({ size, columns: { degrees } }: Segment, key: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyAt(degrees, middle) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

const keyAt = (degrees: Float64Array, slot: number): number =>
  hilbertKey(degrees[slot * 2] as number, degrees[slot * 2 + 1] as number);

/** A part of the curve, and its stores as copied by a compaction. */
export type CopiedPart = { from: number; end: number; builder: SegmentBuilder };

/**
 * Copies the stores of a task in steps, yielding null after each, and yields each part once it is complete. A full
 * builder is a part of its own, so that no store is lost for any division of the curve.
 */
export function* copySources(task: CompactionTask, limits: CompactionLimits): Generator<CopiedPart | null, void> {
  const isRange = task.into === 'range';
  const capacity = isRange ? rangeCapacity(limits) : MAX_SLOTS;
  for (const { from, end } of isRange ? dividedRange(task.sources, task.range, limits) : [WHOLE_CURVE]) {
    let builder = new SegmentBuilder();
    for (const { segment, ...source } of task.sources) {
      let copy = builder.copier(segment);
      const stop = Math.min(source.end, slotFrom(segment, end));
      let at = Math.max(source.from, slotFrom(segment, from));
      while (at < stop) {
        if (builder.size === capacity) {
          yield { from, end, builder };
          builder = new SegmentBuilder();
          copy = builder.copier(segment);
        }
        const next = Math.min(stop, at + SLOTS_PER_STEP, at + capacity - builder.size);
        copy(at, next);
        at = next;
        yield null;
      }
    }
    yield { from, end, builder };
  }
}

/** Returns the maximum number of stores before a range is divided. */
const rangeCapacity = ({ range }: CompactionLimits): number => Math.min(MAX_SLOTS, Math.floor(range * DIVIDE_FACTOR));

/** Returns the parts of a range with about the same number of stores. */
function dividedRange(
  sources: readonly Source[],
  { from, end }: Range,
  limits: CompactionLimits,
): { from: number; end: number }[] {
  const total = sources.reduce((sum, source) => sum + source.end - source.from, 0);
  if (total <= rangeCapacity(limits)) return [{ from, end }];
  const keys: number[] = [];
  for (const source of sources) {
    for (let slot = source.from; slot < source.end; slot += 1) {
      if (source.segment.columns.died[slot] === 0) keys.push(keyAt(source.segment.columns.degrees, slot));
    }
  }
  const sorted = Float64Array.from(keys).sort();
  const parts = Math.ceil(keys.length / limits.range);
  const quantiles = Array.from(
    { length: parts - 1 },
    (_, nth) => sorted[Math.floor((keys.length * (nth + 1)) / parts)] as number,
  );
  const bounds = [from, ...new Set(quantiles.filter((key) => key > from)), end];
  return bounds.slice(1).map((bound, nth) => ({ from: bounds[nth] as number, end: bound }));
}
