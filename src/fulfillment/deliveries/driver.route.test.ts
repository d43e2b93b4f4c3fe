import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { ANA, type Assigned, BEN, driverOf, givenAssigned } from '../../../test/given/driver.ts';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { followLink } from '../../../test/given/short-link.ts';
import { givenTracked, givenTrackedStore, PRIVATE } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { findBudgetUse, setAccountLimit } from '../../access/budgets/account-limits.db.ts';
import { budgetDay } from '../../access/budgets/budget.ts';
import { setOptOut } from '../../notify/messages/sms-opt-outs.db.ts';
import { adjustOrderItem } from '../../ordering/money/adjust-item.flow.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { travelSeconds } from '../../ordering/order/arrival.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { updateStorePreferences } from '../../supply/stores/set-store.db.ts';
import { driverFiles, POSITIONS_PER_MINUTE } from './driver.route.ts';
import { CALLS_PER_MINUTE, driverLinkOf, openDriverLink, sealDriverLink } from './driver-link.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
after(() => app.close());

const DOOR = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
const FAR = { latitude: DOOR.latitude - 0.02, longitude: DOOR.longitude };
const HTML = { 'id-token': '', accept: 'text/html' };

const eventsOf = ({ orderId }: Assigned) => listEvents(app.service.deps.db, orderId);
const orderOf = async ({ orderId }: Assigned) => findAnyOrder(app.service.deps.db, orderId);
const pageOf = ({ path }: Assigned) => app.get(path, {}, HTML);

test('a driver accepts, shares the position, picks up and delivers; each step is recorded once', async () => {
  const delivery = await givenAssigned(app, storeId);
  const before = (await eventsOf(delivery)).length;
  const stages = [(await delivery.state()).body.stage];
  for (const step of ['accept', 'accept', 'pick_up', 'pick_up', 'accept']) {
    const reply = await delivery.call(step, {});
    assert.equal(reply.status, 200, reply.text);
    stages.push(reply.body.stage);
  }
  assert.deepEqual((await delivery.call('position', DOOR)).body, { stage: 'nearby' });
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await delivery.call('complete', {});
    assert.equal(status, 200);
    stages.push(body.stage);
  }
  assert.deepEqual(stages, [
    ...'assigned accepted accepted picked_up picked_up picked_up delivered delivered'.split(' '),
  ]);
  const events = (await eventsOf(delivery)).slice(before).map(({ type }) => type);
  assert.deepEqual(events, ['order.picked_up', 'order.driver_nearby', 'order.completed']);
});

test('the moment of acceptance is kept, and picking up accepts too', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('position', FAR);
  await delivery.call('accept');
  const acceptedEpochS = app.now().epochMilliseconds / 1000;
  await app.advance({ minutes: 3 });
  await delivery.call('pick_up', FAR);
  const order = await orderOf(delivery);
  assert.equal(order?.driver.acceptedEpochS, Math.floor(acceptedEpochS));
  const other = await givenAssigned(app, storeId);
  await other.call('pick_up');
  assert.ok((await orderOf(other))?.driver.acceptedEpochS);
});

test('409 for a delivery that is not picked up; a cancelation by the store ends the link', async () => {
  const delivery = await givenAssigned(app, storeId);
  const early = await delivery.call('complete', {});
  assert.deepEqual([early.status, early.body.code], [409, 'transition_not_allowed']);
  await delivery.advance('cancel');
  for (const step of ['accept', 'pick_up', 'complete']) assert.equal((await delivery.call(step, {})).status, 404);
});

test('a completed delivery keeps how far from the door it was completed, and distance refuses nothing', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up', {});
  assert.equal((await delivery.call('complete', FAR)).status, 200);
  const event = (await eventsOf(delivery)).at(-1);
  assert.deepEqual([event?.type, event?.data], ['order.completed', { meters_from_door: 2224 }]);
  assert.equal((await orderOf(delivery))?.driver.latitude, FAR.latitude);
});

