/** Moments on the store's clock, whatever the zone of the tablet. Runs in the browser: no `Temporal` here. */
export type StoreClock = {
  /** `6:45 PM`. */
  time(epochS: number): string;
  /** `6:45 – 7:15 PM`; with the day where it is not today's. */
  slot(startEpochS: number, endEpochS: number, nowEpochS: number): string;
  /** The date, such as `2026-06-10`. */
  date(epochS: number): string;
  /** `Wed, Jun 10`. */
  day(epochS: number): string;
  /** `Jun 10, 6:45 PM`. */
  moment(epochS: number): string;
  /** When the day of a moment began, in epoch seconds. */
  dayStart(epochS: number): number;
};

const HOUR_S = 3600;

/** The clock of a time zone of the IANA database. */
export function storeClock(timeZone: string): StoreClock {
  const make = (options: Intl.DateTimeFormatOptions, locale = 'en-US') =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const times = make({ hour: 'numeric', minute: '2-digit' });
  const days = make({ weekday: 'short', month: 'short', day: 'numeric' });
  const moments = make({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const dates = make({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA');
  const time = (epochS: number) => plain(times.format(epochS * 1000));
  const date = (epochS: number) => dates.format(epochS * 1000);
  return {
    time,
    date,
    day: (epochS) => days.format(epochS * 1000),
    moment: (epochS) => plain(moments.format(epochS * 1000)),
    slot(startEpochS, endEpochS, nowEpochS) {
      const [start, end] = [time(startEpochS), time(endEpochS)];
      const range = `${start.slice(-2) === end.slice(-2) ? start.slice(0, -3) : start} – ${end}`;
      return date(startEpochS) === date(nowEpochS) ? range : `${days.format(startEpochS * 1000)}, ${range}`;
    },
    dayStart(epochS) {
      const today = date(epochS);
      // Days last 23 to 25 hours, and zones change by half hours at the least: steps of a quarter find the day's first.
      let start = Math.floor(epochS / (HOUR_S / 4)) * (HOUR_S / 4);
      while (date(start - HOUR_S / 4) === today) start -= HOUR_S / 4;
      return start;
    },
  };
}

/** Newer browsers write a narrow no-break space before AM and PM. */
const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, ' ');
