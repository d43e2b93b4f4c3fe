import { type LocatedSearch, storeQueryOf } from '../../src/search/stores/search-request.ts';
import { pageSizeOf, SORTS, type StoreQuery } from '../../src/search/stores/store-query.ts';
import type { ContinentStore } from './continent-stores.ts';
import type { Scan } from './scan.ts';
import { splitWords } from './scanned-names.ts';
import { type Chance, chanceOf, pick, wholeBetween } from './seeded.ts';
import { besideStore, mistyped, wordOf } from './workloads.ts';

export type Answer = readonly { storeId: string; miles: number }[];

/** Tolerance for rounding; answers give miles with two decimals. */
const SLACK_MILES = 1e-5;
const ROUNDED_MILES = 0.005 + SLACK_MILES;
/** Within these miles, stores with all words in their names come in the order of their distances. */
const NEAR_MILES = 25;
const TEXT_SHARE = 0.25;
const MINUTE_S = 60;

/**
 * Random queries with filters, sorts, radius and pages. Text queries are sorted only by relevance and stop at page two.
 */
export function* randomQueries(stores: readonly ContinentStore[], count: number): Generator<LocatedSearch> {
  const chance = chanceOf(20_261_121);
  for (let made = 0; made < count; made += 1) {
    const store = pick(stores, chance);
    const filters = { ...besideStore(store, chance), ...randomFilters(store, chance) };
    if (chance() < TEXT_SHARE) yield { ...filters, ...randomText(pick(stores, chance), chance) };
    else yield { ...filters, sort: pick(SORTS, chance), page: Math.floor(chance() ** 4 * 40) };
  }
}

function randomText({ name }: ContinentStore, chance: Chance): Partial<LocatedSearch> {
  const page = wholeBetween(0, 1, chance);
  const roll = chance();
  if (roll < 0.4) return { query: name, page };
  if (roll < 0.6) return { query: mistyped(name, chance), page };
  if (roll < 0.8) return { query: wordOf(name, chance), page };
  return { query: name.slice(0, wholeBetween(3, 8, chance)), autocomplete: true, page };
}

function randomFilters(store: ContinentStore, chance: Chance): Partial<LocatedSearch> {
  const often = (share: number, filters: Partial<LocatedSearch>) => (chance() < share ? filters : {});
  return {
    ...often(0.3, { store_type: pick(['restaurant', 'grocery'], chance) }),
    ...often(0.3, { pickup: chance() < 0.5 }),
    ...often(0.25, { open: true }),
    ...often(0.15, { delivers_here: true }),
    ...often(0.3, { cuisine: pick(store.cuisines, chance) }),
    ...often(0.2, { dollar_signs: wholeBetween(1, 4, chance) }),
    ...often(0.3, { minimum_rating: wholeBetween(20, 50, chance) / 10 }),
    ...often(0.4, { maximum_miles: 10 ** (3.5 * chance() - 0.5) }),
  };
}

/**
 * Compares answers with a scan of all stores and returns one sentence per difference. Matches of a rewritten query or
 * of some words come after those of the query as typed; of them, and where a word says what or where a store is, only
 * filters, distances, the number of stores and the sequence of near ones with all words in their names are compared
 * (their order is compared with the oracle in `engine.test.ts`).
 */
export async function compareWithScan(
  scan: Scan,
  queries: Iterable<LocatedSearch>,
  answerOf: (query: LocatedSearch, storeQuery: StoreQuery) => Promise<Answer>,
): Promise<{ compared: number; stores: number; differences: string[] }> {
  const differences: string[] = [];
  let [compared, stores] = [0, 0];
  for (const parameters of queries) {
    const query = storeQueryOf(parameters, { accountId: '', mode: 'live' });
    for (;;) {
      const minute = nowEpochS();
      const answer = await answerOf(parameters, query);
      const fault = differenceOf(scan, query, answer, minute);
      // Skipped: opening hours may have changed between the response and the scan.
      if (query.open && Math.floor(nowEpochS() / MINUTE_S) !== Math.floor(minute / MINUTE_S)) continue;
      if (fault !== null) differences.push(`${JSON.stringify(parameters)}: ${fault}`);
      stores += answer.length;
      break;
    }
    compared += 1;
  }
  return { compared, stores, differences };
}

const nowEpochS = (): number => Math.floor(Date.now() / 1000);

function differenceOf(scan: Scan, query: StoreQuery, answer: Answer, atEpochS: number): string | null {
  const hasWords = splitWords(query.text).length > 0;
  const size = pageSizeOf(query.text);
  const from = query.page * size;
  const { count, smallest } = scan.matches(query, atEpochS, from + size);
  const due = Math.max(0, Math.min(size, count - from));
  if (new Set(answer.map(({ storeId }) => storeId)).size < answer.length) return 'a store is there twice';
  if (answer.length < due) return `${answer.length} stores instead of ${due}`;
  if (!hasWords && answer.length !== due) return `${answer.length} stores instead of ${due}`;
  const isByName = !hasWords || !scan.hasFacts(query.text);
  for (const [nth, { storeId, miles }] of answer.entries()) {
    const found = scan.lookUp(storeId, query, atEpochS);
    if (found === null) return `store ${nth} (${storeId}) meets not all conditions`;
    if (Math.abs(found.miles - miles) > ROUNDED_MILES) return `${miles} instead of ${found.miles} miles`;
    if (!isByName) continue;
    // An equivalent spelling, which the scan does not read, may be before any other match.
    if (nth < due && found.nameClass === 3) return null;
    const fault = faultInOrder(found, smallest[from + nth]);
    if (fault !== null) return `store ${nth} ${fault}`;
  }
  return isByName ? null : faultInNames(scan, query, answer, atEpochS);
}

/** `key` is the due sort key; undefined after all stores that match as typed. */
function faultInOrder(found: NonNullable<ReturnType<Scan['lookUp']>>, key: number | undefined): string | null {
  if (key === undefined)
    return found.nameClass < 3 && found.miles <= NEAR_MILES ? 'matches as typed and comes late' : null;
  return Math.abs(found.key - key) > SLACK_MILES ? `has the sort key ${found.key}, not ${key}` : null;
}

function faultInNames(scan: Scan, query: StoreQuery, answer: Answer, atEpochS: number): string | null {
  let last = 0;
  for (const [nth, { storeId }] of answer.entries()) {
    const found = scan.lookUp(storeId, query, atEpochS);
    if (found === null || found.nameClass > 0 || found.miles > NEAR_MILES) continue;
    if (found.key < last - SLACK_MILES) return `store ${nth} has all words in its name and comes late`;
    last = found.key;
  }
  return null;
}
