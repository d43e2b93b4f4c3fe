import { createShardedMap } from './sharded-map.ts';

/**
 * Gives equal keys one small number for as long as somebody holds it; numbers let go are given out again.
 * Numbers start at 1, so that 0 can say that nothing is held.
 */
export type Interner = {
  /** `isNew` tells that nobody held the key before, so that what hangs on the number must be set. */
  acquire(key: string): { id: number; isNew: boolean };
  /** True when that was the last holder, and the number is free again. */
  release(id: number): boolean;
  keyOf(id: number): string;
  idOf(key: string): number | undefined;
  /** One more than the highest number ever given out. */
  readonly ceiling: number;
};

export function createInterner(): Interner {
  const ids = createShardedMap();
  const keys = [''];
  const holders = [0];
  const free: number[] = [];

  return {
    acquire(key) {
      const known = ids.get(key);
      if (known !== undefined) {
        holders[known] = (holders[known] as number) + 1;
        return { id: known, isNew: false };
      }
      const id = free.pop() ?? keys.length;
      ids.set(key, id);
      keys[id] = key;
      holders[id] = 1;
      return { id, isNew: true };
    },
    release(id) {
      const left = (holders[id] as number) - 1;
      holders[id] = left;
      if (left > 0) return false;
      ids.delete(keys[id] as string);
      keys[id] = '';
      free.push(id);
      return true;
    },
    keyOf: (id) => keys[id] as string,
    idOf: (key) => ids.get(key),
    get ceiling() {
      return keys.length;
    },
  };
}
