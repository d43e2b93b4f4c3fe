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

const NAMES = ['starbucks', 'Pizza Hut', "mcdonald's", 'subwey', 'dollar general', 'taco bell', '7-eleven', 'coffee'];

type Place = { latitude: number; longitude: number };

const service = await givenBench(async (db) => {
  if (await importRealFeeds(db, ['chains', 'bay-area'])) return;
  print('No real feeds beside the clone: generated stores.');
  await importGeneratedStores(db, GENERATED_STORES);
});
const { stores, loadMs, startMs, rssBytes } = service;
print(`${stores} stores loaded in ${Math.round(loadMs)} ms (start ${Math.round(startMs)} ms, ${mib(rssBytes)} MiB)`);
const places = await somePlaces(service);
const browse = places.map((place) => pathOf({ ...place }));
const named = places.map((place, n) => pathOf({ ...place, query: NAMES[n % NAMES.length] as string }));
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
  const turns: { ours: number; bare: number; p99: number }[] = [];
  await load(service.url, paths, 1);
  await load(limit.url, paths, 1);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const bare = await load(limit.url, paths, TURN_S);
    const ours = await load(service.url, paths, TURN_S);
    turns.push({ bare: bare.perSecond, ours: ours.perSecond, p99: ours.p99 });
  }
  await limit.close();
  const [ours, bare, p99] = [median(turns, 'ours'), median(turns, 'bare'), median(turns, 'p99')];
  const kib = Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length / 1024);
  const ratio = ours / bare;
  print(
    `${what.padEnd(24)} ${String(kib).padStart(4)} KiB  ours ${Math.round(ours)}/s (p99 ${p99} ms)  bare ${Math.round(bare)}/s  ratio ${ratio.toFixed(2)}`,
  );
  return ratio;
}

async function load(url: string, paths: readonly string[], seconds: number) {
  const requests: Request[] = paths.map((path) => ({ path }));
  const headers = { 'id-token': service.key, accept: 'application/json' };
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers, requests });
  if (result.non2xx + result.errors + result.timeouts > 0) throw new Error(`Failed requests at ${url}`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
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

function median<Key extends string>(turns: readonly Record<Key, number>[], key: Key): number {
  const values = turns.map((turn) => turn[key]).sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? 0;
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
