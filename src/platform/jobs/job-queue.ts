import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient, PoolConfig } from 'pg';
import { type Clock as BossClock, type ConstructorOptions, fromKysely, type Job, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { connectionOptions } from '../db/connection-options.ts';
import { causeOf } from '../db/is-database-unavailable.ts';
import type { Clock } from '../lib/clock.ts';
import { errorMessage } from '../lib/error-code.ts';
import { oncePerMinute } from '../lib/once-per-minute.ts';
import { type Attributes, activeTraceparent, type Tracer, traceWork } from '../lib/tracing.ts';
import type { EnqueueOptions, JobKind, Jobs } from './jobs.ts';

/** The handler and schedule of a queue's jobs. A job may run twice, so handlers are idempotent. */
export type Worker<Payload extends object> = {
  kind: JobKind<Payload>;
  /** Maximum concurrent jobs on this node. */
  concurrency: number;
  /** Cron expression, in UTC, on which the job repeats with an empty payload. */
  everyMinutes?: string;
  /** Whether the job also runs at every start of a service. */
  atStart?: true;
  /** Whether customers wait for these jobs: the queue is polled every second instead of every five. */
  isTimed?: true;
  run(payload: Payload, signal: AbortSignal): Promise<void>;
};

export type JobRun = { job: string; outcome: 'done' | 'failed'; seconds: number };

type JobQueueOptions = {
  connectionString: string;
  schema: string;
  log: Logger;
  clock: Clock;
  /** Clock of the queue itself, for tests; by default the database's. */
  bossClock?: BossClock;
  /** Whether this node runs jobs or only enqueues them. */
  works: boolean;
  tracer?: Tracer | undefined;
};

/**
 * Retries a failed job after 2 s, doubling up to a minute, plus as much random jitter; after 50 retries it stays
 * failed. Cron jobs are not retried: the next run does the work.
 */
const RETRIES = { retryDelay: 2, retryBackoff: true, retryDelayMax: 60 };
const RETRY_LIMIT = 50;

export function retryLimitOf({ everyMinutes }: Pick<Worker<never>, 'everyMinutes'>): number {
  return everyMinutes === undefined ? RETRY_LIMIT : 0;
}

/** After this long without a heartbeat, the job of a killed worker is taken over. */
const HEARTBEAT_SECONDS = 20;
/** Seconds between polls, which find retries and jobs that fall due later. New jobs are announced by notifications. */
const POLL_SECONDS = { timed: 1, others: 5 };
/** A statement to a silent server times out after this and its connection is closed. */
const SILENCE_MS = 30_000;
/** How long a stop waits for running jobs; then it fails them, so that another worker takes over. */
const JOBS_END_MS = 4000;

export type JobQueue = Jobs & {
  /**
   * Creates all queues before it starts workers, because any job may enqueue any other at once. Calls `onRun` for each
   * run on this node.
   */
  work(workers: readonly Worker<never>[], onRun?: (run: JobRun) => void): Promise<void>;
  stop(): Promise<void>;
};

/** Connects to the job queue, which has its own schema in the same database, and updates that schema. */
export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const settings: ConstructorOptions & Pick<PoolConfig, 'query_timeout' | 'stream' | 'verify'> = {
    ...connectionOptions(options.connectionString),
    schema: options.schema,
    max: 4,
    application_name: 'doorstep-jobs',
    query_timeout: SILENCE_MS,
    supervise: options.works,
    schedule: options.works,
    useListenNotify: options.works,
    ...(options.bossClock ? { clock: options.bossClock, verify: whenPrepared } : {}),
  };
  const boss = new PgBoss(settings);
  boss.on('error', limitErrorLog(options));
  await boss.start();
  const working: string[] = [];
  return {
    async work(workers, onRun) {
      await createQueues(boss, workers);
      if (!options.works) return;
      for (const name of ENDED_SCHEDULES) await boss.unschedule(name);
      for (const worker of workers) {
        working.push(worker.kind.name);
        await startWorker(boss, worker, { ...options, onRun });
      }
    },
    stop: () => stopQueue(boss, working),
    async enqueue(sql, kind, payload, enqueueOptions) {
      const sent = sendOptions(options.clock, enqueueOptions);
      await boss.send(kind.name, writeTrace(payload), { ...sent, db: fromKysely(sql.withoutPlugins() as never) });
    },
    async enqueueMany(sql, kind, jobs) {
      if (jobs.length === 0) return;
      const rows = jobs.map(({ payload, startAfter, traceparent }) => ({
        data: writeTrace(payload, traceparent),
        ...sendOptions(options.clock, startAfter ? { startAfter } : {}),
      }));
      await boss.insert(kind.name, rows, { db: fromKysely(sql.withoutPlugins() as never) });
    },
  };
}

/**
 * Hands out a new connection; with a test's clock, after the statement that the library runs on it unawaited. Otherwise
 * the driver would warn about the next statement.
 */
