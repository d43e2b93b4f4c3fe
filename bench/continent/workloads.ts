import type { LocatedSearch } from '../../src/search/stores/search-request.ts';
import type { ContinentStore } from './continent-stores.ts';
import { type Chance, chanceOf, normal, pick, wholeBetween } from './seeded.ts';
import { beside } from './towns.ts';

/** Searches of one kind, and their comparators. Results without `isExact` interpret the search differently. */
export type Workload = {
  name: string;
  rivals: readonly ('Lucene' | 'PostGIS')[];
  isExact?: true;
  queryOf(store: ContinentStore, other: ContinentStore, chance: Chance): Partial<LocatedSearch>;
};

/** Distinct queries per workload. */
export const QUERIES = 2400;
/** Standard deviation of the customer's distance from a store. */
const BESIDE_MILES = 1.5;
const MIN_WORD_LETTERS = 4;

export const WORKLOADS: readonly Workload[] = [
  { name: 'the nearest 100', rivals: ['Lucene'], isExact: true, queryOf: () => ({}) },
  {
    name: 'open, delivery, within 5 miles',
    rivals: ['Lucene'],
    isExact: true,
    queryOf: () => ({ open: true, pickup: false, maximum_miles: 5 }),
  },
  {
    name: 'cuisine and minimum rating',
    rivals: ['Lucene'],
    isExact: true,
    queryOf: (_, { cuisines }, chance) => ({
      cuisine: pick(cuisines, chance),
      minimum_rating: pick([3.5, 4, 4.2, 4.5, 4.7], chance),
    }),
  },
  {
    name: 'best rated within 10 miles',
    rivals: ['Lucene'],
    isExact: true,
    queryOf: () => ({ sort: 'rating', maximum_miles: 10 }),
  },
  { name: 'best rated, no radius', rivals: ['Lucene'], isExact: true, queryOf: () => ({ sort: 'rating' }) },
  {
    name: 'autocomplete, 3 to 8 letters',
    rivals: ['Lucene', 'PostGIS'],
    queryOf: (_, { name }, chance) => ({ query: name.slice(0, wholeBetween(3, 8, chance)), autocomplete: true }),
  },
  {
    name: 'whole name with a typo',
    rivals: ['PostGIS'],
    queryOf: (_, { name }, chance) => ({ query: mistyped(name, chance) }),
  },
  {
    name: 'restaurants that deliver, rated 4 or better, within 5 miles',
    rivals: ['PostGIS'],
    queryOf: () => ({ store_type: 'restaurant', pickup: false, minimum_rating: 4, maximum_miles: 5 }),
  },
];

/**
 * Distinct searches near stores. Half of the texts come from a store nearby, the others from any store of the
 * continent.
 */
export function queriesOf({ name, queryOf }: Pick<Workload, 'name' | 'queryOf'>, stores: readonly ContinentStore[]) {
  const chance = chanceOf(name.length * 7919 + name.charCodeAt(0));
  const queries = new Map<string, LocatedSearch>();
  while (queries.size < QUERIES) {
    const store = pick(stores, chance);
    const other = chance() < 0.5 ? store : pick(stores, chance);
    const query = { ...besideStore(store, chance), ...queryOf(store, other, chance) };
    queries.set(JSON.stringify(query), query);
  }
  return [...queries.values()];
}

export function besideStore(store: ContinentStore, chance: Chance): { latitude: number; longitude: number } {
  return beside(store, BESIDE_MILES * normal(chance), BESIDE_MILES * normal(chance));
}

/** Stores sampled from the continent, enough locations, words and names for a workload. */
export const SAMPLED_STORES = 5000;

export function pathOf(query: Partial<LocatedSearch>): string {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `/search/store/v3?${new URLSearchParams(texts)}`;
}

export function wordOf(name: string, chance: Chance): string {
  const words = name.split(/[^\p{L}\p{N}]+/u);
  const long = words.filter((word) => word.length >= MIN_WORD_LETTERS);
  return pick(long.length > 0 ? long : [name], chance);
}

/** Makes one typo (insert, delete, replace or transpose) in a word long enough to tolerate it. */
export function mistyped(name: string, chance: Chance): string {
  const word = wordOf(name, chance);
  if (word.length < MIN_WORD_LETTERS) return name;
  const at = wholeBetween(1, word.length - 2, chance);
  const letter = String.fromCharCode(97 + wholeBetween(0, 25, chance));
  const typos = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  ];
  return name.replace(word, pick(typos, chance));
}

const NOWHERE = [
  { latitude: 52.9, longitude: -168.8 },
  { latitude: 71.3, longitude: -156.8 },
  { latitude: 63.7, longitude: -68.5 },
  { latitude: 21.3, longitude: -157.9 },
  { latitude: 13.5, longitude: 144.8 },
  { latitude: 47.6, longitude: -52.7 },
];
const COMMON_WORDS =
  'pizza market café grill house bar kitchen express chicken mart coffee food burger mexican deli garden'.split(' ');

/** Common words, searched far from most stores. */
export const FAR_WORDS: Pick<Workload, 'name' | 'queryOf'> = {
  name: 'a common word far from everything',
  queryOf: (_store, _other, chance) => ({
    ...beside(pick(NOWHERE, chance), 30 * normal(chance), 30 * normal(chance)),
    query: pick(COMMON_WORDS, chance),
  }),
};

/** Filters that no store, or no two together, can satisfy; no radius. */
export const NO_MATCH: Pick<Workload, 'name' | 'queryOf'> = {
  name: 'filters that match nothing, no radius',
  queryOf: (_store, { name }, chance) =>
    pick<Partial<LocatedSearch>>(
      [
        { cuisine: `${wordOf(name, chance)} of nowhere` },
        { minimum_rating: 5.5 },
        { cuisine: 'convenience', store_type: 'restaurant' },
        { cuisine: 'pizza', store_type: 'grocery', open: true },
        { cuisine: 'ethiopian', store_type: 'grocery', sort: 'rating' },
        { minimum_rating: 6, sort: 'cheapest', open: true },
      ],
      chance,
    ),
};

/** A page far from the first, whose preceding pages were never requested. */
export function coldPage(stores: number): Pick<Workload, 'name' | 'queryOf'> {
  const last = Math.max(1000, Math.floor(stores / 100) - 50);
  return {
    name: 'page 1,000 or later, asked cold',
    queryOf: (_store, _other, chance) => ({
      page: wholeBetween(Math.min(1000, Math.floor(last / 2)), last, chance),
      ...pick<Partial<LocatedSearch>>(
        [{}, {}, { pickup: true }, { sort: 'rating' }, { store_type: 'restaurant' }],
        chance,
      ),
    }),
  };
}
