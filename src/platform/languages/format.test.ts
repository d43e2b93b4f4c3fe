import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTime, ofTime, withArticle } from '../../texts/es/times.ts';
import { formatOf } from './format.ts';
import { pluralOf } from './grammar.ts';
import { LANGUAGES } from './language.ts';

const ZONE = 'America/New_York';
const at = (text: string) => Temporal.Instant.from(text);
/** Thursday, 10 AM in the zone. */
const NOW = at('2026-06-11T14:00:00Z');
const EVENING = at('2026-06-11T22:30:00Z');
const LATER = at('2026-06-11T23:00:00Z');
const MIDNIGHT = at('2026-06-12T04:30:00Z');

const [english, canadian, french, spanish] = [
  formatOf('en', 'US'),
  formatOf('en', 'CA'),
  formatOf('fr', 'CA'),
  formatOf('es', 'US'),
];
const inFour = (write: (format: ReturnType<typeof formatOf>) => string) =>
  [english, canadian, french, spanish].map(write);

test('money is written as the language does, and names no currency', () => {
  assert.deepEqual(
    inFour((format) => format.money(123_450)),
    ['$1,234.50', '$1,234.50', '1\u00a0234,50\u00a0$', '$1,234.50'],
  );
  assert.deepEqual(
    inFour((format) => format.money(-5)),
    ['-$0.05', '-$0.05', '-0,05\u00a0$', '-$0.05'],
  );
  assert.deepEqual(
    inFour((format) => format.extra(150)),
    ['+$1.50', '+$1.50', '+1,50\u00a0$', '+$1.50'],
  );
  assert.deepEqual(
    [-0, 0].map((cents) => english.money(cents)),
    ['$0.00', '$0.00'],
  );
  for (const language of LANGUAGES) {
    for (const country of ['US', 'CA'] as const) assert.doesNotMatch(formatOf(language, country).money(1250), /[A-Z]/);
  }
});

test('any amount reads back as the same cents in every language', () => {
  for (const cents of [0, 1, 9, 10, 99, 100, 1250, 99_999, 100_000, 123_456_789]) {
    const read = inFour((format) => format.money(cents)).map((text) => Number(text.replace(/\D/g, '')));
    assert.deepEqual(read, [cents, cents, cents, cents]);
  }
});

test('times and days are in the zone’s time, 24-hour in French', () => {
  assert.deepEqual(
    inFour((format) => format.time(EVENING, ZONE)),
    ['6:30 PM', '6:30 p.m.', '18\u00a0h\u00a030', '6:30 p.m.'],
  );
  assert.deepEqual(
    inFour((format) => format.day(MIDNIGHT, ZONE)),
    ['Fri, Jun 12', 'Fri, Jun 12', 'ven. 12 juin', 'vie, 12 de jun'],
  );
});

test('a moment has its day unless that is today', () => {
  assert.equal(english.moment(EVENING, ZONE, NOW), '6:30 PM');
  assert.equal(english.moment(MIDNIGHT, ZONE, NOW), 'Fri, Jun 12, 12:30 AM');
  assert.equal(english.moment(EVENING, ZONE), 'Thu, Jun 11, 6:30 PM');
});

test('a range says what its ends share once', () => {
  assert.deepEqual(
    inFour((format) => format.range(EVENING, LATER, ZONE, NOW)),
    ['6:30 – 7:00 PM', '6:30–7:00 p.m.', '18\u00a0h\u00a030 – 19\u00a0h\u00a000', '6:30–7:00 p.m.'],
  );
  assert.equal(english.range(EVENING, LATER, ZONE), 'Thu, Jun 11, 6:30 – 7:00 PM');
  assert.equal(english.range(EVENING, EVENING, ZONE, NOW), '6:30 PM');
  const noon = [at('2026-06-12T15:30:00Z'), at('2026-06-12T16:00:00Z')] as const;
  assert.equal(english.range(...noon, ZONE, NOW), 'Fri, Jun 12, 11:30 AM – 12:00 PM');
  assert.equal(english.range(EVENING, MIDNIGHT, ZONE, NOW), 'Thu, Jun 11, 6:30 PM – Fri, Jun 12, 12:30 AM');
});

test('distances are in miles and feet, in Canada in kilometers and meters', () => {
  assert.deepEqual(
    inFour((format) => format.distance(0.8)),
    ['0.8 miles', '1.3 km', '1,3\u00a0km', '0.8 millas'],
  );
  assert.deepEqual(
    inFour((format) => format.distance(0.05)),
    ['300 feet', '100 m', '100\u00a0m', '300 pies'],
  );
});

test('percents keep the decimals of a tax rate', () => {
  assert.deepEqual(
    inFour((format) => format.percent(9.975)),
    ['9.975%', '9.975%', '9,975\u00a0%', '9.975%'],
  );
});

test('minutes have their unit', () => {
  assert.equal(english.minutes(12), '12 min');
});

test('lists are joined as the language joins them', () => {
  assert.deepEqual(
    inFour((format) => format.list(['a', 'b', 'c'])),
    ['a, b, and c', 'a, b and c', 'a, b et c', 'a, b y c'],
  );
});

