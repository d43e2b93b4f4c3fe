import { LRUCache } from 'lru-cache';
import { lastUsed } from '../../lib/last-used.ts';
import type { Columns } from './columns.ts';
import type { TermRange } from './term-dictionary.ts';

/** A union of more slots is made by a bitmap, of fewer by sorting. */
const BITMAP_FROM = 64;

/** Bitmaps that are cached, of some kilobytes each: those of the words that most names have are asked for again and again. */
const MAX_BITMAPS = 96;

/** The slots that have each term of a segment, ascending and without repetitions. */
export class PostingLists {
  private readonly slots: Uint16Array;
  private readonly starts: Uint32Array;
  private readonly size: number;
  private readonly bitmaps = new LRUCache<string, Uint32Array>(lastUsed(MAX_BITMAPS));

  constructor({ postings, postingStarts }: Columns, size: number) {
    this.slots = postings;
    this.starts = postingStarts;
    this.size = size;
  }

  of(term: number): Uint16Array {
    return this.slots.subarray(this.starts[term], this.starts[term + 1]);
  }

  count(term: number): number {
    return (this.starts[term + 1] as number) - (this.starts[term] as number);
  }

  /** Slots of all terms of the range, those of several terms counted as often. */
  countOfRange({ from, end }: TermRange): number {
    return (this.starts[end] as number) - (this.starts[from] as number);
  }

  /** The slots that have one of the terms: those of the range, and those named. */
  union(range: TermRange, terms: ArrayLike<number>): Uint16Array {
    return unionOf(this.listsOf(range, terms), this.size);
  }

  /**
   * The lists of the terms of a range, which lie side by side and are given as one, and the lists of those named. One of a
   * range is sorted only where the range has one term.
   */
  listsOf({ from, end }: TermRange, terms: ArrayLike<number>): Uint16Array[] {
    const lists = end > from ? [this.slots.subarray(this.starts[from], this.starts[end])] : [];
    for (let at = 0; at < terms.length; at += 1) lists.push(this.of(terms[at] as number));
    return lists;
  }

  /** The slots of the lists as a bitmap, cached under a key that says which lists they are. */
  bitmap(key: string, lists: () => readonly Uint16Array[]): Uint32Array {
    const known = this.bitmaps.get(key) ?? bitmapOf(lists(), this.size);
    this.bitmaps.set(key, known);
    return known;
  }
}

/** The union of lists of slots below `size`, ascending. */
export function unionOf(lists: readonly Uint16Array[], size: number): Uint16Array {
  let total = 0;
  for (const list of lists) total += list.length;
  return total < BITMAP_FROM ? sortedUnion(lists, total) : slotsOf(bitmapOf(lists, size));
}

function sortedUnion(lists: readonly Uint16Array[], total: number): Uint16Array {
  const all = new Uint16Array(total);
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  let kept = 0;
  for (let from = 0; from < total; from += 1) {
    if (from > 0 && all[from] === all[from - 1]) continue;
    all[kept] = all[from] as number;
    kept += 1;
  }
  return all.subarray(0, kept);
}

function bitmapOf(lists: readonly Uint16Array[], size: number): Uint32Array {
  const bits = new Uint32Array((size >>> 5) + 1);
  for (const list of lists) {
    for (let at = 0; at < list.length; at += 1) {
      const slot = list[at] as number;
      bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31));
    }
  }
  return bits;
}

function slotsOf(bits: Uint32Array): Uint16Array {
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) count += bitsIn(bits[word] as number);
  const slots = new Uint16Array(count);
  count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    for (let left = bits[word] as number; left !== 0; left &= left - 1) {
      slots[count] = (word << 5) | (31 - Math.clz32(left & -left));
      count += 1;
    }
  }
  return slots;
}

/** How many bits of a word of 32 are set. */
function bitsIn(word: number): number {
  if (word === 0) return 0;
  let sum = word - ((word >>> 1) & 0x5555_5555);
  sum = (sum & 0x3333_3333) + ((sum >>> 2) & 0x3333_3333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** The first position from `from` up to `end` whose slot is not below `slot`; `end` where there is none. */
export function lowerBound(list: Uint16Array, slot: number, from: number, end: number): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function listHas(list: Uint16Array, slot: number): boolean {
  const at = lowerBound(list, slot, 0, list.length);
  return at < list.length && list[at] === slot;
}
