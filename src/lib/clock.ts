/** The only way to the time: a service has the system's clock, a test one that it advances. */
export type Clock = { now(): Temporal.Instant };

export const systemClock: Clock = { now: () => Temporal.Now.instant() };
