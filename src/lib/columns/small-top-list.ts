import type { RankedItem, TopList } from './top-list.ts';

/** Up to this size a sorted array is faster than a heap, whose branches a processor mispredicts. */
export const MAX_SMALL_LIST = 128;

/** A top list of at most `MAX_SMALL_LIST` items that is always sorted, best first. */
export function createSmallTopList(isBefore: (a: number, b: number) => boolean): TopList {
  const keys = new Float64Array(MAX_SMALL_LIST);
  const tieKeys = new Float64Array(MAX_SMALL_LIST);
  const ids = new Uint32Array(MAX_SMALL_LIST);
  let size = 0;
  let limit = 0;

  function isWorse(at: number, key: number, tieKey: number, id: number): boolean {
    const other = keys[at] as number;
    if (other !== key) return other > key;
    const otherTie = tieKeys[at] as number;
    return otherTie === tieKey ? isBefore(id, ids[at] as number) : otherTie > tieKey;
  }

  return {
    reset(newLimit) {
      size = 0;
      limit = newLimit;
    },
    offer(key, tieKey, id) {
      if (size < limit) size += 1;
      else if (limit === 0 || !isWorse(limit - 1, key, tieKey, id)) return;
      let at = size - 1;
      for (; at > 0 && isWorse(at - 1, key, tieKey, id); at -= 1) {
        keys[at] = keys[at - 1] as number;
        tieKeys[at] = tieKeys[at - 1] as number;
        ids[at] = ids[at - 1] as number;
      }
      keys[at] = key;
      tieKeys[at] = tieKey;
      ids[at] = id;
    },
    isFull: () => size === limit,
    worstKey: () => keys[size - 1] as number,
    worstTieKey: () => tieKeys[size - 1] as number,
    drain() {
      const items: RankedItem[] = new Array(size);
      for (let at = 0; at < size; at += 1) {
        items[at] = { key: keys[at] as number, tieKey: tieKeys[at] as number, id: ids[at] as number };
      }
      size = 0;
      return items;
    },
  };
}