test('formatters of unused zones are evicted, so any number of zones can be formatted', () => {
  for (let hour = 0; hour < 24; hour += 1) {
    for (let minute = 0; minute < 60; minute += 7) {
      english.time(NOW, `+${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
    }
  }
  assert.equal(english.time(EVENING, ZONE), '6:30 PM');
});

test('the form of a count follows the language: nothing is singular in French', () => {
  const forms = { one: 'one', other: 'other' };
  const picked = LANGUAGES.map((language) => [0, 1, 2, 1_000_000].map((count) => pluralOf(language)(count, forms)));
  assert.deepEqual(picked, [
    ['other', 'one', 'other', 'other'],
    ['one', 'one', 'other', 'other'],
    ['other', 'one', 'other', 'other'],
  ]);
});

test('days of the week, dates and choices are written in each language', () => {
  const written = (language: 'en' | 'fr' | 'es') => {
    const format = formatOf(language, 'US');
    return [format.weekday(0), format.weekday(6), format.dates('2026-12-25'), format.anyOf(['a', 'b', 'c'])];
  };
  assert.deepEqual(written('en'), ['Monday', 'Sunday', 'Fri, Dec 25, 2026', 'a, b, or c']);
  assert.deepEqual(written('fr'), ['Lundi', 'Dimanche', 'ven. 25 déc. 2026', 'a, b ou c']);
  assert.deepEqual(written('es'), ['Lunes', 'Domingo', 'vie, 25 de dic de 2026', 'a, b o c']);
});

test('a Spanish sentence has the article of its time: one hour is singular, and a day is masculine', () => {
  const ONE = at('2026-06-11T17:05:00Z');
  const times = [EVENING, ONE, at('2026-06-11T15:00:00Z')].map((moment) => spanish.time(moment, ZONE));
  assert.deepEqual(times.map(withArticle), ['las 6:30 p.m.', 'la 1:05 p.m.', 'las 11:00 a.m.']);
  assert.deepEqual(times.map(atTime), ['a las 6:30 p.m.', 'a la 1:05 p.m.', 'a las 11:00 a.m.']);
  assert.deepEqual(times.map(ofTime), ['de las 6:30 p.m.', 'de la 1:05 p.m.', 'de las 11:00 a.m.']);
  const tomorrow = spanish.moment(MIDNIGHT, ZONE, NOW);
  assert.deepEqual(
    [withArticle(tomorrow), atTime(tomorrow), ofTime(tomorrow)],
    ['el vie, 12 de jun, 12:30 a.m.', 'el vie, 12 de jun, 12:30 a.m.', 'del vie, 12 de jun, 12:30 a.m.'],
  );
});

test('a day more than half a year ahead has its year, and the repeated hour of an autumn night has its zone', () => {
  const format = formatOf('en', 'US');
  const zone = 'America/New_York';
  const at = (text: string) => ({ epochMilliseconds: Date.parse(text) });
  const now = at('2026-11-01T04:30:00Z');
  assert.equal(format.moment(at('2027-10-29T22:45:00Z'), zone, now), 'Fri, Oct 29, 2027, 6:45 PM');
  assert.equal(
    format.range(at('2027-10-29T22:30:00Z'), at('2027-10-29T23:00:00Z'), zone, now),
    'Fri, Oct 29, 2027, 6:30 – 7:00 PM',
  );
  assert.equal(format.moment(at('2026-11-06T23:45:00Z'), zone, now), 'Fri, Nov 6, 6:45 PM');
  const times = ['04:30', '05:30', '06:30', '07:30'].map((time) =>
    format.moment(at(`2026-11-01T${time}:00Z`), zone, now),
  );
  assert.deepEqual(times, ['12:30 AM', '1:30 AM EDT', '1:30 AM EST', '2:30 AM']);
  assert.equal(format.time(at('2026-11-01T06:30:00Z'), zone), '1:30 AM EST');
  assert.equal(format.date(at('2026-11-01T05:30:00Z'), zone), 'Nov 1, 2026, 1:30 AM EDT');
  assert.equal(format.moment(at('2027-11-07T06:30:00Z'), zone, now), 'Sun, Nov 7, 2027, 1:30 AM EST');
});

test('today and tomorrow have names in each language, in the store’s time; other days their date', () => {
  const now = Temporal.Instant.from('2026-06-12T03:30:00Z');
  const days = (language: 'en' | 'fr' | 'es', country: 'US' | 'CA') =>
    [0, 1, 24, 48].map((hours) => formatOf(language, country).nearDay(now.add({ hours }), 'America/New_York', now));
  assert.deepEqual(days('en', 'US'), ['Today', 'Tomorrow', 'Tomorrow', 'Sat, Jun 13']);
  assert.deepEqual(days('fr', 'CA').slice(0, 3), ['Aujourd’hui', 'Demain', 'Demain']);
  assert.deepEqual(days('es', 'US').slice(0, 3), ['Hoy', 'Mañana', 'Mañana']);
});
