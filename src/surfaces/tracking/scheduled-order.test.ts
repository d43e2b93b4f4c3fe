import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eveningSlot, givenTracked, givenTrackedStore } from '../../../test/given/tracked.ts';
import { givenApp, type Reply } from '../../../test/harness.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
after(() => app.close());

const open = (link: string) => app.get(link, {}, { 'id-token': '' });
const headlineOf = ({ text }: Reply) => /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];
const stepsOf = ({ text }: Reply) =>
  [...text.matchAll(/<li class="(done|current|next)"[^>]*>.*?<\/span>([^<]*)<\/span>/g)].map(
    ([, state, label]) => `${state}: ${label}`,
  );
/** The section title before pickup, and the elapsed share of the preparation. */
const kitchenOf = ({ text }: Reply) =>
  /<h2 id="driver-title">([^<]*)<\/h2>\s*<progress[^>]* value="(\d+)"/.exec(text)?.slice(1).join(', ');

const SLOT = 'Scheduled for 6:00 – 6:30 PM';

test('a scheduled order can be added to a calendar in the page’s language, until it ends', async (t) => {
  const order = await givenTracked(app, storeId, { scheduled_id: await eveningSlot(app, storeId) });
  const linkOf = ({ text }: Reply) =>
    /<a id="add-to-calendar" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  const link = linkOf(await open(`${order.link}&lang=fr`));
  assert.equal(link, `tracking/calendar.ics?tracking_id=${order.orderId}&lang=fr`);
  const { status, headers, text } = await open(`/${link}`);
  assert.deepEqual(
    [status, headers['content-type'], headers['cache-control']],
    [200, 'text/calendar; charset=utf-8', 'private, no-store'],
  );
  assert.match(String(headers['content-disposition']), /^attachment; filename="[A-Z]\d{1,4}\.ics"$/);
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  const url = `${app.config.trackingUrl}${order.seenLink}`;
  for (const line of [
    `UID:${order.orderId}@doorstep`,
    ...['DTSTART:20260610T220000Z', 'DTEND:20260610T223000Z'],
    'SUMMARY;LANGUAGE=fr:Livraison de Test Pizzeria',
    'LOCATION;LANGUAGE=fr:W 21st St\\, New York\\, NY',
    `URL:${url}`,
  ]) {
    assert.ok(lines.includes(line), `${line} in ${text}`);
  }
  assert.ok(!text.includes(order.key), 'a calendar is shared');
  const pickup = await givenTracked(app, storeId, {
    pickup: true,
    scheduled_id: await eveningSlot(app, storeId, true),
  });
  const collected = await open(`/${linkOf(await open(pickup.seenLink))}`);
  assert.match(collected.text, /SUMMARY;LANGUAGE=en:Pickup at Test Pizzeria\r\n/);
  await t.test('an order without a slot, or that has ended, has none', async () => {
    await order.advance('cancel');
    for (const one of [order, await givenTracked(app, storeId)]) {
      assert.equal(linkOf(await open(one.link)), undefined);
      assert.equal((await open(one.link.replace('/tracking?', '/tracking/calendar.ics?'))).status, 404);
    }
  });
});

test('before a driver has the order the page shows how far the store is with it', async () => {
  const order = await givenTracked(app, storeId);
  const seen = [kitchenOf(await open(order.link))];
  for (const step of [() => order.advance('confirm'), ...[1, 2].map(() => () => app.advance({ minutes: 10 }))]) {
    await step();
    seen.push(kitchenOf(await open(order.link)));
  }
  await order.advance('ready');
  seen.push(kitchenOf(await open(order.link)));
  assert.deepEqual(seen, [
    ...['Not started yet, 0', 'Ready around 1:15 PM, 5', 'Ready around 1:15 PM, 67'],
    ...['Ready any minute now, 95', 'Waiting for a driver, 100'],
  ]);
  await order.advance('assign_driver');
  assert.equal(kitchenOf(await open(order.link)), undefined);
});

test('an order that is ready, or with its driver, before its time is no longer scheduled', async () => {
  const order = await givenTracked(app, storeId, { scheduled_id: await eveningSlot(app, storeId) });
  for (const step of ['confirm', 'assign_driver']) await order.advance(step);
  assert.equal(headlineOf(await open(order.link)), SLOT);
  await order.advance('ready');
  assert.equal(headlineOf(await open(order.link)), 'Your order is ready');
  await order.advance('pick_up');
  assert.equal(headlineOf(await open(order.link)), 'Sandbox is on the way');
});

test('a scheduled order is scheduled until its store starts, and prepared from then on', async () => {
  const orders = [];
  for (const pickup of [false, true]) {
    const scheduled_id = await eveningSlot(app, storeId, pickup);
    orders.push(await givenTracked(app, storeId, { pickup, scheduled_id }));
  }
  const steps = ['done: Order placed', 'done: Confirmed by Test Pizzeria'];
  for (const order of orders) {
    const placed = await open(order.link);
    assert.equal(headlineOf(placed), SLOT);
    assert.match(placed.text, /Test Pizzeria has your order\. If they don’t confirm by/);
    await order.advance('confirm');
    const confirmed = await open(order.link);
    assert.equal(headlineOf(confirmed), SLOT);
    assert.match(confirmed.text, /Test Pizzeria will start around 5:40 PM/);
    assert.doesNotMatch(confirmed.text, /being prepared|No driver yet|id="prepared"/i);
    assert.deepEqual(stepsOf(confirmed).slice(0, 4), [...steps, `current: ${SLOT}`, 'next: Preparing']);
  }
  // 5:40 PM.
  await app.advance({ minutes: 4 * 60 + 20 });
  for (const order of orders) {
    const started = await open(order.link);
    assert.equal(headlineOf(started), 'Your order is being prepared');
    // Food that's ready at 6:00 is at the door two minutes later at the earliest.
    assert.match(started.text, /(Arrives <time [^>]*>6:02|Ready <time [^>]*>6:00) – 6:30 PM</);
    assert.deepEqual(stepsOf(started).slice(0, 4), [...steps, `done: ${SLOT}`, 'current: Preparing']);
  }
});
