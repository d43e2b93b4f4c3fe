import type { Language } from './language.ts';

/**
 * Money, numbers, dates and distances as `Intl` writes them for a language in the country of a store: `$12.50` and
 * `6:45 PM`, in French `12,50 $` and `18 h 45`. Runs in browsers too: moments are anything with `epochMilliseconds`.
 */

export type FormatCountry = 'US' | 'CA';
type Moment = { readonly epochMilliseconds: number };

/** French is written as in Québec, and Spanish as in the United States, in both countries. */
const TAGS: Readonly<Record<Language, Readonly<Record<FormatCountry, string>>>> = {
  en: { US: 'en-US', CA: 'en-CA' },
  fr: { US: 'fr-CA', CA: 'fr-CA' },
  es: { US: 'es-US', CA: 'es-US' },
};

const METERS_PER_MILE = 1609.344;
const FEET_PER_MILE = 5280;
/** Minimum miles of a distance in miles or kilometers; shorter ones are in feet or meters. */
const MIN_MILES = 0.19;

/** Maximum zones with cached formatters, after which the cache is emptied. A formatter costs about 50 µs and 30 KB. */
const MAX_ZONES = 100;
type ZoneFormat =
  | 'time'
  | 'day'
  | 'moment'
  | 'farMoment'
  | 'date'
  | 'zoned'
  | 'zonedMoment'
  | 'zonedFarMoment'
  | 'zonedDate';
type ZoneFormats = Readonly<Record<ZoneFormat, Intl.DateTimeFormat>>;

const DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const;
const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const ZONE = { timeZoneName: 'short' } as const;
const HOUR_MS = 3_600_000;
/** Milliseconds from now beyond which a day has its year. */
const FAR_MS = 180 * 24 * HOUR_MS;

/** Replaces thin spaces, which printers, SMS and some fonts lack, with plain ones. */
const plainSpaces = (text: string) => text.replace(/[\u2009\u202f]/g, ' ');

export class Format {
  readonly language: Language;
  readonly country: FormatCountry;
  /** The locale as a BCP 47 tag, such as `fr-CA`. */
  readonly tag: string;
  private readonly numbers = new Map<string, Intl.NumberFormat>();
  private readonly zones = new Map<string, ZoneFormats>();

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

  /** Formats what an option adds to a price: `+$1.50`; a discount keeps its minus. */
  extra(cents: number): string {
    return `${cents < 0 ? '' : '+'}${this.money(cents)}`;
  }