export function whenPrepared(client: PoolClient, handOut: () => void): void {
  const prepared = () => {
    client.off('drain', prepared).off('end', prepared);
    handOut();
  };
  client.on('drain', prepared).on('end', prepared);
}

/** Logs at most one error a minute, because every worker polls every few seconds during an outage. */
function limitErrorLog({ log, clock }: JobQueueOptions): (error: Error) => void {
  const newsOf = oncePerMinute(clock);
  return (error) => {
    const reason = errorMessage(error);
    const times = newsOf(reason);
    if (times > 0) log.warn({ reason, times }, 'job queue error');
  };
}

/** Waits for running jobs itself: the library checks for their end only every half second. */
async function stopQueue(boss: PgBoss, names: readonly string[]): Promise<void> {
  const idle = Promise.all(names.map((name) => boss.offWork(name, { wait: true })));
  await Promise.race([idle, delay(JOBS_END_MS, undefined, { ref: false })]);
  await boss.stop({ graceful: true, timeout: 1000 });
}

/** Passes a delay, not a time: the queue uses the database's clock, which may differ. A past time means now. */
function sendOptions(clock: Clock, { startAfter }: EnqueueOptions = {}) {
  const waitMs = startAfter ? startAfter.epochMilliseconds - clock.now().epochMilliseconds : 0;
  return waitMs > 0 ? { startAfter: waitMs / 1000 } : {};
}

/** Skips existing queues: they keep their settings, and creating again would take a transaction each. */
async function createQueues(boss: PgBoss, workers: readonly Worker<never>[]): Promise<void> {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const worker of workers.filter(({ kind }) => !existing.has(kind.name)))
    await boss.createQueue(worker.kind.name, {
      ...RETRIES,
      retryLimit: retryLimitOf(worker),
      heartbeatSeconds: HEARTBEAT_SECONDS,
      notify: true,
    });
}

/**
 * Schedules of earlier versions, which are removed because nothing runs their jobs. They are listed by name, so that an
 * older node that starts again beside newer ones does not remove schedules of theirs.
 */
const ENDED_SCHEDULES = [
  'purge-budget-use',
  'purge-idempotency-keys',
  'purge-card-setups',
  'purge-declines',
  'delete-untouched-orders',
];

/** Returns the ids of a payload for its trace and the log line of its failure. Nothing else of it is recorded. */
const payloadIds = (payload: object) => Object.entries(payload).filter(([name]) => name.endsWith('Id'));

const traceIdsOf = (payload: object): Attributes =>
  Object.fromEntries(payloadIds(payload).map(([name, id]) => [`doorstep.${name.replace(/Id$/, '.id')}`, id]));

type RunOptions = Pick<JobQueueOptions, 'log' | 'tracer'> & { onRun: ((run: JobRun) => void) | undefined };

/** Starts one library worker per concurrent job and wakes each when its job ends, because it would wait for a poll. */
async function startWorker(boss: PgBoss, worker: Worker<never>, options: RunOptions): Promise<void> {
  const job = worker.kind.name;
  const intervals = {
    // Without a notification connection, polling finds all jobs.
    pollingIntervalSeconds: POLL_SECONDS.timed,
    notifyPollingIntervalSeconds: worker.isTimed ? POLL_SECONDS.timed : POLL_SECONDS.others,
  };
  for (let n = 0; n < worker.concurrency; n += 1) {
    let id = '';
    id = await boss.work<object>(job, intervals, async ([taken]) => {
      if (taken) await runJob(worker, taken, options).finally(() => boss.notifyWorker(id));
    });
  }
  if (worker.everyMinutes) await boss.schedule(job, worker.everyMinutes, {}, { tz: 'UTC' });
  if (worker.atStart) await boss.send(job, {});
}

async function runJob(
  worker: Worker<never>,
  taken: Pick<Job<object>, 'data' | 'signal'>,
  { onRun, log, tracer }: RunOptions,
): Promise<void> {
  const job = worker.kind.name;
  const { payload, traceparent } = readTrace(taken.data);
  const startedMs = performance.now();
  let outcome: JobRun['outcome'] = 'failed';
  try {
    const begun = { name: `job ${job}`, kind: 'consumer', attributes: traceIdsOf(payload) } as const;
    await traceWork(tracer, { ...begun, traceparent }, () => worker.run(payload as never, taken.signal));
    outcome = 'done';
  } catch (error) {
    log.warn({ ...causeOf(error), job, ...Object.fromEntries(payloadIds(payload)) }, 'a job failed');
    throw error;
  } finally {
    onRun?.({ job, outcome, seconds: (performance.now() - startedMs) / 1000 });
  }
}

/** Adds the trace that the job continues, if any, to the payload. */
function writeTrace(payload: object, traceparent: string | null = activeTraceparent() ?? null): object {
  return traceparent === null ? payload : { ...payload, traceparent };
}

/** Reads the trace that `writeTrace` added, on any node. */
function readTrace(data: object): { payload: object; traceparent: unknown } {
  const { traceparent, ...payload } = data as { traceparent?: unknown };
  return { payload, traceparent };
}
