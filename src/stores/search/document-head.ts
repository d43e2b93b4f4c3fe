import type { Store } from '../store.ts';
import { presentStore } from '../store-element.ts';

/** The element of a store as JSON up to its hours: the bytes that differ from store to store. */
export function documentHead(store: Store): string {
  return `{${membersOf(presentStore(store))},`;
}

/** The members of an object as JSON, without its braces. */
export function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
