import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Db } from '../../platform/db/connect.ts';
import { readEpochMs, saveClockDifference } from '../../platform/db/database-clock.db.ts';
import { type Clock, DatabaseClock } from '../../platform/lib/clock.ts';
import { clockDifference, MAX_CLOCK_DIFFERENCE_S } from '../../platform/lib/clock-difference.ts';
import { oncePerMinute } from '../../platform/lib/once-per-minute.ts';
import type { Peers } from './peers.ts';

/** Difference in seconds above which a node is not ready, although it stores the database's time. */
const NOT_READY_ABOVE_S = 60;

/** Lets the node's clock follow the database's, and reports a machine whose own clock differs (docs/database.md#clocks). */
export class ClockWatch {
  private readonly db: Db;
  private readonly clock: Clock;
  private readonly log: Logger;
  /** Whether this worker reports, because all have one machine's clock. */
  private readonly reports: boolean;
  private readonly newsOf: ReturnType<typeof oncePerMinute>;

  constructor({ db, clock, log, peers }: { db: Db; clock: Clock; log: Logger; peers: Peers }) {
    this.db = db;
    this.clock = clock;
    this.log = log;
    this.reports = peers.number === 1;
    this.newsOf = oncePerMinute(clock);
  }

  /** Seconds by which the machine's clock is ahead of the database's; 0 with a test's clock. */
  get aheadS(): number {
    return this.clock instanceof DatabaseClock ? this.clock.aheadS : 0;
  }

  /** Reads the database's clock, and follows it unless a test moves the clock. */
  async measure(): Promise<void> {
    const read = () => readEpochMs(this.db);
    await (this.clock instanceof DatabaseClock ? this.clock.measure(read) : read());
  }

  /** Measures, and reports a difference once a minute: in the log, and to the operators of every node. */
  async look(): Promise<void> {
    await this.measure();
    const { aheadS, db, log, reports } = this;
    if (!reports || Math.abs(aheadS) <= MAX_CLOCK_DIFFERENCE_S || this.newsOf('clock') === 0) return;
    log.warn({ aheadSeconds: aheadS }, `the clock of this machine ${clockDifference(aheadS)}: synchronize it (NTP)`);
    const notSaved = (error: unknown) => log.warn({ err: error }, 'clock difference not saved');
    await saveClockDifference(db, hostname(), aheadS).catch(notSaved);
  }

  /** Returns the reason, as a sentence, why a node with this clock must not get requests. */
  notReadyBecause(): string | undefined {
    if (Math.abs(this.aheadS) <= NOT_READY_ABOVE_S) return undefined;
    return `The clock of this machine ${clockDifference(this.aheadS)}.`;
  }
}
