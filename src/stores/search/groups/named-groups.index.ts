import { LRUCache } from 'lru-cache';
import type { Groups } from './store-group.ts';

/** Names whose groups are kept. */
const KEPT_GROUPS = 1024;

/** Groups of one name each. A name that is asked for again has the same group, so that what was made of its stores is found. */
export function createNamedGroups(): (nameId: number) => Groups {
  const groups = new LRUCache<number, Uint32Array>({ max: KEPT_GROUPS });
  return (nameId) => {
    const group = groups.get(nameId) ?? Uint32Array.of(nameId);
    groups.set(nameId, group);
    return { count: 1, at: () => group };
  };
}
