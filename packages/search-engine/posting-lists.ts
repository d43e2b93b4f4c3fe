import { lowerBound } from 'doorstep/collections';
import type { Columns } from './columns.ts';
import type { TermRange } from './term-dictionary.ts';

/* Posting lists of one segment: ascending slots per term in one array, and set operations on them. */

export const NO_SLOTS: Uint32Array = Uint32Array.of();

/** A list that is this many times as long as another is galloped through; below it, merging is faster. */
const MIN_GALLOP_RATIO = 8;
/** A term of more than 1 in 64 slots has a bitmap, which takes up to twice the memory of its list. */
const SLOTS_PER_COMMON_SLOT = 64;
/** Below this length, galloping through a list is as fast. */
const MIN_COMMON_LENGTH = 128;

/** The slots that have each term of a segment, ascending and without duplicates. */
export class PostingLists {
  private readonly slots: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly size: number;
  /** Scratch bitmap, empty between two calls. */
  private gathered: SlotSet | undefined;
  /** Buffer for an intersection. */
  private common: Uint32Array | undefined;
  /** Bitmaps of common terms, from their first intersection on. */
  private readonly bitmaps = new Map<number, Uint32Array>();

  constructor({ postings, postingStarts }: Columns, size: number) {
    this.slots = postings;
    this.starts = postingStarts;
    this.size = size;
  }

  of(term: number): Uint32Array {
    return this.slots.subarray(this.starts[term], this.starts[term + 1]);
  }

  count(term: number): number {
    return (this.starts[term + 1] as number) - (this.starts[term] as number);
  }

  /** Returns the slots of all terms of the range, ascending. */
  ofRange({ from, end }: TermRange): Uint32Array {
    const lists = this.slots.subarray(this.starts[from], this.starts[end]);
    return end - from > 1 ? this.gather([lists]) : lists;
  }

  /** Returns the number of slots of all terms in the range; a slot of several terms is counted several times. */
  countOfRange({ from, end }: TermRange): number {
    return (this.starts[end] as number) - (this.starts[from] as number);
  }

  /** Returns the slots of all lists, which are ascending. */
  union(lists: readonly Uint32Array[]): Uint32Array {
    const filled = lists.filter(({ length }) => length > 0);
    return filled.length > 1 ? this.gather(filled) : (filled[0] ?? NO_SLOTS);
  }

  /** Returns the slots in both lists. Merges a list with one of similar length; gallops through a much longer one. */
  intersect(one: Uint32Array, other: Uint32Array): Uint32Array {
    const [short, long] = one.length < other.length ? [one, other] : [other, one];
    const isMuchLonger = short.length * MIN_GALLOP_RATIO < long.length;
    this.common ??= new Uint32Array(this.size);
    const count = isMuchLonger ? gallopThrough(long, short, this.common) : merge(short, long, this.common);
    return count === 0 ? NO_SLOTS : this.common.slice(0, count);
  }

  /** Keeps the slots that have one of the terms. */
  keep(slots: Uint32Array, terms: readonly number[]): Uint32Array {
    if (slots.length === 0 || terms.length === 0) return NO_SLOTS;
    const found: Uint32Array[] = [];
    const bitmaps: Uint32Array[] = [];
    for (const term of terms) {
      if (this.isCommon(term)) bitmaps.push(this.bitmapOf(term));
      else found.push(this.intersect(slots, this.of(term)));
    }
    if (bitmaps.length > 0) found.push(this.keepBits(slots, bitmaps));
    return this.union(found);
  }

  private isCommon(term: number): boolean {
    const count = this.count(term);
    return count >= MIN_COMMON_LENGTH && count * SLOTS_PER_COMMON_SLOT > this.size;
  }

  private bitmapOf(term: number): Uint32Array {
    let bitmap = this.bitmaps.get(term);
    if (bitmap === undefined) {
      bitmap = new Uint32Array((this.size >>> 5) + 1);
      const list = this.of(term);
      for (let at = 0; at < list.length; at += 1) {
        const slot = list[at] as number;
        bitmap[slot >>> 5] = (bitmap[slot >>> 5] as number) | (1 << (slot & 31));
      }
      this.bitmaps.set(term, bitmap);
    }
    return bitmap;
  }

