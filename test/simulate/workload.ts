import { resolveUnsettledCharges } from '../../src/ordering/money/resolve-charges.job.ts';
import { dispatchEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { recordTaxes } from '../../src/ordering/statements/record-taxes.job.ts';
import type { Chance } from './chance.ts';
import type { Customers } from './customers.ts';
import type { FaultPlan, Operation } from './scheduler.ts';
import type { SimulatedNode, Surroundings } from './simulated-node.ts';

export type Mood = { fault: number; crash: number };
export type Counts = { orders: number; crashes: number; faults: number; clockSteps: number };

export type WorkloadOptions = {
  around: Surroundings;
  chance: Chance;
  nodes: SimulatedNode[];
  start(): Promise<void>;
  parties: readonly Customers[];
  mood: Mood;
  counts: Counts;
};

export type Workload = {
  /** Customers arrive, nodes work and crash, until every customer has left. */
  live(): Promise<void>;
  /** Without further faults, everything begun ends, however much simulated time it takes. */
  settle(): Promise<void>;
};

const NODES = 2;
/** Maximum steps for each order. */
const MAX_STEPS = 20_000;
const MAX_ROUNDS = 600;
/** By how much the database's clock may be set, and how often before an operation. */
const STEPS_MS = [-40, -20, -1, 1, 20, 40].map((minutes) => minutes * 60_000);
const STEP_CHANCE = 0.05;
const END_OF_TIME_MS = Date.UTC(2100);
/** A node's own activities, beside its queues. */
const PARTIES = ['payment gateway', 'tax service', 'mail', 'sms', 'webhook', 'printer'] as const;
const CRON_MS = 60_000;
/** How long the holds of orders that stay open are followed: longer than any slot is away. */
const HOLDS_MS = 16 * 24 * 3_600_000;
/** Minimum clock advance if the same work is due again: it waits for something else, such as a dead worker's lease. */
const STALL_MS = 1000;

/** Background work of a live node, which runs one of each kind at a time. */
type Background = { kind: string; node: SimulatedNode };

export function createWorkload({ around, chance, nodes, start, parties, mood, counts }: WorkloadOptions): Workload {
  const { scheduler, machine, calls } = around;
  const background = new Set<Background>();
  let failure: unknown;
  let arrived = 0;
  let present = 0;
  let clocks: Clocks = { cronAtMs: machine.nowMs() + CRON_MS, last: undefined, untilMs: END_OF_TIME_MS };
  const arrivals = createArrivals(parties, chance.fork('arrivals'));
  const clockChance = chance.fork('database clock');
  const maxSteps = MAX_STEPS * arrivals.left;
  const plan: FaultPlan = {
    faultOf(operation) {
      if (operation.faults.length === 0 || !chance.happens(mood.fault)) return undefined;
      counts.faults += 1;
      return chance.pick(operation.faults);
    },
    crashAt: (operation) =>
      isOfNode(operation) && chance.happens(mood.crash) ? chance.pick(['before', 'after']) : undefined,
  };
  const isOfNode = ({ owner }: Operation) => nodes.some((node) => node.owner === owner);
  const calm: FaultPlan = { faultOf: () => undefined, crashAt: () => undefined };

  /** Starts one kind of background work on a node; false if it already runs there. */
  const work = (node: SimulatedNode, kind: string, task: () => Promise<unknown>): boolean => {
    if ([...background].some((one) => one.node === node && one.kind === kind)) return false;
    const running = { kind, node };
    background.add(running);
    // A failure is retried in the next round, like the service's periodic tasks.
    const over = () => void background.delete(running);
    machine.runAs(node.owner, task).then(over, over);
    return true;
  };
  const tasksOf = (node: SimulatedNode): Record<string, () => Promise<unknown>> => ({
    dispatching: () => dispatchEvents({ db: node.deps.db, eventHandlers: node.eventHandlers }),
    resolving: () => resolveUnsettledCharges(node.deps).run({}, new AbortController().signal),
    'recording taxes': () => recordTaxes(node.deps).run({}, new AbortController().signal),
    'watching the clock': () => node.clockWatch.look(),
    ...Object.fromEntries(node.queues.map((queue) => [queue.name, () => queue.runOnce()])),
  });
  const forget = () => {
    for (const one of background) if (!one.node.owner.isAlive) background.delete(one);
  };
  const workSomewhere = (): void => {
    if (nodes.length === 0) return;
    const node = chance.pick(nodes);
    const tasks = tasksOf(node);
    const kind = chance.happens(0.4) ? 'dispatching' : chance.pick(Object.keys(tasks));
    const task = tasks[kind];
    if (task) work(node, kind, task);
  };
  const arrive = (): void => {
    arrived += 1;
    counts.orders += 1;
    present += 1;
    arrivals
      .next()
      .live(arrived)
      .then(
        () => {
          present -= 1;
        },
        (error) => {
          failure ??= error;
        },
      );
  };
  const limit = (): void => {
    if (failure !== undefined) throw failure;
    if (scheduler.steps > maxSteps) throw new Error(`The run has not ended after ${maxSteps} steps.`);
  };
  const goOn = async (faults: FaultPlan): Promise<boolean> => {
    const timerMs = scheduler.choices === 0 ? scheduler.nextTimerMs() : undefined;
    if (timerMs !== undefined && (await workUntil(timerMs))) return true;
    if (timerMs !== undefined) machine.moveTo(timerMs);
    else if (scheduler.choices === 0 && scheduler.pending === 0) return false;
    await scheduler.step(faults);
    forget();
    limit();
    return true;
  };
  const breakAndMend = (): void => {
    const party = chance.pick(PARTIES);
    if (calls.down.has(party)) calls.down.delete(party);
    else if (chance.happens(0.3)) calls.down.add(party);
  };

  /** Before the clock moves on by more than a minute, runs what is due by then. No party is down for so long. */
  const workUntil = async (ms: number): Promise<boolean> => {
    const [node] = nodes;
    if (!node || ms - machine.nowMs() < CRON_MS) return false;
    calls.down.clear();
    return doNext(node, clocks, ms);
  };

  /** Sets the database's clock once, while an order waits, as a failover to a standby does. Every node notices. */
  const setDatabaseClock = async (): Promise<void> => {
    const { databaseClock, database } = around;
    const waiting = await database.ask("select 1 from orders where status = 'awaiting_confirmation' and mode = 'live'");
    if (waiting.length === 0) return;
    counts.clockSteps += 1;
    databaseClock.aheadMs = clockChance.pick(STEPS_MS);
    const canceled = await database.ask<{ id: string }>("select order_id as id from orders where status = 'canceled'");
    databaseClock.step = { atMs: machine.nowMs(), canceledBefore: new Set(canceled.map(({ id }) => id)) };
    watchClocks();
  };
  const watchClocks = () => {
    for (const node of nodes) work(node, 'watching the clock', () => node.clockWatch.look());
  };

  /** Alternatives to the next operation: a node starts, a customer arrives, a node polls, a party fails. */
  const stir = async (): Promise<void> => {
    if (nodes.length < NODES && (nodes.length === 0 || chance.happens(0.05))) await start();
    const comesNow = arrived === 0 || arrivals.isRush || chance.happens(0.03);
    if (arrivals.left > 0 && comesNow) arrive();
    if (chance.happens(0.06)) workSomewhere();
    if (mood.fault > 0 && chance.happens(0.01)) breakAndMend();
    if (!around.databaseClock.step && nodes.length === NODES && clockChance.happens(STEP_CHANCE))
      await setDatabaseClock();
    await machine.quiesce();
  };
  /** Advances the clock to the next due work and runs it; false if nothing waits. */
  const doNext = async (node: SimulatedNode, clocks: Clocks, untilMs = Infinity): Promise<boolean> => {
    const due = await nextDue(around, clocks);
    if (due === undefined || due.atMs > untilMs) return false;
    const { kind, atMs } = due;
    machine.moveTo(Math.max(atMs, isSame(due, clocks.last) ? machine.nowMs() + STALL_MS : 0));
    clocks.last = due;
    if (kind === 'resolving' || kind === 'recording taxes') clocks.cronAtMs = machine.nowMs() + CRON_MS;
    const task = tasksOf(node)[kind];
    if (!task) throw new Error(`No node does ${kind}.`);
    work(node, kind, task);
    await machine.quiesce();
    return true;
  };

  return {
    async live() {
      while (arrivals.left + present > 0) {
        await stir();
        if (!(await goOn(plan)) && arrivals.left > 0) arrive();
      }
    },
    async settle() {
      calls.down.clear();
      while (nodes.length < NODES) await start();
      watchClocks();
      clocks = { cronAtMs: machine.nowMs() + CRON_MS, last: undefined, untilMs: machine.nowMs() + HOLDS_MS };
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        while (await goOn(calm));
        const node = nodes[round % NODES];
        if (!node || !(await doNext(node, clocks))) return;
      }
      throw new Error(
        `After ${MAX_ROUNDS} rounds without a fault something still waits: ${JSON.stringify(clocks.last)}`,
      );
    },
  };
}

