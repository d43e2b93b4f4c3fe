/** Whole seconds since 1970, as the wire and our indexes count time; a begun second does not count. */
export function epochSeconds(moment: Pick<Temporal.Instant, 'epochMilliseconds'>): number {
  return Math.floor(moment.epochMilliseconds / 1000);
}

/** The moment at which that many whole seconds have passed since 1970. */
export function instantOfEpochSeconds(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
}
