import type { Language } from './language.ts';

/**
 * Money, numbers, dates and distances as `Intl` writes them for a language in the country of a store: `$12.50` and
 * `6:45 PM`, in French `12,50 $` and `18 h 45`. Runs in browsers too: moments are anything with `epochMilliseconds`.
 */

export type FormatCountry = 'US' | 'CA';
type Moment = { readonly epochMilliseconds: number };

/** The IANA zone of a clock; in a list before its readers' devices' zones, where another time names the zone. */
export type Zone = string | readonly [clock: string, ...devices: string[]];
const clockOf = (zone: Zone): string => (typeof zone === 'string' ? zone : zone[0]);

/** French is written as in Québec, and Spanish as in the United States, in both countries. */
const TAGS: Readonly<Record<Language, Readonly<Record<FormatCountry, string>>>> = {
  en: { US: 'en-US', CA: 'en-CA' },
  fr: { US: 'fr-CA', CA: 'fr-CA' },
  es: { US: 'es-US', CA: 'es-US' },
};

const WEIGHT_UNITS = { lb: 'pound', oz: 'ounce', kg: 'kilogram', g: 'gram' } as const;

const METERS_PER_MILE = 1609.344;
const FEET_PER_MILE = 5280;
/** Minimum miles of a distance in miles or kilometers; shorter ones are in feet or meters. */
const MIN_MILES = 0.19;

/** Maximum zones with cached formatters before the cache is emptied. A formatter costs about 50 µs and 30 KB. */
const MAX_ZONES = 100;

const DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const;
const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const ZONE = { timeZoneName: 'short' } as const;
const HOUR_MS = 3_600_000;
/** Milliseconds from now beyond which a day has its year. */
const FAR_MS = 180 * 24 * HOUR_MS;

/** Replaces thin spaces, which printers, SMS and some fonts lack, with plain ones; no line ends within `18 h 45`. */
const plainSpaces = (text: string) => text.replace(/[\u2009\u202f]/g, ' ').replace(/(\d) h (\d)/g, '$1\u00a0h\u00a0$2');

export class Format {
  readonly language: Language;
  readonly country: FormatCountry;
  /** The locale as a BCP 47 tag, such as `fr-CA`. */
  readonly tag: string;
  private readonly numbers = new Map<string, Intl.NumberFormat>();
  private readonly weekdayFormats = new Map<'long' | 'short', Intl.DateTimeFormat>();
  private readonly zones = new Map<string, ReturnType<typeof formatsOf>>();

  constructor(language: Language, country: FormatCountry) {
    this.language = language;
    this.country = country;
    this.tag = TAGS[language][country];
  }

  /** Formats whole cents in the store's currency, which is never named: `$1,234.50`, `1 234,50 $`, not `CA$`. */
  money(cents: number): string {
    const currency = this.country === 'CA' ? 'CAD' : 'USD';
    return this.numberFormat('money', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
      cents === 0 ? 0 : cents / 100,
    );
  }

  /** Formats an option's price: `+$1.50`; a discount keeps its minus. */
  extra(cents: number): string {
    return `${cents < 0 ? '' : '+'}${this.money(cents)}`;
  }

  number(value: number, maximumFractionDigits = 0): string {
    return this.numberFormat(`number ${maximumFractionDigits}`, { maximumFractionDigits }).format(value);
  }

  /** The decimal sign: a point, in French a comma. */
  get decimalSign(): string {
    return this.number(0.5, 1).replace(/\d/g, '');
  }

  /** Formats a percentage: `9.975%`, `9,975 %`. */
  percent(percent: number): string {
    return this.numberFormat('percent', { style: 'percent', maximumFractionDigits: 6 }).format(percent / 100);
  }

  /** Formats minutes: `12 min`. A range is a text of the catalogs: French writes `12 à 22 min`, and `Intl` a dash. */
  minutes(minutes: number): string {
    const format = this.numberFormat('minutes', { style: 'unit', unit: 'minute', unitDisplay: 'short' });
    return plainSpaces(format.format(minutes));
  }

  /** Formats a wait in words: `40 seconds`. */
  seconds(seconds: number): string {
    const format = this.numberFormat('seconds', { style: 'unit', unit: 'second', unitDisplay: 'long' });
    return plainSpaces(format.format(seconds));
  }

  /** Formats a weight of up to three decimals: `1.5 lb`, `1,5 lb`, `350 g`. */
  weight(amount: number, unit: keyof typeof WEIGHT_UNITS): string {
    const style = { style: 'unit', unit: WEIGHT_UNITS[unit], unitDisplay: 'short', maximumFractionDigits: 3 } as const;
    return plainSpaces(this.numberFormat(unit, style).format(amount));
  }

