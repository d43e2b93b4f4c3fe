import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenAssigned } from '../../../test/given/driver.ts';
import { givenTrackedStore } from '../../../test/given/tracked.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { POSITIONS_PER_MINUTE } from './driver.route.ts';
import { CALLS_PER_MINUTE } from './driver-link.ts';

let app: App;
let storeId: string;
before(async () => {
  app = await givenApp();
  storeId = await givenTrackedStore(app);
});
after(() => app.close());

const DOOR = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
const FAR = { latitude: DOOR.latitude - 0.02, longitude: DOOR.longitude };

test('a position moves `tracking` and the tracking page', async () => {
  const delivery = await givenAssigned(app, storeId);
  const reply = await delivery.call('position', { ...FAR, course: 359.7, accuracy: 8, age_seconds: 0.4 });
  assert.deepEqual([reply.status, reply.body], [200, { stage: 'assigned' }]);
  const { tracking } = (await app.get('/account/orders', { order_id: delivery.orderId })).body.orders[0];
  assert.deepEqual(
    [tracking.driver_latitude, tracking.driver_longitude, tracking.course],
    [FAR.latitude, FAR.longitude, 0],
  );
  await delivery.call('pick_up');
  await delivery.call('position', FAR);
  assert.match((await app.get(delivery.link)).text, /Ana is about 1\.4 miles away/);
});

/** Messages of the tracking apps, from their documents. */
const MESSAGES: Record<string, (at: typeof DOOR, epochMs: number) => { query?: string; body?: unknown }> = {
  OwnTracks: ({ latitude: lat, longitude: lon }, epochMs) => ({
    body: {
      _type: 'location',
      lat,
      lon,
      tst: Math.floor(epochMs / 1000),
      acc: 9,
      cog: -1,
      batt: 80,
      conn: 'm',
      t: 'u',
      tid: 'an',
      topic: 'owntracks/a/b',
      vel: 31,
    },
  }),
  'Traccar Client 9': ({ latitude, longitude }, epochMs) => ({
    body: {
      device_id: '48241179',
      location: {
        timestamp: Temporal.Instant.fromEpochMilliseconds(epochMs).toString(),
        coords: { latitude, longitude, accuracy: 5, speed: 8, heading: -1, altitude: 12 },
        is_moving: true,
        battery: { level: 0.8, is_charging: false },
        extras: {},
      },
    },
  }),
  'Traccar Client 8': ({ latitude, longitude }, epochMs) => ({
    query: `?id=48241179&timestamp=${Math.floor(epochMs / 1000)}&lat=${latitude}&lon=${longitude}&speed=4.2&bearing=271.3&altitude=12&accuracy=5.0&batt=80.0`,
  }),
  OsmAnd: ({ latitude, longitude }, epochMs) => ({ query: `?lat=${latitude}&lon=${longitude}&timestamp=${epochMs}` }),
};
for (const [client, message] of Object.entries(MESSAGES)) {
  test(`the driver's link takes positions of ${client}; old ones are ignored`, async () => {
    const delivery = await givenAssigned(app, storeId);
    const send = async (at: typeof DOOR, ageSeconds: number) => {
      const { query = '', body } = message(at, app.service.deps.clock.now().epochMilliseconds - ageSeconds * 1000);
      const { status, body: answer } = await app.post(delivery.path + query, body, { 'id-token': '' });
      assert.deepEqual([status, answer], [200, []]);
      return (await findAnyOrder(app.service.deps.db, delivery.orderId))?.driver.latitude;
    };
    assert.equal(await send(FAR, 1), FAR.latitude);
    assert.equal(await send(DOOR, 121), FAR.latitude);
    await delivery.call('pick_up');
    assert.equal(await send(DOOR, 60), DOOR.latitude);
    assert.equal((await delivery.state()).body.stage, 'nearby');
  });
}

test("messages of a tracking app without a position change nothing, and an ended delivery's link is 404", async () => {
  const delivery = await givenAssigned(app, storeId);
  const send = (body: unknown) => app.post(delivery.path, body, { 'id-token': '' });
  for (const body of [{ _type: 'lwt', tst: 1 }, { _type: 'waypoint', lat: 1, lon: 1 }, {}, '']) {
    assert.deepEqual((await send(body)).body, []);
  }
  assert.equal((await findAnyOrder(app.service.deps.db, delivery.orderId))?.driver.latitude, undefined);
  assert.equal((await send({ _type: 'location', lat: 91, lon: 0 })).status, 400);
  assert.equal((await send({ _type: 'location', lat: 1, lon: 1, more: 'x'.repeat(5000) })).status, 413);
  for (const step of ['pick_up', 'complete']) await delivery.call(step);
  assert.equal((await send({ _type: 'location', lat: 1, lon: 1 })).status, 404);
});

test('400 names every wrong field; 413 and 415 for bodies that no phone sends', async () => {
  const delivery = await givenAssigned(app, storeId);
  const wrong = await delivery.call('position', { latitude: 91, longitude: 'x', course: 361, accuracy: -1 });
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body.errors.map(({ name }: { name: string }) => name).sort(), [
    'accuracy',
    'course',
    'latitude',
    'longitude',
  ]);
  assert.equal((await delivery.call('position', {})).status, 400);
  assert.equal((await delivery.call('accept', { latitude: 1 })).status, 400);
  assert.equal((await delivery.call('position', { ...DOOR, more: 'x'.repeat(5000) })).status, 413);
  assert.equal((await delivery.call('position', 'a=b', { 'content-type': 'text/plain' })).status, 415);
});

test('a link takes so many positions and so many other calls a minute; another link is not affected', async () => {
  const [busy, other] = [await givenAssigned(app, storeId), await givenAssigned(app, storeId)];
  for (let n = 0; n < POSITIONS_PER_MINUTE; n += 1) assert.equal((await busy.call('position', FAR)).status, 200);
  const refused = await busy.call('position', FAR);
  assert.deepEqual([refused.status, refused.body.code, refused.headers['retry-after']], [429, 'rate_limited', '60']);
  for (let n = 0; n < CALLS_PER_MINUTE; n += 1) assert.equal((await busy.state()).status, 200);
  assert.equal((await busy.state()).status, 429);
  assert.equal((await busy.call('accept')).status, 200);
  assert.equal((await other.call('position', FAR)).status, 200);
  await app.advance({ seconds: 61 });
  assert.equal((await busy.call('position', FAR)).status, 200);
});
