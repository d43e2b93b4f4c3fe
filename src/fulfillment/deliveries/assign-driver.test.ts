import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenTracked, givenTrackedStore } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { assignDriver } from './driver-delivery.flow.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
after(() => app.close());

const ANA = { name: 'Ana Driver', phone: 12125550111, vehicleType: 'bicycle' };
const BEN = { name: 'Ben Driver', phone: 12125550112, vehicleType: 'car' };

async function givenConfirmed() {
  const order = await givenTracked(app, storeId);
  await order.advance('confirm');
  return order;
}
const assignments = async (orderId: string) =>
  (await listEvents(app.service.deps.db, orderId)).filter(({ type }) => type === 'order.driver_assigned').length;

test('an assignment gives the order its driver and returns the page’s link', async () => {
  const { orderId } = await givenConfirmed();
  const { order, driverLink } = await assignDriver(app.service.deps, orderId, ANA);
  assert.ok(driverLink.startsWith(`${app.config.baseUrl}/driver/`) && /\/[\w-]{60,}$/.test(driverLink), driverLink);
  assert.deepEqual([order.driverStage, order.driverLink], ['assigned', 1]);
  const { tracking } = (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
  assert.deepEqual(
    [tracking.driver_name, tracking.driver_phone, tracking.vehicle_type, tracking.driver_latitude],
    ['Ana Driver', 12125550111, 'bicycle', undefined],
  );
});

test('the same driver again is the same link and no event; another driver is another link and an event', async () => {
  const { orderId } = await givenConfirmed();
  const links = [];
  for (const driver of [ANA, ANA, BEN, ANA]) {
    links.push((await assignDriver(app.service.deps, orderId, driver)).driverLink);
  }
  assert.equal(links[0], links[1]);
  assert.equal(new Set(links).size, 3);
  assert.equal(await assignments(orderId), 3);
});

test('two tablets that assign at once make one assignment of one driver, and both have its link', async () => {
  const { orderId } = await givenConfirmed();
  const answers = await Promise.all([ANA, ANA, ANA].map((driver) => assignDriver(app.service.deps, orderId, driver)));
  assert.equal(new Set(answers.map(({ driverLink }) => driverLink)).size, 1);
  assert.equal(await assignments(orderId), 1);
});

test('a guard that throws, an unknown order and an order without a confirmation change nothing', async () => {
  const { deps } = app.service;
  const { orderId } = await givenConfirmed();
  const guard = () => {
    throw new Error('not yours');
  };
  await assert.rejects(assignDriver(deps, orderId, ANA, { guard }), /not yours/);
  await assert.rejects(assignDriver(deps, 'ord_unknown', ANA), { code: 'order_not_found' });
  const waiting = await givenTracked(app, storeId);
  await assert.rejects(assignDriver(deps, waiting.orderId, ANA), { code: 'transition_not_allowed' });
  assert.deepEqual([await assignments(orderId), await assignments(waiting.orderId)], [0, 0]);
});

test('a store driver replaces the simulated one, and nothing of the simulated driver stays', async () => {
  const order = await givenConfirmed();
  await order.advance('assign_driver');
  const { driver } = (await assignDriver(app.service.deps, order.orderId, ANA)).order;
  assert.deepEqual(Object.keys(driver).sort(), ['isLinkTexted', 'name', 'phone', 'updatedEpochS', 'vehicleType']);
});
