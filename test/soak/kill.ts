import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cleanUp, endProcesses, freshDataDir, killAll, open, servers } from '../faults/embedded-postgres-harness.ts';
import { chanceOf } from '../faults/orders-clients.ts';
import { startServiceProcess } from '../faults/service-process.ts';
import { until } from '../until.ts';
import { checkSoak, settle } from './shop/check-soak.ts';
import { createSummary, quantile, spread, tell } from './shop/figures.ts';
import { givenSoak, type Soak } from './shop/given-soak.ts';
import { keepImporting } from './shop/keep-importing.ts';

/**
 * Kills the service at random moments under load: orders, webhooks, mails, an import. One of ten rounds also kills
 * PostgreSQL, and one kills only PostgreSQL, which the service restarts. `node test/soak/kill.ts [--rounds 30] [--seed
 * N]`.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' }, seed: { type: 'string' } } });
const ROUNDS = Number(values.rounds);
const SEED = Number(values.seed ?? randomInt(1_000_000));
const READY_P99_MS = 2500;
const LONGEST_WAIT_MS = 5000;

type Victim = 'service' | 'everything' | 'postgres';

function victimOf(round: number): Victim {
  if (round % 10 === 9) return 'everything';
  return round % 10 === 4 ? 'postgres' : 'service';
}

const summary = createSummary(`kill, ${ROUNDS} rounds, --seed ${SEED}`);
const dataDir = freshDataDir();
const keeper = await open(dataDir);
const soak = await givenSoak(dataDir, SEED, { directUrl: () => keeper.connectionString });
await keeper.close();
const importing = keepImporting(dataDir, soak.settings);
const chance = chanceOf(SEED);
const readyMs: Record<Victim, number[]> = { service: [], everything: [], postgres: [] };

/** Milliseconds from a start, or a kill of PostgreSQL, until /readyz reports ready. */
async function untilReady({ world }: Soak): Promise<void> {
  const isReady = async () => {
    const reply = await fetch(`${world.service?.url}/readyz`).catch(() => undefined);
    await reply?.arrayBuffer();
    return reply?.status === 200;
  };
  await until('the service is ready', isReady);
}

async function runRound(round: number): Promise<void> {
  const { world } = soak;
  // Waits for the first orders, which are slow on a busy machine, so that the kill hits a service at work.
  const before = world.acknowledged.length;
  await until('an order is acknowledged', () => world.acknowledged.length > before, LONGEST_WAIT_MS).catch(() => {});
  await pause(chance() * 500);
  const victim = victimOf(round);
  const service = world.service ?? (await startServiceProcess(dataDir, soak.settings));
  if (victim === 'everything' || chance() < 0.3) importing.kill();
  const startedAt = performance.now();
  if (victim === 'postgres') {
    killAll(servers(dataDir));
  } else {
    await (victim === 'everything' ? service.killAll() : service.killService());
    world.service = undefined;
    const pace = round % 5 === 0 ? '0.3' : 'manual';
    world.service = await startServiceProcess(dataDir, { ...soak.settings, SANDBOX_PACE: pace });
  }
  await untilReady(soak);
  readyMs[victim].push(performance.now() - startedAt);
}

let isKept = false;
try {
  const clients = soak.startClients();
  clients.catch((error) => {
    // A client fails when it receives a forbidden answer.
    summary.promise(`clients see answers, 503 or nothing: ${error.stack}`, false);
    summary.print();
    process.exit(1);
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    await runRound(round);
    if (round % 10 === 9 || round === ROUNDS - 1) {
      const { acknowledged, unanswered } = soak.world;
      const all = Object.values(readyMs).flat();
      tell(
        `${round + 1} kills: acknowledged ${acknowledged.length} and ${soak.liveOrders.length} live, without an answer ` +
          `${unanswered.length}, ready ${spread(all)}, imports ${JSON.stringify(importing.counts)}`,
      );
    }
  }
  await pause(300);
  soak.world.isEnding = true;
  await clients;
  await soak.world.service?.killAll();
  const database = await open(dataDir);
  const where = { dataDir, connectionString: database.connectionString };
  await settle(soak, where, summary);
  await checkSoak(soak, where, summary);
  summary.note(await importing.finish(where.connectionString));
  summary.promise('an import that was killed leaves whole stores, and the next import finishes its work', true);
  for (const victim of ['service', 'everything', 'postgres'] as const) {
    if (readyMs[victim].length > 0) summary.note(`ready after a kill of ${victim}: ${spread(readyMs[victim])}`);
  }
  summary.limit('p99 of ready in ms', quantile(Object.values(readyMs).flat(), 0.99), READY_P99_MS);
  await soak.world.service?.stop();
  await database.close();
  summary.print();
  isKept = !process.exitCode;
} finally {
  importing.kill();
  await soak.close();
  if (isKept) {
    cleanUp();
  } else {
    endProcesses();
    tell(`the data of the run stays in ${dataDir}`);
  }
}
