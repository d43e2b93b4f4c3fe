import type { Logger } from 'pino';
import type { EventWork, FollowEvent } from '../../ordering/order/follow-event.flow.ts';
import type { Db } from '../../platform/db/connect.ts';
import { isRefusedStatement } from '../../platform/db/hot-statement.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import { OwnerLimiter, type WorkLimits } from '../../platform/jobs/owner-limiter.ts';
import { batchCalls } from '../../platform/lib/batch-calls.ts';
import { SerialGate } from '../../platform/lib/batch-gate.ts';
import { oncePerMinute } from '../../platform/lib/once-per-minute.ts';
import { nextAttemptAt, type RetrySchedule } from '../../platform/lib/retry-schedule.ts';
import { failActiveSpan } from '../../platform/lib/tracing.ts';
import { type Channels, type Failure, failureOf, handOver, type Letter } from './hand-over.flow.ts';
import { type Columns, type LetterTable, recordAttempts } from './letters.db.ts';
import { OPTED_OUT } from './messaging.ts';

/* Leases, writes, sends and records every letter (README.md). A `LetterKind` describes the differences. */

/** A leased row. `attempts` counts the running one, and `attemptsBefore` those before the last replay. */
export type LeasedLetter = {
  attempts: number;
  attemptsBefore?: number;
  createdAt: Temporal.Instant;
  leasedUntil: Temporal.Instant | null;
};

/**
 * A row's letter, or: `nothing` to send, which counts as taken; `stale`, too late to be useful; `fetched`, waiting
 * until its recipient fetches it.
 */
export type Written = Letter | 'nothing' | 'stale' | 'fetched';

/** How an attempt ended; `retryAt` is null after the last one. */
export type Attempt<Row> = {
  row: Row;
  at: Temporal.Instant;
  end: 'taken' | 'failed' | 'stale' | 'fetched';
  failure?: Failure;
  status: number | null;
  retryAt: Temporal.Instant | null;
};

/** A kind of letter with a table of its own. */
export type LetterKind<Row extends LeasedLetter> = {
  name: string;
  /** The letter in log lines, with its article. */
  noun: string;
  table: LetterTable;
  limits: WorkLimits;
  retries: RetrySchedule;
  /** Whether attempts continue after a failure that the provider calls final, because the address may be corrected. */
  ignoresFinal?: true;
  ownerOf(row: Row): string;
  keyOf(row: Row): Columns;
  /** Returns name and attributes of its span, and the event that it follows from. */
  workOf(row: Row): EventWork;
  /** Returns the ids for its log lines. */
  idsOf(row: Row): Readonly<Record<string, string | null>>;
  /** Writes the letter at each attempt, so that a change of address, language or order applies. */
  write(row: Row): Promise<Written>;
  /** Returns further columns of a recorded attempt. */
  columnsOf?(attempt: Attempt<Row>): Columns;
  /** Records a letter that its recipient has accepted, in place of `recordAttempts` and within the letter's trace. */
  recordTaken?(row: Row): Promise<void>;
  /** Called with attempts once they are recorded. */
  onEnded?(attempts: readonly Attempt<Row>[]): Promise<void>;
  counters?: { taken: Counter; failed: Counter; dead?: Counter };
};

type Counter = { inc(): void };

export type OutboxDeps = Channels & { db: Db; log: Logger; followEvent: FollowEvent };

/** Creates a queue of one kind of letters. Attempts that end at about the same time are recorded in one statement. */
export function letterQueue<Row extends LeasedLetter>(deps: OutboxDeps, kind: LetterKind<Row>): LeasedQueue<Row> {
  const { db, clock, log, followEvent } = deps;
  const { name, table, limits, ownerOf } = kind;
  const newsOf = oncePerMinute(clock);
  const record = batchCalls<Attempt<Row>, void>({
    maxBatch: limits.max,
    gate: new SerialGate(),
    didNothing: isRefusedStatement,
    async run(attempts) {
      await recordAttempts(
        db,
        table,
        attempts.map((attempt) => columnsOf(kind, attempt)),
      );
      await kind.onEnded?.(attempts);
      return attempts.map(() => undefined);
    },
  });
  return new LeasedQueue<Row>({
    name,
    db,
    clock,
    log,
    table,
    limiter: new OwnerLimiter(limits),
    ownerOf,
    async work(row) {
      const attempt = await followEvent(kind.workOf(row), async () => {
        const ended = await attemptLetter(deps, kind, row);
        if (ended.end === 'taken') await kind.recordTaken?.(row);
        return ended;
      });
      if (attempt.end !== 'taken' || !kind.recordTaken) await record(attempt);
      report(deps, kind, attempt, newsOf);
    },
  });
}

