import type { StoreHours } from '../hours.ts';
import type { Store } from '../store.ts';
import { presentHours, presentStore } from '../store-element.ts';

/** The element of a store as JSON up to its hours: the bytes that differ from store to store. */
export function documentHead(store: Store): string {
  return `{${membersOf(presentStore(store))},`;
}

/** What follows the head: the hours, which many stores share. */
export function documentTail(hours: StoreHours): string {
  return `${membersOf(presentHours(hours))},`;
}

/** The members of an object as JSON, without its braces. */
function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
