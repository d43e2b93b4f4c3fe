import type { Sql } from '../db/connect.ts';

/** Declares a background job: the name of its queue and the type of its payload. */
export type JobKind<Payload extends object> = { name: string; payload?: Payload };

export type EnqueueOptions = {
  /** Earliest start. */
  startAfter?: Temporal.Instant;
};

/** A job to enqueue. It continues the trace `traceparent`; by default the current one, with null none. */
export type NewJob<Payload extends object> = {
  payload: Payload;
  startAfter?: Temporal.Instant;
  traceparent?: string | null;
};

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
