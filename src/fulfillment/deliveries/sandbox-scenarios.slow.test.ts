import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { deliverySlots } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';

const PACE_S = 60;
/** It is noon in New York; the store opens at 5 PM. */
const EVENINGS = 'Mo-Su 17:00-23:00';
const START = '2026-06-10T16:00:00Z';

const app = await givenApp({ start: START, env: { SANDBOX_PACE: String(PACE_S) } });
const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: 50 };
const closed = pizzeria({ external_id: 'evening', hours: { operational: EVENINGS }, scheduling });
const [evening = '', always = ''] = await givenStores(app, [closed, pizzeria({ scheduling })]);
const card = await givenPaymentMethod(app);
after(() => app.close());

async function place(storeId: string, changes: object = {}, product = 'Soda', quantity = 9): Promise<string> {
  const tokens = await productTokens(app, storeId);
  const items = [{ product_id: tokens[product], quantity }];
  const reply = await app.post('/order/order/v2', orderBody(undefined, card, { items, ...changes }));
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
}

const scenario = (name: string) => ({ metadata: { sandbox_scenario: name } });
const readOrder = async (orderId: string) => (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
const readTrackingPage = async (orderId: string) => (await app.get('/tracking', { tracking_id: orderId })).text;
const readLog = (orderId: string) => listEvents(app.service.deps.db, orderId);
const eventTypes = async (orderId: string) => (await readLog(orderId)).map(({ type }) => type.replace('order.', ''));
const readCharges = async (orderId: string) =>
  (await app.get('/sandbox/charges', { order_id: orderId })).body.charges.map(
    ({ amount, refunded_amount }: { amount: number; refunded_amount: number }) => [amount, refunded_amount],
  );

/** Advances the clock by this many paces, one at a time. */
async function paces(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await app.advance({ seconds: PACE_S + 1 });
}

const DELIVERY = ['placed', 'confirmed', 'ready', 'driver_assigned', 'picked_up', 'driver_nearby', 'completed'];
const epochS = (instant: Temporal.Instant | undefined) => (instant?.epochMilliseconds ?? Number.NaN) / 1000;

for (const pace of [0, 3600]) {
  test(`at a pace of ${pace} a scheduled order is confirmed once its store is open, and completed inside its slot`, async () => {
    const other = await givenApp({ start: START, env: { SANDBOX_PACE: String(pace) } });
    const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: 2 };
    const [storeId = ''] = await givenStores(other, [pizzeria({ hours: { operational: EVENINGS }, scheduling })]);
    const token = (await productTokens(other, storeId)).Soda;
    const method = await givenPaymentMethod(other);
    const slots = await deliverySlots(other, storeId);
    const items = [{ product_id: token, quantity: 9 }];
    const body = orderBody(token, method, { items, scheduled_id: slots[4] });
    const placed = (await other.post('/order/order/v2', body)).body;
    const { minimum, maximum } = placed.final_quote.quote.scheduled;
    const { delivery_time_min: first, delivery_time_max: last } = placed.final_quote.quote;
    const nowS = epochS(other.now());
    assert.deepEqual([first, last], [Math.ceil((minimum - nowS) / 60), Math.ceil((maximum - nowS) / 60)]);
    for (let minute = 0; minute < 9 * 60; minute += 5) await other.advance({ minutes: 5 });
    const log = await listEvents(other.service.deps.db, placed.order_id);
    assert.deepEqual(
      log.map(({ type }) => type.replace('order.', '')),
      DELIVERY,
    );
    const opensS = epochS(Temporal.Instant.from('2026-06-10T21:00:00Z'));
    const confirmedS = epochS(log[1]?.at);
    assert.ok(confirmedS >= opensS && confirmedS < opensS + 900, String(log[1]?.at));
    const completedS = epochS(log.at(-1)?.at);
    assert.ok(completedS >= minimum && completedS < maximum, String(log.at(-1)?.at));
    await other.close();
  });
}