/** Makes one attempt, outside of any transaction. If its worker dies first, it is repeated when the lease ends. */
async function attemptLetter<Row extends LeasedLetter>(
  deps: OutboxDeps,
  kind: LetterKind<Row>,
  row: Row,
): Promise<Attempt<Row>> {
  const ended = { row, status: null, retryAt: null };
  try {
    const written = await kind.write(row);
    if (written === 'stale' || written === 'fetched') return { ...ended, at: deps.clock.now(), end: written };
    const { status } = written === 'nothing' ? ended : await handOver(deps, written);
    return { ...ended, at: deps.clock.now(), end: 'taken', status };
  } catch (error) {
    const failure = failureOf(error);
    const { status, isFinal } = failure;
    const at = deps.clock.now();
    const failed = { attempt: attemptOf(row), since: row.createdAt, now: at };
    const retryAt = isFinal && !kind.ignoresFinal ? undefined : nextAttemptAt(kind.retries, failed, Math.random());
    failActiveSpan(status === null ? 'not_sent' : String(status));
    return { row, at, end: 'failed', failure, status, retryAt: retryAt ?? null };
  }
}

/** Returns the number of an attempt in the kind's schedule, which a replay restarts. */
const attemptOf = ({ attempts, attemptsBefore = 0 }: LeasedLetter) => attempts - attemptsBefore;

function columnsOf<Row extends LeasedLetter>(kind: LetterKind<Row>, attempt: Attempt<Row>): Columns {
  const { states, sentAt } = kind.table;
  const { row, at, end, failure, retryAt } = attempt;
  const { waiting, sent, dead } = states;
  const after = { taken: sent, failed: retryAt ? waiting : dead, stale: dead, fetched: waiting };
  return {
    ...kind.keyOf(row),
    leasedUntil: row.leasedUntil,
    state: after[end],
    lastError: failure?.reason ?? (end === 'stale' ? 'withdrawn' : null),
    nextAttemptAt: retryAt,
    [sentAt]: end === 'taken' ? at : null,
    ...kind.columnsOf?.(attempt),
  };
}

/** Counts an attempt. Logs first and last failures once a minute per owner, with their number: others are alike. */
function report<Row extends LeasedLetter>(
  { log }: OutboxDeps,
  { noun, counters, ownerOf, idsOf }: LetterKind<Row>,
  { row, end, failure, retryAt }: Attempt<Row>,
  newsOf: (text: string) => number,
): void {
  // An opt-out is no failure.
  if (failure?.reason === OPTED_OUT) return;
  if (end !== 'stale') counters?.[failure ? 'failed' : 'taken'].inc();
  if (!failure) return;
  if (failure.bug) log.error({ err: failure.bug, ...idsOf(row) }, `${noun} failed inside`);
  if (!retryAt) counters?.dead?.inc();
  if (retryAt && attemptOf(row) > 1) return;
  const news = retryAt ? `${noun} is not delivered yet` : `${noun} failed for good`;
  const times = newsOf(`${ownerOf(row)} ${news}`);
  if (times > 0) log.warn({ ...idsOf(row), reason: failure.reason, times }, news);
}

/** A letter that is sent by a job, because there are few of its kind and no one reads a list of them. */
export type LetterJob<Payload extends object> = {
  kind: JobKind<Payload>;
  /** The letter in log lines, with its article. */
  noun: string;
  idsOf(payload: Payload): Readonly<Record<string, string>>;
  /** Writes the letter at each attempt; undefined if nothing is to be sent any more. */
  write(payload: Payload): Promise<Letter | undefined>;
  /** Records a letter that its recipient has accepted. */
  recordTaken?(letter: Letter): Promise<void>;
};

/** Sends letters that are jobs. The job is retried, unless the letter will never be taken, which is logged. */
export function letterJob<Payload extends object>(
  deps: Channels & { log: Logger },
  { kind, noun, idsOf, write, recordTaken }: LetterJob<Payload>,
): Worker<Payload> {
  return {
    kind,
    concurrency: 2,
    async run(payload) {
      try {
        const letter = await write(payload);
        if (!letter) return;
        await handOver(deps, letter);
        await recordTaken?.(letter);
      } catch (error) {
        const { reason, isFinal } = failureOf(error);
        if (!isFinal) throw error;
        deps.log.warn({ ...idsOf(payload), reason }, `${noun} failed for good`);
      }
    },
  };
}
