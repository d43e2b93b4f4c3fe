import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import type { UberTrouble } from '../../../../test/fakes/uber-direct-double.ts';
import { pizzeria } from '../../../../test/feed-lines.ts';
import { COURIER, givenCourierShop, keyOf } from '../../../../test/given/couriers.ts';
import { givenStores } from '../../../../test/given/stores.ts';
import { some } from '../../../../test/runs.ts';
import { until } from '../../../../test/until.ts';
import { delayOrder } from '../../../ordering/money/delay-order.flow.ts';
import { listEvents } from '../../../ordering/order/order-events.db.ts';
import { createMetrics } from '../../../platform/lib/metrics.ts';
import { OutsideError } from '../../../platform/lib/outside-error.ts';
import { assignDriver } from '../driver-delivery.flow.ts';
import { callCouriers } from './call-couriers.flow.ts';
import { setStoreCourier } from './courier-deliveries.db.ts';

const shop = await givenCourierShop();
after(() => shop.close());
afterEach(() => shop.uber.trouble('create'));

const eventTypes = async (orderId: string) =>
  (await listEvents(shop.app.service.deps.db, orderId)).map(({ type }) => type);
const bookedFor = (orderId: string) =>
  shop.uber.books.deliveries.filter(({ external_id }) => external_id.startsWith(orderId));
const liveFor = (orderId: string) => bookedFor(orderId).filter(({ status }) => status !== 'canceled');
/** Advances by minutes and runs every retry that falls due meanwhile. */
const later = async (minutes = 4) => {
  for (let turn = 0; turn < 8; turn += 1) await shop.app.advance({ seconds: (minutes * 60) / 8 });
};
const requestsFor = (orderId: string, operation: string) =>
  shop.uber.requests.filter((one) => one.operation === operation && String(one.body.external_id).startsWith(orderId));
const deliveryStates = async (orderId: string) => (await shop.deliveriesOf(orderId)).map(({ state }) => state);

test('a confirmed live delivery of a store with couriers has one courier, asked for the moment when it is ready', async () => {
  const orderId = await shop.givenRequested();
  const [delivery] = await shop.deliveriesOf(orderId);
  assert.deepEqual(
    [delivery?.state, delivery?.key, delivery?.feeCents, delivery?.currency, delivery?.isWanted],
    ['pending', keyOf(orderId), 749, 'usd', true],
  );
  assert.match(delivery?.trackingUrl ?? '', /^https:/);
  const sent = requestsFor(orderId, 'create')[0]?.body ?? {};
  const order = await shop.orderOf(orderId);
  const readyAt = Temporal.Instant.from(String(sent.pickup_ready_dt));
  assert.ok(Temporal.Instant.compare(readyAt, shop.app.now()) > 0);
  assert.ok(order.eta && Temporal.Instant.compare(readyAt, order.eta) < 0);
  assert.equal(sent.tip, order.request.tipCents);
});

test('pickups, sandbox orders and stores without couriers ask for none', async () => {
  const from = shop.uber.requests.length;
  const pickup = await shop.place({ pickup: true });
  await shop.step(pickup, 'confirm');
  await setStoreCourier(shop.app.service.deps.db, shop.storeId, undefined, shop.app.now());
  const without = await shop.place();
  await shop.step(without, 'confirm');
  for (const orderId of [pickup, without]) assert.deepEqual(await shop.deliveriesOf(orderId), []);
  await setStoreCourier(shop.app.service.deps.db, shop.storeId, 'uber_direct', shop.app.now());
  assert.equal(shop.uber.requests.length, from);
});

test('the reports of a courier take every step of the order, and move its driver and its arrival', async () => {
  const { uber, receive, at } = shop;
  const orderId = await shop.givenRequested();
  const key = keyOf(orderId);
  await receive(
    uber.move(key, 'pickup', at(2), { courier: { ...COURIER, location: { lat: 40.7383, lng: -73.9927 } } }),
  );
  const assigned = await shop.orderOf(orderId);
  const { name, phone, vehicleType, latitude } = assigned.driver;
  assert.deepEqual([name, phone, vehicleType, latitude], ['Cori R.', 15555550111, 'bicycle', 40.7383]);
  await receive(uber.move(key, 'pickup_complete', at(10), { dropoff_eta: at(25) }));
  assert.equal(String((await shop.orderOf(orderId)).eta), at(25));
  await receive(uber.position(key, 40.7382, -73.9826, at(12)));
  const { request } = await shop.orderOf(orderId);
  const [lat = 0, lng = 0] = [request.customer.latitude ?? 0, request.customer.longitude ?? 0];
  await receive(uber.position(key, lat + 0.001, lng, at(20)));
  await receive(uber.position(key, lat, lng, at(21)));
  await receive(uber.move(key, 'delivered', at(22)));
  assert.deepEqual(await eventTypes(orderId), [
    ...['order.placed', 'order.confirmed', 'order.driver_assigned', 'order.picked_up', 'order.driver_nearby'],
    'order.completed',
  ]);
  assert.deepEqual(await deliveryStates(orderId), ['delivered']);
  assert.equal((await shop.deliveriesOf(orderId))[0]?.nextCallAt, null);
});

