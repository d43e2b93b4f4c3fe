import { grownFloat64, grownUint32 } from './grow.ts';
import type { RankedItem } from './top-list.ts';

/** Exchanges of two items in a step: a pass through hundreds of thousands of items takes tens of milliseconds. */
const SWAPS_OF_STEP = 4096;

/** Unsorted items of which one is selected by its rank. */
export type ItemPile = {
  add(key: number, tieKey: number, id: number): void;
  readonly size: number;
  /** The item of rank `nth`, from 0 and below `size`, in time linear to the size. */
  selectNth(nth: number): RankedItem;
  /** The same in short steps. */
  selectSteps(nth: number): Generator<void, RankedItem>;
  /** The items of ranks `first` to `last`, sorted, in short steps; fewer where the pile ends before. */
  selectRange(first: number, last: number): Generator<void, RankedItem[]>;
};

/** `isBefore` sorts the ids of items whose keys and tie keys are equal. */
export function createItemPile(isBefore: (a: number, b: number) => boolean): ItemPile {
  let keys = new Float64Array(4096);
  let tieKeys = new Float64Array(4096);
  let ids = new Uint32Array(4096);
  let size = 0;

  function isLess(at: number, key: number, tieKey: number, id: number): boolean {
    const other = keys[at] as number;
    if (other !== key) return other < key;
    const tie = tieKeys[at] as number;
    return tie === tieKey ? isBefore(ids[at] as number, id) : tie < tieKey;
  }

  function isMore(at: number, key: number, tieKey: number, id: number): boolean {
    return ids[at] !== id && !isLess(at, key, tieKey, id);
  }

  function itemAt(at: number): RankedItem {
    return { key: keys[at] as number, tieKey: tieKeys[at] as number, id: ids[at] as number };
  }

  function swap(a: number, b: number): void {
    const [key, tieKey, id] = [keys[a] as number, tieKeys[a] as number, ids[a] as number];
    keys[a] = keys[b] as number;
    tieKeys[a] = tieKeys[b] as number;
    ids[a] = ids[b] as number;
    keys[b] = key;
    tieKeys[b] = tieKey;
    ids[b] = id;
  }

  /** Hoare's partition around the middle item, in steps: returns the last slot of the lower part. */
  function* partition(from: number, to: number): Generator<void, number> {
    const { key, tieKey, id } = itemAt((from + to) >> 1);
    let low = from;
    let high = to;
    for (let swaps = 1; ; swaps += 1, low += 1, high -= 1) {
      while (isLess(low, key, tieKey, id)) low += 1;
      while (isMore(high, key, tieKey, id)) high -= 1;
      if (low >= high) return high;
      swap(low, high);
      if (swaps % SWAPS_OF_STEP === 0) yield;
    }
  }

  function* selectFrom(start: number, nth: number): Generator<void, void> {
    let from = start;
    let to = size - 1;
    while (from < to) {
      const middle = yield* partition(from, to);
      if (nth <= middle) to = middle;
      else from = middle + 1;
      yield;
    }
  }

  function* selectSteps(nth: number): Generator<void, RankedItem> {
    yield* selectFrom(0, nth);
    return itemAt(nth);
  }

  function* selectRange(first: number, last: number): Generator<void, RankedItem[]> {
    const end = Math.min(last, size - 1);
    if (first > end) return [];
    yield* selectFrom(0, first);
    yield* selectFrom(first, end);
    const items = Array.from({ length: end - first + 1 }, (_, nth) => itemAt(first + nth));
    return items.sort(compare);
  }

  function compare(a: RankedItem, b: RankedItem): number {
    if (a.key !== b.key) return a.key < b.key ? -1 : 1;
    return a.tieKey - b.tieKey || (isBefore(a.id, b.id) ? -1 : 1);
  }

  return {
    add(key, tieKey, id) {
      if (size === keys.length) {
        keys = grownFloat64(keys, size + 1);
        tieKeys = grownFloat64(tieKeys, size + 1);
        ids = grownUint32(ids, size + 1);
      }
      keys[size] = key;
      tieKeys[size] = tieKey;
      ids[size] = id;
      size += 1;
    },
    get size() {
      return size;
    },
    selectNth(nth) {
      const steps = selectSteps(nth);
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
      }
    },
    selectSteps,
    selectRange,
  };
}