test('without a position every step works, and after pick-up the order arrives by the trip from the store', async () => {
  const delivery = await givenAssigned(app, storeId);
  for (const step of ['accept', 'pick_up']) assert.equal((await delivery.call(step)).status, 200);
  const order = (await orderOf(delivery)) ?? assert.fail('no order');
  assert.equal(String(order.eta), String(app.now().add({ seconds: travelSeconds(order) })));
  assert.equal((await delivery.call('complete')).status, 200);
  assert.deepEqual((await eventsOf(delivery)).at(-1)?.data, {});
});

test('a replaced, ended or unknown link is a page with 404, and a problem for JSON, on every route', async () => {
  const replaced = await givenAssigned(app, storeId);
  const current = await driverOf(app, replaced.orderId, BEN);
  const completed = await givenAssigned(app, storeId);
  for (const step of ['pick_up', 'complete']) await completed.call(step);
  const { tokens } = app.service.deps;
  const link = openDriverLink(tokens, current.path.slice('/driver/'.length)) ?? { orderId: '', link: 0 };
  const next = sealDriverLink(tokens, { ...link, link: link.link + 1 });
  const unknown = sealDriverLink(tokens, { orderId: 'ord_unknown', link: 1 });
  for (const path of [replaced.path, completed.path, '/driver/none', `/driver/${next}`, `/driver/${unknown}`]) {
    const page = await app.get(path, {}, HTML);
    assert.deepEqual([page.status, /<h1>([^<]*)/.exec(page.text)?.[1]], [404, 'This link no longer works']);
    assert.doesNotMatch(page.text, /<script|Pizzeria|Ana|Ben/);
    const problem = await app.get(path, {}, { accept: 'application/json' });
    assert.deepEqual([problem.status, problem.body.code], [404, 'order_not_found']);
    assert.equal((await app.get(`${path}/state`)).status, 404);
    assert.equal((await app.post(`${path}/position`, DOOR)).status, 404);
    for (const step of ['accept', 'pick_up']) assert.equal((await app.post(`${path}/${step}`, {})).status, 404);
  }
  assert.equal((await app.get(current.path, {}, HTML)).status, 200);
});

test('the page uses the phone’s language or the chosen one, also for the parts loaded after a step', async () => {
  const delivery = await givenAssigned(app, storeId);
  const read = async (query: Record<string, string>, accepted: string) => {
    const page = await app.get(delivery.path, query, { ...HTML, 'accept-language': accepted });
    return [/<html lang="(\w+)"/.exec(page.text)?.[1], page.headers['content-language'], headlineIn(page.text)];
  };
  const headlineIn = (markup: string) => /<h1[^>]*>([^<]*)/.exec(markup)?.[1];
  assert.deepEqual(await read({}, 'fr-CA,fr;q=0.9,en;q=0.8'), ['fr', 'fr', 'Vous avez une livraison']);
  assert.deepEqual(await read({}, 'de-DE'), ['en', 'en', 'You’ve got a delivery']);
  assert.deepEqual(await read({ lang: 'es-MX' }, 'fr-CA'), ['es', 'es', 'Tienes una entrega']);
  assert.deepEqual(await read({ lang: 'xx' }, 'fr-CA'), ['fr', 'fr', 'Vous avez une livraison']);
  const state = await app.get(`${delivery.path}/state`, { lang: 'es' }, { 'accept-language': 'fr' });
  assert.equal(headlineIn(state.body.parts.now), 'Tienes una entrega');
  const taken = await delivery.call('accept?lang=fr');
  assert.match(String(headlineIn(taken.body.parts.now)), /^Cueillette/);
  const missing = await app.get('/driver/none', { lang: 'fr' }, HTML);
  assert.deepEqual([missing.status, headlineIn(missing.text)], [404, 'Ce lien ne fonctionne plus']);
});