test('doubled, late, reordered, forged and unknown webhooks step the order no more than once', async () => {
  const { uber, receive, at } = shop;
  const orderId = await shop.givenRequested();
  const key = keyOf(orderId);
  const pickup = uber.move(key, 'pickup', at(2), { courier: COURIER });
  const complete = uber.move(key, 'pickup_complete', at(10));
  const forged = { ...uber.move(key, 'canceled', at(11)), headers: { ...pickup.headers } };
  const delivered = uber.move(key, 'delivered', at(20));
  assert.equal((await receive(forged)).status, 400);
  for (const event of [complete, pickup, pickup, delivered, complete, delivered, pickup]) {
    assert.deepEqual((await receive(event)).body, { received: true });
  }
  assert.deepEqual((await eventTypes(orderId)).slice(2), [
    ...['order.driver_assigned', 'order.picked_up', 'order.completed'],
  ]);
  assert.equal((await shop.orderOf(orderId)).status, 'completed');
});

const TROUBLES: [string, UberTrouble[]][] = [
  ['a lost answer', ['lose_answer']],
  ['two lost answers', ['lose_answer', 'lose_answer']],
  ['a 409', [409]],
  ['a 429 with Retry-After', [{ status: 429, text: '{}', headers: { 'retry-after': '30' } }]],
  ['a 500', [500, 500]],
  ['garbage', [{ status: 200, text: '<h1>hello</h1>' }]],
  ['a token that ended', [401]],
  ['a quote that is over', [{ status: 400, text: '{"code":"expired_quote"}' }]],
];
for (const [what, troubles] of TROUBLES) {
  test(`${what} while a delivery is made leaves exactly one delivery`, async () => {
    shop.uber.trouble('create', ...troubles);
    const orderId = await shop.givenRequested();
    await later();
    assert.equal(liveFor(orderId).length, 1);
    assert.deepEqual(await deliveryStates(orderId), ['pending']);
  });
}
for (const [what, troubles] of some(TROUBLES)) {
  test(`${what} while a delivery is made, and the order canceled after it, leaves no delivery`, async () => {
    shop.uber.trouble('create', ...troubles, 500, 500);
    const orderId = await shop.givenRequested();
    await shop.step(orderId, 'cancel');
    await later();
    assert.deepEqual(liveFor(orderId), []);
    assert.deepEqual(await deliveryStates(orderId), ['canceled']);
  });
}

test('a call without an answer is repeated under the same key', async () => {
  shop.uber.trouble('quote', 'lose_answer', 500);
  const orderId = await shop.givenRequested();
  await later();
  assert.equal(requestsFor(orderId, 'create').length, 1);
  assert.deepEqual(await deliveryStates(orderId), ['pending']);
});

test('an order that is canceled loses its courier; a cancelation that fails is repeated until it is through', async () => {
  const orderId = await shop.givenRequested();
  await shop.receive(shop.uber.move(keyOf(orderId), 'pickup', shop.at(2), { courier: COURIER }));
  shop.uber.trouble('cancel', 500, 'lose_answer', 409);
  await shop.step(orderId, 'cancel');
  await later();
  assert.deepEqual(liveFor(orderId), []);
  assert.deepEqual(await deliveryStates(orderId), ['canceled']);
});

