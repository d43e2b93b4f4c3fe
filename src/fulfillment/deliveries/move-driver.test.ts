import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { bearingBetween, isNear } from './position.ts';
import { moveDriver } from './report-position.flow.ts';

let app: App;
let storeId: string;
before(async () => {
  app = await givenApp();
  storeId = await givenTrackedStore(app);
});
after(() => app.close());

const DOOR = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
/** About 440 meters from the door. */
const NEAR = { latitude: DOOR.latitude - 0.004, longitude: DOOR.longitude };

async function givenOnTheWay(steps = ['confirm', 'assign_driver', 'pick_up']): Promise<Tracked> {
  const order = await givenTracked(app, storeId);
  for (const step of steps) await order.advance(step);
  return order;
}
const eventTypes = async ({ orderId }: Tracked) =>
  (await listEvents(app.service.deps.db, orderId)).map(({ type }) => type);

test('a move is no event; it brings the position, its time, the course and a new time of arrival', async () => {
  const order = await givenOnTheWay();
  const before = await eventTypes(order);
  await app.advance({ minutes: 1 });
  const moved = await moveDriver(app.service.deps, order.orderId, { latitude: 40.7383, longitude: -73.9827 });
  const { latitude, longitude, course, updatedEpochS, name } = moved.driver;
  assert.deepEqual([latitude, longitude, course, name], [40.7383, -73.9827, 90, 'Sandbox Driver']);
  const epochS = updatedEpochS ?? 0;
  assert.ok(Math.abs(epochS - app.now().epochMilliseconds / 1000) < 5);
  assert.equal((moved.eta?.epochMilliseconds ?? 0) / 1000, epochS + 2 * 60);
  assert.deepEqual(await eventTypes(order), before);
});

test('409 for an approach with a position over 500 m from the door, without a change or a message', async () => {
  const order = await givenOnTheWay();
  const path = `/sandbox/orders/${order.orderId}/advance`;
  const approach = (latitude: number) =>
    app.post(path, { event: 'approach', driver_latitude: latitude, driver_longitude: DOOR.longitude });
  const before = await eventTypes(order);
  for (const [latitude, meters] of [
    [DOOR.latitude + 0.5, 55_598],
    [DOOR.latitude - 0.0045, 501],
  ] as const) {
    const reply = await approach(latitude);
    assert.deepEqual(
      [reply.status, reply.body.code, reply.body.detail],
      [409, 'transition_not_allowed', `The driver is ${meters} m from the door: approach is possible within 500 m.`],
    );
  }
  assert.deepEqual(await eventTypes(order), before);
  const near = await approach(NEAR.latitude);
  assert.deepEqual([near.status, near.body.tracking.driver_latitude], [200, NEAR.latitude]);
  assert.equal((await eventTypes(order)).at(-1), 'order.driver_nearby');
});

test('400 for half of a position, which names the other half and changes nothing', async () => {
  const order = await givenOnTheWay();
  const path = `/sandbox/orders/${order.orderId}/advance`;
  for (const [given, missing] of [
    [{ driver_latitude: NEAR.latitude }, 'driver_longitude'],
    [{ driver_longitude: NEAR.longitude }, 'driver_latitude'],
  ] as const) {
    const reply = await app.post(path, { event: 'approach', ...given });
    assert.deepEqual([reply.status, reply.body.errors?.[0]?.name], [400, missing], reply.text);
  }
  assert.notEqual((await eventTypes(order)).at(-1), 'order.driver_nearby');
});

test('an approach without a position puts the driver within 500 m of the door', async () => {
  const order = await givenOnTheWay();
  const reply = await app.post(`/sandbox/orders/${order.orderId}/advance`, { event: 'approach' });
  const { driver_latitude: latitude, driver_longitude: longitude } = reply.body.tracking;
  assert.ok(isNear({ latitude, longitude }, DOOR));
});

test('an order without a driver under way refuses, and an unknown one is not found', async () => {
  const { deps } = app.service;
  const done = await givenOnTheWay(['confirm', 'assign_driver', 'pick_up', 'complete']);
  const unassigned = await givenOnTheWay(['confirm']);
  for (const { orderId } of [done, unassigned]) {
    await assert.rejects(moveDriver(deps, orderId, DOOR), { code: 'transition_not_allowed' });
  }
  await assert.rejects(moveDriver(deps, 'ord_unknown', DOOR), { code: 'order_not_found' });
});

test('near means within 500 meters along the ground, and only a real move gives a bearing', () => {
  const north = (meters: number) => ({ latitude: 40 + meters / 111_195, longitude: -74 });
  const here = north(0);
  assert.deepEqual([isNear(here, north(499)), isNear(here, north(501))], [true, false]);
  assert.deepEqual(
    [bearingBetween(here, north(100)), bearingBetween(north(100), here), bearingBetween(here, north(2))],
    [0, 180, undefined],
  );
});
