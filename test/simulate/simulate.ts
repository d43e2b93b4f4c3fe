import { readSettings } from '../../src/app/wiring/read-settings.ts';
import { resetText, START_MS, USED_TABLES, type World } from './base-world.ts';
import { createChance } from './chance.ts';
import { checkRun } from './checks/check-run.ts';
import { createClients } from './clients.ts';
import { createCustomers } from './customers.ts';
import { createCalls } from './outside-party.ts';
import type { Sabotage } from './sabotages.ts';
import { createScheduler } from './scheduler.ts';
import { createChannelBooks } from './simulated-channels.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { createGatewayBooks } from './simulated-gateway.ts';
import { simulateMachine } from './simulated-machine.ts';
import { type SimulatedNode, type Surroundings, startNode } from './simulated-node.ts';
import { createTaxBooks } from './simulated-taxes.ts';
import { createTrace, type TraceOptions } from './trace.ts';
import { createWorkload } from './workload.ts';
import { createYear } from './year.ts';

export type Simulator = { world: World; database: SimulatedDatabase; frame: string };

export type RunOptions = TraceOptions & {
  /** Number of stores with their own customers, from 1 (default) to `SHOPS`; part of the seed. */
  parties?: number;
  /** So many days of scheduled orders, in place of a day's orders. */
  days?: number | undefined;
  /** A deliberate fault, which the checks must find. */
  sabotage?: Sabotage;
};

export type RunResult = {
  seed: string;
  hash: string;
  steps: number;
  orders: number;
  placed: number;
  crashes: number;
  faults: number;
  /** Times that the database's clock was set. */
  clockSteps: number;
  /** The message of the first failed check; undefined if all passed. */
  failure: string | undefined;
  last: readonly string[];
};

const settings = readSettings({
  LOG_LEVEL: 'silent',
  RATE_LIMIT_PER_MINUTE: '0',
  SANDBOX_PACE: 'manual',
  PORT: '0',
  BASE_URL: 'https://doorstep.test',
  WEBHOOK_ALLOW_PRIVATE: 'true',
});
export const config = { ...settings, searchSnapshotDir: null };

/** How far the clocks of machines are ahead of the database's. */
const AHEAD_MS = [0, 0, 40, -900, 90_000, -20 * 60_000, 2 * 3_600_000];

/** A run's fault rates. Without faults, every message must be right. */
const MOODS = [
  { fault: 0, crash: 0, loss: 0 },
  { fault: 0.01, crash: 0, loss: 0.05 },
  { fault: 0, crash: 0.005, loss: 0 },
  { fault: 0.01, crash: 0.003, loss: 0.1 },
  { fault: 0.05, crash: 0.01, loss: 0.1 },
];

/** Runs one seed: customers, two nodes, faults; then settles everything and checks it. */
export async function simulate(
  { world, database, frame }: Simulator,
  seed: string,
  options: RunOptions,
): Promise<RunResult> {
  const used = await database.ask<{ name: string }>(USED_TABLES);
  await database.reset(resetText(world, new Set(used.map(({ name }) => name))));
  const machine = simulateMachine(seed, START_MS);
  const chance = createChance(seed);
  const trace = createTrace(options);
  const scheduler = createScheduler(machine, chance.fork('schedule'), trace);
  const calls = createCalls(scheduler);
  const gateway = createGatewayBooks();
  for (const [token, number] of world.gatewayCards) gateway.cards.set(token, number);
  const taxes = createTaxBooks(1);
  const channels = createChannelBooks();
  const { sabotage = {} } = options;
  const around: Surroundings = {
    world,
    machine,
    scheduler,
    database,
    calls,
    gateway,
    taxes,
    channels,
    config,
    frame,
    sabotage,
    databaseClock: { aheadMs: 0, step: undefined },
  };
  const mood = chance.pick(MOODS);
  const counts = { orders: 0, crashes: 0, faults: 0, clockSteps: 0 };
  const result = (failure: string | undefined, placed: number): RunResult => {
    return { seed, hash: trace.hash(), steps: scheduler.steps, ...counts, placed, failure, last: trace.last() };
  };
  try {
    const placed = await run();
    return result(undefined, placed);
  } catch (error) {
    return result(error instanceof Error ? (error.stack ?? error.message) : String(error), 0);
  } finally {
    machine.restore();
  }

  async function run(): Promise<number> {
    const nodes: SimulatedNode[] = [];
    let started = 0;
    const clocks = chance.fork('clocks');
    const start = async () => {
      started += 1;
      nodes.push(await startNode(`node-${started}`, clocks.pick(AHEAD_MS), around));
    };
    const clients = createClients({
      world,
      machine,
      chance: chance.fork('clients'),
      nodes: () => nodes,
      lossRate: () => mood.loss,
    });
    const parties = world.shops.slice(0, options.parties ?? 1).map((shop) => {
      const options_ = { clients, chance: chance.fork(`customers of ${shop.storeId}`), gateway, shop };
      return options.days === undefined ? createCustomers(options_) : createYear(options_, options.days);
    });
    scheduler.onCrash = async (owner) => {
      const at = nodes.findIndex((node) => node.owner === owner);
      const node = nodes[at];
      if (!node) return;
      counts.crashes += 1;
      nodes.splice(at, 1);
      await node.crash();
      clients.nodeDied(node);
    };
    const workload = createWorkload({ around, chance: chance.fork('workload'), nodes, start, parties, mood, counts });
    await start();
    await start();
    await workload.live();
    await workload.settle();
    await checkRun({ around, parties, clients });
    const promised = parties.flatMap((customers) => customers.promised);
    return new Set(promised.flatMap((one) => (one.what === 'placed' ? [one.orderId] : []))).size;
  }
}