test('the page works without scripts and shows only the data a driver needs', async () => {
  const delivery = await givenAssigned(app, storeId);
  const { status, text, headers } = await pageOf(delivery);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  for (const needed of [
    'Test Pizzeria',
    '120 5th Ave, New York, NY 10011',
    `${PRIVATE.houseNumber} W 21st St`,
    `Apt ${PRIVATE.apartment}`,
    PRIVATE.dropoffNotes,
    `tel:+1${PRIVATE.phone}`,
    'tel:+12125550123',
    'Prepaid. Don’t collect payment.',
    '<dt>Items</dt><dd>3</dd>',
    'Drop-off',
    'Without it, call the store',
    '<noscript><meta http-equiv="refresh" content="30"></noscript>',
  ]) {
    assert.ok(text.includes(needed), needed);
  }
  assert.match(text, /It should be ready around 1:\d\d PM\./);
  for (const hidden of [PRIVATE.familyName, PRIVATE.email, '67.87', 'well done', ANA.name, delivery.orderId]) {
    assert.ok(!text.includes(hidden), hidden);
  }
  assert.doesNotMatch(text, /(?<![\w-])u1(?![\w-])/, 'the ID of the user');
});

const PHONES = {
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  iPad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
  Android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36',
  other: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/137.0.0.0 Safari/537.36',
};

test('the map button opens the phone’s map app, on the page and in its script’s data', async () => {
  const delivery = await givenAssigned(app, storeId);
  const mapOf = (text: string) => /id="map-door" class="action" href="([^"]*)"/.exec(text)?.[1];
  const seen: Record<string, string | undefined> = {};
  for (const [phone, userAgent] of Object.entries(PHONES)) {
    const page = await app.get(delivery.path, {}, { ...HTML, 'user-agent': userAgent });
    const { body } = await app.get(`${delivery.path}/state`, {}, { 'id-token': '', 'user-agent': userAgent });
    seen[phone] = mapOf(page.text);
    assert.equal(mapOf(body.parts.stops), seen[phone], phone);
  }
  const { body } = await delivery.call('accept', {}, { 'user-agent': PHONES.iPhone });
  assert.equal(mapOf(body.parts.stops), seen.iPhone);
  assert.deepEqual(seen, {
    iPhone: 'https://maps.apple.com/?daddr=40.744,-73.988&amp;dirflg=d',
    iPad: 'https://maps.apple.com/?daddr=40.744,-73.988&amp;dirflg=d',
    Android: 'geo:40.744,-73.988?q=40.744,-73.988',
    other: 'https://www.google.com/maps/dir/?api=1&amp;destination=40.744,-73.988',
  });
});

test('the driver’s list at the store shows the bag’s items and choices without missing ones', async () => {
  const delivery = await givenAssigned(app, storeId);
  const bagOf = (stops: string) =>
    [...stops.matchAll(/<label class="check">.*?<span>(.*?)<\/span><\/label>/gs)].map(([, item = '']) =>
      item
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  assert.deepEqual(bagOf((await delivery.state()).body.parts.stops), []);
  const { body } = await delivery.call('accept');
  assert.deepEqual(bagOf(body.parts.stops), ['2 × Margherita Size: 18 inch, Toppings: Olives × 2', '1 × Soda']);
  const adjust = (index: number, quantity: number) =>
    adjustOrderItem(app.service.deps, delivery.orderId, {
      change: { index, quantity, substitute: null },
      by: 'session',
      guard: async () => {},
    });
  await adjust(0, 1);
  await adjust(1, 0);
  assert.deepEqual(bagOf((await delivery.state()).body.parts.stops), [
    '1 × Margherita Size: 18 inch, Toppings: Olives × 2',
  ]);
  assert.deepEqual(bagOf((await delivery.call('pick_up')).body.parts.stops), []);
});

test('the next stop is first: the store before pick-up, the door afterwards', async () => {
  const delivery = await givenAssigned(app, storeId);
  const stopsOf = (text: string) => [...text.matchAll(/<h2>(Pickup|Drop-off)<\/h2>/g)].map(([, stop]) => stop);
  assert.deepEqual(stopsOf((await pageOf(delivery)).text), ['Pickup', 'Drop-off']);
  const { body } = await delivery.call('pick_up');
  assert.deepEqual(stopsOf(body.parts.stops + body.parts.behind), ['Drop-off', 'Pickup']);
  assert.deepEqual(stopsOf((await pageOf(delivery)).text), ['Drop-off', 'Pickup']);
});

test('after the delivery the answer holds nothing of the customer', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.call('pick_up');
  const { text } = await delivery.call('complete');
  for (const hidden of ['Test', PRIVATE.houseNumber, PRIVATE.phone, PRIVATE.dropoffNotes]) {
    assert.ok(!text.includes(hidden), hidden);
  }
});

