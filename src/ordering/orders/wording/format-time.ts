import { instantOfEpochSeconds } from '../../../platform/lib/time.ts';
import type { QuotedSlot } from '../order.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `6:45 PM` on the clock of the zone. */
export function timeInWords(at: Temporal.Instant, timeZone: string): string {
  const { hour, minute } = at.toZonedDateTimeISO(timeZone);
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `Thu, Jun 11` in the zone. */
export function dayInWords(at: Temporal.Instant, timeZone: string): string {
  const { dayOfWeek, month, day } = at.toZonedDateTimeISO(timeZone);
  return `${WEEKDAYS[dayOfWeek - 1]}, ${MONTHS[month - 1]} ${day}`;
}

/** The time, with its day unless that is the day of `now`. */
export function momentInWords(at: Temporal.Instant, timeZone: string, now: Temporal.Instant): string {
  const day = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const time = timeInWords(at, timeZone);
  return day(at) === day(now) ? time : `${dayInWords(at, timeZone)}, ${time}`;
}

/** For customers: `6:30–7:00 PM`, with its day unless that is the day of `now`: `Fri, Jun 12, 6:30–7:00 PM`. */
export function rangeInWords(
  { startEpochS, endEpochS }: Pick<QuotedSlot, 'startEpochS' | 'endEpochS'>,
  timeZone: string,
  now: Temporal.Instant,
): string {
  const [start, end] = [instantOfEpochSeconds(startEpochS), instantOfEpochSeconds(endEpochS)];
  const [from, to] = [timeInWords(start, timeZone), timeInWords(end, timeZone)];
  const whole = momentInWords(start, timeZone, now);
  if (dayInWords(start, timeZone) !== dayInWords(end, timeZone)) {
    return `${whole} – ${momentInWords(end, timeZone, now)}`;
  }
  if (from === to) return whole;
  return `${from.slice(-2) === to.slice(-2) ? whole.slice(0, -3) : whole}–${to}`;
}

/** For stores and their printers: `Thu, Jun 11, 5:00 PM - 5:30 PM`. */
export function slotInWords(slot: QuotedSlot, timeZone: string): string {
  const [start, end] = [instantOfEpochSeconds(slot.startEpochS), instantOfEpochSeconds(slot.endEpochS)];
  return `${dayInWords(start, timeZone)}, ${timeInWords(start, timeZone)} - ${timeInWords(end, timeZone)}`;
}
