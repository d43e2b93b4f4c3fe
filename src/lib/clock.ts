/** The only source of time: the system's clock in a service, a clock that is advanced in a test. */
export type Clock = {
  now(): Temporal.Instant;
  /** The milliseconds since 1970, a millisecond off at most. A clock without this member is read by `now`. */
  epochMs?(): number;
};

/** The system's clock is read again after so long: a clock that was set is followed within that time. */
const READ_AGAIN_MS = 10;

export const systemClock: Clock = { now: () => Temporal.Now.instant(), epochMs: createEpochMs() };

/** The milliseconds since 1970, for what every request asks. */
export function epochMsOf(clock: Clock): number {
  return clock.epochMs === undefined ? clock.now().epochMilliseconds : clock.epochMs();
}

/** An instant has memory outside of the JavaScript heap, which the collector frees: most calls make none. */
function createEpochMs(): () => number {
  let readMs = 0;
  let readAtMs = -Infinity;
  return () => {
    const atMs = performance.now();
    if (atMs - readAtMs >= READ_AGAIN_MS) {
      readMs = Temporal.Now.instant().epochMilliseconds;
      readAtMs = atMs;
    }
    return readMs + Math.floor(atMs - readAtMs);
  };
}
