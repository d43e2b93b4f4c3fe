import { sql as raw } from 'kysely';
import type { Sql } from '../../src/platform/db/connect.ts';
import { retryLimitOf, type Worker } from '../../src/platform/jobs/job-queue.ts';
import type { Jobs } from '../../src/platform/jobs/jobs.ts';
import type { Calls } from './outside-party.ts';
import type { Owner } from './scheduler.ts';
import type { SimulatedDatabase } from './simulated-database.ts';

/** The simulated job queue's table: a job exists exactly if its transaction commits, as in the real queue. */
export const JOBS_TABLE = `create table simulated_jobs (
  id bigserial primary key, kind text not null, payload jsonb not null, start_after timestamptz,
  state text not null default 'created', retries int not null default 0, taken_by text, last_error text)`;

/** The job queue's port over that table. At-least-once and unordered, like the real queue. */
export const simulatedJobs: Jobs = {
  enqueue: (sql, kind, payload, options) => insert(sql, kind.name, [{ payload, startAfter: options?.startAfter }]),
  enqueueMany: (sql, kind, jobs) => insert(sql, kind.name, jobs),
};

type NewJob = { payload: object; startAfter?: Temporal.Instant | undefined };

async function insert(sql: Sql, kind: string, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload));
  const starts = jobs.map(({ startAfter }) => startAfter?.toString() ?? null);
  await raw`insert into simulated_jobs (kind, payload, start_after)
    select ${kind}, payload, start_after from unnest(${payloads}::jsonb[], ${starts}::timestamptz[])
      as given (payload, start_after)`.execute(sql);
}

type Job = { id: string; kind: string; payload: object; retries: number };
/** Seconds until a dead worker's job is reassigned. */
const HEARTBEAT_S = 20;
const MAX_PAUSE_S = 60;

export type JobRun = {
  database: SimulatedDatabase;
  calls: Calls;
  node: Owner;
  workers: readonly Worker<never>[];
  nowMs(): number;
  /** Picks among the due jobs by the seed. */
  choose(count: number): number;
};

/**
 * Runs one due job; false if there is none. A failing job is retried up to its limit, where the simulation fails:
 * nothing may depend on an abandoned job.
 */
export async function runOneJob({ database, calls, node, workers, nowMs, choose }: JobRun): Promise<boolean> {
  const ask = <Row>(what: string, text: string, values: readonly unknown[]) =>
    calls.run(node, 'jobs', what, () => database.ask<Row>(text, values));
  const now = () => new Date(nowMs()).toISOString();
  const due = await ask<Job>('look', DUE, [now()]);
  if (due.length === 0) return false;
  const chosen = due[choose(due.length)];
  const [job] = await ask<Job>('take', TAKE, [chosen?.id, node.name]);
  if (!job) return true;
  const worker = workers.find(({ kind }) => kind.name === job.kind);
  if (!worker) throw new Error(`There is no worker for ${job.kind}.`);
  try {
    await worker.run(job.payload as never, new AbortController().signal);
    await ask(`end ${job.kind}`, `update simulated_jobs set state = 'completed' where id = $1`, [job.id]);
  } catch (error) {
    const state = job.retries >= retryLimitOf(worker) ? 'failed' : 'created';
    const againMs = nowMs() + 1000 * Math.min(MAX_PAUSE_S, 2 ** (job.retries + 1));
    await ask(`retry ${job.kind}`, RETRY, [job.id, state, new Date(againMs).toISOString(), String(error)]);
  }
  return true;
}

/** Reassigns a dead worker's jobs after its missed heartbeat. */
export async function giveJobsBack(database: SimulatedDatabase, node: Owner, nowMs: number): Promise<void> {
  const at = new Date(nowMs + HEARTBEAT_S * 1000).toISOString();
  await database.ask(BACK, [node.name, at]);
}

const DUE = `select id::text, kind, payload, retries from simulated_jobs
  where state = 'created' and coalesce(start_after, '-infinity') <= $1 order by id limit 20`;
const TAKE = `update simulated_jobs set state = 'active', taken_by = $2 where id = $1 and state = 'created'
  returning id::text, kind, payload, retries`;
const RETRY = `update simulated_jobs
  set state = $2, retries = retries + 1, start_after = $3, last_error = $4 where id = $1`;
const BACK = `update simulated_jobs set state = 'created', start_after = $2 where state = 'active' and taken_by = $1`;
