import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenStore } from '../../test/given-store.ts';
import { givenApp } from '../../test/harness.ts';
import { completeHours } from './hours.ts';
import { parseOsmHours } from './osm-hours.ts';
import { setOwnHours } from './set-own-hours.flow.ts';

const hoursOf = (rules: string) => {
  const read = parseOsmHours(rules);
  assert.ok(read.ok);
  return completeHours({ operational: read.hours });
};

test('a store’s own hours count until the store changes them, or an import brings other hours than before', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  const { db } = app.service.deps;
  const importHours = (operational: string, changes: object = {}) =>
    givenStore(db, { external_id: 'hours', hours: { operational }, ...changes });
  const storeId = await importHours('Mo-Su 10:00-20:00');
  const set = (rules: string | null) =>
    db.transaction().execute((tx) => setOwnHours(tx, storeId, rules === null ? null : hoursOf(rules), app.now()));
  const seq = async () => (await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow()).seq;
  const monday = async () => {
    await app.catchUp();
    const { body } = await app.get('/search/store/v3', { latitude: 40.7383, longitude: -73.9927 });
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
  assert.equal(await setOwnHours(db, 'f'.repeat(24), null, app.now()), undefined);
});
