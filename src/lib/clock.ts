/** The only source of time: the system's clock in a service, a clock that is advanced in a test. */
export type Clock = { now(): Temporal.Instant };

export const systemClock: Clock = { now: () => Temporal.Now.instant() };
