import type { Sql } from '../db/connect.ts';

/** Declares a background job: its queue's name and the shape of its payload. */
export type JobKind<Payload extends object> = { name: string; payload?: Payload };

export type EnqueueOptions = {
  /** Not before this moment. */
  startAfter?: Temporal.Instant;
  /** At most one waiting job per key. */
  singletonKey?: string;
};

/** `traceparent` of the enqueuing work, if it is not the current work. */
export type NewJob<Payload extends object> = {
  payload: Payload;
  startAfter?: Temporal.Instant;
  traceparent?: string | null;
};

/** Enqueues jobs; within a transaction, a job exists exactly if it commits. */
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
