/** The only source of time: the system clock in a service, an adjustable clock in tests. */
export type Clock = {
  now(): Temporal.Instant;
  /** Epoch milliseconds, at most one millisecond off. Without this member, `now` is used. */
  epochMs?(): number;
  /** Monotonic milliseconds, the same for all processes of a machine; by default `now`. */
  elapsedMs?(): number;
};

/** The system's clock is read again after this time, so a changed clock is noticed. */
const REFRESH_INTERVAL_MS = 10;

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  epochMs: createEpochMs(),
  elapsedMs: createElapsedMs(),
};

/** Epoch milliseconds, for hot paths. */
export function epochMsOf(clock: Clock): number {
  return clock.epochMs === undefined ? clock.now().epochMilliseconds : clock.epochMs();
}

/** Monotonic milliseconds for windows and lifetimes in memory, which setting the clock back does not extend. */
export function elapsedMsOf(clock: Clock): number {
  return clock.elapsedMs === undefined ? clock.now().epochMilliseconds : clock.elapsedMs();
}

/** `performance.now` starts with its process, `hrtime` with the machine. */
function createElapsedMs(): () => number {
  const beganMs = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
  return () => beganMs + performance.now();
}

/** Both clocks are read again if the process stalled for this long in between, at most this often. */
const MAX_STALL_MS = 1;
const MAX_ATTEMPTS = 10;

/**
 * An instant takes memory outside of the JavaScript heap, which is freed late: most calls create none. The result can
 * be slightly late, never early.
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
    const atMs = nowMs - readAtMs >= REFRESH_INTERVAL_MS ? readClocks(nowMs, 1) : nowMs;
    return readMs + Math.floor(atMs - readAtMs);
  };
}