test('no scheduled order times out before its store is offered it, and then after its minutes', async () => {
  const slots = await deliverySlots(app, evening);
  const orderId = await place(evening, { scheduled_id: slots[4], ...scenario('store_silent') });
  assert.match(
    await readTrackingPage(orderId),
    /Scheduled for 7:00 – 7:30 PM.*Test Pizzeria will get it by 5:00 PM\./s,
  );
  await app.advance({ hours: 5 });
  assert.match(await readTrackingPage(orderId), /Scheduled for 7:00 – 7:30 PM.*Test Pizzeria has your order\./s);
  await app.advance({ minutes: 14 });
  assert.deepEqual(await eventTypes(orderId), ['placed']);
  await app.advance({ minutes: 2 });
  assert.deepEqual(await eventTypes(orderId), ['placed', 'canceled', 'refunded']);
});

test('store_silent: the store never confirms, and the time-out cancels', async () => {
  const orderId = await place(always, scenario('store_silent'));
  await app.advance({ minutes: 14 });
  assert.deepEqual(await eventTypes(orderId), ['placed']);
  await app.advance({ minutes: 2 });
  const { status, cancel_reason: reason } = await readOrder(orderId);
  assert.deepEqual([status, reason], ['canceled', 'store_did_not_confirm']);
});

test('store_cancels: the store cancels instead of confirming, and the order is refunded', async () => {
  const orderId = await place(always, scenario('store_cancels'));
  await paces(1);
  await app.advance({ seconds: 5 });
  assert.deepEqual(await eventTypes(orderId), ['placed', 'canceled', 'refunded']);
  assert.equal((await readOrder(orderId)).cancel_reason, 'canceled_by_store');
});

test('item_missing: the store lacks one of the first item after its confirmation, and the rest is brought', async () => {
  const orderId = await place(always, scenario('item_missing'));
  await paces(9);
  const { items, refunded_amount: refunded, adjusted_amount: adjusted } = await readOrder(orderId);
  assert.deepEqual([items[0].ordered_quantity, items[0].fulfilled_quantity], [9, 8]);
  assert.ok(refunded > 0 && refunded === adjusted);
  const events = (await eventTypes(orderId)).filter((type) => type !== 'refunded');
  assert.deepEqual(events, ['placed', 'confirmed', 'item_changed', ...DELIVERY.slice(2)]);
});

test('item_missing: a substitute where the customer accepts one, and only the named product where one is named', async () => {
  const tokens = await productTokens(app, always);
  const lacking = async (substitution: object) => {
    const items = [{ product_id: tokens.Soda, quantity: 9, substitution }];
    const orderId = await place(always, { ...scenario('item_missing'), items });
    await paces(3);
    return (await readOrder(orderId)).items[0];
  };
  const any = await lacking({ preference: 'store_choice' });
  assert.deepEqual([any.substituted_for, any.fulfilled_quantity], [tokens.Soda, 9]);
  const named = await lacking({ preference: 'specific', product_ids: [tokens['Few Left'], tokens.Margherita] });
  assert.deepEqual([named.product_id, named.substituted_for], [tokens.Margherita, tokens.Soda]);
});

test('item_missing: an order of one unit is canceled and refunded', async () => {
  const orderId = await place(always, scenario('item_missing'), 'Last Slice', 1);
  await paces(4);
  const { status, refunded_amount: refunded, total_with_tip: total } = await readOrder(orderId);
  assert.deepEqual([status, refunded], ['canceled', total]);
  const events = await eventTypes(orderId);
  assert.deepEqual(events, ['placed', 'confirmed', 'item_changed', 'canceled', 'refunded']);
});

test('driver_late: the time of arrival moves twice by ten minutes, in the Order element and on the page', async () => {
  const orderId = await place(always, scenario('driver_late'));
  await paces(3);
  const seen: number[] = [];
  const pages: (string | undefined)[] = [];
  for (let pace = 0; pace < 3; pace += 1) {
    assert.deepEqual(await eventTypes(orderId), DELIVERY.slice(0, 4));
    seen.push((await readOrder(orderId)).eta_timestamp);
    pages.push((await readTrackingPage(orderId)).match(/data-latest="(\d+)"/)?.[1]);
    await paces(1);
  }
  const [promised = 0] = seen;
  assert.deepEqual(seen, [promised, promised + 600, promised + 1200]);
  assert.deepEqual(pages.map(Number), seen);
  await paces(3);
  assert.deepEqual(await eventTypes(orderId), DELIVERY);
});