  /** Formats `0.8 miles`, and short distances in feet; in Canada kilometers and meters. Rounds as people do. */
  distance(miles: number): string {
    const meters = miles * METERS_PER_MILE;
    if (this.country === 'CA') {
      return meters < 1000 ? this.unit('meter', rounded(meters, 50)) : this.unit('kilometer', meters / 1000);
    }
    return miles < MIN_MILES ? this.unit('foot', rounded(miles * FEET_PER_MILE, 100)) : this.unit('mile', miles);
  }

  /** Formats a time in the zone: `6:45 PM`, or `1:30 AM EDT` if devices differ, or in the hour that autumn repeats. */
  time(at: Moment, zone: Zone): string {
    const { time, zoned } = this.zone(zone);
    return plainSpaces((this.isNamed(at, zone) ? zoned : time).format(at.epochMilliseconds));
  }

  private isNamed({ epochMilliseconds: at }: Moment, zone: Zone): boolean {
    const { date } = this.zone(zone);
    const shown = date.format(at);
    const isRepeated = [at - HOUR_MS, at + HOUR_MS].some((other) => date.format(other) === shown);
    return (
      isRepeated || (typeof zone !== 'string' && zone.some((device) => this.zone(device).date.format(at) !== shown))
    );
  }

  /** Formats a day in the zone: `Thu, Jun 11`. */
  day(at: Moment, zone: Zone): string {
    return plainSpaces(this.zone(zone).day.format(at.epochMilliseconds));
  }

  /** Formats a day as `Today` or `Tomorrow`, otherwise as `day` does. */
  nearDay(at: Moment, zone: Zone, now: Moment): string {
    const day = this.day(at, zone);
    const inHours = (hours: number) => this.day(momentAt(now.epochMilliseconds / 1000 + hours * 3600), zone);
    const days = [inHours(0), inHours(24)].indexOf(day);
    if (days < 0) return day;
    return this.capital(new Intl.RelativeTimeFormat(this.tag, { numeric: 'auto' }).format(days, 'day'));
  }

  private capital(word: string): string {
    return word.charAt(0).toLocaleUpperCase(this.tag) + word.slice(1);
  }

  /** Formats day and time for documents that people keep: `Jun 11, 2026, 6:45 PM`. */
  date(at: Moment, zone: Zone): string {
    const { date, zonedDate } = this.zone(zone);
    return plainSpaces((this.isNamed(at, zone) ? zonedDate : date).format(at.epochMilliseconds));
  }

  /** Formats a time, with its day unless that is the day of `now`, and its year if far. Without `now`, with its day. */
  moment(at: Moment, zone: Zone, now?: Moment): string {
    if (this.isToday([at], zone, now)) return this.time(at, zone);
    return plainSpaces(this.momentFormat([at], zone, now).format(at.epochMilliseconds));
  }

  /** Formats `6:30 – 7:00 PM`, with its day unless that is the day of `now`: `Fri, Jun 12, 6:30 – 7:00 PM`. */
  range(start: Moment, end: Moment, zone: Zone, now?: Moment): string {
    const { time, zoned } = this.zone(zone);
    const ends = [start, end];
    const today = ends.some((at) => this.isNamed(at, zone)) ? zoned : time;
    const format = this.isToday(ends, zone, now) ? today : this.momentFormat(ends, zone, now);
    return plainSpaces(format.formatRange(start.epochMilliseconds, end.epochMilliseconds));
  }

  private isToday(moments: readonly Moment[], zone: Zone, now: Moment | undefined): boolean {
    return now !== undefined && moments.every((at) => isNear(at, now) && this.day(at, zone) === this.day(now, zone));
  }

  private momentFormat(moments: readonly Moment[], zone: Zone, now: Moment | undefined): Intl.DateTimeFormat {
    const { moment, farMoment, zonedMoment, zonedFarMoment } = this.zone(zone);
    const isNamed = moments.some((at) => this.isNamed(at, zone));
    if (now !== undefined && !moments.every((at) => isNear(at, now))) return isNamed ? zonedFarMoment : farMoment;
    return isNamed ? zonedMoment : moment;
  }

  slot({ startEpochS, endEpochS }: { startEpochS: number; endEpochS: number }, zone: Zone, now?: Moment): string {
    return this.range(momentAt(startEpochS), momentAt(endEpochS), zone, now);
  }

  /** Formats a slot with its day, even on the day of `now`, because paper and mails are read later. */
  datedSlot({ startEpochS, endEpochS }: { startEpochS: number; endEpochS: number }, zone: Zone, now: Moment): string {
    const ends = [momentAt(startEpochS), momentAt(endEpochS)];
    return plainSpaces(this.momentFormat(ends, zone, now).formatRange(startEpochS * 1000, endEpochS * 1000));
  }