test('the page may read the position, and loads, frames and tells nothing else', async () => {
  const { headers, text } = await pageOf(await givenAssigned(app, storeId));
  assert.equal(headers['permissions-policy'], 'geolocation=(self), camera=(), microphone=(), payment=(), usb=()');
  assert.deepEqual(
    [headers['cache-control'], headers['referrer-policy'], headers['x-frame-options'], headers['x-robots-tag']],
    ['private, no-store', 'no-referrer', 'DENY', 'noindex, nofollow'],
  );
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self'/);
  assert.doesNotMatch(policy, /unsafe|http|\*/);
  assert.doesNotMatch(text, /<style|style="|<script(?! type="module" src="\/driver\/assets\/page-[\w-]+\.js")/);
  const tracking = await app.get('/tracking', {}, HTML);
  assert.match(String(tracking.headers['permissions-policy']), /geolocation=\(\)/);
});

test('the page’s files are cached permanently by browsers; an unknown file returns 404', async () => {
  const { script, style, icon } = await driverFiles();
  for (const { name, type } of [script, style, icon]) {
    const reply = await app.service.http.inject({
      url: `/driver/assets/${name}`,
      headers: { 'accept-encoding': 'br' },
    });
    assert.deepEqual([reply.statusCode, reply.headers['content-type']], [200, type]);
    assert.match(String(reply.headers['cache-control']), /immutable/);
  }
  assert.equal((await app.get('/driver/assets/none')).body.code, 'route_not_found');
  assert.ok(script.brotli.length < 10_000, `${script.brotli.length} bytes`);
});

test('a sandbox delivery says that it is a test', async () => {
  assert.match(
    (await pageOf(await givenAssigned(app, storeId))).text,
    /Test order. There’s nothing to pick up or deliver/,
  );
});

test('the page shows the tip before and after the delivery, and the tips of today and of the last 30 days', async (t) => {
  const own = await givenApp();
  t.after(() => own.close());
  const store = await givenTrackedStore(own);
  const amountsIn = (markup: string) => [...markup.matchAll(/<dd>(\$[\d.]+)<\/dd>/g)].map(([, amount]) => amount);
  const begin = async (driver_tip_cents: number) => {
    const order = await givenTracked(own, store, { driver_tip_cents });
    await order.advance('confirm');
    const { state, call } = await driverOf(own, order.orderId, ANA);
    const read = async () => amountsIn((await state()).body.parts.now);
    const complete = async () => {
      await call('pick_up');
      return amountsIn((await call('complete')).body.parts.now);
    };
    return { ...order, read, complete };
  };
  const first = await begin(300);
  assert.deepEqual(await first.read(), ['$3.00', '$0.00', '$0.00']);
  assert.deepEqual(await first.complete(), ['$3.00', '$3.00', '$3.00']);
  assert.equal((await own.post('/order/tip', { order_id: first.orderId, driver_tip_cents: 500 })).status, 200);
  await own.advance({ seconds: 1 });
  assert.deepEqual(await (await begin(0)).read(), ['$0.00', '$5.00', '$5.00'], 'a later tip counts');
  await own.advance({ hours: 24 });
  assert.deepEqual(await (await begin(100)).complete(), ['$1.00', '$1.00', '$6.00']);
  await own.advance({ seconds: 1 });
  const uncharged = await givenTracked(own, store, { driver_tip_cents: 700, charge_user: false });
  await uncharged.advance('confirm');
  const page = await own.get((await driverOf(own, uncharged.orderId, ANA)).path, { lang: 'es' }, HTML);
  assert.match(page.text, /<dt>Propina<\/dt><dd>\$7\.00<\/dd>.*<dt>Propinas de hoy<\/dt><dd>\$1\.00<\/dd>/s);
  await own.advance({ hours: 29 * 24 });
  assert.deepEqual(await (await begin(0)).read(), ['$0.00', '$0.00', '$1.00']);
  await updateStorePreferences(own.service.deps.db, store, { driverPayCents: 650 });
  assert.deepEqual(await (await begin(0)).read(), ['$0.00', '$6.50', '$0.00', '$1.00'], 'with the pay of the store');
  await updateStorePreferences(own.service.deps.db, store, { driverPayCents: 0 });
  const others = await givenTracked(own, store);
  await others.advance('confirm');
  const { state } = await driverOf(own, others.orderId, BEN);
  assert.deepEqual(amountsIn((await state()).body.parts.now), ['$2.00', '$0.00', '$0.00']);
});

test('a driver without a phone has the earlier tips, and drivers who share a phone have their own only', async (t) => {
  const own = await givenApp();
  t.after(() => own.close());
  const { deps } = own.service;
  const store = await givenTrackedStore(own);
  const tipsOf = async (driver: { name: string; phone?: number }) => {
    const { orderId, advance } = await givenTracked(own, store, { driver_tip_cents: 300 });
    await advance('confirm');
    const detailsOf = () => ({ driver: { ...driver, vehicleType: 'car' } });
    const order = await takeStep(deps, orderId, { event: 'assign_driver', detailsOf });
    const page = await own.get(driverLinkOf(order, { ...deps, baseUrl: '' }), {}, HTML);
    const [, tips] = page.text.match(/<dt>Tips today<\/dt><dd>(\$[\d.]+)<\/dd>/) ?? [];
    for (const step of ['pick_up', 'complete']) await advance(step);
    await own.advance({ seconds: 1 });
    return tips;
  };
  const shared = { name: ANA.name, phone: ANA.phone };
  const drivers = [{ name: 'Cleo' }, { name: 'Cleo' }, { name: 'Dan' }, shared, shared, { ...shared, name: 'Eva' }];
  const tips: (string | undefined)[] = [];
  for (const driver of drivers) tips.push(await tipsOf(driver));
  assert.deepEqual(tips, ['$0.00', '$3.00', '$0.00', '$0.00', '$3.00', '$0.00']);
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
  'Traccar Client 8 with an empty form': ({ latitude, longitude }, epochMs) => ({
    query: `?id=48241179&timestamp=${Math.floor(epochMs / 1000)}&lat=${latitude}&lon=${longitude}&bearing=271.3&accuracy=5.0`,
    body: '',
  }),
  'Traccar Client 7 with a form': ({ latitude, longitude }, epochMs) => ({
    body: `id=48241179&timestamp=${Math.floor(epochMs / 1000)}&lat=${latitude}&lon=${longitude}&speed=4.2&bearing=271.3&accuracy=5.0&batt=80.0`,
  }),
  OsmAnd: ({ latitude, longitude }, epochMs) => ({ query: `?lat=${latitude}&lon=${longitude}&timestamp=${epochMs}` }),
};
for (const [client, message] of Object.entries(MESSAGES)) {
  test(`the driver's link takes positions of ${client}; old ones are ignored`, async () => {
    const delivery = await givenAssigned(app, storeId);
    const send = async (at: typeof DOOR, ageSeconds: number) => {
      const { query = '', body } = message(at, app.service.deps.clock.now().epochMilliseconds - ageSeconds * 1000);
      const type: Record<string, string> =
        typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
      const { status, body: answer } = await app.post(delivery.path + query, body, { 'id-token': '', ...type });
      assert.deepEqual([status, answer], [200, []]);
      return (await findAnyOrder(app.service.deps.db, delivery.orderId))?.driver.latitude;
    };
    assert.equal(await send(FAR, 1), FAR.latitude);
    assert.equal(await send(DOOR, 121), FAR.latitude);
    await delivery.call('pick_up');
    assert.equal(await send(DOOR, 2), FAR.latitude, 'older than the last one');
    await app.advance({ minutes: 2 });
    assert.equal(await send(DOOR, 60), DOOR.latitude);
    assert.equal((await delivery.state()).body.stage, 'nearby');
  });
}

test('a position keeps the moment of its measurement in `tracking`; a step of the phone with an older one leaves it', async () => {
  const delivery = await givenAssigned(app, storeId);
  const measured = async () => {
    const { tracking } = (await app.get('/account/orders', { order_id: delivery.orderId })).body.orders[0];
    const nowS = app.service.deps.clock.now().epochMilliseconds / 1000;
    return [tracking.driver_latitude, Math.round((nowS - tracking.last_update_timestamp) / 10)];
  };
  await delivery.call('position', { ...FAR, age_seconds: 60 });
  assert.deepEqual(await measured(), [FAR.latitude, 6]);
  assert.equal((await delivery.call('position', { ...DOOR, age_seconds: 80 })).status, 204);
  await delivery.call('pick_up', { ...DOOR, age_seconds: 90 });
  assert.deepEqual(await measured(), [FAR.latitude, 6]);
  assert.equal((await delivery.state()).body.stage, 'picked_up');
  await delivery.call('position', { ...DOOR, age_seconds: 30 });
  assert.deepEqual(await measured(), [DOOR.latitude, 3]);
  assert.equal((await delivery.state()).body.stage, 'nearby');
});

test("a tracking app's messages without a position change nothing, and an ended delivery's link returns 404", async () => {
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

const TEXTED = { name: 'Ana', phone: 13125550123, vehicle_type: 'car' };

test('assigning a driver texts the link once where SMS is set up, and the store hands it over where it cannot', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client, storeId, texts } = shop;
  const { db, messaging } = app.service.deps;
  const key = await givenStoreKey(app, storeId);
  const { accountId } = client;
  const ready = async () => {
    const orderId = await shop.place();
    await step(shop, orderId, 'confirm');
    texts.length = 0;
    return orderId;
  };
  const assign = async (orderId: string, driver: object = TEXTED) => {
    const reply = await key.post(`/store/orders/${orderId}/assign_driver`, driver);
    assert.equal(reply.status, 200, reply.text);
    await app.advance({ seconds: 1 });
    return reply.body;
  };
  const usedSms = async () =>
    (await findBudgetUse(db, accountId, budgetDay(app.now()))).find(({ kind }) => kind === 'sms')?.used ?? 0;

  const first = await ready();
  const used = await usedSms();
  const { driver_link: link, driver_link_texted: isTexted } = await assign(first);
  assert.deepEqual([isTexted, texts.length, (await usedSms()) - used], [true, 1, 1]);
  assert.equal(texts[0]?.to, '+13125550123');
  assert.ok(link.endsWith(await followLink(app, texts[0]?.body)), link);
  assert.match(texts[0]?.body ?? '', /Reply STOP to opt out\.$/, 'the first SMS to the number');
  await assign(first);
  assert.equal(texts.length, 1, 'the same driver again');
  const ben = await assign(first, { ...TEXTED, name: 'Ben' });
  const [, second, ...more] = texts;
  assert.ok(ben.driver_link.endsWith(await followLink(app, second?.body)) && more.length === 0, second?.body ?? '');

  const handedOver = async (driver: object = TEXTED) => {
    const { driver_link, driver_link_texted } = await assign(await ready(), driver);
    assert.deepEqual([driver_link_texted, texts.length], [false, 0]);
    const code = await app.service.http.inject({ url: `${new URL(driver_link).pathname}/code.svg` });
    assert.deepEqual([code.statusCode, code.headers['content-type']], [200, 'image/svg+xml']);
    assert.match(code.body, /^<svg [^>]*viewBox="0 0 (\d+) \1"/);
  };
  await handedOver({ ...TEXTED, phone: 442071234567 });
  await setOptOut(db, '+13125550124', true, app.now());
  await handedOver({ ...TEXTED, phone: 13125550124 });
  const { smsSender } = messaging;
  messaging.smsSender = undefined;
  await handedOver();
  messaging.smsSender = smsSender;
  await setAccountLimit(db, { accountId, kind: 'sms', max: 0 });
  await handedOver();
});

test('an ended link’s code returns 404', async () => {
  const delivery = await givenAssigned(app, storeId);
  await delivery.advance('cancel');
  for (const path of [delivery.path, '/driver/unknown']) {
    assert.equal((await app.get(`${path}/code.svg`, {}, { 'id-token': '' })).status, 404);
  }
});