/** The minutely jobs' next run, what was due last, and until when holds are renewed. */
type Clocks = { cronAtMs: number; last: Due | undefined; untilMs: number };

/** Pending work in the database by due time, earliest first; holds are watched for as long as their orders are open. */
const DUE = `
  select kind, extract(epoch from at) * 1000 as "atMs" from (
    select 'dispatching' as kind, min(at) as at from order_events where not dispatched
    union all select 'running jobs', min(greatest(due_at, leased_until)) from jobs where failed_at is null
      and (kind <> 'keep-hold' or due_at <= $2::timestamptz)
    union all select 'sending email', min(greatest(next_attempt_at, leased_until)) from messages
      where state = 'pending' and channel = 'email'
    union all select 'sending sms', min(greatest(next_attempt_at, leased_until)) from messages
      where state = 'pending' and channel = 'sms'
    union all select 'calling webhooks', min(greatest(next_attempt_at, leased_until)) from webhook_calls
      where state = 'pending'
    union all select 'telling stores', min(greatest(next_attempt_at, leased_until)) from store_notices
      where state = 'waiting' and next_attempt_at is not null
    union all select 'resolving', $1::timestamptz from orders where charge_state = 'pending' or refunding_cents > 0
    union all select 'recording taxes', $1::timestamptz from tax_records where record is null
    union all select 'resolving', $1::timestamptz from order_tips where state in ('pending', 'returning')
  ) as waiting where at is not null order by at, kind limit 1`;

