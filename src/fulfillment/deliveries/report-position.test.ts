import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { findTrackedOrder, listVersions } from '../../surfaces/tracking/tracked-orders.db.ts';
import { assignDriver } from './driver-delivery.flow.ts';
import type { PositionReport } from './driver-location.ts';
import { createPositionReports } from './report-position.flow.ts';

let app: App;
let storeId: string;
before(async () => {
  app = await givenApp();
  storeId = await givenTrackedStore(app);
});
after(() => app.close());

const ANA = { name: 'Ana Driver', phone: 12125550111, vehicleType: 'bicycle' };
const BEN = { name: 'Ben Driver', phone: 12125550112, vehicleType: 'car' };
const DOOR = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
/** About 2.2 km south of the door. */
const FAR = { latitude: DOOR.latitude - 0.02, longitude: DOOR.longitude };
const NEAR = { latitude: DOOR.latitude - 0.004, longitude: DOOR.longitude };

async function givenDelivery(...steps: string[]): Promise<Tracked> {
  const order = await givenTracked(app, storeId);
  await order.advance('confirm');
  await assignDriver(app.service.deps, order.orderId, ANA);
  for (const step of steps) await order.advance(step);
  return order;
}
const reporter = () => {
  const report = createPositionReports(app.service.deps);
  return ({ orderId }: Tracked, position: PositionReport, link = 1) => report({ orderId, link, report: position });
};
const readOrder = async ({ orderId }: Tracked) =>
  (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
const eventTypes = async ({ orderId }: Tracked) =>
  (await listEvents(app.service.deps.db, orderId)).map(({ type }) => type);
const SAVED = { became: 'saved', stage: 'assigned' };

test('a position is in the Order element, in the order and on the tracking page at once, and is no event', async () => {
  const { db } = app.service.deps;
  const order = await givenDelivery();
  const report = reporter();
  const events = await eventTypes(order);
  const versions = [];
  for (const position of [FAR, NEAR]) {
    versions.push((await listVersions(db, [order.orderId])).get(order.orderId));
    assert.deepEqual(await report(order, position), SAVED);
    const { tracking } = await readOrder(order);
    assert.deepEqual([tracking.driver_latitude, tracking.driver_name], [position.latitude, 'Ana Driver']);
    assert.equal((await findAnyOrder(db, order.orderId))?.driver.latitude, position.latitude);
    const tracked = await findTrackedOrder(db, order.orderId);
    assert.deepEqual([tracked?.order.driver.latitude, tracked?.steps.length], [position.latitude, events.length]);
  }
  versions.push((await listVersions(db, [order.orderId])).get(order.orderId));
  assert.equal(new Set(versions).size, 3);
  for (const version of versions) assert.match(version ?? '', /^\d{11,20}$/);
  assert.deepEqual(await eventTypes(order), events);
});

test('a step keeps the last position; after the end no row of positions is left', async () => {
  const { db } = app.service.deps;
  const order = await givenDelivery('pick_up');
  await reporter()(order, { ...FAR, course: 12 });
  await order.advance('complete');
  const rows = await db.selectFrom('driverPositions').selectAll().where('orderId', '=', order.orderId).execute();
  assert.deepEqual(rows, []);
  assert.equal((await findAnyOrder(db, order.orderId))?.driver.course, 12);
});

test('a position of the driver before, which came with the assignment of the next one, is not the position of the next', async () => {
  const order = await givenDelivery();
  const report = reporter();
  await report(order, FAR);
  await assignDriver(app.service.deps, order.orderId, BEN);
  assert.deepEqual(await report(order, NEAR), { became: 'dead' });
  const { tracking } = await readOrder(order);
  assert.deepEqual([tracking.driver_name, tracking.driver_latitude], ['Ben Driver', undefined]);
  assert.deepEqual(await report(order, NEAR, 2), SAVED);
});

test('positions move the time of arrival: a slow driver arrives later than a fast one, and neither in the past', async () => {
  const etaAfter = async (minutes: number) => {
    const order = await givenDelivery('pick_up');
    const report = reporter();
    for (const latitude of [DOOR.latitude - 0.04, DOOR.latitude - 0.03, DOOR.latitude - 0.02]) {
      await app.advance({ minutes });
      await report(order, { latitude, longitude: DOOR.longitude });
    }
    return (await readOrder(order)).eta_timestamp - app.now().epochMilliseconds / 1000;
  };
  const [fast, slow] = [await etaAfter(2), await etaAfter(6)];
  assert.ok(fast >= 60 - 1 && slow > fast, `${fast} s, ${slow} s`);
});

test('until a driver shares a position, the time of arrival is the planned one', async () => {
  const order = await givenDelivery();
  const planned = (await readOrder(order)).eta_timestamp;
  await order.advance('ready');
  assert.equal((await readOrder(order)).eta_timestamp, planned);
  await reporter()(order, FAR);
  assert.equal((await readOrder(order)).eta_timestamp, planned);
});

test('near the door with the order is one event, however many reports arrive at once; before pick-up none', async () => {
  const order = await givenDelivery();
  const report = reporter();
  await report(order, NEAR);
  assert.ok(!(await eventTypes(order)).includes('order.driver_nearby'));
  await order.advance('pick_up');
  const answers = await Promise.all([FAR, NEAR, NEAR, NEAR, DOOR].map((position) => report(order, position)));
  assert.ok(answers.every(({ became }) => became === 'saved'));
  await report(order, FAR);
  await report(order, NEAR);
  assert.equal((await eventTypes(order)).filter((type) => type === 'order.driver_nearby').length, 1);
});

test('positions of many drivers at the same time are each the position of their own order', async () => {
  const orders = await Promise.all(Array.from({ length: 12 }, () => givenDelivery()));
  const report = reporter();
  await Promise.all(orders.map((order, n) => report(order, { latitude: 40.7 + n / 1000, longitude: -73.9 })));
  const latitudes = await Promise.all(orders.map(async (order) => (await readOrder(order)).tracking.driver_latitude));
  assert.deepEqual(
    latitudes,
    orders.map((_, n) => 40.7 + n / 1000),
  );
});

test('an impossible position changes nothing: too vague, too old, an unsure jump', async () => {
  const order = await givenDelivery();
  const report = reporter();
  await report(order, FAR);
  await app.advance({ seconds: 10 });
  const ignored = [
    { ...NEAR, accuracy: 1001 },
    { ...NEAR, ageSeconds: 121 },
    { latitude: FAR.latitude + 0.5, longitude: FAR.longitude, accuracy: 101 },
  ];
  for (const position of ignored) {
    assert.deepEqual(await report(order, position), { became: 'ignored', stage: 'assigned' });
  }
  assert.equal((await readOrder(order)).tracking.driver_latitude, FAR.latitude);
  for (const position of [
    { ...NEAR, accuracy: 1000, ageSeconds: 120 },
    { latitude: FAR.latitude + 0.5, longitude: FAR.longitude, accuracy: 100 },
  ]) {
    await app.advance({ minutes: 1 });
    assert.deepEqual(await report(order, position), SAVED);
  }
});

test('a link of another assignment, of an order that has ended, or of no order is dead, and fails no other position', async () => {
  const ended = await givenDelivery('pick_up', 'complete');
  const canceled = await givenDelivery('cancel');
  const going = await givenDelivery();
  const report = reporter();
  const answers = await Promise.all([
    report(ended, FAR),
    report(canceled, FAR),
    report({ ...going, orderId: 'ord_unknown' }, FAR),
    report(going, FAR, 0),
    report(going, FAR),
  ]);
  assert.deepEqual(
    answers.map(({ became }) => became),
    ['dead', 'dead', 'dead', 'dead', 'saved'],
  );
});
