import type { HoursException, HoursKind, MinuteRange, WeeklyHours } from '../../src/supply/stores/hours.ts';

/** Hours with exceptions by walking `Temporal`'s dates and zoned times: slow, and independent of the rules. */
export type OracleHours = {
  week: WeeklyHours | null;
  exceptions: readonly HoursException[];
  channel: HoursKind;
  timeZone: string;
};

/** Epoch seconds; adjacent times are merged. */
export type OpenTime = { opensS: number; closesS: number };

/** The ranges that begin on a local date. */
export function rangesOfDate(
  { week, exceptions, channel }: OracleHours,
  date: Temporal.PlainDate,
): readonly MinuteRange[] {
  const exception = exceptionOn(exceptions, channel, date);
  return exception ? exception.ranges : (week?.[date.dayOfWeek - 1] ?? []);
}

export function exceptionOn(
  exceptions: readonly HoursException[],
  channel: HoursKind,
  date: Temporal.PlainDate,
): HoursException | undefined {
  const text = date.toString();
  let found: HoursException | undefined;
  for (const wanted of [null, channel]) {
    for (const each of exceptions) if (each.channel === wanted && each.from <= text && text <= each.to) found = each;
  }
  return found;
}

export function openTimesOf(hours: OracleHours, first: Temporal.PlainDate, last: Temporal.PlainDate): OpenTime[] {
  const times: OpenTime[] = [];
  for (let date = first; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    for (const { startMinute, endMinute } of rangesOfDate(hours, date)) {
      const opensS = firstShownS(hours.timeZone, date, startMinute);
      const closesS = firstShownS(hours.timeZone, date, endMinute);
      if (opensS < closesS) times.push({ opensS, closesS });
    }
  }
  times.sort((a, b) => a.opensS - b.opensS);
  const joined: OpenTime[] = [];
  for (const time of times) {
    const before = joined.at(-1);
    if (before && time.opensS <= before.closesS) before.closesS = Math.max(before.closesS, time.closesS);
    else joined.push({ ...time });
  }
  return joined;
}

/** Whether open at a moment, and the next change; undefined if the given times end first. */
export function stateIn(times: readonly OpenTime[], epochS: number): { open: boolean; changesAtS: number | undefined } {
  const next = times.find(({ closesS }) => closesS > epochS);
  const open = next !== undefined && next.opensS <= epochS;
  return { open, changesAtS: open ? next.closesS : next?.opensS };
}

/** The first moment when the zone's clock shows that minute of that date, or a later one. */
export function firstShownS(timeZone: string, date: Temporal.PlainDate, minute: number): number {
  const wall = date.toPlainDateTime().add({ minutes: minute });
  const moment = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (moment.toPlainDateTime().equals(wall)) return moment.epochMilliseconds / 1000;
  // Local times skipped by a clock change.
  const change = moment.getTimeZoneTransition('next');
  return (change?.epochMilliseconds ?? Number.NaN) / 1000;
}
