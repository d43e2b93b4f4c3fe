import type { Sandbox } from '../../accounts/account.ts';
import { SORTS, type StoreQuery } from './store-query.ts';

/** A page of a query: what differs from another page of the query is its number, and from other queries something else. */
export type PageKey = {
  /** The query without its texts. */
  query: StoreQuery;
  /** The sandbox whose places are shown. */
  sandbox: Sandbox;
  /** The words of the text and the cuisine: words have no bar, and the cuisine is the end. A text without words is a dot. */
  texts: string;
  page: number;
};

/** The key of a page. The texts are copies: a part of a text would keep the whole address of its request in memory. */
export function keyOfPage(query: StoreQuery, sandbox: Sandbox, words: readonly string[]): PageKey {
  const { text, cuisine, page } = query;
  const typed = text !== '' && words.length === 0 ? '.' : words.join(' ');
  const texts = `${typed}|${cuisine === null ? '' : `=${cuisine}`}`;
  return { query: { ...query, text: '', cuisine: null }, sandbox, texts, page };
}

/** Ten-millionths of a degree are one centimetre. */
const STEPS_OF_DEGREE = 1e7;
const STEPS_OF_MILE = 1000;
const STEPS_OF_RATING = 1000;
const MULTIPLIER = 0x0100_0193;

/**
 * A whole number of 32 bits, the same for equal keys. Every condition counts: many customers of a city search from the same
 * place, with other conditions.
 */
export function hashOfPage({ query, texts, page }: PageKey): number {
  const { latitude, longitude, maximumMiles, minimumRating, viewport } = query;
  let hash = Math.imul(page, MULTIPLIER) ^ bitsOf(query);
  hash = Math.imul(hash, MULTIPLIER) ^ (latitude * STEPS_OF_DEGREE);
  hash = Math.imul(hash, MULTIPLIER) ^ (longitude * STEPS_OF_DEGREE);
  hash = Math.imul(hash, MULTIPLIER) ^ ((maximumMiles ?? -1) * STEPS_OF_MILE);
  hash = Math.imul(hash, MULTIPLIER) ^ ((minimumRating ?? -1) * STEPS_OF_RATING);
  if (viewport !== null) {
    hash = Math.imul(hash, MULTIPLIER) ^ ((viewport.south + 3 * viewport.north) * STEPS_OF_DEGREE);
    hash = Math.imul(hash, MULTIPLIER) ^ ((viewport.west + 3 * viewport.east) * STEPS_OF_DEGREE);
  }
  for (let at = 0; at < texts.length; at += 1) hash = Math.imul(hash, MULTIPLIER) ^ texts.charCodeAt(at);
  return hash ^ (hash >>> 15);
}

/** Above every price level: no level is asked for. */
const ANY_LEVEL = 7;

/** The conditions that have few values, in bits of their own. */
function bitsOf({ sort, storeType, pickup, open, deliversHere, autocomplete, dollarSigns }: StoreQuery): number {
  const type = storeType === null ? 0 : storeType === 'grocery' ? 1 : 2;
  const mode = pickup === null ? 0 : pickup ? 1 : 2;
  const flags = (open ? 1 : 0) | (deliversHere ? 2 : 0) | (autocomplete ? 4 : 0);
  return SORTS.indexOf(sort) | (type << 3) | (mode << 5) | (flags << 7) | ((dollarSigns ?? ANY_LEVEL) << 10);
}

export function areSamePage(one: PageKey, other: PageKey): boolean {
  return (
    one.page === other.page &&
    one.texts === other.texts &&
    one.sandbox === other.sandbox &&
    areSameConditions(one.query, other.query)
  );
}

function areSameConditions(one: StoreQuery, other: StoreQuery): boolean {
  return (
    one.latitude === other.latitude &&
    one.longitude === other.longitude &&
    one.maximumMiles === other.maximumMiles &&
    one.storeType === other.storeType &&
    one.pickup === other.pickup &&
    one.open === other.open &&
    one.deliversHere === other.deliversHere &&
    one.dollarSigns === other.dollarSigns &&
    one.minimumRating === other.minimumRating &&
    one.sort === other.sort &&
    one.autocomplete === other.autocomplete &&
    isSameViewport(one.viewport, other.viewport)
  );
}

function isSameViewport(one: StoreQuery['viewport'], other: StoreQuery['viewport']): boolean {
  if (one === null || other === null) return one === other;
  const { south, north, west, east } = other;
  return one.south === south && one.north === north && one.west === west && one.east === east;
}