test('a delivery that its company makes late, after its order was canceled, is found and canceled', async (t) => {
  const uber = shop.app.service.deps.couriers.get('uber_direct') ?? assert.fail('no company');
  const { create, find } = uber;
  let made = async (): Promise<unknown> => assert.fail('nothing was requested');
  t.mock.method(uber, 'create', async (...request: Parameters<typeof create>) => {
    made = () => create(...request);
    throw new OutsideError('courier', 'no answer', { retryable: true });
  });
  t.mock.method(uber, 'find', async ({ key }: Parameters<typeof find>[0]) => {
    const [delivery] = bookedFor(key);
    return delivery ? find({ key, deliveryId: delivery.id }) : { kind: 'none' };
  });
  const never = await shop.givenRequested();
  await shop.step(never, 'cancel');
  const late = await shop.givenRequested();
  await shop.step(late, 'cancel');
  await later();
  assert.deepEqual(await deliveryStates(late), ['requested']);
  await made();
  await later();
  assert.deepEqual(liveFor(late), []);
  assert.deepEqual([await deliveryStates(late), await deliveryStates(never)], [['canceled'], ['requested']]);
  await later(60);
  assert.deepEqual(await deliveryStates(never), ['canceled']);
});

test('a courier that has the order of a canceled order is recorded as too late, and followed to its end', async () => {
  const orderId = await shop.givenRequested();
  await shop.receive(shop.uber.move(keyOf(orderId), 'pickup', shop.at(2), { courier: COURIER }));
  shop.uber.move(keyOf(orderId), 'pickup_complete', shop.at(3));
  await shop.step(orderId, 'cancel');
  const [delivery] = await shop.deliveriesOf(orderId);
  assert.deepEqual([delivery?.isTooLate, delivery?.isWanted], [true, false]);
  await shop.receive(shop.uber.move(keyOf(orderId), 'returned', shop.at(30)));
  assert.deepEqual(await deliveryStates(orderId), ['returned']);
  assert.equal((await shop.orderOf(orderId)).status, 'canceled');
});

test('a courier that gives up before pick-up is replaced once; the order is without a driver meanwhile', async () => {
  const { uber, receive, at } = shop;
  const orderId = await shop.givenRequested();
  await receive(uber.move(keyOf(orderId), 'pickup', at(2), { courier: COURIER }));
  const canceled = uber.move(keyOf(orderId), 'canceled', at(4));
  await receive(canceled);
  await receive(canceled);
  const alone = await shop.orderOf(orderId);
  assert.deepEqual([alone.driverStage, alone.driver, alone.status], ['none', {}, 'in_progress']);
  assert.deepEqual(await deliveryStates(orderId), ['canceled', 'pending']);
  const second = { courier: { ...COURIER, name: 'Sam T.' } };
  await receive(uber.move(keyOf(orderId, 2), 'pickup', at(6), second));
  await receive(uber.move(keyOf(orderId), 'pickup', at(5), { courier: COURIER }));
  assert.equal((await shop.orderOf(orderId)).driver.name, 'Sam T.');
  await receive(uber.move(keyOf(orderId, 2), 'canceled', at(8)));
  await later();
  assert.deepEqual(await deliveryStates(orderId), ['canceled', 'canceled']);
  assert.equal(bookedFor(orderId).length, 2);
  assert.equal((await shop.orderOf(orderId)).status, 'in_progress');
});

test("a door outside of every courier's range is refused once and not requested again", async () => {
  const from = shop.uber.requests.length;
  const orderId = await shop.givenRequested({ user_street_name: 'Far Street' });
  await later(60);
  const [delivery] = await shop.deliveriesOf(orderId);
  assert.deepEqual([delivery?.state, delivery?.lastError], ['refused', 'address_undeliverable']);
  assert.deepEqual(bookedFor(orderId), []);
  const quotes = shop.uber.requests.slice(from).filter(({ operation }) => operation === 'quote');
  assert.equal(quotes.length, 1);
});

test('a delivery that is not made within 45 minutes fails, because the gateway may forget its key', async () => {
  shop.uber.trouble('create', 'lose_answer', ...Array.from({ length: 40 }, () => 500));
  const orderId = await shop.givenRequested();
  for (let turn = 0; turn < 5; turn += 1) await later(16);
  assert.deepEqual(await deliveryStates(orderId), ['failed']);
  const calls = requestsFor(orderId, 'create').length;
  await later(120);
  assert.equal(requestsFor(orderId, 'create').length, calls);
});

test('a delivery whose webhooks are lost is looked up, and the order catches up with all its steps', async () => {
  const orderId = await shop.givenRequested();
  shop.uber.move(keyOf(orderId), 'pickup', shop.at(1), { courier: COURIER });
  await later();
  assert.equal((await shop.orderOf(orderId)).driverStage, 'assigned');
  shop.uber.move(keyOf(orderId), 'delivered', shop.at(20));
  shop.uber.trouble('get', 500, 'lose_answer', { status: 200, text: '{}' });
  await later();
  await later();
  assert.equal((await shop.orderOf(orderId)).status, 'completed');
  assert.deepEqual(await deliveryStates(orderId), ['delivered']);
});

