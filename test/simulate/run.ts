import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { openRunDatabase } from '../run-database.ts';
import { SHOPS } from './base-world.ts';
import { openSimulator } from './open-simulator.ts';
import { type RunResult, type Simulator, simulate } from './simulate.ts';
import { YEAR_COUNTS } from './year.ts';

/** Stores in a run of many orders: they share its start, reset and nodes, and their work interleaves. */
const PARTIES = 4;
const USAGE = `npm run simulate -- --seed 7              one seed; --trace prints each operation with its call site
npm run simulate -- --seeds 5000          that many seeds, from --seed on
npm run simulate -- --orders 100000       as many seeds as that many orders take
--days 365                                a year of scheduled orders of goods by weight, sparse in events
--parties 4       stores with customers of their own in each run; 1 is the default, and ${PARTIES} with --orders`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    orders: { type: 'string' },
    parties: { type: 'string' },
    days: { type: 'string' },
    trace: { type: 'boolean', default: false },
    processes: { type: 'string' },
    /** Set by a run for its child processes: each runs every n-th seed. */
    stride: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

const parties = Number(values.parties ?? (values.orders ? PARTIES : 1));
if (!(Number.isInteger(parties) && parties >= 1 && parties <= SHOPS))
  throw new Error(`--parties is from 1 to ${SHOPS}.`);

const MAX_DAYS = 3660;
const days = values.days === undefined ? undefined : Number(values.days);
if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
  throw new Error(`--days is from 1 to ${MAX_DAYS}.`);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const EVERY = 250;
type Total = {
  seeds: number;
  orders: number;
  placed: number;
  steps: number;
  crashes: number;
  faults: number;
  failed: number;
};

/** Runs seeds until there are enough; reports a failing seed at once and continues. */
async function runSeeds(simulator: Simulator): Promise<Total> {
  const total: Total = { seeds: 0, orders: 0, placed: 0, steps: 0, crashes: 0, faults: 0, failed: 0 };
  const [wantedOrders, wantedSeeds] = [Number(values.orders ?? 0), Number(values.seeds ?? (values.orders ? 0 : 1))];
  for (
    let seed = Number(values.seed);
    total.orders < wantedOrders || total.seeds < wantedSeeds;
    seed += Number(values.stride)
  ) {
    const options = values.trace ? { hasSites: true, print: (line: string) => say(line) } : { hasSites: false };
    const result = await simulate(simulator, String(seed), { ...options, parties, days });
    if (days !== undefined) say(JSON.stringify(await simulator.database.ask(YEAR_COUNTS)));
    total.seeds += 1;
    total.failed += result.failure === undefined ? 0 : 1;
    for (const name of ['orders', 'placed', 'steps', 'crashes', 'faults'] as const) total[name] += result[name];
    if (result.failure !== undefined) await tell(simulator, result);
    else if (total.seeds % EVERY === 0) say(`seed ${seed}: ${JSON.stringify(total)}`);
  }
  return total;
}

/** Reruns a failing seed with call sites: the second run repeats the first, operation by operation. */
async function tell(simulator: Simulator, { seed, steps, hash, failure, last }: RunResult): Promise<void> {
  const again = await simulate(simulator, seed, { hasSites: true, parties, days });
  say(`\nSeed ${seed} fails at step ${steps}:\n${failure}\n`);
  if (again.hash !== hash) {
    say('The second run of this seed went another way: the simulation itself is at fault.');
    say(`The last operations of the first run:\n${last.join('\n')}\n`);
  }
  say(`The last operations:\n${again.last.join('\n')}\n`);
  say(
    `Again, with each operation: npm run simulate -- --seed ${seed} --parties ${parties}${days ? ` --days ${days}` : ''} --trace\n`,
  );
}

/** Distributes the orders over processes, each with a server and every n-th seed. */
async function runProcesses(count: number): Promise<boolean> {
  const share = Math.ceil(Number(values.orders) / count);
  const statuses = Array.from({ length: count }, (_, index) => {
    const from = Number(values.seed) + index;
    const args = ['--orders', share, '--seed', from, '--stride', count, '--processes', 1, '--parties', parties];
    const child = fork(import.meta.filename, args.map(String));
    return new Promise<number>((done) => child.on('exit', (status) => done(status ?? 1)));
  });
  return (await Promise.all(statuses)).every((status) => status === 0);
}

if (values.help) {
  say(USAGE);
} else {
  const isMany = Number(values.orders ?? 0) > 1000;
  const processes = Number(values.processes ?? (isMany ? Math.min(2, availableParallelism()) : 1));
  if (processes > 1) {
    process.exitCode = (await runProcesses(processes)) ? 0 : 1;
  } else {
    await using server = await openRunDatabase();
    process.env.DATABASE_URL = server.connectionString;
    await using simulator = await openSimulator();
    const startedMs = performance.now();
    const total = await runSeeds(simulator);
    const seconds = (performance.now() - startedMs) / 1000;
    const perSecond = Math.round(total.orders / seconds);
    say(`${JSON.stringify(total)} in ${Math.round(seconds)} s: ${perSecond} orders a second`);
    process.exitCode = total.failed === 0 ? 0 : 1;
  }
}
