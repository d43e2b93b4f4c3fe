/**
 * The store search index alone, without HTTP: `node bench/search-index.ts [stores…]`.
 *
 * Stores are the real chains of ../shared/data/feed (made-up stores where it is absent), repeated with positions scattered
 * by some miles up to the wanted number: 73,000 and 1,500,000 by default.
 *
 * `node bench/search-index.ts --continent N [--from-snapshot] [--only WORD] [--compare QUERIES]` measures the searches of
 * bench/continent.ts on N stores of its continent instead, straight in the index, and compares answers with a scan of all
 * stores. With `--from-snapshot` the stores come in the sequence of a snapshot, otherwise as an import brings them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { openingAt } from '../src/stores/opening.ts';
import { createStoreIndex, type StoreIndex } from '../src/stores/search/store.index.ts';
import type { StoreQuery } from '../src/stores/search/store-query.ts';
import type { Store } from '../src/stores/store.ts';
import { zoneClock } from '../src/stores/zone-clock.ts';
import { queryOf, storeOf } from '../test/oracles/store-search.ts';
import { measureIndex } from './continent/measure-index.ts';

const NOW_EPOCH_S = 1_790_000_000;
const FEED = join(import.meta.dirname, '../../shared/data/feed/chains.ndjson.gz');

type Seed = Pick<Store, 'name' | 'type' | 'latitude' | 'longitude' | 'address' | 'description'>;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

let state = 1;
/** A chance that is the same in every run. */
function chance(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x7fffffff;
}

function readSeeds(): Seed[] {
  if (!existsSync(FEED)) {
    print('no ../shared/data: made-up places instead of the real chains');
    const made = storeOf('seed');
    return Array.from({ length: 73_000 }, (_, i) => ({
      ...made,
      name: i % 8 === 0 ? "Dunkin'" : `Store ${i % 997}`,
      latitude: 30 + chance() * 15,
      longitude: -120 + chance() * 45,
    }));
  }
  const lines = gunzipSync(readFileSync(FEED)).toString().split('\n').filter(Boolean);
  const seeds = lines.map((line) => JSON.parse(line));
  return seeds.filter((seed) => Number.isFinite(seed.latitude) && Number.isFinite(seed.longitude)).map(seedOf);
}

function seedOf(line: { address: Record<string, string> } & Record<string, never>): Seed {
  const { name, type, latitude, longitude, description, address } = line as unknown as Seed & {
    address: Record<string, string>;
  };
  const text = (key: string): string => address[key] ?? '';
  const common = { city: text('city'), state: text('state'), zipcode: text('zipcode'), country: 'US' as const };
  const wire = { streetAddr: text('street_addr'), streetAddr2: '', ...common };
  return { name, type, latitude, longitude, description: description ?? '', address: wire };
}

/** Real chains give few words: every third copy bears a name of its own, so that words grow with the stores. */
function storeAt(seeds: readonly Seed[], i: number): Store {
  const seed = seeds[i % seeds.length] as Seed;
  const isCopy = i >= seeds.length;
  const scatter = (): number => (isCopy ? (chance() - 0.5) * 0.3 : 0);
  const opensAt = 360 + 30 * Math.floor(chance() * 10);
  const day = [{ startMinute: opensAt, endMinute: opensAt + 720 }];
  const operational = [day, day, day, day, day, chance() < 0.5 ? day : [], []] as const;
  return storeOf(`5f${(i * 2_654_435_761).toString(16).padStart(22, '0')}`, {
    ...seed,
    name: isCopy && i % 3 === 0 ? `${madeUpWord()} ${seed.name}` : seed.name,
    latitude: Math.min(90, seed.latitude + scatter()),
    longitude: Math.min(180, Math.max(-180, seed.longitude + scatter())),
    hours: { operational, delivery: operational, pickup: operational, dine_in: null },
    hoursExceptions: [],
    cuisines: chance() < 0.1 ? ['pizza', 'italian'] : ['american'],
    dollarSigns: 1 + Math.floor(chance() * 4),
    rating: chance() < 0.3 ? null : { value: Math.floor(chance() * 50) / 10, count: 12 },
    timeZone: ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'][i % 4] as string,
  });
}

function madeUpWord(): string {
  const syllables = ['ka', 'lo', 'mir', 'ten', 'dos', 'pel', 'ran', 'vi', 'su', 'gor', 'bet', 'nim', 'cha', 'wes'];
  const count = 3 + Math.floor(chance() * 2);
  return Array.from({ length: count }, () => syllables[Math.floor(chance() * syllables.length)]).join('');
}

