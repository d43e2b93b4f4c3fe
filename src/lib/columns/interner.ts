import { grownUint32 } from './grow.ts';
import { createKeyTable } from './key-table.ts';

/**
 * Gives equal keys one small number while it has a holder; a released number is given out again. Numbers start at 1, so
 * that 0 can mean no key.
 */
export type Interner = {
  /** `isNew` means that the key had no holder: the caller must set its data of that number. */
  acquire(key: string): { id: number; isNew: boolean };
  /** A number with one holder, which no key has. */
  acquireUnnamed(): number;
  /** Adds a holder to a number that has one. */
  hold(id: number): void;
  /** The same for each of the numbers, which may repeat. */
  holdAll(ids: Uint32Array): void;
  /** True when the last holder released the number, which is free again then. */
  release(id: number): boolean;
  keyOf(id: number): string;
  idOf(key: string): number | undefined;
  /** One more than the highest number ever given out. */
  readonly ceiling: number;
};

export function createInterner(): Interner {
  /** Null for a number that no key has. */
  const keys: (string | null)[] = [''];
  const ids = createKeyTable((id) => keys[id] ?? '');
  let holders = new Uint32Array(64);
  const free: number[] = [];

  /** Takes the next free number. */
  function take(key: string | null): number {
    const id = free.pop() ?? keys.length;
    keys[id] = key;
    if (id >= holders.length) holders = grownUint32(holders, id + 1);
    holders[id] = 1;
    return id;
  }

  return {
    acquire(key) {
      const next = free.at(-1) ?? keys.length;
      const id = ids.getOrAdd(key, next);
      if (id !== next) {
        holders[id] = (holders[id] as number) + 1;
        return { id, isNew: false };
      }
      take(key);
      return { id, isNew: true };
    },
    acquireUnnamed: () => take(null),
    hold(id) {
      holders[id] = (holders[id] as number) + 1;
    },
    holdAll(ids) {
      const counts = holders;
      for (let nth = 0; nth < ids.length; nth += 1)
        counts[ids[nth] as number] = (counts[ids[nth] as number] as number) + 1;
    },
    release(id) {
      const left = (holders[id] as number) - 1;
      holders[id] = left;
      if (left > 0) return false;
      const key = keys[id] ?? null;
      if (key !== null) ids.delete(key);
      keys[id] = null;
      free.push(id);
      return true;
    },
    keyOf: (id) => keys[id] ?? '',
    idOf: (key) => ids.get(key),
    get ceiling() {
      return keys.length;
    },
  };
}