  /** Keeps the slots that are in one of the bitmaps. Branch-free, because which slots are is unpredictable. */
  private keepBits(slots: Uint32Array, bitmaps: readonly Uint32Array[]): Uint32Array {
    this.common ??= new Uint32Array(this.size);
    const kept = this.common;
    let count = 0;
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] as number;
      let bits = 0;
      for (let nth = 0; nth < bitmaps.length; nth += 1) bits |= (bitmaps[nth] as Uint32Array)[slot >>> 5] as number;
      kept[count] = slot;
      count += (bits >>> (slot & 31)) & 1;
    }
    return count === 0 ? NO_SLOTS : kept.slice(0, count);
  }

  private gather(lists: readonly Uint32Array[]): Uint32Array {
    this.gathered ??= new SlotSet(this.size);
    for (const list of lists) for (let at = 0; at < list.length; at += 1) this.gathered.add(list[at] as number);
    return this.gathered.drain();
  }
}

/** Returns the slots that are not in the list: runs of slots are copied between the slots of a short list. */
export function without(slots: Uint32Array, list: Uint32Array): Uint32Array {
  if (slots.length === 0 || list.length === 0) return slots;
  const kept = new Uint32Array(slots.length);
  let [at, count] = [0, 0];
  if (list.length * MIN_GALLOP_RATIO < slots.length) {
    for (let nth = 0; nth <= list.length; nth += 1) {
      const end = nth === list.length ? slots.length : gallop(slots, list[nth] as number, at);
      kept.set(slots.subarray(at, end), count);
      count += end - at;
      at = slots[end] === list[nth] ? end + 1 : end;
    }
    return kept.subarray(0, count);
  }
  for (let nth = 0; nth < slots.length; nth += 1) {
    const slot = slots[nth] as number;
    at = gallop(list, slot, at);
    kept[count] = slot;
    count += list[at] === slot ? 0 : 1;
  }
  return kept.subarray(0, count);
}

/** Writes the slots that are in both lists to `common` and returns their number. */
function gallopThrough(long: Uint32Array, short: Uint32Array, common: Uint32Array): number {
  let [at, count] = [0, 0];
  for (let nth = 0; nth < short.length; nth += 1) {
    const slot = short[nth] as number;
    at = gallop(long, slot, at);
    if (long[at] !== slot) continue;
    common[count] = slot;
    count += 1;
  }
  return count;
}

/** Does as `gallopThrough`, for similar lengths. Branch-free, because which list is behind is unpredictable. */
function merge(one: Uint32Array, other: Uint32Array, common: Uint32Array): number {
  let [at, otherAt, count] = [0, 0, 0];
  while (at < one.length && otherAt < other.length) {
    const slot = one[at] as number;
    const difference = slot - (other[otherAt] as number);
    const isBehind = difference >>> 31;
    const isAhead = -difference >>> 31;
    common[count] = slot;
    count += 1 - isBehind - isAhead;
    at += 1 - isAhead;
    otherAt += 1 - isBehind;
  }
  return count;
}

/** Finds the first position from `from` with at least `slot`. Exponential search: near positions take few steps. */
function gallop(list: Uint32Array, slot: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < list.length && (list[low + step] as number) < slot) {
    low += step;
    step *= 2;
  }
  return lowerBound(list, slot, low, Math.min(list.length, low + step + 1));
}

/** A set of slots as a bitmap, with a second bitmap of its nonzero words: gathering a few slots among many is cheap. */
class SlotSet {
  private readonly words: Uint32Array;
  private readonly used: Uint32Array;
  private size = 0;

  /** `end` is above all slots. */
  constructor(end: number) {
    this.words = new Uint32Array((end >>> 5) + 1);
    this.used = new Uint32Array((end >>> 10) + 1);
  }

  add(slot: number): void {
    const { words, used } = this;
    const word = slot >>> 5;
    const before = words[word] as number;
    const after = before | (1 << (slot & 31));
    if (before === after >>> 0) return;
    words[word] = after;
    used[word >>> 5] = (used[word >>> 5] as number) | (1 << (word & 31));
    this.size += 1;
  }

  /** Removes and returns all slots, ascending. */
  drain(): Uint32Array {
    if (this.size === 0) return NO_SLOTS;
    const { words, used } = this;
    const slots = new Uint32Array(this.size);
    let count = 0;
    for (let at = 0; count < slots.length; at += 1) {
      for (let group = used[at] as number; group !== 0; group &= group - 1) {
        const word = (at << 5) | lowestBit(group);
        for (let left = words[word] as number; left !== 0; left &= left - 1) {
          slots[count] = (word << 5) | lowestBit(left);
          count += 1;
        }
        words[word] = 0;
      }
      used[at] = 0;
    }
    this.size = 0;
    return slots;
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

export function listHas(list: Uint32Array, slot: number): boolean {
  const at = lowerBound(list, slot);
  return at < list.length && list[at] === slot;
}
