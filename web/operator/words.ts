import type { OrderDay } from './api.ts';

const CLOCK = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long', hour12: false });

/** `20:14 EST`, or `Nov 24, 20:14 EST` on another day, in this machine's time zone. Its title has the seconds. */
export function momentInWords(epochS: number, nowS: number): string {
  const moment = new Date(epochS * 1000);
  const isToday = moment.toDateString() === new Date(nowS * 1000).toDateString();
  return isToday ? CLOCK.format(moment) : `${DAY.format(moment)}, ${CLOCK.format(moment)}`;
}

export const fullMoment = (epochS: number): string => WHOLE.format(new Date(epochS * 1000));

/** `0:42`, `12:05`, `3 h 20 min`, `4 d 2 h`. */
export function durationInWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [days, hours, minutes] = [Math.floor(whole / 86_400), Math.floor(whole / 3600), Math.floor(whole / 60)];
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}

const DATE = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });

/** `Tue, Nov 24` for 2026-11-24. */
export const dayInWords = (day: string): string => DATE.format(new Date(`${day}T00:00:00Z`));

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });

/** `$1,234.50`, in US or Canadian dollars. */
export const centsInWords = (cents: number): string => DOLLARS.format(cents / 100);

export const countInWords = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

export const wordsOf = (name: string): string => name.replaceAll('_', ' ');

export type DayRow = { first: OrderDay; last: OrderDay };

/** Days without an order become one row with the first and last of them. */
export function foldDays(days: readonly OrderDay[]): DayRow[] {
  const rows: DayRow[] = [];
  for (const day of days) {
    const row = rows.at(-1);
    if (row && row.last.orders === 0 && day.orders === 0) row.last = day;
    else rows.push({ first: day, last: day });
  }
  return rows;
}