test('a store driver who takes the order cancels the courier', async () => {
  const orderId = await shop.givenRequested();
  await shop.step(orderId, 'assign_driver');
  assert.deepEqual(liveFor(orderId), []);
  assert.deepEqual(await deliveryStates(orderId), ['canceled']);
  assert.equal((await shop.orderOf(orderId)).driverStage, 'assigned');
});

test('a store driver with the courier’s name, phone and vehicle is another driver: the courier is canceled and changes nothing more', async () => {
  const { uber, receive, at, app } = shop;
  for (const own of [
    { name: COURIER.name, phone: 15555550111, vehicleType: 'bicycle' },
    { name: COURIER.name, phone: 12125550123, vehicleType: 'car' },
  ]) {
    const orderId = await shop.givenRequested();
    const key = keyOf(orderId);
    await receive(
      uber.move(key, 'pickup', at(2), { courier: { ...COURIER, location: { lat: 40.7383, lng: -73.9927 } } }),
    );
    assert.equal((await shop.orderOf(orderId)).driver.latitude, 40.7383);
    await assignDriver(app.service.deps, orderId, own);
    await app.advance({ seconds: 1 });
    assert.deepEqual(await deliveryStates(orderId), ['canceled']);
    const assigned = await shop.orderOf(orderId);
    await receive(uber.position(key, 40.7382, -73.9826, at(12)));
    await receive(uber.move(key, 'pickup_complete', at(13), { courier: { ...COURIER, phone_number: '+15555550199' } }));
    const { driver, driverStage } = await shop.orderOf(orderId);
    assert.deepEqual([driver, driverStage], [assigned.driver, 'assigned']);
    assert.deepEqual([driver.name, driver.phone, driver.latitude], [own.name, own.phone, undefined]);
  }
});

test('a courier’s position has its report’s time; a future time becomes now, and the next position still applies', async () => {
  const { uber, receive, app } = shop;
  const orderId = await shop.givenRequested();
  const key = keyOf(orderId);
  const from = app.now();
  const iso = (seconds: number) => from.add({ seconds }).toString();
  await receive(uber.move(key, 'pickup', iso(0), { courier: COURIER }));
  await app.advance({ minutes: 2 });
  const positionOf = async () => {
    const { latitude, updatedEpochS = 0 } = (await shop.orderOf(orderId)).driver;
    return [latitude, Math.round(updatedEpochS - from.epochMilliseconds / 1000)];
  };
  await receive(uber.position(key, 40.7001, -73.99, iso(60)));
  assert.deepEqual(await positionOf(), [40.7001, 60]);
  await receive(uber.position(key, 40.7002, -73.99, iso(30)));
  assert.deepEqual(await positionOf(), [40.7001, 60]);
  const before = app.now().since(from).total('seconds');
  await receive(uber.position(key, 40.7003, -73.99, iso(86_400)));
  const [latitude, seconds = 0] = await positionOf();
  assert.ok(latitude === 40.7003 && Math.abs(seconds - before) < 3, `${seconds} s`);
  await app.advance({ minutes: 1 });
  await receive(uber.position(key, 40.7004, -73.99, iso(before + 30)));
  assert.deepEqual(await positionOf(), [40.7004, Math.round(before + 30)]);
});

test('a store without settings for its couriers keeps the request until the settings are there', async () => {
  await setStoreCourier(shop.app.service.deps.db, shop.storeId, 'another', shop.app.now());
  const orderId = await shop.givenRequested();
  const [delivery] = await shop.deliveriesOf(orderId);
  assert.deepEqual([delivery?.state, delivery?.lastError], ['requested', 'another is not configured.']);
  assert.ok(delivery?.nextCallAt);
  await setStoreCourier(shop.app.service.deps.db, shop.storeId, 'uber_direct', shop.app.now());
  await shop.step(orderId, 'cancel');
});

test('a store with several providers requests a courier only for its courier provider’s orders', async () => {
  const parties = [
    { party: 'courier', fees: { delivery_fee: { delivery_fee_flat: 0 } } },
    { party: 'first', prep_minutes: [1, 2] },
  ];
  await givenStores(shop.app, [pizzeria({ delivery: { parties } })]);
  const own = await shop.givenRequested({ quote_preference: 'first_party' });
  assert.deepEqual(await shop.deliveriesOf(own), []);
  assert.deepEqual(await deliveryStates(await shop.givenRequested({ quote_preference: 'cheapest' })), ['pending']);
  await givenStores(shop.app, [pizzeria()]);
});

