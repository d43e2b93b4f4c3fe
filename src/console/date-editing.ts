/** An exception as the Store API has it: dates `YYYY-MM-DD`, hours in the texts of a weekday, null for every channel. */
export type DatedException = { from: string; to: string; hours: string; channel: string | null };

const DAY = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
});

/** `Fri, Dec 25, 2026`, or both ends of several days. */
export function datesInWords({ from, to }: Pick<DatedException, 'from' | 'to'>): string {
  const words = (date: string) => DAY.format(Date.parse(`${date}T00:00:00Z`));
  return from === to ? words(from) : `${words(from)} – ${words(to)}`;
}

/**
 * The exceptions that have not passed, by their dates, each with its place in the list. The list keeps its own sequence:
 * of two for one date the later counts.
 */
export function comingExceptions(
  list: readonly DatedException[],
  today: string,
): { exception: DatedException; index: number }[] {
  const coming = list
    .map((exception, index) => ({ exception, index }))
    .filter(({ exception }) => exception.to >= today);
  return coming.sort((a, b) => a.exception.from.localeCompare(b.exception.from) || a.index - b.index);
}

/** The exceptions without those that ended before yesterday: a range of yesterday may still run, and a list has a bound. */
export function withoutPast(list: readonly DatedException[], today: string): DatedException[] {
  const yesterday = new Date(Date.parse(`${today}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return list.filter(({ to }) => to >= yesterday);
}

/** The list without an entry; of equal entries the last, which counts for its dates. */
export function withoutEntry(list: readonly DatedException[], entry: DatedException): DatedException[] {
  const { from, to, hours, channel } = entry;
  const at = list.findLastIndex(
    (each) => each.from === from && each.to === to && each.hours === hours && each.channel === channel,
  );
  return list.filter((_, index) => index !== at);
}

/** Why dates cannot be added; empty where they can. */
export function faultOfDates({ from, to }: Pick<DatedException, 'from' | 'to'>, today: string): string {
  if (from === '') return 'Choose the first day.';
  if (to !== '' && to < from) return 'The last day is before the first.';
  return (to || from) < today ? 'These days have passed.' : '';
}
