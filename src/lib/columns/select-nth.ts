import { grownFloat64, grownUint32 } from './grow.ts';
import type { Rank } from './top-list.ts';

/** Stores in no order, of which one is asked for by its place in the order. */
export type RankPile = {
  add(key: number, chordSquared: number, ordinal: number): void;
  readonly size: number;
  /** The store at place `nth`, from 0 and below `size`; takes time in proportion to the size. */
  selectNth(nth: number): Rank;
};

/** `isBefore` orders stores of equal key and distance. */
export function createRankPile(isBefore: (a: number, b: number) => boolean): RankPile {
  let keys = new Float64Array(4096);
  let chords = new Float64Array(4096);
  let ordinals = new Uint32Array(4096);
  let size = 0;

  function isLess(at: number, rank: Rank): boolean {
    const key = keys[at] as number;
    if (key !== rank.key) return key < rank.key;
    const chordSquared = chords[at] as number;
    if (chordSquared !== rank.chordSquared) return chordSquared < rank.chordSquared;
    return isBefore(ordinals[at] as number, rank.ordinal);
  }

  function isMore(at: number, rank: Rank): boolean {
    return !isLess(at, rank) && ordinals[at] !== rank.ordinal;
  }

  function rankAt(at: number): Rank {
    return { key: keys[at] as number, chordSquared: chords[at] as number, ordinal: ordinals[at] as number };
  }

  function put(at: number, rank: Rank): void {
    keys[at] = rank.key;
    chords[at] = rank.chordSquared;
    ordinals[at] = rank.ordinal;
  }

  /** Hoare's partition around the middle one: returns the last place of the lower part. */
  function partition(from: number, to: number): number {
    const pivot = rankAt((from + to) >> 1);
    for (let low = from, high = to; ; low += 1, high -= 1) {
      while (isLess(low, pivot)) low += 1;
      while (isMore(high, pivot)) high -= 1;
      if (low >= high) return high;
      const swapped = rankAt(low);
      put(low, rankAt(high));
      put(high, swapped);
    }
  }

  return {
    add(key, chordSquared, ordinal) {
      if (size === keys.length) {
        keys = grownFloat64(keys, size + 1);
        chords = grownFloat64(chords, size + 1);
        ordinals = grownUint32(ordinals, size + 1);
      }
      keys[size] = key;
      chords[size] = chordSquared;
      ordinals[size] = ordinal;
      size += 1;
    },
    get size() {
      return size;
    },
    selectNth(nth) {
      let from = 0;
      let to = size - 1;
      while (from < to) {
        const middle = partition(from, to);
        if (nth <= middle) to = middle;
        else from = middle + 1;
      }
      return rankAt(nth);
    },
  };
}
