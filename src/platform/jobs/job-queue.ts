import { setTimeout as delay } from 'node:timers/promises';
import { sql as raw } from 'kysely';
import type { Logger } from 'pino';
import { type Db, instantParam } from '../db/connect.ts';
import { causeOf } from '../db/is-database-unavailable.ts';
import type { Clock } from '../lib/clock.ts';
import { type Attributes, type Tracer, traceWork } from '../lib/tracing.ts';
import type { JobKind } from './jobs.ts';
import { LeasedQueue, type QueueTable } from './leased-queue.ts';
import { FixedLimiter } from './owner-limiter.ts';

/*
 * Background jobs: the table `jobs`, a leased queue whose owners are the kinds. A row is deleted when its job has run,
 * and due again when the job has failed or repeats. While a job runs, its node renews the lease, so that jobs may take
 * as long as they need and another node takes over a killed node's jobs.
 */

/** The handler and schedule of a kind of jobs. A job may run twice, so handlers are idempotent. */
export type Worker<Payload extends object> = {
  kind: JobKind<Payload>;
  /** Maximum concurrent jobs on this node. */
  concurrency: number;
  /** The job repeats in all nodes together, with an empty payload, at each multiple of these minutes since the epoch. */
  everyMinutes?: number;
  /** Minutes to start a repeating job later, so that hourly ones do not start together. */
  atMinute?: number;
  /** Whether a job that repeats is also due at every start of a service. */
  atStart?: true;
  run(payload: Payload, signal: AbortSignal): Promise<void>;
};

export type JobRun = { job: string; outcome: 'done' | 'failed'; seconds: number };

/** A leased job. `attempts` includes this one, and tells this lease from later ones. */
type Job = {
  jobId: string;
  kind: string;
  repeats: boolean;
  payload: object;
  traceparent: string | null;
  attempts: number;
};

type JobQueueOptions = {
  db: Db;
  clock: Clock;
  log: Logger;
  tracer?: Tracer | undefined;
  workers: readonly Worker<never>[];
  /** Called after each run on this node. */
  onRun?: (run: JobRun) => void;
  /** How long a stop waits for running jobs; then it aborts them and gives them to other nodes. */
  stopMs?: number;
};

/** A failed job is due again after 2 s, doubling up to a minute; after 50 retries it stays failed. */
const RETRY_LIMIT = 50;
const FIRST_RETRY_S = 2;
const MAX_RETRY_S = 60;
/** The jobs of a killed node are taken over after this long. */
const LEASE_SECONDS = 20;
const STOP_MS = 4000;

const JOBS: QueueTable = {
  table: 'jobs',
  key: ['job_id'],
  owner: ['kind'],
  waits: 'q.failed_at is null',
  dueAt: 'due_at',
  leaseSeconds: LEASE_SECONDS,
  onLease: 'attempts = q.attempts + 1',
  columns: 'q.job_id::text as job_id, q.kind, q.repeats, q.payload, q.traceparent, q.attempts',
};

export class JobQueue {
  readonly queue: LeasedQueue<Job>;
  private readonly options: JobQueueOptions;
  private readonly workers: ReadonlyMap<string, Worker<never>>;
  private readonly running = new Map<Job, AbortController>();

  constructor(options: JobQueueOptions) {
    this.options = options;
    this.workers = new Map(options.workers.map((worker) => [worker.kind.name, worker]));
    this.queue = new LeasedQueue<Job>({
      ...options,
      name: 'running jobs',
      table: JOBS,
      limiter: new FixedLimiter(new Map(options.workers.map(({ kind, concurrency }) => [kind.name, concurrency]))),
      ownerOf: ({ kind }) => kind,
      work: (job) => this.work(job),
    });
  }

  /** Adds the rows of jobs that repeat; those with `atStart` are due now. Removes jobs that no node ran for a day. */
  async schedule(): Promise<void> {
    const now = this.options.clock.now();
    await raw`delete from jobs where repeats and due_at < ${instantParam(now.subtract({ hours: 24 }))}`.execute(
      this.options.db,
    );
    const repeating = this.options.workers.filter(({ everyMinutes }) => everyMinutes !== undefined);
    const kinds = repeating.map(({ kind }) => kind.name);
    const due = repeating.map((worker) => (worker.atStart ? now : nextRun(worker, now)).toString());
    await raw`insert into jobs (kind, repeats, payload, due_at)
      select kind, true, '{}', due_at from unnest(${kinds}::text[], ${due}::timestamptz[]) as given (kind, due_at)
      order by kind on conflict (kind) where repeats do update set due_at = least(jobs.due_at, excluded.due_at)`.execute(
      this.options.db,
    );
  }

