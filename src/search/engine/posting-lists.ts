import { LRUCache } from 'lru-cache';
import { type Columns, SLOTS } from './columns.ts';
import type { TermRange } from './term-dictionary.ts';

/** Bitmaps that are cached, of some kilobytes each: those of the words that most names have are asked for again and again. */
const MAX_BITMAPS = 192;

/** The slots that have each term of a segment, ascending and without repetitions. */
export class PostingLists {
  private readonly slots: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly size: number;
  private readonly bitmaps = new LRUCache<string, Uint32Array>({ max: MAX_BITMAPS });

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

  /** Slots of all terms of the range, those of several terms counted as often. */
  countOfRange({ from, end }: TermRange): number {
    return (this.starts[end] as number) - (this.starts[from] as number);
  }

  /** The slots that have one of the terms: those of the range, and those named. */
  union(range: TermRange, terms: ArrayLike<number>): Uint32Array {
    return unionOf(this.listsOf(range, terms));
  }

  /**
   * The lists of the terms of a range, which lie side by side and are given as one, and the lists of those named. One of a
   * range is sorted only where the range has one term.
   */
  listsOf({ from, end }: TermRange, terms: ArrayLike<number>): Uint32Array[] {
    const lists = end > from ? [this.slots.subarray(this.starts[from], this.starts[end])] : [];
    for (let at = 0; at < terms.length; at += 1) lists.push(this.of(terms[at] as number));
    return lists;
  }

  /** The slots of the lists as a bitmap, cached under a key that says which lists they are. */
  bitmap(key: string, lists: () => readonly Uint32Array[]): Uint32Array {
    const known = this.bitmaps.get(key) ?? bitmapOf(lists(), this.size);
    this.bitmaps.set(key, known);
    return known;
  }
}

/** The union of lists of slots, ascending. */
export function unionOf(lists: readonly Uint32Array[]): Uint32Array {
  let total = 0;
  for (const list of lists) total += list.length;
  if (total <= FEW_SLOTS) return unionOfFew(lists, total);
  const gathered = new SlotSet();
  for (const list of lists) for (let at = 0; at < list.length; at += 1) gathered.add(list[at] as number);
  return gathered.toSlots();
}

/** So few slots are sorted; more are gathered in a bitmap. */
const FEW_SLOTS = 256;

function unionOfFew(lists: readonly Uint32Array[], total: number): Uint32Array {
  const slots = new Uint32Array(total);
  let end = 0;
  for (const list of lists) {
    slots.set(list, end);
    end += list.length;
  }
  slots.sort();
  let count = 0;
  for (let at = 0; at < total; at += 1) {
    if (count > 0 && slots[at] === slots[count - 1]) continue;
    slots[count] = slots[at] as number;
    count += 1;
  }
  return count === total ? slots : slots.subarray(0, count);
}

/** Slots in a bitmap, and a bitmap of its words that are not zero: gathering a few slots among many costs a few steps. */
class SlotSet {
  private readonly words = new Uint32Array(SLOTS / 32);
  private readonly used = new Uint32Array(SLOTS / 1024);
  private size = 0;

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

  /** Ascending. */
  toSlots(): Uint32Array {
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
      }
    }
    return slots;
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function bitmapOf(lists: readonly Uint32Array[], size: number): Uint32Array {
  const bits = new Uint32Array((size >>> 5) + 1);
  for (const list of lists) {
    for (let at = 0; at < list.length; at += 1) {
      const slot = list[at] as number;
      bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31));
    }
  }
  return bits;
}

/** The first position from `from` up to `end` whose slot is not below `slot`; `end` where there is none. */
export function lowerBound(list: Uint32Array, slot: number, from: number, end: number): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function listHas(list: Uint32Array, slot: number): boolean {
  const at = lowerBound(list, slot, 0, list.length);
  return at < list.length && list[at] === slot;
}
