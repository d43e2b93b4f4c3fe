import { PAGE_SIZE_BROWSING } from '../src/stores/search/store-query.ts';
import { compareSearches, compareWithBare, print } from './compare.ts';
import { giveDeliveries } from './given-areas.ts';
import { type BenchService, givenBench, importGeneratedStores, importRealFeeds } from './setup.ts';

/**
 * How much of the machine a search leaves to HTTP itself: store search over HTTP against a bare route that answers the
 * same bytes, and searches for stores that deliver to the place against the same searches for any store, by turns in the
 * same run. `node bench/search.ts [seconds a turn]`
 */
const TURN_S = Number(process.argv[2] ?? 5);
const PLACES = 400;
const GENERATED_STORES = 73_000;
const TARGET = 0.35;
const DELIVERS_PLACES = 2000;
const DELIVERS_TARGET = 0.8;
const DENSE_TRIED = 40_000;
const AT_ONCE = 50;

const REAL_NAMES = [
  "dunkin'",
  'Pizza Hut',
  'walgrens',
  'dollartree',
  '7-eleven',
  'Chipotle',
  'whatabrger',
  'olive garden',
];
const GENERATED_NAMES = [
  'golden pizza',
  'Noodles',
  'corner markt',
  'deli',
  'royal coffee',
  'Village Bakery',
  'grill',
  'sunny',
];

type Place = { latitude: number; longitude: number };

let names = REAL_NAMES;
const service = await givenBench(async (db) => {
  if (!(await importRealFeeds(db, ['chains', 'bay-area']))) {
    names = GENERATED_NAMES;
    print('No real feeds beside the clone: generated stores.');
    await importGeneratedStores(db, GENERATED_STORES);
  }
  await giveDeliveries(db);
});
const { stores, loadMs, startMs, rssBytes } = service;
print(`${stores} stores loaded in ${Math.round(loadMs)} ms (start ${Math.round(startMs)} ms, ${mib(rssBytes)} MiB)`);
const places = await somePlaces(service, PLACES);
const browse = places.map((place) => pathOf({ ...place }));
const named = places.map((place, n) => pathOf({ ...place, query: names[n % names.length] as string }));
const narrowed = places.map((place) => pathOf({ ...place, open: 'true', pickup: 'true', maximum_miles: 25 }));
const enough = [
  await compareWithBare(service, { what: 'browse, 100 stores', paths: browse, turnS: TURN_S }),
  await compareWithBare(service, { what: 'name, 20 stores', paths: named, turnS: TURN_S }),
];
await compareWithBare(service, { what: 'open, pickup, 25 miles', paths: narrowed, turnS: TURN_S });
const delivered = await compareDelivers(service);
await service.close();
if (enough.some((ratio) => ratio < TARGET) || delivered.some((ratio) => ratio < DELIVERS_TARGET)) process.exitCode = 1;

/**
 * A third of the stores delivers in polygons, the others within a radius. Most places have fewer stores that deliver than
 * a page holds, and a short answer is quick: dense places are compared alone, where both answers are full pages.
 */
async function compareDelivers(service: BenchService): Promise<number[]> {
  const centres = await somePlaces(service, DELIVERS_PLACES);
  const dense = await densePlaces(service, await somePlaces(service, DENSE_TRIED));
  const searches: [string, Place[], (n: number) => Record<string, string | number>][] = [
    ['browse', centres, () => ({})],
    ['browse, full pages', dense, () => ({})],
    ['name', centres, (n) => ({ query: names[n % names.length] as string })],
    ['open, delivery, 25 miles', centres, () => ({ open: 'true', pickup: 'false', maximum_miles: 25 })],
  ];
  const ratios: number[] = [];
  for (const [what, at, parametersOf] of searches) {
    const than = at.map((place, n) => pathOf({ ...place, ...parametersOf(n) }));
    const paths = at.map((place, n) => pathOf({ ...place, ...parametersOf(n), delivers_here: 'true' }));
    ratios.push(await compareSearches(service, { what: `delivers here, ${what}`, paths, than, turnS: TURN_S }));
  }
  return ratios;
}

/** The places to which as many stores deliver as a page holds. */
async function densePlaces({ url, key }: BenchService, tried: readonly Place[]): Promise<Place[]> {
  const found: Place[] = [];
  for (let from = 0; from < tried.length && found.length < DELIVERS_PLACES; from += AT_ONCE) {
    const batch = tried.slice(from, from + AT_ONCE);
    const counts = await Promise.all(
      batch.map(async (place) => {
        const path = pathOf({ ...place, delivers_here: 'true', projections: 'miles' });
        const reply = await fetch(url + path, { headers: { 'id-token': key } });
        const { stores } = (await reply.json()) as { stores: unknown[] };
        return stores.length;
      }),
    );
    found.push(...batch.filter((_, i) => counts[i] === PAGE_SIZE_BROWSING));
  }
  return found.slice(0, DELIVERS_PLACES);
}

/** Places a little beside stores: where people live. */
async function somePlaces({ db }: BenchService, count: number): Promise<Place[]> {
  const rows = await db.selectFrom('stores').select('profile').orderBy('storeId').limit(count).execute();
  return rows.map(({ profile }, n) => ({
    latitude: round(profile.latitude + ((n % 7) - 3) * 0.01),
    longitude: round(profile.longitude + ((n % 5) - 2) * 0.01),
  }));
}

function pathOf(query: Record<string, string | number>): string {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `/search/store/v3?${new URLSearchParams(texts)}`;
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
