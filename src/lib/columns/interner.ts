import { createShardedMap } from './sharded-map.ts';

/**
 * Gives equal keys one small number while it has a holder; a released number is given out again. Numbers start at 1, so
 * that 0 can mean no key.
 */
export type Interner = {
  /** `isNew` means that the key had no holder: the caller must set its data of that number. */
  acquire(key: string): { id: number; isNew: boolean };
  /** Adds a holder to a number that has one. */
  hold(id: number): void;
  /** True when the last holder released the number, which is free again then. */
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
    hold(id) {
      holders[id] = (holders[id] as number) + 1;
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
