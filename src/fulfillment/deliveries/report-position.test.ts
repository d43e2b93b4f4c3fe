import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { until } from '../../../test/until.ts';
import { recordStep } from '../../ordering/money/take-step.flow.ts';
import { advanceOrder } from '../../ordering/order/advance-order.ts';
import { savePositions } from '../../ordering/order/driver-positions.db.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { findAnyOrder, lockOrder } from '../../ordering/order/orders.db.ts';
import { findTrackedOrder, listVersions } from '../../surfaces/tracking/tracked-orders.db.ts';
import { assignDriver } from './driver-delivery.flow.ts';
import type { PositionReport } from './driver-location.ts';
import { bearingBetween, isNear } from './position.ts';
import { createPositionReports, moveDriver } from './report-position.flow.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
after(() => app.close());

const ANA = { name: 'Ana Driver', phone: 12125550111, vehicleType: 'bicycle' };
const BEN = { name: 'Ben Driver', phone: 12125550112, vehicleType: 'car' };
const DOOR = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
/** About 2.2 km south of the door. */
const FAR = { latitude: DOOR.latitude - 0.02, longitude: DOOR.longitude };
/** About 440 meters from the door. */
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
const secondsAgo = (seconds: number) => app.now().epochMilliseconds / 1000 - seconds;
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

test('a former driver’s position sent with the next assignment isn’t used for the next driver', async () => {
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

test('the newest position stays for reports in any order and batches; an older one triggers nothing', async () => {
  const { db } = app.service.deps;
  const ages = fc.uniqueArray(fc.integer({ min: 0, max: 90 }), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(ages, fc.integer({ min: 1, max: 8 }), async (secondsBefore, batch) => {
      const order = await givenDelivery('pick_up');
      await app.advance({ minutes: 2 });
      const report = reporter();
      const nowS = secondsAgo(0);
      const oldest = Math.max(...secondsBefore);
      const reports = secondsBefore.map((age) => ({ ...(age === oldest ? NEAR : FAR), measuredEpochS: nowS - age }));
      for (let at = 0; at < reports.length; at += batch)
        await Promise.all(reports.slice(at, at + batch).map((one) => report(order, one)));
      const { driver } = (await findAnyOrder(db, order.orderId)) ?? {};
      const newest = [FAR.latitude, nowS - Math.min(...secondsBefore)];
      assert.deepEqual([driver?.latitude, driver?.updatedEpochS], newest);
      if (secondsBefore[0] !== oldest) assert.ok(!(await eventTypes(order)).includes('order.driver_nearby'));
    }),
    { numRuns: runs(15) },
  );
});

test('a position of a clock that runs ahead counts as measured now, and rules out no later one', async () => {
  const order = await givenDelivery();
  const report = reporter();
  await report(order, { ...FAR, measuredEpochS: secondsAgo(-86_400) });
  const { last_update_timestamp: epochS } = (await readOrder(order)).tracking;
  assert.ok(Math.abs(epochS - secondsAgo(0)) < 5);
  await app.advance({ seconds: 5 });
  assert.deepEqual(await report(order, { ...NEAR, measuredEpochS: secondsAgo(0) }), SAVED);
  assert.equal((await readOrder(order)).tracking.driver_latitude, NEAR.latitude);
});

test('of positions saved by two nodes at once, the latest measurement stays', async () => {
  const { db } = app.service.deps;
  const order = await givenDelivery();
  const { lastSequence = 0 } = (await findAnyOrder(db, order.orderId)) ?? {};
  const saved = (updatedEpochS: number) =>
    savePositions(db, [{ orderId: order.orderId, lastSequence, moved: { ...FAR, updatedEpochS }, eta: null }]);
  const nowS = secondsAgo(0);
  for (const ago of [30, 10.5, 20, 10.6]) await saved(nowS - ago);
  assert.equal((await findAnyOrder(db, order.orderId))?.driver.updatedEpochS, nowS - 10.5);
});

/** Resolves once a statement waits for a lock. */
const untilBlocked = () => {
  const text = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return until('the report waits', async () => (await text.execute(app.service.deps.db)).rows.length > 0);
};

test('a position that comes while a step is being taken, or is saved after one, is the last position after it', async () => {
  const { db } = app.service.deps;
  const [during, before] = [await givenDelivery(), await givenDelivery()];
  const report = reporter();
  for (const order of [during, before]) await report(order, FAR);
  const answers: Promise<unknown>[] = [];
  await db.transaction().execute(async (tx) => {
    const locked = (await lockOrder(tx, during.orderId)) ?? assert.fail();
    answers.push(report(during, NEAR));
    await untilBlocked();
    await recordStep(tx, advanceOrder(locked, 'ready', app.now()), app.now());
  });
  await db.transaction().execute(async (tx) => {
    await sql`lock table driver_positions in share mode`.execute(tx);
    answers.push(report(before, NEAR));
    await untilBlocked();
    await before.advance('ready');
  });
  assert.deepEqual(await Promise.all(answers), [SAVED, SAVED]);
  for (const { orderId } of [during, before]) {
    assert.equal((await findAnyOrder(db, orderId))?.driver.latitude, NEAR.latitude);
  }
});

test('simultaneous positions of many drivers reach their own orders', async () => {
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
    { ...NEAR, measuredEpochS: secondsAgo(121) },
    { ...NEAR, measuredEpochS: secondsAgo(11) },
    { latitude: FAR.latitude + 0.5, longitude: FAR.longitude, accuracy: 101 },
  ];
  for (const position of ignored) {
    assert.deepEqual(await report(order, position), { became: 'ignored', stage: 'assigned' });
  }
  assert.equal((await readOrder(order)).tracking.driver_latitude, FAR.latitude);
  for (const position of [
    { ...NEAR, accuracy: 1000 },
    { latitude: FAR.latitude + 0.5, longitude: FAR.longitude, accuracy: 100 },
  ]) {
    await app.advance({ minutes: 3 });
    assert.deepEqual(await report(order, { ...position, measuredEpochS: secondsAgo(119) }), SAVED);
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

async function givenOnTheWay(steps = ['confirm', 'assign_driver', 'pick_up']): Promise<Tracked> {
  const order = await givenTracked(app, storeId);
  for (const step of steps) await order.advance(step);
  return order;
}

test('a move is no event; it updates the position, its time, the course and the arrival time', async () => {
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
      [
        409,
        'transition_not_allowed',
        `The driver is ${meters} m from the delivery address. approach is possible within 500 m.`,
      ],
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
