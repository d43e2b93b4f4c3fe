import { grownFloat64, grownUint32 } from './grow.ts';
import type { RankedItem } from './top-list.ts';

/** Unsorted items of which one is selected by its rank. */
export type ItemPile = {
  add(key: number, tieKey: number, id: number): void;
  readonly size: number;
  /** The item of rank `nth`, from 0 and below `size`, in time linear to the size. */
  selectNth(nth: number): RankedItem;
};

/** `isBefore` sorts the ids of items whose keys and tie keys are equal. */
export function createItemPile(isBefore: (a: number, b: number) => boolean): ItemPile {
  let keys = new Float64Array(4096);
  let tieKeys = new Float64Array(4096);
  let ids = new Uint32Array(4096);
  let size = 0;

  function isLess(at: number, item: RankedItem): boolean {
    const key = keys[at] as number;
    if (key !== item.key) return key < item.key;
    const tie = tieKeys[at] as number;
    if (tie !== item.tieKey) return tie < item.tieKey;
    return isBefore(ids[at] as number, item.id);
  }

  function isMore(at: number, item: RankedItem): boolean {
    return !isLess(at, item) && ids[at] !== item.id;
  }

  function itemAt(at: number): RankedItem {
    return { key: keys[at] as number, tieKey: tieKeys[at] as number, id: ids[at] as number };
  }

  function put(at: number, item: RankedItem): void {
    keys[at] = item.key;
    tieKeys[at] = item.tieKey;
    ids[at] = item.id;
  }

  /** Hoare's partition around the middle item: returns the last slot of the lower part. */
  function partition(from: number, to: number): number {
    const pivot = itemAt((from + to) >> 1);
    for (let low = from, high = to; ; low += 1, high -= 1) {
      while (isLess(low, pivot)) low += 1;
      while (isMore(high, pivot)) high -= 1;
      if (low >= high) return high;
      const swapped = itemAt(low);
      put(low, itemAt(high));
      put(high, swapped);
    }
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
      let from = 0;
      let to = size - 1;
      while (from < to) {
        const middle = partition(from, to);
        if (nth <= middle) to = middle;
        else from = middle + 1;
      }
      return itemAt(nth);
    },
  };
}
