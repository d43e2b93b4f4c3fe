import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { rangesOfWeek, weekdayHours } from '../imports/opening-specs.ts';
import { dateOfDay, MINUTES_PER_WEEK, type MinuteRange, type WeeklyHours } from './hours.ts';
import { exceptionsOfRules } from './hours-rules.ts';
import { readHours } from './read-hours.ts';
import { weekLineOf } from './schedule.ts';

/** A range on a weekday, 0 is Monday, as a source states it. */
type Stated = MinuteRange & { day: number };

/** Minutes when the week opens or closes. */
const runsOf = (open: Uint8Array): string =>
  [open[0], ...open.keys().filter((minute) => minute > 0 && open[minute] !== open[minute - 1])].join(' ');

/** The oracle: the open minutes of a week, where a range past midnight continues in the next day. */
function minutesOf(stated: readonly Stated[]): string {
  const open = new Uint8Array(MINUTES_PER_WEEK);
  for (const { day, startMinute, endMinute } of stated)
    for (let minute = startMinute; minute < endMinute; minute += 1) open[(day * 1440 + minute) % MINUTES_PER_WEEK] = 1;
  return runsOf(open);
}

function minutesOfWeek(week: WeeklyHours): string {
  const { always, ranges } = weekLineOf(week);
  if (always) return runsOf(new Uint8Array(MINUTES_PER_WEEK).fill(1));
  return minutesOf(ranges.map((range) => ({ ...range, day: 0 })));
}

const pad = (n: number) => String(n).padStart(2, '0');
const parts = (minute: number) => ({ hour: Math.floor(minute / 60) % 24, part: minute % 60 });