  /** Renews the leases of running jobs, and aborts jobs that another node has taken over. */
  async renew(): Promise<void> {
    if (this.running.size === 0) return;
    const jobs = [...this.running.keys()];
    const kept = new Set(await this.setLeases(jobs, this.options.clock.now().add({ seconds: LEASE_SECONDS })));
    for (const job of jobs) if (!kept.has(job.jobId)) this.running.get(job)?.abort();
  }

  /** Waits for running jobs, except slow ones. */
  async stop(): Promise<void> {
    await Promise.race([this.queue.idle(), delay(this.options.stopMs ?? STOP_MS, undefined, { ref: false })]);
    if (this.running.size === 0) return;
    for (const abort of this.running.values()) abort.abort();
    await this.setLeases([...this.running.keys()], this.options.clock.now());
  }

  /** Returns the ids of the jobs whose lease is still this node's. */
  private async setLeases(jobs: readonly Job[], until: Temporal.Instant): Promise<string[]> {
    const [ids, attempts] = [jobs.map(({ jobId }) => jobId), jobs.map((job) => job.attempts)];
    const { rows } = await raw<{ jobId: string }>`update jobs as q set leased_until = ${instantParam(until)}
      from unnest(${ids}::bigint[], ${attempts}::int[]) as given (job_id, attempts)
      where q.job_id = given.job_id and q.attempts = given.attempts returning q.job_id::text as job_id`.execute(
      this.options.db,
    );
    return rows.map(({ jobId }) => jobId);
  }

  private async work(job: Job): Promise<void> {
    const abort = new AbortController();
    this.running.set(job, abort);
    try {
      const worker = this.workers.get(job.kind);
      if (!worker) throw new Error(`No worker runs ${job.kind}.`);
      const outcome = await this.run(worker, job, abort.signal);
      await this.end(worker, job, outcome);
    } finally {
      this.running.delete(job);
    }
  }

  private async run(worker: Worker<never>, job: Job, signal: AbortSignal): Promise<JobRun['outcome']> {
    const { log, tracer, onRun } = this.options;
    const { kind, payload, traceparent } = job;
    const startedMs = performance.now();
    let outcome: JobRun['outcome'] = 'failed';
    try {
      const begun = { name: `job ${kind}`, kind: 'consumer', attributes: traceIdsOf(payload) } as const;
      await traceWork(tracer, { ...begun, traceparent }, () => worker.run(payload as never, signal));
      outcome = 'done';
    } catch (error) {
      log.warn({ ...causeOf(error), job: kind, ...Object.fromEntries(payloadIds(payload)) }, 'a job failed');
    }
    onRun?.({ job: kind, outcome, seconds: (performance.now() - startedMs) / 1000 });
    return outcome;
  }

  /** Records the outcome, unless another node has taken the job over. */
  private async end(worker: Worker<never>, job: Job, outcome: JobRun['outcome']): Promise<void> {
    const { db, clock } = this.options;
    const now = clock.now();
    const where = raw`where job_id = ${job.jobId}::bigint and attempts = ${job.attempts}`;
    if (job.repeats)
      await raw`update jobs set due_at = ${instantParam(nextRun(worker, now))}, leased_until = null, attempts = 0 ${where}`.execute(
        db,
      );
    else if (outcome === 'done') await raw`delete from jobs ${where}`.execute(db);
    else if (job.attempts > RETRY_LIMIT)
      await raw`update jobs set failed_at = ${instantParam(now)}, leased_until = null ${where}`.execute(db);
    else
      await raw`update jobs set due_at = ${instantParam(retryAt(job.attempts, now))}, leased_until = null ${where}`.execute(
        db,
      );
  }
}

/** Up to as long again at random, so that jobs that failed together do not retry together. */
function retryAt(attempts: number, now: Temporal.Instant): Temporal.Instant {
  const seconds = Math.min(MAX_RETRY_S, FIRST_RETRY_S ** attempts);
  return now.add({ milliseconds: Math.round(seconds * 1000 * (1 + Math.random())) });
}

function nextRun({ everyMinutes = 1, atMinute = 0 }: Worker<never>, now: Temporal.Instant): Temporal.Instant {
  const minute = Math.floor(now.epochMilliseconds / 60_000) - atMinute;
  const next = (Math.floor(minute / everyMinutes) + 1) * everyMinutes + atMinute;
  return Temporal.Instant.fromEpochMilliseconds(next * 60_000);
}

/** Returns the ids of a payload for its trace and the log line of its failure. Nothing else of it is recorded. */
const payloadIds = (payload: object) => Object.entries(payload).filter(([name]) => name.endsWith('Id'));

const traceIdsOf = (payload: object): Attributes =>
  Object.fromEntries(payloadIds(payload).map(([name, id]) => [`doorstep.${name.replace(/Id$/, '.id')}`, id]));
