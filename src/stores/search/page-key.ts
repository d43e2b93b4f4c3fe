import type { Sandbox } from '../../accounts/account.ts';
import type { StoreQuery } from './store-query.ts';

/** The same for all pages of a query, and for no other query: words have no bar, and the cuisine is the end. */
export function keyOfPages(query: StoreQuery, sandbox: Sandbox, words: readonly string[]): string {
  const { latitude, longitude, maximumMiles, storeType, pickup, open, deliversHere, dollarSigns, cuisine } = query;
  const { minimumRating, viewport, sort, autocomplete } = query;
  const area = viewport === null ? '' : `${viewport.south} ${viewport.north} ${viewport.west} ${viewport.east}`;
  const flags = `${storeType} ${pickup} ${open} ${deliversHere} ${dollarSigns} ${minimumRating} ${sort} ${autocomplete}`;
  const text = `${words.join(' ')}|${cuisine === null ? '' : `=${cuisine}`}`;
  return `${latitude} ${longitude} ${maximumMiles} ${flags}|${area}|${sandbox}|${text}`;
}
