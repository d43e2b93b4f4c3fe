import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateOfDay } from '../stores/hours.ts';
import { lineExceptions, localityOfLine, rangesOfSpecs, readDatedSpec } from './opening-specs.ts';

const ZONE = 'America/Chicago';
const specDates = (validFrom: unknown, validThrough: unknown, more: object = {}) => {
  const spec = { opens: '10:00', closes: '14:00', days: [], validFrom, validThrough, ...more };
  const read = readDatedSpec(spec, ZONE);
  return read.ok ? `${dateOfDay(read.spec.from)}/${dateOfDay(read.spec.to)}` : read.reason;
};
const exceptionLines = (...specs: readonly object[]) =>
  lineExceptions(
    rangesOfSpecs(
      specs.map((more) => {
        const read = readDatedSpec({ opens: '', closes: '', days: [], validFrom: '', validThrough: '', ...more }, ZONE);
        assert.ok(read.ok);
        return read.spec;
      }),
    ),
    null,
  );

test("dates are kept, and moments are dates on the store's own clock", () => {
  assert.equal(specDates('2026-12-24', '2026-12-26'), '2026-12-24/2026-12-26');
  assert.equal(specDates('2026-12-24T00:00:00', '2026-12-25T23:59:59'), '2026-12-24/2026-12-25');
  assert.equal(specDates('2026-12-24T06:00:00Z', '2026-12-25T05:59:59Z'), '2026-12-24/2026-12-24');
  assert.equal(specDates('2026-12-24T01:00:00-05:00', '2026-12-27T00:00:00-06:00'), '2026-12-24/2026-12-26');
  assert.equal(specDates('2026-12-24T00:00', '2026-12-24T00:00'), '2026-12-24/2026-12-24');
});

test('a range without two dates, or longer than a year, is rejected with its reason', () => {
  for (const value of [undefined, '', '2026-13-01', '--12-25', 'tomorrow', 20261225, '2026-12-24T25:00:00Z', {}]) {
    assert.match(specDates(value, '2026-12-24'), /no first and last date/, String(value));
    assert.match(specDates('2026-12-24', value), /no first and last date/, String(value));
  }
  assert.match(specDates('2026-12-24', '2026-12-23'), /ends before/);
  assert.equal(specDates('2026-01-01', '2027-01-01'), '2026-01-01/2027-01-01');
  assert.match(specDates('2026-01-01', '2027-01-02'), /more than 366 days/);
  assert.match(specDates('2026-12-24', '2026-12-24', { opens: '10:00', closes: '' }), /no times/);
  assert.match(specDates('2026-12-24', '2026-12-24', { days: ['Someday'] }), /no weekday/);
  assert.match(specDates('2026-12-24', '2026-12-24', { days: ['Holiday'] }), /public holidays/);
});

test('specifications of the same dates add up, and fewer days win over more', () => {
  const december = { validFrom: '2026-12-20', validThrough: '2026-12-31', opens: '10:00', closes: '18:00' };
  const eve = { validFrom: '2026-12-24', validThrough: '2026-12-24' };
  const expected = [
    { from: '2026-12-20', to: '2026-12-23', hours: '10:00AM - 06:00PM' },
    { from: '2026-12-24', to: '2026-12-24', hours: '09:00AM - 12:00PM, 01:00PM - 03:00PM' },
    { from: '2026-12-25', to: '2026-12-25', hours: 'Closed' },
    { from: '2026-12-26', to: '2026-12-31', hours: '10:00AM - 06:00PM' },
  ];
  const specs = [
    { validFrom: '2026-12-25', validThrough: '2026-12-25', opens: '12:00', closes: '12:00' },
    december,
    { ...eve, opens: '13:00', closes: '15:00' },
    { ...eve, opens: '09:00', closes: '12:00' },
  ];
  assert.deepEqual(exceptionLines(...specs), expected);
  assert.deepEqual(exceptionLines(...specs.toReversed()), expected);
  const open = { validFrom: '2026-12-31', validThrough: '2026-12-31', opens: '00:00', closes: '23:59' };
  assert.equal((exceptionLines(open)[0] as { hours: string }).hours, 'Open 24 hours');
});

test('weekdays restrict the dates, of closed specifications too', () => {
  const sundays = { validFrom: '2026-12-01', validThrough: '2026-12-15', days: ['https://schema.org/Sunday'] };
  assert.deepEqual(
    exceptionLines(sundays).map((line) => JSON.stringify(line)),
    [
      '{"from":"2026-12-06","to":"2026-12-06","hours":"Closed"}',
      '{"from":"2026-12-13","to":"2026-12-13","hours":"Closed"}',
    ],
  );
});

test('whatever a source says, reading it gives dates or a reason', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.string(), fc.constantFrom('2026-12-24', '2026-12-24T00:00:00Z', '09:00'));
  fc.assert(
    fc.property(odd, odd, odd, odd, fc.array(odd, { maxLength: 3 }), (validFrom, validThrough, opens, closes, days) => {
      const read = readDatedSpec({ validFrom, validThrough, opens, closes, days }, ZONE);
      assert.ok(read.ok ? lineExceptions(rangesOfSpecs([read.spec]), null).length <= 366 : read.reason !== '');
    }),
  );
});

test('a store without a readable coordinate has its moments in UTC', () => {
  assert.equal(localityOfLine({ country: 'US', state: '' }, 41.88, -87.63).timeZone, 'America/Chicago');
  for (const [latitude, longitude] of [
    ['41', -87],
    [undefined, 1],
    [91, 0],
    [0, Number.NaN],
  ])
    assert.equal(localityOfLine({ country: 'US', state: '' }, latitude, longitude).timeZone, 'UTC');
});
