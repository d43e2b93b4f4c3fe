/** The only source of time: the database's clock in a service, an adjustable clock in tests. */
export type Clock = {
  now(): Temporal.Instant;
  /** Epoch milliseconds, for hot paths. Without this member, `now` is used. */
  epochMs?(): number;
  /** Monotonic milliseconds, shared by all processes of a machine; by default `now`. */
  elapsedMs?(): number;
};

/** The machine's own clock. */
export type MachineClock = Required<Pick<Clock, 'now' | 'epochMs' | 'elapsedMs'>>;

/**
 * The database's clock, so that every node dates what it stores by one clock: its time at the last measurement and the
 * monotonic time since. The machine's clock may differ, or be set, and counts only before the first measurement.
 */
export class DatabaseClock implements MachineClock {
  /** Seconds by which the machine's clock was ahead of the database's at the last measurement. */
  aheadS = 0;
  private readonly machine: MachineClock;
  /** The database's epoch milliseconds at the beginning of monotonic time. */
  private beganMs: number | undefined;

  constructor(machine: MachineClock) {
    this.machine = machine;
  }

  /** Follows the time that `readEpochMs` reads from the database. */
  async measure(readEpochMs: () => Promise<number>): Promise<void> {
    const sentMs = this.elapsedMs();
    const epochMs = await readEpochMs();
    const [min, max] = [epochMs - this.elapsedMs(), epochMs - sentMs];
    // The database read its clock at some moment of the round trip. A time that fits stays, so that it does not jitter.
    this.beganMs = Math.min(Math.max(this.beganMs ?? (min + max) / 2, min), max);
    this.aheadS = (this.machine.epochMs() - this.epochMs()) / 1000;
  }

  now(): Temporal.Instant {
    if (this.beganMs === undefined) return this.machine.now();
    return Temporal.Instant.fromEpochNanoseconds(BigInt(this.epochUs(this.beganMs)) * 1000n);
  }

  epochMs(): number {
    if (this.beganMs === undefined) return this.machine.epochMs();
    return Math.floor(this.epochUs(this.beganMs) / 1000);
  }

  elapsedMs(): number {
    return this.machine.elapsedMs();
  }

  private epochUs(beganMs: number): number {
    return Math.floor((beganMs + this.elapsedMs()) * 1000);
  }
}

export const systemClock = new DatabaseClock({
  now: () => Temporal.Now.instant(),
  // An instant takes memory outside of the JavaScript heap, which is freed late.
  epochMs: () => Date.now(),
  elapsedMs: createElapsedMs(),
});

/** Returns epoch milliseconds, for hot paths. */
export function epochMsOf(clock: Clock): number {
  return clock.epochMs === undefined ? clock.now().epochMilliseconds : clock.epochMs();
}

/** Returns monotonic milliseconds for windows and lifetimes in memory: setting the clock back does not extend them. */
export function elapsedMsOf(clock: Clock): number {
  return clock.elapsedMs === undefined ? clock.now().epochMilliseconds : clock.elapsedMs();
}

/** `performance.now` counts from the start of the process, `hrtime` from the start of the machine. */
function createElapsedMs(): () => number {
  const beganMs = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
  return () => beganMs + performance.now();
}
