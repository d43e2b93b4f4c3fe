import { grownFloat64, grownUint32 } from './grow.ts';
import { createSmallTopList, MAX_SMALL_LIST } from './small-top-list.ts';

/** Items are ranked by key, then by tie key, then by a fixed order of their ids; the smallest is the best. */
export type RankedItem = { key: number; tieKey: number; id: number };

/** Keeps the best items of those offered, at most `limit`. Keys are never NaN. */
export type TopList = {
  /** Empties the list and sets how many items it keeps. */
  reset(limit: number): void;
  offer(key: number, tieKey: number, id: number): void;
  isFull(): boolean;
  /** Key of the worst item kept; an item with a larger key cannot enter a full list. */
  worstKey(): number;
  /** Tie key of that item. */
  worstTieKey(): number;
  /** The items kept, best first; empties the list. */
  drain(): RankedItem[];
};

/** `isBefore` sorts the ids of items whose keys and tie keys are equal. */
export function createTopList(isBefore: (a: number, b: number) => boolean): TopList {
  const small = createSmallTopList(isBefore);
  const large = createHeap(isBefore);
  let list = small;

  return {
    reset(limit) {
      list = limit <= MAX_SMALL_LIST ? small : large;
      list.reset(limit);
    },
    offer: (key, tieKey, id) => list.offer(key, tieKey, id),
    isFull: () => list.isFull(),
    worstKey: () => list.worstKey(),
    worstTieKey: () => list.worstTieKey(),
    drain: () => list.drain(),
  };
}

/** A binary heap with the worst item on top. */
function createHeap(isBefore: (a: number, b: number) => boolean): TopList {
  let keys = new Float64Array(256);
  let tieKeys = new Float64Array(256);
  let ids = new Uint32Array(256);
  let size = 0;
  let limit = 0;

  function isWorse(a: number, b: number): boolean {
    const key = keys[a] as number;
    const other = keys[b] as number;
    if (key !== other) return key > other;
    const difference = (tieKeys[a] as number) - (tieKeys[b] as number);
    return difference === 0 ? isBefore(ids[b] as number, ids[a] as number) : difference > 0;
  }

  function copy(to: number, from: number): void {
    keys[to] = keys[from] as number;
    tieKeys[to] = tieKeys[from] as number;
    ids[to] = ids[from] as number;
  }

  /** Moves the item at `moving`, a slot outside of the heap, up to its slot between `from` and the top. */
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

  /** Moves the item at `moving`, a slot outside of the heap of that length, down to its slot under the free top. */
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
    tieKeys = grownFloat64(tieKeys, size + 2);
    ids = grownUint32(ids, size + 2);
  }

  return {
    reset(newLimit) {
      size = 0;
      limit = newLimit;
    },
    offer(key, tieKey, id) {
      if (size === limit && (limit === 0 || key > (keys[0] as number))) return;
      makeRoom();
      const spare = size + 1;
      keys[spare] = key;
      tieKeys[spare] = tieKey;
      ids[spare] = id;
      if (size < limit) {
        rise(size, spare);
        size += 1;
      } else if (isWorse(0, spare)) sink(size, spare);
    },
    isFull: () => size === limit,
    worstKey: () => keys[0] as number,
    worstTieKey: () => tieKeys[0] as number,
    drain() {
      const items: RankedItem[] = new Array(size);
      for (let last = size - 1; last >= 0; last -= 1) {
        items[last] = { key: keys[0] as number, tieKey: tieKeys[0] as number, id: ids[0] as number };
        sink(last, last);
      }
      size = 0;
      return items;
    },
  };
}