  /** Lists items: `a, b, and c`. */
  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.tag, { type: 'conjunction' }).format(items);
  }

  /** Lists alternatives: `a, b, or c`. */
  anyOf(items: readonly string[]): string {
    return new Intl.ListFormat(this.tag, { type: 'disjunction' }).format(items);
  }

  /** Formats `Fri, Dec 25, 2026`, or the first and last of several days; dates are given as `2026-12-25`. */
  dates(from: string, to = from): string {
    const format = new Intl.DateTimeFormat(this.tag, { ...DAY, year: 'numeric', timeZone: 'UTC' });
    const noon = (date: string) => Date.parse(`${date}T12:00:00Z`);
    return plainSpaces(from === to ? format.format(noon(from)) : format.formatRange(noon(from), noon(to)));
  }

  /** Formats a month given as `2026-11`: `November 2026`. */
  month(month: string): string {
    const format = new Intl.DateTimeFormat(this.tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    return plainSpaces(format.format(Date.parse(`${month}-01T12:00:00Z`)));
  }

  /** Returns the name of a weekday, from 0 for Monday, capitalized in every language because it stands alone. */
  weekday(day: number): string {
    return this.capital(this.weekdayFormat('long').format(noonOf(day)));
  }

  /** Formats weekdays, from 0 for Monday, in ascending order: `Mon – Fri`, or `Mon, Wed` with others in between. */
  weekdays(days: readonly [number, ...number[]]): string {
    const [first, last = first] = [days[0], days.at(-1)];
    const format = this.weekdayFormat('short');
    const isRange = last - first === days.length - 1;
    const text = isRange
      ? format.formatRange(noonOf(first), noonOf(last))
      : days.map((day) => format.format(noonOf(day))).join(', ');
    return this.capital(plainSpaces(text));
  }

  private weekdayFormat(weekday: 'long' | 'short'): Intl.DateTimeFormat {
    const known = this.weekdayFormats.get(weekday) ?? new Intl.DateTimeFormat(this.tag, { weekday, timeZone: 'UTC' });
    this.weekdayFormats.set(weekday, known);
    return known;
  }

  private unit(unit: string, value: number): string {
    const unitDisplay = this.country === 'CA' ? 'short' : 'long';
    const format = this.numberFormat(unit, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
    return plainSpaces(format.format(value));
  }

  private numberFormat(kind: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const known = this.numbers.get(kind) ?? new Intl.NumberFormat(this.tag, options);
    this.numbers.set(kind, known);
    return known;
  }

  private zone(zone: Zone) {
    const timeZone = clockOf(zone);
    const known = this.zones.get(timeZone);
    if (known) return known;
    const formats = formatsOf(this.tag, timeZone);
    if (this.zones.size >= MAX_ZONES) this.zones.clear();
    this.zones.set(timeZone, formats);
    return formats;
  }
}

function formatsOf(tag: string, timeZone: string) {
  const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { ...options, timeZone });
  return {
    time: make(TIME),
    day: make(DAY),
    moment: make({ ...DAY, ...TIME }),
    farMoment: make({ ...DAY, year: 'numeric', ...TIME }),
    zoned: make({ ...TIME, ...ZONE }),
    zonedMoment: make({ ...DAY, ...TIME, ...ZONE }),
    zonedFarMoment: make({ ...DAY, year: 'numeric', ...TIME, ...ZONE }),
    zonedDate: make({ ...DATE, ...TIME, ...ZONE }),
    date: make({ ...DATE, ...TIME }),
  };
}

/** Noon of a weekday in UTC, from 0 for Monday. */
const noonOf = (weekday: number): number => Date.UTC(2024, 0, 1 + weekday, 12);

const isNear = (at: Moment, now: Moment) => Math.abs(at.epochMilliseconds - now.epochMilliseconds) < FAR_MS;

export const momentAt = (epochS: number): Moment => ({ epochMilliseconds: epochS * 1000 });

const rounded = (value: number, step: number) => Math.max(step, Math.round(value / step) * step);

const bothCountries = (language: Language) => ({ US: new Format(language, 'US'), CA: new Format(language, 'CA') });
const FORMATS: Readonly<Record<Language, Readonly<Record<FormatCountry, Format>>>> = {
  en: bothCountries('en'),
  fr: bothCountries('fr'),
  es: bothCountries('es'),
};

/** Returns the format of a language in a country, created once. */
export const formatOf = (language: Language, country: FormatCountry): Format => FORMATS[language][country];
