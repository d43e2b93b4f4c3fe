import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { parseStoreLine } from './parse-store-line.ts';
import { createStoreRows } from './store-rows.ts';

const parse = (exceptions: unknown) => parseStoreLine(pizzeria({ hours_exceptions: exceptions }));
const parseExceptions = (exceptions: unknown) => {
  const parsed = parse(exceptions);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.store.profile.hoursExceptions;
};
const exceptionFaults = (exceptions: unknown) => {
  const parsed = parse(exceptions);
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);
};
const christmasRanges = (hours: string) => parseExceptions([{ from: '2026-12-25', hours }])[0]?.ranges;
const profileHash = (line: Record<string, unknown>) => {
  const parsed = parseStoreLine(line);
  assert.ok(parsed.ok);
  const { storeId: _, ...rows } = createStoreRows(
    'feed',
    parsed.store,
    Temporal.Instant.from('2026-06-01T12:00:00Z'),
  ).finish([]);
  return rows;
};

test('an exception has its dates, its ranges and its channel; one date is the default', () => {
  assert.deepEqual(
    parseExceptions([
      { from: '2026-12-25', hours: 'Closed' },
      { from: '2026-12-31', to: '2027-01-02', hours: '10:00AM - 02:00AM', channel: 'pickup' },
      { from: '2028-02-29', to: null, hours: 'Open 24 hours', channel: null },
    ]),
    [
      { from: '2026-12-25', to: '2026-12-25', ranges: [], channel: null },
      { from: '2026-12-31', to: '2027-01-02', ranges: [{ startMinute: 600, endMinute: 1560 }], channel: 'pickup' },
      { from: '2028-02-29', to: '2028-02-29', ranges: [{ startMinute: 0, endMinute: 1440 }], channel: null },
    ],
  );
  assert.deepEqual(parseExceptions(undefined), []);
  assert.deepEqual(parseExceptions(null), []);
});

test('hours are the texts of a weekday, or ranges in the syntax of opening_hours', () => {
  const split = [
    { startMinute: 660, endMinute: 840 },
    { startMinute: 1020, endMinute: 1500 },
  ];
  assert.deepEqual(christmasRanges('11:00AM - 02:00PM, 05:00PM - 01:00AM'), split);
  assert.deepEqual(christmasRanges('11:00-14:00,17:00-01:00'), split);
  assert.deepEqual(christmasRanges(' closed '), []);
  assert.deepEqual(christmasRanges('off'), []);
  assert.deepEqual(christmasRanges('24/7'), [{ startMinute: 0, endMinute: 1440 }]);
  assert.deepEqual(christmasRanges('00:00-24:00'), [{ startMinute: 0, endMinute: 1440 }]);
});

test('each fault is reported with its path, and rejects the store', () => {
  const first = (change: object) => exceptionFaults([{ from: '2026-12-25', hours: 'Closed', ...change }]).join();
  assert.match(first({ from: undefined }), /^hours_exceptions\[0\]\.from: expected present$/);
  for (const from of [
    '2026-02-29',
    '2026-13-01',
    '2026-12-32',
    '25.12.2026',
    '2026-12-25T00:00',
    20261225,
    '1999-12-31',
    '2200-01-01',
    {},
  ])
    assert.match(first({ from }), /^hours_exceptions\[0\]\.from: expected a date such as 2026-12-25/, String(from));
  assert.match(first({ to: 'tomorrow' }), /^hours_exceptions\[0\]\.to: expected a date/);
  assert.match(first({ to: '2026-12-24' }), /^hours_exceptions\[0\]\.to: expected a date not before from$/);
  assert.match(first({ to: '2027-12-26' }), /^hours_exceptions\[0\]\.to: expected at most 366 days$/);
  assert.equal(first({ to: '2027-12-25' }), '');
  assert.match(first({ hours: undefined }), /^hours_exceptions\[0\]\.hours: expected present$/);
  for (const hours of [
    '',
    'holiday',
    'Mo-Fr 10:00-14:00',
    'PH off',
    '10:00-14:00 Mo',
    'sunrise-sunset',
    '25:00-26:00',
    7,
    [],
  ])
    assert.match(first({ hours }), /^hours_exceptions\[0\]\.hours: expected "Closed"/, String(hours));
  assert.match(first({ channel: 'catering' }), /^hours_exceptions\[0\]\.channel: expected operational or /);
  assert.match(exceptionFaults(['Closed']).join(), /^hours_exceptions\[0\]: expected an object$/);
  assert.match(exceptionFaults('Closed').join(), /^hours_exceptions: expected a list$/);
  const many = (count: number) => Array.from({ length: count }, () => ({ from: '2026-12-25', hours: 'Closed' }));
  assert.equal(parseExceptions(many(500)).length, 500);
  assert.match(exceptionFaults(many(501)).join(), /^hours_exceptions: expected at most 500 entries$/);
});

test('exceptions count for "unchanged"; a store without any keeps no member for them', () => {
  const none = profileHash(pizzeria());
  assert.ok(!none.profile.includes('hoursExceptions'));
  assert.deepEqual(profileHash(pizzeria({ hours_exceptions: [] })), none);
  const closed = profileHash(pizzeria({ hours_exceptions: [{ from: '2026-12-25', hours: 'Closed' }] }));
  const open = profileHash(pizzeria({ hours_exceptions: [{ from: '2026-12-25', hours: '10:00-12:00' }] }));
  assert.equal(new Set([none, closed, open].map(({ feedHash }) => feedHash)).size, 3);
  assert.match(
    closed.profile,
    /"hoursExceptions":\[\{"from":"2026-12-25","to":"2026-12-25","ranges":\[\],"channel":null\}\]/,
  );
});
