import autocannon, { type Request } from 'autocannon';
import { type BenchService, startChild } from './setup.ts';

export type CompareOptions = { what: string; paths: readonly string[]; turnS: number };

/** One turn of load on one server. On a busy machine processor time is more reliable than the rate. */
type Turn = { perSecond: number; cpuMicros: number; p99: number };

const TURNS = 3;
const CONNECTIONS = 20;
const WARM_UP_S = 2;

/** Answers per second of the service divided by those of a bare route with the same bytes: the median of alternating turns. */
export async function compareWithBare(service: BenchService, { what, paths, turnS }: CompareOptions): Promise<number> {
  const bodies = await Promise.all(paths.map((path) => bodyOf(service, path)));
  const encoded = bodies.map((body) => body.toString('base64'));
  const limit = await startChild<{ url: string }>('bytes-child.ts', [], { first: encoded });
  const load = (at: { url: string; cpuMs(): Promise<number> }, seconds: number) =>
    turnOf(at, service.key, paths, seconds);
  await load(service, WARM_UP_S);
  await load(limit, WARM_UP_S);
  const turns: { ratio: number; ours: Turn; bare: Turn }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const bare = await load(limit, turnS);
    const ours = await load(service, turnS);
    turns.push({ ratio: ours.perSecond / bare.perSecond, ours, bare });
  }
  await limit.close();
  turns.sort((a, b) => a.ratio - b.ratio);
  const { ratio, ours, bare } = turns[Math.floor(TURNS / 2)] as (typeof turns)[number];
  const kib = (bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length / 1024).toFixed(1);
  print(`${what} (${kib} KiB): ratio ${ratio.toFixed(2)}`);
  print(`  ours ${tell(ours)}`);
  print(`  bare ${tell(bare)}`);
  return ratio;
}

export type SearchesOptions = { what: string; paths: readonly string[]; than: readonly string[]; turnS: number };

/** Answers per second for the paths divided by those for others of the same service: the median of alternating turns. */
export async function compareSearches(service: BenchService, options: SearchesOptions): Promise<number> {
  const { what, paths, than, turnS } = options;
  const load = (searches: readonly string[], seconds: number) => turnOf(service, service.key, searches, seconds);
  await load(than, WARM_UP_S);
  await load(paths, WARM_UP_S);
  const turns: { ratio: number; ours: Turn; other: Turn }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const other = await load(than, turnS);
    const ours = await load(paths, turnS);
    turns.push({ ratio: ours.perSecond / other.perSecond, ours, other });
  }
  turns.sort((a, b) => a.ratio - b.ratio);
  const { ratio, ours, other } = turns[Math.floor(TURNS / 2)] as (typeof turns)[number];
  print(`${what}, ${paths.length} centres: ratio ${ratio.toFixed(2)}`);
  print(`  with    ${tell(ours)}`);
  print(`  without ${tell(other)}`);
  return ratio;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function turnOf(
  at: { url: string; cpuMs(): Promise<number> },
  key: string,
  paths: readonly string[],
  seconds: number,
): Promise<Turn> {
  const requests: Request[] = paths.map((path) => ({ path }));
  const headers = { 'id-token': key, accept: 'application/json' };
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

function tell({ perSecond, cpuMicros, p99 }: Turn): string {
  return `${Math.round(perSecond)}/s, ${Math.round(cpuMicros)} µs of processor each, p99 ${p99} ms`;
}
