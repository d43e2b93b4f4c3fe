import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount, issueKey } from '../src/access/accounts/issue-key.flow.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { quantile } from './continent/load.ts';
import type { Attack } from './isolation/attack.ts';
import { CITY, importShops } from './isolation/shops.ts';
import { createReport } from './report.ts';
import { type BenchService, givenBench, importGeneratedStores } from './setup.ts';

/**
 * What a neighbor feels of another client's load. For each attack of `isolation/`: the neighbor's latency on a quiet
 * service and under the attack, the responses of `/healthz`, and the memory. Rate limits and logs contain their
 * defaults.
 *
 *   npm run bench -- isolation [--quick] [--only PART OF AN ATTACK'S FILE]…
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

type Felt = { p50: number; p95: number; refused: number; healthP99: number; peakRssMb: number };

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true, default: [''] } },
});
const phaseS = values.quick ? 3 : 15;
const report = createReport('isolation');
/** Files of the folder that are not attacks. */
const SHARED = ['attack.ts', 'attacker-child.ts', 'keyless.ts', 'pizzeria.ts', 'shops.ts'];
const files = readdirSync(FOLDER).filter((file) => !SHARED.includes(file));
for (const file of files) {
  if (!values.only.some((part) => file.includes(part))) continue;
  const { attack } = (await import(join(FOLDER, file))) as { attack: Attack };
  await measure(file, attack);
}
report.finish(`${phaseS} seconds of each attack, ${STORES.toLocaleString('en-US')} stores`);

async function measure(file: string, attack: Attack): Promise<void> {
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
  tell(attack.name, quiet, attacked, counts);
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
    p50: quantile(searches, 0.5),
    p95: quantile(searches, 0.95),
    refused,
    healthP99: quantile(health, 0.99),
    peakRssMb,
  };
}

function tell(name: string, quiet: Felt, attacked: Felt, counts: object): void {
  const details = `p50 ${quiet.p50.toFixed(1)} and ${attacked.p50.toFixed(1)} ms; the attack got ${JSON.stringify(counts)}`;
  report.add({
    what: name,
    value: attacked.p95,
    unit: 'ms',
    peer: { name: 'quiet', value: quiet.p95 },
    limit: { max: MAX_P95_RATIO * Math.max(quiet.p95, MIN_P95_MS) },
    details,
  });
  const { refused, healthP99, peakRssMb } = attacked;
  report.add({ what: '  /healthz, p99', value: healthP99, unit: 'ms', limit: { max: MAX_HEALTH_MS } });
  report.add({ what: '  memory', value: peakRssMb, unit: 'MB', limit: { max: MAX_RSS_MB } });
  report.add({ what: '  refused to the neighbor', value: refused, unit: '', limit: { max: 0 } });
}
