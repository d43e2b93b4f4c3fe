import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenKitchens, OPEN } from '../../../test/given/kitchens.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { runs } from '../../../test/runs.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { busyMinutesAt } from '../../supply/stores/kitchen.ts';

const AT_STORE = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude, pickup: true };
const HOUR_S = 3600;

test('a busy kitchen’s minutes apply until their last second', () => {
  const moment = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 60 }), moment, moment, (minutes, untilS, nowS) => {
      const added = busyMinutesAt({ minutes, until: instantOfEpochSeconds(untilS) }, instantOfEpochSeconds(nowS));
      assert.equal(added, nowS < untilS ? minutes : 0);
    }),
    { numRuns: runs(500) },
  );
});

async function givenBusyKitchens(...lines: object[]) {
  const kitchens = await givenKitchens(...lines);
  const { app, storeId } = kitchens;
  const key = await givenStoreKey(app, storeId);
  return {
    ...kitchens,
    key,
    busy: (body: object) => key.post('/store/busy', body),
    nowS: () => app.now().epochMilliseconds / 1000,
  };
}

test('quotes, orders and search take the extra minutes on every node, after any wait for room, and fall by the clock', async (t) => {
  const quick = { kitchen: { orders: 1 }, pickup: { enabled: true, prep_minutes: [10, 20] } };
  const slow = { pickup: { enabled: true, prep_minutes: [12, 22] } };
  const { app, live, storeIds, minutesOf, place, settle, busy, key, nowS } = await givenBusyKitchens(quick, slow);
  t.after(() => app.close());
  const node = await app.givenNode('api');
  const [first = '', second = ''] = storeIds;
  const fastest = async () => {
    const { body } = await live.get('/search/store/v3', { ...AT_STORE, sort: 'fastest', projections: '_id' });
    await node.deps.storeFeed.catchUp();
    const query = { latitude: String(AT_STORE.latitude), longitude: String(AT_STORE.longitude), pickup: 'true' };
    const reply = await node.http.inject({
      url: '/search/store/v3',
      query: { ...query, sort: 'fastest', projections: '_id' },
      headers: { 'id-token': live.key },
    });
    assert.deepEqual(reply.json().stores, body.stores);
    return body.stores.map(({ _id }: { _id: string }) => _id);
  };
  assert.deepEqual(await fastest(), [first, second]);
  const untilS = nowS() + HOUR_S;
  assert.deepEqual((await busy({ extra_minutes: 15 })).body.busy, { extra_minutes: 15, until: untilS });
  await app.catchUp();
  assert.deepEqual([await minutesOf(), await fastest()], [25, [second, first]]);
  const placed = (await place()).body;
  const order = await findAnyOrder(app.service.deps.db, placed.order_id);
  assert.deepEqual(order?.quote.minutes, { minimum: 25, maximum: 35 });
  await settle();
  assert.equal(await minutesOf(), 15 + 25, 'the next quarter, and the extra minutes');
  await app.advance({ minutes: 59, seconds: 59 });
  assert.equal(await minutesOf(), 25);
  await app.advance({ seconds: 1 });
  assert.deepEqual([await minutesOf(), await fastest()], [10, [first, second]]);
  assert.equal((await key.get('/store')).body.busy, null);
});

test('it lasts an hour, until a moment within four hours, or until the next opening; 0 ends it, and it outlives an import', async (t) => {
  const { app, minutesOf, busy, key, nowS } = await givenBusyKitchens({});
  t.after(() => app.close());
  const untilOf = async (body: object) => (await busy(body)).body.busy?.until;
  const { db } = app.service.deps;
  const seq = async () => (await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow()).seq;
  for (const seconds of [1, 4 * HOUR_S]) {
    const until = nowS() + seconds;
    assert.equal(await untilOf({ extra_minutes: 60, until }), until);
  }
  const written = await seq();
  assert.equal(await untilOf({ extra_minutes: 60, until: nowS() + 4 * HOUR_S }), nowS() + 4 * HOUR_S);
  assert.equal(await seq(), written, 'a repetition writes nothing');
  const refused = async (body: object) => {
    const { status, body: refusal } = await busy(body);
    return [status, refusal.errors?.[0].name];
  };
  for (const until of [nowS(), nowS() - 1, nowS() + 4 * HOUR_S + 1, 1e15, 'tomorrow'])
    assert.deepEqual(await refused({ extra_minutes: 5, until }), [400, 'until'], String(until));
  for (const minutes of [-1, 1, 4, 61, 7.5, 'x', undefined])
    assert.deepEqual(await refused({ extra_minutes: minutes }), [400, 'extra_minutes'], String(minutes));
  assert.deepEqual(await refused({ extra_minutes: 5, until: 'next_opening' }), [400, 'until'], 'it never closes');
  await givenStores(app, [pizzeria({ external_id: 'k0', ...OPEN, name: 'Renamed' })]);
  assert.equal((await key.get('/store')).body.busy.extra_minutes, 60);
  assert.equal((await busy({ extra_minutes: 0 })).body.busy, null);
  assert.equal(await minutesOf(), 10);
  const ended = await seq();
  assert.equal((await busy({ extra_minutes: 0 })).status, 200);
  assert.equal(await seq(), ended);
  const hours = (operational: string) => key.put('/store/hours', { hours: { operational } });
  // It is 1 PM at the store.
  await hours('Mo-Su 12:00-14:00,16:00-22:00');
  assert.equal(await untilOf({ extra_minutes: 5, until: 'next_opening' }), nowS() + 3 * HOUR_S);
  await hours('Mo-Su 12:00-14:00,18:00-22:00');
  assert.equal(await untilOf({ extra_minutes: 5, until: 'next_opening' }), nowS() + 4 * HOUR_S);
});
