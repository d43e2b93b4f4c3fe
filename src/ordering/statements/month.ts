/** Months of statements, as text such as 2026-11; they compare as text. */

export const MONTH_PATTERN = '^[1-9]\\d{3}-(0[1-9]|1[0-2])$';

/** The local day of a moment, such as 2026-11-30. */
export const localDay = (at: Temporal.Instant, timeZone: string): string =>
  at.toZonedDateTimeISO(timeZone).toPlainDate().toString();

export const monthOf = (day: string): string => day.slice(0, 7);

/** The month after the last closed one; '' if none is closed. */
export const monthAfter = (month: string): string =>
  month === '' ? '' : Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();

/** The statement of an entry: of its day's month, or a correction in the first open month after closed ones. */
export function statementMonth(day: string, openMonth: string): { month: string; isCorrection: boolean } {
  const month = monthOf(day);
  const isCorrection = month < openMonth;
  return { month: isCorrection ? openMonth : month, isCorrection };
}