  number(value: number, maximumFractionDigits = 0): string {
    return this.numberFormat(`number ${maximumFractionDigits}`, { maximumFractionDigits }).format(value);
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

  /** Formats `0.8 miles`, and short distances in feet; in Canada kilometers and meters. Rounds as people do. */
  distance(miles: number): string {
    const meters = miles * METERS_PER_MILE;
    if (this.country === 'CA') {
      return meters < 1000 ? this.unit('meter', rounded(meters, 50)) : this.unit('kilometer', meters / 1000);
    }
    return miles < MIN_MILES ? this.unit('foot', rounded(miles * FEET_PER_MILE, 100)) : this.unit('mile', miles);
  }

  /** Formats a time in the zone: `6:45 PM`, or `1:30 AM EDT` in the hour that an autumn night repeats. */
  time(at: Moment, timeZone: string): string {
    const { time, zoned } = this.zone(timeZone);
    return plainSpaces((this.isRepeated(at, timeZone) ? zoned : time).format(at.epochMilliseconds));
  }

  private isRepeated({ epochMilliseconds: at }: Moment, timeZone: string): boolean {
    const { date } = this.zone(timeZone);
    return [at - HOUR_MS, at + HOUR_MS].some((other) => date.format(other) === date.format(at));
  }

  /** Formats a day in the zone: `Thu, Jun 11`. */
  day(at: Moment, timeZone: string): string {
    return plainSpaces(this.zone(timeZone).day.format(at.epochMilliseconds));
  }

  /** Formats day and time for documents that people keep: `Jun 11, 2026, 6:45 PM`. */
  date(at: Moment, timeZone: string): string {
    const { date, zonedDate } = this.zone(timeZone);
    return plainSpaces((this.isRepeated(at, timeZone) ? zonedDate : date).format(at.epochMilliseconds));
  }

  /** Formats a time, with its day unless that is the day of `now`, and its year if far. Without `now`, with its day. */
  moment(at: Moment, timeZone: string, now?: Moment): string {
    if (this.isToday([at], timeZone, now)) return this.time(at, timeZone);
    return plainSpaces(this.momentFormat([at], timeZone, now).format(at.epochMilliseconds));
  }

  /** Formats `6:30 – 7:00 PM`, with its day unless that is the day of `now`: `Fri, Jun 12, 6:30 – 7:00 PM`. */
  range(start: Moment, end: Moment, timeZone: string, now?: Moment): string {
    const { time, zoned } = this.zone(timeZone);
    const ends = [start, end];
    const today = ends.some((at) => this.isRepeated(at, timeZone)) ? zoned : time;
    const format = this.isToday(ends, timeZone, now) ? today : this.momentFormat(ends, timeZone, now);
    return plainSpaces(format.formatRange(start.epochMilliseconds, end.epochMilliseconds));
  }

  private isToday(moments: readonly Moment[], timeZone: string, now: Moment | undefined): boolean {
    return (
      now !== undefined && moments.every((at) => isNear(at, now) && this.day(at, timeZone) === this.day(now, timeZone))
    );
  }

  private momentFormat(moments: readonly Moment[], timeZone: string, now: Moment | undefined): Intl.DateTimeFormat {
    const { moment, farMoment, zonedMoment, zonedFarMoment } = this.zone(timeZone);
    const isZoned = moments.some((at) => this.isRepeated(at, timeZone));
    if (now !== undefined && !moments.every((at) => isNear(at, now))) return isZoned ? zonedFarMoment : farMoment;
    return isZoned ? zonedMoment : moment;
  }

  slot({ startEpochS, endEpochS }: { startEpochS: number; endEpochS: number }, timeZone: string, now?: Moment): string {
    return this.range(momentAt(startEpochS), momentAt(endEpochS), timeZone, now);
  }

  /** Formats a slot with its day, even on the day of `now`, because paper and mails are read later. */
  datedSlot(
    { startEpochS, endEpochS }: { startEpochS: number; endEpochS: number },
    timeZone: string,
    now: Moment,
  ): string {
    const ends = [momentAt(startEpochS), momentAt(endEpochS)];
    return plainSpaces(this.momentFormat(ends, timeZone, now).formatRange(startEpochS * 1000, endEpochS * 1000));
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
    const monday = Date.UTC(2024, 0, 1, 12);
    const name = new Intl.DateTimeFormat(this.tag, { weekday: 'long', timeZone: 'UTC' }).format(
      monday + day * 86_400_000,
    );
    return name.charAt(0).toLocaleUpperCase(this.tag) + name.slice(1);
  }

  private unit(unit: string, value: number): string {
    const unitDisplay = this.country === 'CA' ? 'short' : 'long';
    return plainSpaces(
      this.numberFormat(unit, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(value),
    );
  }

  private numberFormat(kind: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const known = this.numbers.get(kind) ?? new Intl.NumberFormat(this.tag, options);
    this.numbers.set(kind, known);
    return known;
  }

  private zone(timeZone: string): ZoneFormats {
    const known = this.zones.get(timeZone);
    if (known) return known;
    const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(this.tag, { ...options, timeZone });
    const formats = {
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
    if (this.zones.size >= MAX_ZONES) this.zones.clear();
    this.zones.set(timeZone, formats);
    return formats;
  }
}

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
export function formatOf(language: Language, country: FormatCountry): Format {
  return FORMATS[language][country];
}
