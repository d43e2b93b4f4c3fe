import type { Format, Zone } from '../../src/platform/languages/format.ts';

/** Formats epoch seconds in the store's time zone, not the tablet's. Runs in browsers without `Temporal`. */
export type StoreClock = {
  /** `6:45 PM`. */
  time(epochS: number): string;
  /** `6:45 – 7:15 PM`, with the day unless it is today. */
  slot(startEpochS: number, endEpochS: number, nowEpochS: number): string;
  /** `Wed, Jun 10`. */
  day(epochS: number): string;
  /** `6:45 PM`, with the day unless it is today. */
  moment(epochS: number, nowEpochS: number): string;
  /** The date in the Store API's format: `2026-06-10`. */
  date(epochS: number): string;
  /** Start of the day of a moment. */
  dayStart(epochS: number): number;
  /** The clock of an order's times, which names its zone where the store's clock shows another time. */
  of(order: { time_zone: string }): StoreClock;
};

const HOUR_S = 3600;

/** The clock of a time zone of the IANA database. */
export function storeClock(
  timeZone: string,
  format: Format,
  zone: Zone = timeZone,
  dates = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
): StoreClock {
  const instant = (epochS: number) => ({ epochMilliseconds: epochS * 1000 });
  const date = (epochS: number) => dates.format(epochS * 1000);
  return {
    date,
    time: (epochS) => format.time(instant(epochS), zone),
    day: (epochS) => format.day(instant(epochS), zone),
    moment: (epochS, nowEpochS) => format.moment(instant(epochS), zone, instant(nowEpochS)),
    slot: (startEpochS, endEpochS, nowEpochS) =>
      format.range(instant(startEpochS), instant(endEpochS), zone, instant(nowEpochS)),
    of: (order) => storeClock(timeZone, format, [order.time_zone, timeZone], dates),
    dayStart(epochS) {
      const today = date(epochS);
      // Days last 23 to 25 hours, and zones change by at least half an hour, so steps of a quarter find the day's
      // start.
      let start = Math.floor(epochS / (HOUR_S / 4)) * (HOUR_S / 4);
      while (date(start - HOUR_S / 4) === today) start -= HOUR_S / 4;
      return start;
    },
  };
}

/** A date some days later, or earlier: `2026-06-10`. */
export function plusDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * HOUR_S * 1000).toISOString().slice(0, 10);
}
