import type { Columns } from './columns.ts';
import type { TermRange } from './term-dictionary.ts';

export const NO_SLOTS: Uint32Array = Uint32Array.of();

/** The slots that have each term of a segment, ascending and without repetitions. */
export class PostingLists {
  private readonly slots: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly size: number;
  /** Empty between two calls. */
  private ownGathered: SlotSet | undefined;

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

  /** The lists of the range's terms, one after the other: not in sequence. */
  ofRange({ from, end }: TermRange): Uint32Array {
    return this.slots.subarray(this.starts[from], this.starts[end]);
  }

  /** Slots of all terms of the range, those of several terms counted as often. */
  countOfRange({ from, end }: TermRange): number {
    return (this.starts[end] as number) - (this.starts[from] as number);
  }

  /** The slots of all lists, ascending. The lists need not be. */
  union(lists: readonly Uint32Array[]): Uint32Array {
    const { gathered } = this;
    for (const list of lists) for (let at = 0; at < list.length; at += 1) gathered.add(list[at] as number);
    return gathered.drain();
  }

  /** The slots that one of the lists has too, all of them ascending: the shorter of two gallops through the longer. */
  inSome(slots: Uint32Array, lists: readonly Uint32Array[]): Uint32Array {
    const { gathered } = this;
    for (const list of lists) {
      const [short, long] = slots.length < list.length ? [slots, list] : [list, slots];
      let at = 0;
      for (let nth = 0; nth < short.length; nth += 1) {
        const slot = short[nth] as number;
        at = gallop(long, slot, at);
        if (long[at] === slot) gathered.add(slot);
      }
    }
    return gathered.drain();
  }

  private get gathered(): SlotSet {
    this.ownGathered ??= new SlotSet(this.size);
    return this.ownGathered;
  }
}

/** The slots that the list does not have. */
export function without(slots: Uint32Array, list: Uint32Array): Uint32Array {
  if (slots.length === 0 || list.length === 0) return slots;
  let at = 0;
  return slots.filter((slot) => {
    at = gallop(list, slot, at);
    return list[at] !== slot;
  });
}

/** The first position from `from` on whose slot is not below `slot`. Near positions take the fewest steps. */
function gallop(list: Uint32Array, slot: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < list.length && (list[low + step] as number) < slot) {
    low += step;
    step *= 2;
  }
  return lowerBound(list, slot, low, Math.min(list.length, low + step + 1));
}

/** Slots in a bitmap, and a bitmap of its words that are not zero: gathering a few slots among many costs a few steps. */
class SlotSet {
  private readonly words: Uint32Array;
  private readonly used: Uint32Array;
  private size = 0;

  /** Slots are below `end`. */
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

  /** Takes all slots out, ascending. */
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

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
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
