/** The only source of time: the system clock in a service, an adjustable clock in tests. */
export type Clock = {
  now(): Temporal.Instant;
  /** Epoch milliseconds, for hot paths. Without this member, `now` is used. */
  epochMs?(): number;
  /** Monotonic milliseconds, shared by all processes of a machine; by default `now`. */
  elapsedMs?(): number;
};

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  // An instant takes memory outside of the JavaScript heap, which is freed late.
  epochMs: () => Date.now(),
  elapsedMs: createElapsedMs(),
};

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
