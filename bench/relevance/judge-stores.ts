import { SearchIndex, storeIdsOf } from '../../test/given/search-index.ts';
import { haversineMiles, queryOf, storeOf } from '../../test/oracles/store-search.ts';
import type { NamedStore } from './real-stores.ts';
import { LOOKED_AT, type Score, scoreOf } from './score.ts';
import { plainWords, type Recipe, typeName } from './typed-name.ts';

/** Judgments by kind of query: the wanted store, and the recipe that derives the query from its name. */
export type Judgments = Readonly<Record<string, readonly (readonly [ref: string, ...recipe: string[]])[]>>;

/** Maximum distance of a correct answer. */
const NEAR_MILES = 20;
/** Maximum offset of the searcher from the store in degrees (about two miles). */
const OFF_DEGREES = 0.03;

/** The service's store search over these stores. */
export function searchOver(stores: readonly NamedStore[]): SearchIndex {
  const search = new SearchIndex();
  for (const { ref, name, city, latitude, longitude } of stores) {
    const { address } = storeOf(ref);
    search.upsert(storeOf(ref, { name, latitude, longitude, address: { ...address, city } }));
  }
  return search;
}

export function scoreStores(stores: readonly NamedStore[], judgments: Judgments): Score[] {
  const index = searchOver(stores);
  const byRef = new Map(stores.map((store) => [store.ref, store]));
  const wordsOf = new Map(stores.map(({ ref, name }) => [ref, plainWords(name)]));

  function score(kind: string, store: NamedStore, recipe: Recipe): Score {
    const { text, meant } = typeName(store.name, recipe, store.city);
    const from = spotNear(store);
    // A store is correct if its name has every meant word. If the query names no branch, every branch is correct.
    const isChainMeant = store.chain.includes(meant.join(''));
    const isCityNamed = recipe.includes('add city');
    const isRight = (other: NamedStore): boolean =>
      (!isCityNamed || plainWords(other.city).join(' ') === plainWords(store.city).join(' ')) && isNamedRight(other);
    const isNamedRight = (other: NamedStore): boolean =>
      (isChainMeant && other.chain === store.chain) || meant.every((word) => wordsOf.get(other.ref)?.includes(word));
    const autocomplete = kind === 'unfinished';
    const page = index.search(queryOf({ ...from, text, autocomplete }), 0);
    const shown = storeIdsOf(page).map((storeId) => byRef.get(storeId) as NamedStore);
    const near = stores.filter((other) => isNear(other, from) && isRight(other));
    return scoreOf(kind, text, shown.slice(0, LOOKED_AT).map(isRight), near.length);
  }

  return Object.entries(judgments).flatMap(([kind, judged]) =>
    judged.map(([ref, ...recipe]) => {
      const store = byRef.get(ref);
      if (!store) throw new Error(`The feeds have no ${ref}.`);
      return score(kind, store, recipe);
    }),
  );
}

type Spot = { latitude: number; longitude: number };

/** A point near the store, derived only from its reference. */
function spotNear({ ref, latitude, longitude }: NamedStore): Spot {
  let seed = 7;
  for (const letter of ref) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) >>> 0;
  const off = (part: number): number => ((part % 997) / 997 - 0.5) * 2 * OFF_DEGREES;
  return { latitude: latitude + off(seed), longitude: longitude + off(Math.floor(seed / 997)) };
}

function isNear(store: Spot, from: Spot): boolean {
  if (Math.abs(store.latitude - from.latitude) > 1) return false;
  return haversineMiles(store.latitude, store.longitude, from.latitude, from.longitude) <= NEAR_MILES;
}
