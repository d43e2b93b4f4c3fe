import autocannon, { type Request } from 'autocannon';
import { type BenchService, givenBench, importGeneratedStores, importRealFeeds, startChild } from './setup.ts';

/**
 * How much of the machine a search leaves to HTTP itself: store search over HTTP against a bare route that answers the
 * same bytes, by turns in the same run. `node bench/search.ts [seconds a turn]`
 */
const TURN_S = Number(process.argv[2] ?? 5);
const TURNS = 3;
const CONNECTIONS = 20;
const PLACES = 400;
const GENERATED_STORES = 73_000;
const TARGET = 0.35;

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

/** One turn of load on one server. Processor time tells more than the rate where the machine has other work. */
type Turn = { perSecond: number; cpuMicros: number; p99: number };
type Place = { latitude: number; longitude: number };

let names = REAL_NAMES;
const service = await givenBench(async (db) => {
  if (await importRealFeeds(db, ['chains', 'bay-area'])) return;
  names = GENERATED_NAMES;
  print('No real feeds beside the clone: generated stores.');
  await importGeneratedStores(db, GENERATED_STORES);
});
const { stores, loadMs, startMs, rssBytes } = service;
print(`${stores} stores loaded in ${Math.round(loadMs)} ms (start ${Math.round(startMs)} ms, ${mib(rssBytes)} MiB)`);
const places = await somePlaces(service);
const browse = places.map((place) => pathOf({ ...place }));
const named = places.map((place, n) => pathOf({ ...place, query: names[n % names.length] as string }));
const narrowed = places.map((place) => pathOf({ ...place, open: 'true', pickup: 'true', maximum_miles: 25 }));
const enough = [
  await compare('browse, 100 stores', browse),
  await compare('name, 20 stores', named),
  await compare('open, pickup, 25 miles', narrowed),
].slice(0, 2);
await service.close();
if (enough.some((ratio) => ratio < TARGET)) process.exitCode = 1;

async function compare(what: string, paths: readonly string[]): Promise<number> {
  const bodies = await Promise.all(paths.map((path) => bodyOf(service, path)));
  const encoded = bodies.map((body) => body.toString('base64'));
  const limit = await startChild<{ url: string }>('bytes-child.ts', [], {}, encoded);
  await load(service, paths, 2);
  await load(limit, paths, 2);
  const turns: { ratio: number; ours: Turn; bare: Turn }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const bare = await load(limit, paths, TURN_S);
    const ours = await load(service, paths, TURN_S);
    turns.push({ ratio: ours.perSecond / bare.perSecond, ours, bare });
  }
  await limit.close();
  const { ratio, ours, bare } = turns.sort((a, b) => a.ratio - b.ratio)[
    Math.floor(TURNS / 2)
  ] as (typeof turns)[number];
  const kib = Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length / 1024);
  print(`${what} (${kib} KiB): ratio ${ratio.toFixed(2)}`);
  print(`  ours ${tell(ours)}`);
  print(`  bare ${tell(bare)}`);
  return ratio;
}

function tell({ perSecond, cpuMicros, p99 }: Turn): string {
  return `${Math.round(perSecond)}/s, ${Math.round(cpuMicros)} µs of processor each, p99 ${p99} ms`;
}

async function load(
  at: { url: string; cpuMs(): Promise<number> },
  paths: readonly string[],
  seconds: number,
): Promise<Turn> {
  const requests: Request[] = paths.map((path) => ({ path }));
  const headers = { 'id-token': service.key, accept: 'application/json' };
  const beforeMs = await at.cpuMs();
  const result = await autocannon({ url: at.url, connections: CONNECTIONS, duration: seconds, headers, requests });
  const usedMs = (await at.cpuMs()) - beforeMs;
  if (result.non2xx + result.errors + result.timeouts > 0) throw new Error(`Failed requests at ${at.url}`);
  const { average, total } = result.requests;
  return { perSecond: average, cpuMicros: (usedMs * 1000) / total, p99: result.latency.p99 };
}

async function bodyOf({ url, key }: BenchService, path: string): Promise<Buffer> {
  const reply = await fetch(url + path, { headers: { 'id-token': key } });
  if (reply.status !== 200) throw new Error(`${reply.status} for ${path}`);
  return Buffer.from(await reply.arrayBuffer());
}

/** Places a little beside stores: where people live. */
async function somePlaces({ db }: BenchService): Promise<Place[]> {
  const rows = await db.selectFrom('stores').select('profile').orderBy('store_id').limit(PLACES).execute();
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