function micros(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    ((sorted[Math.floor(sorted.length * share)] ?? 0) * 1000).toFixed(1).padStart(9);
  return `fastest tenth ${at(0.1)} µs   median ${at(0.5)} µs   99 % ${at(0.99)} µs   worst ${at(0.9999)} µs`;
}

function measure(label: string, rounds: number, run: (i: number) => void): void {
  for (let i = 0; i < Math.min(rounds, 300); i += 1) run(i);
  const times: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    const start = performance.now();
    run(i + 300);
    times.push(performance.now() - start);
  }
  print(`  ${label.padEnd(46)} ${micros(times)}`);
}

function buildIndex(seeds: readonly Seed[], count: number): StoreIndex {
  const index = createStoreIndex({
    openAtOf: (schedule, timeZone) => {
      const clock = zoneClock(timeZone);
      return (epochS) => openingAt(schedule, clock, epochS);
    },
  });
  let total = 0;
  let worst = 0;
  for (let i = 0; i < count; i += 1) {
    const store = storeAt(seeds, i);
    const start = performance.now();
    index.upsert(store);
    const took = performance.now() - start;
    total += took;
    worst = Math.max(worst, took);
  }
  const { heapUsed, rss } = process.memoryUsage();
  const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  print(`\n${count} stores: ${((total * 1000) / count).toFixed(1)} µs each to add, longest ${worst.toFixed(1)} ms`);
  print(`  documents ${mib(index.documentBytes)}, JavaScript heap ${mib(heapUsed)}, resident ${mib(rss)}`);
  return index;
}

/** Searches near random stores, a few miles off, so that dense areas get as many searches as in real life. */
function measureQueries(seeds: readonly Seed[], index: StoreIndex): void {
  const spots = Array.from({ length: 5000 }, () => {
    const { latitude, longitude } = seeds[Math.floor(chance() * seeds.length)] as Seed;
    return { latitude: Math.min(90, latitude + (chance() - 0.5) / 5), longitude: longitude + (chance() - 0.5) / 5 };
  });
  const near = (i: number, changes: Partial<StoreQuery> = {}): StoreQuery =>
    queryOf({ ...spots[i % spots.length], ...changes });
  const ask = (label: string, rounds: number, changes: Partial<StoreQuery>): void =>
    measure(label, rounds, (i) => void index.search(near(i, changes), NOW_EPOCH_S));

  ask('nearest 100', 3000, {});
  ask('nearest 100 open, pickup, restaurants', 3000, { open: true, pickup: true, storeType: 'restaurant' });
  ask('nearest 100 of a cuisine', 1000, { cuisine: 'Pizza' });
  ask('nearest 100 within 5 miles', 1000, { maximumMiles: 5 });
  ask('20 by name: dunkin', 3000, { text: 'dunkin' });
  ask('20 by name: 7-eleven', 3000, { text: '7-eleven' });
  ask('20 by name, rare: in-n-out', 1000, { text: 'in-n-out' });
  ask('20 by name with a typo: wallgreens', 1000, { text: 'wallgreens' });
  ask('20 by name, unfinished: pi', 1000, { text: 'pi', autocomplete: true });
  ask('page 50 out of the blue', 50, { page: 50 });
  ask('page 500 out of the blue', 20, { page: 500 });
  ask('everything by rating', 20, { sort: 'rating' });
  ask('everything by price', 20, { sort: 'cheapest' });
  ask('everything by time, either mode', 20, { sort: 'fastest' });
  ask('everything by time, delivery', 20, { sort: 'fastest', pickup: false });
  ask('a cuisine nobody has', 20, { cuisine: 'none' });
  ask('viewport of a city far away', 1000, { viewport: { south: 61, north: 61.3, west: -150.2, east: -149.6 } });
  measureText(index, near);
  measurePages(index, near);
}

