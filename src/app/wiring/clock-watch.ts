import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Db } from '../../platform/db/connect.ts';
import {
  type DueTable,
  findClockStep,
  machinesDiffer,
  readEpochMs,
  saveClockDifference,
  saveClockStep,
} from '../../platform/db/database-clock.db.ts';
import { type Clock, DatabaseClock } from '../../platform/lib/clock.ts';
import { clockDifference, MAX_CLOCK_DIFFERENCE_S, SETTLING_S } from '../../platform/lib/clock-difference.ts';
import { oncePerMinute } from '../../platform/lib/once-per-minute.ts';
import type { Peers } from './peers.ts';

/** Maximum difference in seconds before a node is not ready, although it stores the database's time. */
const NOT_READY_ABOVE_S = 60;

/** Orders that wait, and the queues, with the columns of their due times. Steps of orders lock in this sequence too. */
export const DUE_TABLES: readonly DueTable[] = [
  {
    table: 'orders',
    columns: ['offer_at', 'confirm_by'],
    only: "status in ('awaiting_confirmation', 'in_progress') and placed_at is not null",
  },
  { table: 'ucp_checkouts', columns: ['leased_until'] },
  ...['jobs', 'shown_promotions'].map((table) => ({ table, columns: ['due_at', 'leased_until'] })),
  ...['store_notices', 'webhook_calls', 'ucp_calls', 'messages', 'alert_notices'].map((table) => ({
    table,
    columns: ['next_attempt_at', 'leased_until'],
  })),
  { table: 'courier_deliveries', columns: ['next_call_at', 'leased_until'] },
  { table: 'store_loads', columns: ['publish_at', 'leased_until'] },
];

/** `read` reads the database's clock, in epoch milliseconds. */
type ClockWatchDeps = { db: Db; clock: Clock; log: Logger; peers: Peers; read?: () => Promise<number> };

/** Lets the node's clock follow the database's, and reports a step or a difference (docs/database.md#clocks). */
export class ClockWatch {
  private readonly db: Db;
  private readonly clock: Clock;
  private readonly read: () => Promise<number>;
  private readonly log: Logger;
  /** Whether this worker reports, because all have one machine's clock. */
  private readonly reports: boolean;
  private readonly newsOf: ReturnType<typeof oncePerMinute>;
  /** Whether the machines differ from the database in different ways, so that this one is wrong. */
  private machinesDiffer = false;
  /** A step that is not saved yet. */
  private stepS = 0;
  private isFirstLook = true;

  constructor({ db, clock, log, peers, read = () => readEpochMs(db) }: ClockWatchDeps) {
    this.db = db;
    this.read = read;
    this.clock = clock;
    this.log = log;
    this.reports = peers.number === 1;
    this.newsOf = oncePerMinute(clock);
  }

  /** How far the machine's clock is ahead of the database's, in seconds; 0 with a test's clock. */
  get aheadS(): number {
    return this.clock instanceof DatabaseClock ? this.clock.aheadS : 0;
  }

  /** Reads the database's clock, and follows it unless a test moves the clock. */
  async measure(): Promise<void> {
    if (this.clock instanceof DatabaseClock) this.stepS += await this.clock.measure(this.read);
    else await this.read();
  }

  /** Measures, and reports a step at once and a difference once a minute: in the log, and to the operators of every node. */
  async look(): Promise<void> {
    await this.measure();
    const { aheadS, db, clock, log, reports, stepS } = this;
    if (Math.abs(stepS) > MAX_CLOCK_DIFFERENCE_S) {
      log.error({ stepSeconds: stepS }, 'the clock of the database was set: timeouts that cancel wait for 10 minutes');
      await saveClockStep(db, { seconds: stepS, now: clock.now() }, DUE_TABLES);
      this.stepS -= stepS;
    }
    if (this.isFirstLook && clock instanceof DatabaseClock) {
      // A node that starts after a step has not noticed it.
      const last = await findClockStep(db, clock.now());
      if (last && last.agoS < SETTLING_S) clock.settle(Math.max(0, last.agoS));
    }
    this.isFirstLook = false;
    if (!reports || this.newsOf('clock') === 0) return;
    const notSaved = (error: unknown) => log.warn({ err: error }, 'clock difference not saved');
    await saveClockDifference(db, hostname(), aheadS).catch(notSaved);
    this.machinesDiffer = await machinesDiffer(db, hostname(), aheadS);
    if (Math.abs(aheadS) <= MAX_CLOCK_DIFFERENCE_S) return;
    log.warn({ aheadSeconds: aheadS }, `the clock of this machine ${clockDifference(aheadS)}: synchronize it (NTP)`);
  }

  /** Returns the reason, as a sentence, why a node with this clock must not get requests; none where all differ alike. */
  notReadyBecause(): string | undefined {
    // Other machines may not have measured since a step of the database's clock.
    const isSettling = this.clock.settlesAt?.() !== undefined;
    if (isSettling || !this.machinesDiffer || Math.abs(this.aheadS) <= NOT_READY_ABOVE_S) return undefined;
    return `The clock of this machine ${clockDifference(this.aheadS)}.`;
  }
}
