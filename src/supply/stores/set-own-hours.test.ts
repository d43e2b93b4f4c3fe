import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { completeHours, type HoursException } from './hours.ts';
import { readHours } from './read-hours.ts';
import { findOwnHours } from './set-store.db.ts';
import { setOwnHours } from './set-store.flow.ts';

const app = await givenOwnApp();
after(() => app.close());
const { db } = app.service.deps;
/** Where no other store is. */
const PLACE = { latitude: 44.26, longitude: -72.58 };

const readRules = (rules: string) => {
  const read = readHours(rules);
  assert.ok(read.ok);
  return completeHours({ operational: read.hours });
};

test('a store’s own hours count until the store changes them, or an import brings other hours than before', async () => {
  const importHours = (operational: string, changes: object = {}) =>
    givenStore(db, { external_id: 'hours', ...PLACE, hours: { operational }, ...changes }, app.source);
  const storeId = await importHours('Mo-Su 10:00-20:00');
  const set = (rules: string | null) =>
    db
      .transaction()
      .execute((tx) => setOwnHours(tx, storeId, { hours: rules === null ? null : readRules(rules) }, app.now()));
  const seq = async () => (await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow()).seq;
  const monday = async () => {
    await app.catchUp();
    const { body } = await app.get('/search/store/v3', PLACE);
    const [{ local_hours: hours, is_open: isOpen }] = body.stores;
    return [hours.operational.Monday, hours.delivery.Monday, isOpen];
  };

  const start = await seq();
  await set(null);
  assert.equal(await seq(), start);
  await set('Mo-Su 14:00-22:00');
  assert.deepEqual(await monday(), ['02:00PM - 10:00PM', '02:00PM - 10:00PM', false]);
  const before = await seq();
  await set('Mo-Su 14:00-22:00');
  assert.equal(await seq(), before);
  await importHours('Mo-Su 10:00-20:00', { name: 'Renamed' });
  assert.deepEqual(await monday(), ['02:00PM - 10:00PM', '02:00PM - 10:00PM', false]);
  await set('Mo-Su 12:00-22:00');
  assert.deepEqual(await monday(), ['12:00PM - 10:00PM', '12:00PM - 10:00PM', true]);
  await importHours('Mo-Su 11:00-20:00');
  assert.deepEqual(await monday(), ['11:00AM - 08:00PM', '11:00AM - 08:00PM', true]);
  await set('Mo-Su 12:00-22:00');
  await set(null);
  assert.deepEqual(await monday(), ['11:00AM - 08:00PM', '11:00AM - 08:00PM', true]);
  assert.equal(await setOwnHours(db, 'f'.repeat(24), { hours: null }, app.now()), undefined);

  // Date-specific hours, set separately in the same way.
  const today = app.now().toZonedDateTimeISO('America/New_York').toPlainDate().toString();
  const on = (hours: string) => ({ hours_exceptions: [{ from: today, hours }] });
  const ownDates = (exceptions: readonly HoursException[] | null) =>
    db.transaction().execute((tx) => setOwnHours(tx, storeId, { exceptions }, app.now()));
  const closed = { from: today, to: today, ranges: [], channel: null };
  const opening = async () => {
    await app.catchUp();
    const fields = 'opens_at,closes_at,closed_reason';
    const place = { ...PLACE, projections: fields };
    const { stores } = (await app.get('/search/store/v3', place)).body;
    const time = (epochS: number | null) => epochS && instantOfEpochSeconds(epochS).toString().slice(8, 16);
    const { is_open, opens_at, closes_at, closed_reason } = stores[0];
    return [is_open, time(opens_at), time(closes_at), closed_reason];
  };
  const day = today.slice(8);
  const tomorrow = String(Number(day) + 1);
  const OPEN = [true, null, `${tomorrow}T00:00`, undefined];
  const SHUT = [false, `${tomorrow}T15:00`, null, 'exception'];
  assert.deepEqual(await opening(), OPEN);
  const unchanged = await seq();
  await ownDates(null);
  assert.equal(await seq(), unchanged);
  await importHours('Mo-Su 11:00-20:00', on('Closed'));
  assert.deepEqual(await opening(), SHUT);
  await ownDates([]);
  assert.deepEqual(await opening(), OPEN);
  await importHours('Mo-Su 11:00-20:00', { ...on('off'), name: 'Renamed' });
  assert.deepEqual(await opening(), OPEN, 'the feed says what it said before');
  await ownDates(null);
  assert.deepEqual(await opening(), SHUT);
  await ownDates([closed]);
  await importHours('Mo-Su 11:00-20:00', on('11:00AM - 08:00PM'));
  assert.deepEqual(await opening(), OPEN, 'the feed says something else');
});

test('hours and exceptions that a store sets at the same moment both stay', async () => {
  const storeId = await givenStore(
    db,
    { external_id: 'at-once', hours: { operational: 'Mo-Su 10:00-20:00' } },
    app.source,
  );
  const hours = readRules('Mo-Su 14:00-22:00');
  const exceptions = [{ from: '2026-12-25', to: '2026-12-25', ranges: [], channel: null }];
  const isWaiting = sql<{ waits: boolean }>`
    select exists (select from pg_locks where not granted and relation = 'change_clock'::regclass
      or not granted and locktype = 'transactionid') as waits`;
  const { second } = await db.transaction().execute(async (tx) => {
    await setOwnHours(tx, storeId, { hours }, app.now());
    // The second change has read the store's old values and waits for the first.
    const second = db.transaction().execute((other) => setOwnHours(other, storeId, { exceptions }, app.now()));
    await until('the second change waits', async () => (await isWaiting.execute(db)).rows[0]?.waits === true);
    return { second };
  });
  await second;
  assert.deepEqual(await findOwnHours(db, storeId), { hours, exceptions });
});