/** Ways to write a time; a time at the end of the day is 00:00 or 24:00. */
const CLOCKS: Record<string, (minute: number) => string> = {
  '24 hours': (minute) => `${pad(parts(minute).hour)}:${pad(parts(minute).part)}`,
  'past midnight': (minute) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`,
  '12 hours': (minute) => {
    const { hour, part } = parts(minute);
    return `${hour % 12 || 12}${part === 0 ? '' : `:${pad(part)}`}${hour < 12 ? 'AM' : 'PM'}`;
  },
  'a.m.': (minute) => {
    const { hour, part } = parts(minute);
    return `${hour % 12 || 12}:${pad(part)} ${hour < 12 ? 'a.m.' : 'p.m.'}`;
  },
  French: (minute) => {
    const { hour, part } = parts(minute);
    return `${hour} h${part === 0 ? '' : ` ${pad(part)}`}`;
  },
};
const DAYS = [
  ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'],
  ['mon', 'tues', 'wed', 'thurs', 'fri', 'sat', 'sun'],
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  ['Lundi', 'Mardi', 'Mercredi', 'Jeudi', 'Vendredi', 'Samedi', 'Dimanche'],
];

const range = fc.tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 1, max: 96 })).map(([start, length]) => ({
  startMinute: start * 15,
  endMinute: (start + length) * 15,
}));
const week = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 6 }), range), { minLength: 1, maxLength: 12 })
  .map((all) => all.map(([day, one]): Stated => ({ ...one, day })));
const style = fc.record({
  clock: fc.constantFrom(...Object.keys(CLOCKS)),
  days: fc.constantFrom(...DAYS),
  dash: fc.constantFrom('-', ' - ', '–', ' to ', ' à '),
});
type Style = { clock: string; days: readonly string[]; dash: string };

const rangeText = ({ clock, dash }: Style, { startMinute, endMinute }: MinuteRange) => {
  const write = CLOCKS[clock] ?? assert.fail(clock);
  return `${write(startMinute)}${dash}${write(endMinute)}`;
};
const ofDay = (stated: readonly Stated[], day: number) => stated.filter((one) => one.day === day);
const dayTexts = (stated: readonly Stated[], how: Style) =>
  how.days.flatMap((name, day) => {
    const ranges = ofDay(stated, day).map((one) => rangeText(how, one));
    return ranges.length === 0 ? [] : [`${name} ${ranges.join(', ')}`];
  });

/** Notations by name: the value that a source would have for the week. */
const NOTATIONS: Record<string, (stated: readonly Stated[], how: Style) => unknown> = {
  'one text': (stated, how) => {
    const text = dayTexts(stated, how).join('; ');
    return text.length <= 255 ? text : dayTexts(stated, how);
  },
  'a text of each range': (stated, how) => stated.map((one) => `${how.days[one.day]} ${rangeText(how, one)}`),
  'an object of texts': (stated, how) =>
    Object.fromEntries(
      how.days.map((name, day) => [
        name,
        ofDay(stated, day)
          .map((one) => rangeText(how, one))
          .join(', ') || null,
      ]),
    ),
  'an object of lists': (stated, how) =>
    Object.fromEntries(
      how.days.flatMap((name, day) => {
        const ranges = ofDay(stated, day).map((one) => rangeText(how, one));
        return ranges.length === 0 ? [] : [[name, ranges]];
      }),
    ),
};

test('every notation of a week is read as the same open minutes', () => {
  fc.assert(
    fc.property(week, style, fc.constantFrom(...Object.keys(NOTATIONS)), (stated, how, notation) => {
      const value = NOTATIONS[notation]?.(stated, how);
      const read = readHours(value);
      assert.ok(read.ok, `${JSON.stringify(value)}: ${read.ok || read.reason}`);
      assert.deepEqual([read.dated, read.leftOut], [null, []]);
      assert.equal(minutesOfWeek(read.hours), minutesOf(stated), JSON.stringify(value));
    }),
    { numRuns: runs(400) },
  );
});

test('specifications of a page are read as the same open minutes', () => {
  const closed = fc.constantFrom({}, { opens: '00:00', closes: '00:00' });
  fc.assert(
    fc.property(week, style, closed, (stated, how, off) => {
      const clock = CLOCKS[how.clock === 'past midnight' ? '24 hours' : how.clock] ?? assert.fail();
      const kept = stated.filter(({ startMinute, endMinute }) => startMinute !== 0 || endMinute !== 1440);
      const specs = [
        ...kept.map(({ day, startMinute, endMinute }) => ({
          opens: clock(startMinute),
          closes: clock(endMinute),
          days: [how.days[day]],
        })),
        { opens: undefined, closes: undefined, days: ['Sunday'], ...off },
        { opens: '10:00', closes: '12:00', days: ['PublicHolidays'] },
      ];
      const ranges = rangesOfWeek(specs, () => undefined);
      const read = readHours(ranges && weekdayHours(ranges));
      assert.equal(read.ok && minutesOfWeek(read.hours), minutesOf(kept), JSON.stringify(specs));
    }),
    { numRuns: runs(200) },
  );
});

test('a text with one rule that cannot be read is unknown, unless that rule only closes', () => {
  const odd = fc.constantFrom('Mo[1] 10:00-12:00', 'Fr 10:00+', 'Sa sunset-24:00', 'Su late', 'week 2 We 10:00-11:00');
  const closing = fc.constantFrom('PH off', 'Mo[2] off', 'week 30-31 closed', 'SH,PH off', 'Thanksgiving off');
  fc.assert(
    fc.property(week, odd, closing, fc.nat({ max: 12 }), (stated, unread, closes, at) => {
      const texts = NOTATIONS['a text of each range']?.(stated, { clock: '24 hours', days: DAYS[0] ?? [], dash: '-' });
      assert.ok(Array.isArray(texts));
      assert.equal(readHours(texts.toSpliced(at, 0, unread)).ok, false);
      const read = readHours(texts.toSpliced(at, 0, closes));
      assert.equal(read.ok && minutesOfWeek(read.hours), minutesOf(stated));
      assert.ok(read.ok && read.leftOut.length === 1);
    }),
    { numRuns: runs(100) },
  );
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Ways to write a date. */
const DATES: Record<string, (day: number) => string> = {
  ISO: dateOfDay,
  yearly: (day) => `${MONTHS[Number(dateOfDay(day).slice(5, 7)) - 1]} ${Number(dateOfDay(day).slice(8))}`,
  'of one year': (day) => `${dateOfDay(day).slice(0, 4)} ${DATES.yearly?.(day)}`,
};

test('dates added to a week are exceptions of exactly these dates', () => {
  const first = Date.UTC(2026, 0, 1) / 86_400_000;
  const dated = fc.record({
    day: fc.integer({ min: first, max: first + 364 }).filter((day) => dateOfDay(day).slice(5) !== '02-29'),
    hours: fc.option(range),
    style: fc.constantFrom(...Object.keys(DATES)),
  });
  const dates = fc.uniqueArray(dated, { minLength: 1, maxLength: 5, selector: ({ day }) => day });
  fc.assert(
    fc.property(dates, fc.constantFrom('24/7', 'Mo-Su 00:10-00:20'), (all, weekly) => {
      const rules = all.map(({ day, hours, style }) => {
        const how = { clock: 'past midnight', days: [], dash: '-' };
        return `${DATES[style]?.(day)} ${hours ? rangeText(how, hours) : 'off'}`;
      });
      const read = readHours([weekly, ...rules].join('; '));
      assert.ok(read.ok && read.dated, rules.join());
      const shown = exceptionsOfRules([{ channel: null, rules: read.dated }], 2026)
        .filter(({ from }) => from < '2027')
        .flatMap(({ from, to, ranges }) =>
          from === to
            ? [[from, ranges]]
            : [
                [from, ranges],
                [to, ranges],
              ],
        );
      const isWeekly = (hours: MinuteRange | null) =>
        weekly === '24/7' ? hours?.startMinute === 0 && hours.endMinute === 1440 : false;
      const expected = all
        .filter(({ hours }) => !isWeekly(hours))
        .map(({ day, hours }) => [dateOfDay(day), hours ? [hours] : []]);
      for (const one of expected)
        assert.ok(
          shown.some((each) => JSON.stringify(each) === JSON.stringify(one)),
          `${rules} ${one}`,
        );
      assert.ok(
        shown.every(([from]) => expected.some(([date]) => date === from)),
        rules.join(),
      );
    }),
    { numRuns: runs(60) },
  );
});