/** A name added each time empties the memory of matches. */
function measureText(index: StoreIndex, near: (i: number, changes: Partial<StoreQuery>) => StoreQuery): void {
  const texts = [
    ['new text, typos: kamirdosx', { text: 'kamirdosx' }],
    ['new text, unfinished letter: k', { text: 'k', autocomplete: true }],
    ['new text, common words: pizza hut', { text: 'pizza hut' }],
    ['new text, 10,000 letters', { text: 'pizzeria kamirten '.repeat(600) }],
  ] as const;
  for (const [label, changes] of texts) {
    let spent = 0;
    const rounds = 20;
    for (let i = 0; i < rounds; i += 1) {
      index.upsert(storeOf('fresh', { name: `fresh${i}` }));
      const start = performance.now();
      index.search(near(i, changes), NOW_EPOCH_S);
      spent += performance.now() - start;
    }
    print(`  ${label.padEnd(46)}  mean ${((spent * 1000) / rounds).toFixed(1).padStart(10)} µs`);
  }
  index.remove('fresh');
}

function measurePages(index: StoreIndex, near: (i: number, changes?: Partial<StoreQuery>) => StoreQuery): void {
  const pages = Array.from({ length: 500 }, (_, i) => index.search(near(i), NOW_EPOCH_S));
  const bytes = pages.map((page) => index.writePage(page, NOW_EPOCH_S).length);
  const mean = Math.round(bytes.reduce((sum, length) => sum + length, 0) / bytes.length);
  measure(`bytes of a page of 100 (${mean} bytes)`, 3000, (i) => {
    index.writePage(pages[i % pages.length] as (typeof pages)[0], NOW_EPOCH_S);
  });
  measure('search and bytes, nearest 100', 3000, (i) => {
    index.writePage(index.search(near(i), NOW_EPOCH_S), NOW_EPOCH_S);
  });
  const start = performance.now();
  let walked = 0;
  for (let page = 0; page < 730; page += 1) walked += index.search(near(1, { page }), NOW_EPOCH_S).ordinals.length;
  print(`  walk of ${walked} stores by page: ${(performance.now() - start).toFixed(0)} ms`);
}

function measureChanges(seeds: readonly Seed[], index: StoreIndex, count: number): void {
  const changed = Array.from({ length: 2000 }, (_, i) => storeAt(seeds, (i * 7919) % count));
  measure('change of a store', 3000, (i) => index.upsert(changed[i % changed.length] as Store));
  measure('removal and return of a store', 3000, (i) => {
    const store = changed[i % changed.length] as Store;
    index.remove(store.storeId);
    index.upsert(store);
  });
}

const SANDBOX_PLACES = 5000;

/** The same searches before and after some sandbox has added thousands of places between all stores. */
function measureSandboxPlaces(seeds: readonly Seed[], index: StoreIndex, count: number): void {
  const spots = Array.from({ length: 5000 }, () => seeds[Math.floor(chance() * seeds.length)] as Seed);
  const ask = (label: string, changes: Partial<StoreQuery>): void =>
    measure(label, 3000, (i) => {
      const { latitude, longitude } = spots[i % spots.length] as Seed;
      index.search(queryOf({ latitude, longitude, ...changes }), NOW_EPOCH_S);
    });
  const askAll = (label: string, sandbox: string | null): void => {
    ask(`nearest 100, ${label}`, { sandbox });
    ask(`20 by name, ${label}`, { sandbox, text: 'dunkin' });
  };
  askAll('no places of sandboxes', null);
  for (let i = 0; i < SANDBOX_PLACES; i += 1) {
    index.upsert({ ...storeAt(seeds, count + i), storeId: `sandbox-${i}`, sandboxAccounts: ['acc_owner'] });
  }
  askAll('live, beside 5,000 of them', null);
  askAll('another sandbox', 'acc_other');
  askAll('the sandbox that added them', 'acc_owner');
  for (let i = 0; i < SANDBOX_PLACES; i += 1) index.remove(`sandbox-${i}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    continent: { type: 'string' },
    only: { type: 'string', default: '' },
    compare: { type: 'string', default: '300' },
    'from-snapshot': { type: 'boolean', default: false },
  },
});
if (values.continent !== undefined) {
  const { only, compare, 'from-snapshot': isFromSnapshot } = values;
  const compared = only === '' ? Number(compare) : 0;
  if ((await measureIndex({ stores: Number(values.continent), only, compared, isFromSnapshot, print })) > 0)
    process.exitCode = 1;
} else {
  const counts = positionals.map(Number);
  const seeds = readSeeds();
  for (const count of counts.length > 0 ? counts : [73_000, 1_500_000]) {
    const index = buildIndex(seeds, count);
    measureQueries(seeds, index);
    measureChanges(seeds, index, count);
    measureSandboxPlaces(seeds, index, count);
  }
}