type Due = { kind: string; atMs: number };

const isSame = (one: Due, other: Due | undefined) => one.kind === other?.kind && one.atMs === other.atMs;

/** The next due work, by the machines' clock. */
async function nextDue({ database, databaseClock }: Surroundings, { cronAtMs, untilMs }: Clocks) {
  const { aheadMs } = databaseClock;
  const [row] = await database.ask<Due>(
    DUE,
    [cronAtMs, untilMs].map((ms) => new Date(ms + aheadMs).toISOString()),
  );
  return row && { kind: row.kind, atMs: Math.ceil(Number(row.atMs)) - aheadMs };
}

type Arrivals = {
  readonly left: number;
  /** Whether a store's customers have begun to arrive together. */
  readonly isRush: boolean;
  next(): Customers;
};

/** In a rush, all of a store's customers follow the first; otherwise the seed picks the store. */
function createArrivals(parties: readonly Customers[], chance: Chance): Arrivals {
  const coming = parties.map((customers) => ({ customers, left: customers.count }));
  const rushed = () => coming.find(({ customers: { isRush, count }, left }) => isRush && left < count);
  return {
    get left() {
      return coming.reduce((sum, { left }) => sum + left, 0);
    },
    get isRush() {
      return rushed() !== undefined;
    },
    next() {
      const party = rushed() ?? chance.pick(coming);
      party.left -= 1;
      if (party.left === 0) coming.splice(coming.indexOf(party), 1);
      return party.customers;
    },
  };
}
