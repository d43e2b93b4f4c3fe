import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount, issueKey } from '../src/access/accounts/issue-key.flow.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import type { Attack } from './isolation/attack.ts';
import { CITY, importShops } from './isolation/shops.ts';
import { print } from './report.ts';
import { type BenchService, givenBench, importGeneratedStores } from './setup.ts';

/**
 * What a neighbor feels of another client's load. For each attack of `isolation/`: the neighbor's latency on a quiet
 * service and under the attack, the answers of `/healthz`, and the memory. Rate limits and logs have their defaults.
 *
 *   npm run bench -- isolation [--quick] [--only PART OF AN ATTACK'S NAME]…
 *
 * `--quick` takes 3 seconds for each phase in place of 15: a figure of it says little, a refusal or a crash much.
 */
const FOLDER = join(import.meta.dirname, 'isolation');
const MAX_P95_RATIO = 2;
const MAX_HEALTH_MS = 50;
const MAX_RSS_MB = 700;
const STORES = 20_000;
/** Pace below the default rate limit of a key. */
const NEIGHBOR_PACE_MS = 14;
const HEALTH_PACE_MS = 50;
/** Minimum p95 that is compared: the machine's own jitter is longer than the service's fastest answers. */
const MIN_P95_MS = 5;

type Felt = { p50: number; p95: number; refused: number; healthP99: number; healthMax: number; peakRssMb: number };

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true, default: [''] } },
});
const phaseS = values.quick ? 3 : 15;
/** Files of the folder that are not attacks. */
const SHARED = ['attack.ts', 'attacker-child.ts', 'keyless.ts', 'pizzeria.ts', 'shops.ts'];
const files = readdirSync(FOLDER).filter((file) => !SHARED.includes(file));
for (const file of files) {
  const { attack } = (await import(join(FOLDER, file))) as { attack: Attack };
  if (!values.only.some((part) => attack.name.includes(part))) continue;
  if (!(await measure(file, attack))) process.exitCode = 1;
}

/** True if the neighbor's limits were met. */
async function measure(file: string, attack: Attack): Promise<boolean> {
  const service = await givenBench(
    async (db) => {
      await importGeneratedStores(db, STORES);
      await importShops(db);
    },
    { RATE_LIMIT_PER_MINUTE: '', LOG_LEVEL: 'info', ...attack.env },
  );
  const now = systemClock.now();
  const { accountId } = await createAccount(service.db, 'Attacker', now);
  const { key } = await issueKey(service.db, accountId, 'sandbox', now);
  await attack.prepare?.(service, accountId);
  const target = attack.neighbor ?? searchOf;
  await neighbor(service, target, 2);
  const quiet = await neighbor(service, target, phaseS);
  const attacker = fork(join(FOLDER, 'attacker-child.ts'), [file, service.url, key]);
  await once(attacker, 'message');
  const attacked = await neighbor(service, target, phaseS);
  attacker.send('stop');
  const [counts] = (await Promise.race([once(attacker, 'message'), delay(20_000, [{ hung: 1 }])])) as [object];
  attacker.kill();
  await service.close();
  return tell(attack.name, quiet, attacked, counts);
}

function searchOf(n: number): string {
  const query = new URLSearchParams({
    latitude: String(CITY.latitude + (n % 97) * 0.01),
    longitude: String(CITY.longitude + (n % 89) * 0.01),
    maximum_miles: '5',
  });
  return `/search/store/v3?${query}`;
}

/**
 * Sends another account's requests at a steady pace, with a browser's Accept-Encoding, and polls the service's health
 * alongside.
 */
async function neighbor(service: BenchService, targetOf: (n: number) => string, seconds: number): Promise<Felt> {
  const endMs = performance.now() + seconds * 1000;
  const searches: number[] = [];
  const health: number[] = [];
  let refused = 0;
  let peakRssMb = 0;
  const search = async (n: number) => {
    const startMs = performance.now();
    const reply = await fetch(`${service.url}${targetOf(n)}`, {
      headers: { 'id-token': service.key, 'accept-encoding': 'gzip' },
    });
    await reply.arrayBuffer();
    if (reply.status === 200) searches.push(performance.now() - startMs);
    else refused += 1;
  };
  const askHealth = async () => {
    const startMs = performance.now();
    await (await fetch(`${service.url}/healthz`)).arrayBuffer();
    health.push(performance.now() - startMs);
    peakRssMb = Math.max(peakRssMb, (await service.rssBytesNow()) / 2 ** 20);
  };
  const every = async (paceMs: number, work: (n: number) => Promise<void>) => {
    for (let n = 0; performance.now() < endMs; n += 1) {
      const dueMs = performance.now() + paceMs;
      await work(n).catch(() => {
        refused += 1;
      });
      await delay(Math.max(0, dueMs - performance.now()));
    }
  };
  await Promise.all([every(NEIGHBOR_PACE_MS, search), every(HEALTH_PACE_MS, askHealth)]);
  return {
    p50: percentile(searches, 50),
    p95: percentile(searches, 95),
    refused,
    healthP99: percentile(health, 99),
    healthMax: Math.max(...health),
    peakRssMb,
  };
}

function tell(name: string, quiet: Felt, attacked: Felt, counts: object): boolean {
  const ratio = attacked.p95 / Math.max(quiet.p95, MIN_P95_MS);
  const faults = [
    ratio > MAX_P95_RATIO && `p95 is more than ${MAX_P95_RATIO} times the quiet p95`,
    attacked.refused > 0 && 'requests of the neighbor were refused',
    attacked.healthP99 > MAX_HEALTH_MS && `/healthz took more than ${MAX_HEALTH_MS} ms`,
    attacked.peakRssMb > MAX_RSS_MB && `memory passed ${MAX_RSS_MB} MB`,
  ].filter((fault) => fault !== false);
  print(`${name}: neighbor's p95 ${ratio.toFixed(2)} times the quiet one${faults.length > 0 ? ' — MISSED' : ''}`);
  print(`  quiet    ${describe(quiet)}`);
  print(`  attacked ${describe(attacked)}`);
  print(`  the attack got ${JSON.stringify(counts)}`);
  for (const fault of faults) print(`  ${fault}`);
  return faults.length === 0;
}

function describe({ p50, p95, refused, healthP99, healthMax, peakRssMb }: Felt): string {
  const health = `/healthz p99 ${healthP99.toFixed(1)} ms, slowest ${healthMax.toFixed(1)} ms`;
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, refused ${refused}, ${health}, ${peakRssMb.toFixed(0)} MB`;
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
