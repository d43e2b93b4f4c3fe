/** The only source of time: the system's clock in a service, a clock that is advanced in a test. */
export type Clock = {
  now(): Temporal.Instant;
  /** The milliseconds since 1970, a millisecond off at most. A clock without this member is read by `now`. */
  epochMs?(): number;
  /** Milliseconds that only move on, also where the clock is set; the same for all processes of a machine. `now` without it. */
  elapsedMs?(): number;
};

/** The system's clock is read again after so long: a clock that was set is followed within that time. */
const READ_AGAIN_MS = 10;

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  epochMs: createEpochMs(),
  elapsedMs: createElapsedMs(),
};

/** The milliseconds since 1970, for what every request asks. */
export function epochMsOf(clock: Clock): number {
  return clock.epochMs === undefined ? clock.now().epochMilliseconds : clock.epochMs();
}

/** For windows and lifetimes in memory: a clock that is set back makes none of them longer. */
export function elapsedMsOf(clock: Clock): number {
  return clock.elapsedMs === undefined ? clock.now().epochMilliseconds : clock.elapsedMs();
}

/** `performance.now` begins with its process, `hrtime` with the machine. */
function createElapsedMs(): () => number {
  const beganMs = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
  return () => beganMs + performance.now();
}

/** Both clocks are read again where this process stood still for so long between them, and this often at most. */
const MAX_STALL_MS = 1;
const MAX_ATTEMPTS = 10;

/**
 * An instant has memory outside of the JavaScript heap, which the collector frees: most calls make none. Time that passes
 * between the system's clock and the elapsed time makes the result late, and never early.
 */
export function createEpochMs(
  elapsedMs: () => number = () => performance.now(),
  systemMs: () => number = () => Temporal.Now.instant().epochMilliseconds,
): () => number {
  let readMs = 0;
  let readAtMs = -Infinity;
  const readClocks = (startMs: number, attempt: number): number => {
    readMs = systemMs();
    readAtMs = elapsedMs();
    const isStalled = readAtMs - startMs >= MAX_STALL_MS && attempt < MAX_ATTEMPTS;
    return isStalled ? readClocks(readAtMs, attempt + 1) : readAtMs;
  };
  return () => {
    const nowMs = elapsedMs();
    const atMs = nowMs - readAtMs >= READ_AGAIN_MS ? readClocks(nowMs, 1) : nowMs;
    return readMs + Math.floor(atMs - readAtMs);
  };
}