test('courier_lost: the courier gives up after pick-up, the order is canceled and refunded but for the tip, and its items are gone', async () => {
  const left = async () => {
    const { menu_item_list: items } = (await app.get('/details/inventory', { store_id: always, pickup: false })).body
      .categories[1];
    return items.find(({ name }: { name: string }) => name === 'Few Left').qty_available;
  };
  const before = await left();
  const orderId = await place(always, scenario('courier_lost'), 'Few Left', 1);
  await paces(6);
  assert.deepEqual(await eventTypes(orderId), [...DELIVERY.slice(0, 5), 'canceled', 'refunded']);
  const order = await readOrder(orderId);
  const { cancel_reason: reason, refunded_amount: refunded, total_with_tip: total, driver_tip_cents: tip } = order;
  assert.deepEqual([reason, refunded], ['courier_gave_up', total - tip]);
  assert.deepEqual(await readCharges(orderId), [[total, total - tip]]);
  assert.equal(await left(), before - 1);
  assert.match(await readTrackingPage(orderId), /Your driver couldn’t deliver it\./);
});

test('no client of the sandbox takes the step of a courier who gives up', async () => {
  const orderId = await place(always);
  const reply = await app.post(`/sandbox/orders/${orderId}/advance`, { event: 'courier_lost' });
  assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request']);
});

test('refund_after: a completed order is refunded in full but for the tip, and stays completed', async () => {
  const orderId = await place(always, scenario('refund_after'));
  await paces(8);
  assert.deepEqual(await eventTypes(orderId), [...DELIVERY, 'refunded']);
  const { status, refunded_amount: refunded, total_with_tip: total, driver_tip_cents: tip } = await readOrder(orderId);
  assert.deepEqual([status, refunded], ['completed', total - tip]);
  assert.deepEqual(await readCharges(orderId), [[total, total - tip]]);
  await app.advance({ hours: 1 });
  assert.equal((await readLog(orderId)).length, DELIVERY.length + 1);
});

test('unknown and non-string scenarios have no effect', async () => {
  const unknown = await place(always, scenario('unknown'));
  const odd = await place(always, { metadata: { sandbox_scenario: { store_silent: true } } });
  await paces(7);
  for (const orderId of [unknown, odd]) assert.deepEqual(await eventTypes(orderId), DELIVERY);
});

test('between pick-up and the door the driver moves on a bent way, and the course turns', async () => {
  const orderId = await place(always);
  while ((await readOrder(orderId)).tracking.driver_name === undefined) await paces(1);
  const seen = new Map<string, number>();
  for (let look = 0; look < 40 && (await readOrder(orderId)).status !== 'completed'; look += 1) {
    const { driver_latitude: latitude, driver_longitude: longitude, course } = (await readOrder(orderId)).tracking;
    seen.set(`${latitude} ${longitude}`, course);
    await app.advance({ seconds: PACE_S / 6 });
  }
  assert.ok(seen.size >= 5, `${seen.size} positions`);
  assert.ok(new Set(seen.values()).size >= 2, 'courses');
});

test("the simulated driver's photo is a drawing that any page may load from its absolute address", async () => {
  const orderId = await place(always);
  await paces(4);
  const { driver_photo_url: url, vehicle_type: vehicle } = (await readOrder(orderId)).tracking;
  assert.deepEqual([url, vehicle], [`${app.config.baseUrl}/sandbox/driver.svg`, 'car']);
  const photo = await app.service.http.inject({ url: new URL(url).pathname });
  assert.equal(photo.statusCode, 200);
  assert.match(String(photo.headers['content-type']), /^image\/svg\+xml/);
  assert.equal(photo.headers['cross-origin-resource-policy'], 'cross-origin');
  assert.match(photo.body, /^<svg [^>]*xmlns=/);
});
