import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { ANA, type Assigned, BEN, driverOf, givenAssigned } from '../../../test/given/driver.ts';
import { givenTracked, givenTrackedStore, PRIVATE } from '../../../test/given/tracked.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { adjustOrderItem } from '../../ordering/money/adjust-item.flow.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { travelSeconds } from '../../ordering/order/arrival.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { updateStorePreferences } from '../../supply/stores/set-store.db.ts';
import { driverFiles } from './driver.route.ts';
import { driverLinkOf, openDriverLink, sealDriverLink } from './driver-link.ts';

let app: App;
let storeId: string;
before(async () => {
  app = await givenApp();
  storeId = await givenTrackedStore(app);
});
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
    'assigned',
    'accepted',
    'accepted',
    'picked_up',
    'picked_up',
    'picked_up',
    'delivered',
    'delivered',
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

test('a link that was replaced, has ended or never was is a page with 404, and a problem for JSON, on every route', async () => {
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

test('the page is in the language of the phone, or in the one that is chosen, and so are the parts after a step', async () => {
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

test('the page is whole without scripts, and holds what the driver needs and no more', async () => {
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
  ]) {
    assert.ok(text.includes(needed), needed);
  }
  assert.match(text, /It should be ready around 1:\d\d PM\./);
  for (const hidden of [PRIVATE.familyName, PRIVATE.email, '67.87', 'well done', 'u1', ANA.name, delivery.orderId]) {
    assert.ok(!text.includes(hidden), hidden);
  }
});

const PHONES = {
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  iPad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
  Android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36',
  other: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/137.0.0.0 Safari/537.36',
};

test('the map button opens the map app of the phone, on the page and in what its script gets', async () => {
  const delivery = await givenAssigned(app, storeId);
  const mapOf = (text: string) => /id="map-door" class="link" href="([^"]*)"/.exec(text)?.[1];
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

test('at the store the driver has a list of what is in the bag, with its choices, and without what the store lacks', async () => {
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

test('the files of the page are kept by browsers for good; an unknown file is 404', async () => {
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

test('the page has the tip before and after the delivery, and the tips of today and of the last 30 days', async (t) => {
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
