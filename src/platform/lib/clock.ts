/** The only source of time: the system clock in a service, an adjustable clock in tests. */
export type Clock = {
  now(): Temporal.Instant;
  /** Epoch milliseconds, at most one millisecond off. Without this member, `now` is used. */
  epochMs?(): number;
  /** Monotonic milliseconds, shared by all processes of a machine; by default `now`. */
  elapsedMs?(): number;
};

/** How long a reading of the system clock is reused; after it, a changed clock is noticed. */
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

/** Monotonic milliseconds for windows and lifetimes in memory, so that setting the clock back does not extend them. */
export function elapsedMsOf(clock: Clock): number {
  return clock.elapsedMs === undefined ? clock.now().epochMilliseconds : clock.elapsedMs();
}

/** `performance.now` counts from the start of the process, `hrtime` from the start of the machine. */
function createElapsedMs(): () => number {
  const beganMs = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
  return () => beganMs + performance.now();
}

/** If reading both clocks takes this long, the process stalled in between, and both are read again. */
const MAX_STALL_MS = 1;
const MAX_ATTEMPTS = 10;

/**
 * Creates `epochMs` with few instants: an instant takes memory outside of the JavaScript heap, which is freed late. The
 * result can be slightly late, never early.
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
