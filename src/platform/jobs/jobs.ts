import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { activeTraceparent } from '../lib/tracing.ts';

/** Declares a background job: its kind and the type of its payload. */
export type JobKind<Payload extends object> = { name: string; payload?: Payload };

export type EnqueueOptions = {
  /** Earliest start. */
  startAfter?: Temporal.Instant;
};

/** A job to enqueue. It continues the trace `traceparent`; by default the current one, with null none. */
export type NewJob<Payload extends object> = EnqueueOptions & { payload: Payload; traceparent?: string | null };

/** Enqueues jobs. Within a transaction, the job exists only if the transaction commits. */
export type Jobs = {
  enqueue<Payload extends object>(
    sql: Sql,
    kind: JobKind<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Enqueues many jobs of one kind in one statement. */
  enqueueMany<Payload extends object>(
    sql: Sql,
    kind: JobKind<Payload>,
    jobs: readonly NewJob<Payload>[],
  ): Promise<void>;
};

export function createJobs(clock: Clock): Jobs {
  const enqueueMany: Jobs['enqueueMany'] = async (sql, { name }, jobs) => {
    if (jobs.length === 0) return;
    const now = clock.now();
    const payloads = jobs.map(({ payload }) => JSON.stringify(payload));
    const traces = jobs.map(({ traceparent = activeTraceparent() ?? null }) => traceparent);
    const due = jobs.map(({ startAfter = now }) => startAfter.toString());
    await raw`insert into jobs (kind, payload, traceparent, due_at)
      select ${name}, given.* from unnest(${payloads}::jsonb[], ${traces}::text[], ${due}::timestamptz[]) as given`.execute(
      sql,
    );
  };
  return { enqueueMany, enqueue: (sql, kind, payload, options) => enqueueMany(sql, kind, [{ payload, ...options }]) };
}
