import { MAX_CLOCK_DIFFERENCE_S, SETTLING_S } from './clock-difference.ts';

/** The only source of time: the database's clock in a service, an adjustable clock in tests. */
export type Clock = {
  now(): Temporal.Instant;
  /** Epoch milliseconds, for hot paths. Without this member, `now` is used. */
  epochMs?(): number;
  /** Monotonic milliseconds, shared by all processes of a machine; by default `now`. */
  elapsedMs?(): number;
  /** Until when timeouts that cancel or escalate wait, because the database's clock was set. */
  settlesAt?(): Temporal.Instant | undefined;
};

/** The machine's own clock. */
export type MachineClock = Required<Pick<Clock, 'now' | 'epochMs' | 'elapsedMs'>>;

/**
 * The database's clock, so that every node dates its rows by one clock: its time at the last measurement and the
 * monotonic time since. The machine's clock may differ, or be set, and counts only before the first measurement.
 */
export class DatabaseClock implements MachineClock {
  /** How far the machine's clock was ahead of the database's at the last measurement, in seconds. */
  aheadS = 0;
  private readonly machine: MachineClock;
  /** The database's epoch milliseconds at the beginning of monotonic time. */
  private beganMs: number | undefined;
  /** Where `beganMs` lies by all measurements since the last step. */
  private range: readonly [min: number, max: number] | undefined;
  /** Monotonic milliseconds when timeouts stop waiting after the last step of the database's clock. */
  private settledMs = -Infinity;

  constructor(machine: MachineClock) {
    this.machine = machine;
  }

  /** Follows the time that `readEpochMs` reads from the database. Returns the seconds of a step; 0 without one. */
  async measure(readEpochMs: () => Promise<number>): Promise<number> {
    const sentMs = this.elapsedMs();
    const epochMs = await readEpochMs();
    const [min, max] = [epochMs - this.elapsedMs(), epochMs - sentMs];
    // The database read its clock at some moment of the round trip. A time that fits stays, so that it does not jitter.
    const before = this.beganMs ?? (min + max) / 2;
    this.beganMs = Math.min(Math.max(before, min), max);
    this.aheadS = (this.machine.epochMs() - this.epochMs()) / 1000;
    const [low, high] = this.range ?? [min, max];
    const apartMs = Math.max(min - high, low - max);
    this.range = apartMs > 0 ? [min, max] : [Math.max(low, min), Math.min(high, max)];
    if (apartMs <= MAX_CLOCK_DIFFERENCE_S * 1000) return 0;
    this.settle(0);
    return (this.beganMs - before) / 1000;
  }

  /** Lets timeouts wait after a step that some node noticed so many seconds ago. */
  settle(agoS: number): void {
    this.settledMs = this.elapsedMs() + (SETTLING_S - agoS) * 1000;
  }

  settlesAt(): Temporal.Instant | undefined {
    const restMs = this.settledMs - this.elapsedMs();
    return restMs > 0 ? this.now().add({ milliseconds: Math.ceil(restMs) }) : undefined;
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
