import { grownFloat64, grownUint32 } from './grow.ts';
import { createShortList, MOST_IN_SHORT_LIST } from './short-list.ts';

/** A store's place in an order: by key, then by distance, then by a fixed order of the stores. */
export type Rank = { key: number; chordSquared: number; ordinal: number };

/** Keeps the best so many of the stores offered to it, whatever their number. Keys are never NaN. */
export type TopList = {
  reset(most: number): void;
  offer(key: number, chordSquared: number, ordinal: number): void;
  isFull(): boolean;
  /** Key of the worst store kept; a worse one cannot enter a full list. */
  worstKey(): number;
  /** Squared chord of that store. */
  worstChord(): number;
  /** The stores kept, best first; empties the list. */
  drain(): Rank[];
};

/** `isBefore` orders stores of equal key and distance. */
export function createTopList(isBefore: (a: number, b: number) => boolean): TopList {
  const short = createShortList(isBefore);
  const long = createHeap(isBefore);
  let list = short;

  return {
    reset(most) {
      list = most <= MOST_IN_SHORT_LIST ? short : long;
      list.reset(most);
    },
    offer: (key, chordSquared, ordinal) => list.offer(key, chordSquared, ordinal),
    isFull: () => list.isFull(),
    worstKey: () => list.worstKey(),
    worstChord: () => list.worstChord(),
    drain: () => list.drain(),
  };
}

/** A binary heap with the worst on top. */
function createHeap(isBefore: (a: number, b: number) => boolean): TopList {
  let keys = new Float64Array(256);
  let chords = new Float64Array(256);
  let ordinals = new Uint32Array(256);
  let size = 0;
  let most = 0;

  function isWorse(a: number, b: number): boolean {
    const key = keys[a] as number;
    const other = keys[b] as number;
    if (key !== other) return key > other;
    const difference = (chords[a] as number) - (chords[b] as number);
    return difference === 0 ? isBefore(ordinals[b] as number, ordinals[a] as number) : difference > 0;
  }

  function copy(to: number, from: number): void {
    keys[to] = keys[from] as number;
    chords[to] = chords[from] as number;
    ordinals[to] = ordinals[from] as number;
  }

  /** Moves the store at `moving`, a place outside of the heap, to its place between there and the top. */
  function rise(from: number, moving: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(moving, parent)) break;
      copy(at, parent);
      at = parent;
    }
    copy(at, moving);
  }

  /** Moves the store at `moving`, a place outside of the heap of that length, to its place under the free top. */
  function sink(length: number, moving: number): void {
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && isWorse(child + 1, child)) child += 1;
      if (!isWorse(child, moving)) break;
      copy(at, child);
      at = child;
    }
    copy(at, moving);
  }

  function makeRoom(): void {
    if (size + 2 <= keys.length) return;
    keys = grownFloat64(keys, size + 2);
    chords = grownFloat64(chords, size + 2);
    ordinals = grownUint32(ordinals, size + 2);
  }

  return {
    reset(limit) {
      size = 0;
      most = limit;
    },
    offer(key, chordSquared, ordinal) {
      if (size === most && (most === 0 || key > (keys[0] as number))) return;
      makeRoom();
      const spare = size + 1;
      keys[spare] = key;
      chords[spare] = chordSquared;
      ordinals[spare] = ordinal;
      if (size < most) {
        rise(size, spare);
        size += 1;
      } else if (isWorse(0, spare)) sink(size, spare);
    },
    isFull: () => size === most,
    worstKey: () => keys[0] as number,
    worstChord: () => chords[0] as number,
    drain() {
      const ranks: Rank[] = new Array(size);
      for (let last = size - 1; last >= 0; last -= 1) {
        ranks[last] = { key: keys[0] as number, chordSquared: chords[0] as number, ordinal: ordinals[0] as number };
        sink(last, last);
      }
      size = 0;
      return ranks;
    },
  };
}