test('a delivery of alcohol asks the courier for the age that the door has', async () => {
  await shop.app.service.deps.db.updateTable('products').set({ isAlcoholic: true }).execute();
  const orderId = await shop.givenRequested();
  const sent = requestsFor(orderId, 'create')[0]?.body;
  assert.deepEqual(sent?.dropoff_verification, { identification: { min_age: 21 } });
});

test('a company that hangs over many deliveries delays no delivery of another company', async (t) => {
  const { deps } = shop.app.service;
  const { db, couriers } = deps;
  const release = Promise.withResolvers<void>();
  t.after(() => release.resolve());
  let hanging = 0;
  const find = async () => {
    hanging += 1;
    await release.promise;
    return { kind: 'none' } as const;
  };
  const uber = couriers.get('uber_direct') ?? assert.fail('no company');
  const hangs = { ...uber, find };
  const companies = new Map([...couriers, ['hangs', hangs]]);
  const callers = callCouriers({ ...deps, couriers: companies, metrics: createMetrics() });
  const flood: string[] = [];
  for (let n = 0; n < 12; n += 1) flood.push(keyOf(await shop.givenRequested()));
  const other = await shop.givenRequested();
  const nextCallAt = shop.app.now().subtract({ seconds: 1 }).toString();
  await db.updateTable('courierDeliveries').set({ nextCallAt, gateway: 'hangs' }).where('key', 'in', flood).execute();
  await db.updateTable('courierDeliveries').set({ nextCallAt }).where('key', '=', keyOf(other)).execute();
  await callers.runOnce();
  await until('the company has its places', () => hanging === 8);
  const readNextCall = async () => (await shop.deliveriesOf(other))[0]?.nextCallAt;
  await until('the other delivery was looked up', async () => (await readNextCall())?.toString() !== nextCallAt);
  assert.equal(hanging, 8);
  release.resolve();
  await callers.idle();
});

test('a courier is told of changed notes until it has the order, again after a failure, and of nothing else', async (t) => {
  const own = await givenCourierShop(undefined, { UBER_DIRECT_CUSTOMER_ID: 'cus_1' });
  t.after(own.close);
  const update = async (orderId: string, changes: object) => {
    const reply = await own.client.post('/order/update', { order_id: orderId, ...changes });
    await own.app.advance({ seconds: 1 });
    return reply.status;
  };
  const updates = () => own.uber.requests.filter(({ operation }) => operation === 'update').length;
  const orderId = await own.place();
  assert.equal(await update(orderId, { user_dropoff_notes: 'Gate 4' }), 200);
  await own.step(orderId, 'confirm');
  const key = keyOf(orderId);
  assert.deepEqual([updates(), own.uber.deliveryOf(key).dropoff_notes], [0, undefined], 'it was made with the notes');
  assert.equal(own.uber.requests.find(({ operation }) => operation === 'create')?.body.dropoff_notes, 'Gate 4');
  own.uber.trouble('update', 503);
  assert.equal(await update(orderId, { user_apt_num: '9C', user_dropoff_notes: 'Side door' }), 200);
  for (let turn = 0; turn < 4; turn += 1) await own.app.advance({ seconds: 5 });
  assert.match(String(own.uber.deliveryOf(key).dropoff_notes), /^For .*\. 9C\. \+\d+\. Side door$/);
  assert.equal(updates(), 2);
  for (let turn = 0; turn < 4; turn += 1) await own.app.advance({ minutes: 2 });
  assert.equal(updates(), 2, 'once it has taken them');
  assert.deepEqual(
    (await own.deliveriesOf(orderId)).map(({ state, changedAt }) => [state, changedAt]),
    [['pending', null]],
  );
  const { db, clock } = own.app.service.deps;
  const order = await own.orderOf(orderId);
  await db.transaction().execute((tx) => delayOrder(tx, order, { minutes: 10 }, clock.now()));
  await own.app.advance({ seconds: 1 });
  assert.equal(updates(), 3, 'of a delay');
  await own.receive(own.uber.move(key, 'pickup_complete', own.at(10), { courier: COURIER }));
  assert.equal(await update(orderId, { user_apt_num: '1A' }), 409);
  assert.equal(updates(), 3);
});
