/** Returns whole epoch seconds, rounded down, as in the API and in our indexes. */
export function epochSeconds(moment: Pick<Temporal.Instant, 'epochMilliseconds'>): number {
  return Math.floor(moment.epochMilliseconds / 1000);
}

export function epochSecondsOrNull(moment: Temporal.Instant | null | undefined): number | null {
  return moment ? epochSeconds(moment) : null;
}

/** Returns the instant of an epoch second; fractions of a millisecond are dropped. */
export function instantOfEpochSeconds(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(seconds * 1000));
}

/** Formats ISO 8601 in UTC to the second, as in answers and commands. */
export const isoSeconds = (moment: Temporal.Instant): string => moment.toString({ smallestUnit: 'second' });

/** Formats an instant with three decimals, because parsers of some languages accept only three or six. */
export const isoMillis = (moment: Temporal.Instant): string => moment.toString({ smallestUnit: 'millisecond' });

/** The last second of the year 9999, because PostgreSQL reads no ISO 8601 text with a longer year. */
export const LAST_EPOCH_S = 253_402_300_799;
/** The first second of the year 1, for the same reason. */
const FIRST_EPOCH_S = -62_135_596_800;

/** Parses a moment such as 2026-06-30T18:00:00Z; undefined for any other text and outside of the years 1 to 9999. */
export function parseMoment(text: string): Temporal.Instant | undefined {
  try {
    const moment = Temporal.Instant.from(text);
    const seconds = epochSeconds(moment);
    return seconds < FIRST_EPOCH_S || seconds > LAST_EPOCH_S ? undefined : moment;
  } catch {
    return undefined;
  }
}
