import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { pauseStore, resumeStore } from './set-store.flow.ts';

const PLACE = { latitude: 40.7383, longitude: -73.9927 };
const START = '2026-06-10T17:10:20.5Z';
const CATEGORIES = [{ id: 'x', name: 'X', products: [{ id: 'a', name: 'A', price: 900 }] }];

/** A store that is always open and offers 30-minute slots from 10 minutes ahead, unless `changes` override that. */
async function givenShop(changes: object = {}) {
  const app = await givenOwnApp({ start: START });
  const { db, inventory } = app.service.deps;
  const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 10, days_ahead: 0 };
  const storeId = await givenStore(db, { categories: CATEGORIES, scheduling, ...changes });
  await app.catchUp();
  const inTransaction = async (work: (tx: typeof db) => Promise<unknown>) => {
    await db.transaction().execute((tx) => work(tx as typeof db));
    inventory.evict(storeId);
    await app.catchUp();
  };
  return {
    app,
    db,
    storeId,
    pause: (minutes: number) => inTransaction((tx) => pauseStore(tx, storeId, app.now().add({ minutes }), app.now())),
    resume: () => inTransaction((tx) => resumeStore(tx, storeId, app.now())),
    quote: async (pickup = true) => {
      const query = {
        store_id: storeId,
        pickup,
        include_quote: true,
        user_latitude: PLACE.latitude,
        user_longitude: PLACE.longitude,
      };
      return (await app.get('/details/inventory', query)).body.quote;
    },
    /** `is_open` in store search, product search and cart search, and the number of open stores. */
    seen: async () => {
      const { body } = await app.get('/search/store/v3', PLACE);
      const open = await app.get('/search/store/v3', { ...PLACE, open: true });
      const found = await app.get('/search/product/v4', { query: 'a', ...NEAR_DOOR });
      const carts = await app.get('/search/cart', { query: '{"a":1}', ...NEAR_DOOR });
      const products = found.body.products.map((one: { store: { is_open: boolean } }) => one.store.is_open);
      return [body.stores[0].is_open, open.body.stores.length, products[0], carts.body.carts.length];
    },
  };
}

test('a paused store reads as closed in every search and quote, and opens by itself when the pause ends', async (t) => {
  const { app, pause, quote, seen } = await givenShop({ scheduling: { enabled: false } });
  t.after(() => app.close());
  const node = await app.givenNode('api');
  await pause(15);
  assert.deepEqual(await seen(), [false, 0, false, 0]);
  assert.deepEqual(
    [await quote(), await quote(false)],
    [{ error: 'This store is closed.' }, { error: 'This store is closed.' }],
  );
  const elsewhere = async () => {
    await node.deps.storeFeed.catchUp();
    const query = { latitude: '40.7383', longitude: '-73.9927' };
    const reply = await node.http.inject({ url: '/search/store/v3', query, headers: { 'id-token': app.key } });
    return reply.json().stores[0].is_open;
  };
  assert.equal(await elsewhere(), false);
  // Due jobs may take some seconds of the clock, too.
  await app.advance({ minutes: 14, seconds: 30 });
  assert.deepEqual(await seen(), [false, 0, false, 0]);
  await app.advance({ minutes: 1 });
  assert.deepEqual(await seen(), [true, 1, true, 1]);
  assert.equal((await quote()).asap_available, true);
  assert.equal(await elsewhere(), true);
});

test('slots that begin within a pause are not offered, later ones are, and the order is judged by the same rule', async (t) => {
  const { app, storeId, pause, resume, quote } = await givenShop();
  t.after(() => app.close());
  const card = await givenPaymentMethod(app);
  const { A: productId } = await productTokens(app, storeId, true);
  type Slot = { id: string; minimum: number };
  const slots = async (): Promise<Slot[]> => (await quote()).time_estimate.scheduled;
  const slotStarts = async () =>
    (await slots()).map(({ minimum }) => new Date(minimum * 1000).toISOString().slice(11, 16)).slice(0, 3);
  const post = (scheduledId?: string) =>
    app.post(
      '/order/order/v2',
      orderBody(productId, card, { pickup: true, ...(scheduledId && { scheduled_id: scheduledId }) }),
    );

  const [first] = await slots();
  assert.deepEqual(await slotStarts(), ['17:30', '18:00', '18:30']);
  await pause(45);
  const { asap_available: asap } = await quote();
  assert.deepEqual([asap, await slotStarts()], [false, ['18:00', '18:30', '19:00']]);
  assert.equal((await post(first?.id)).body.code, 'slot_unavailable');
  const asSoonAsPossible = (await post()).body;
  assert.deepEqual([asSoonAsPossible.code, asSoonAsPossible.quote_error], ['quote_unavailable', 'STORE_CLOSED']);
  const [later] = await slots();
  assert.equal((await post(later?.id)).status, 200);
  await resume();
  assert.deepEqual([(await quote()).asap_available, await slotStarts()], [true, ['17:30', '18:00', '18:30']]);
  assert.equal((await post()).status, 200);
});

test('a slot that begins when the pause ends is offered', async (t) => {
  const { app, db, storeId, quote } = await givenShop();
  t.after(() => app.close());
  const until = Temporal.Instant.from('2026-06-10T18:00:00Z');
  await pauseStore(db, storeId, until, app.now());
  assert.equal((await quote()).time_estimate.scheduled[0].minimum, until.epochMilliseconds / 1000);
});

test('a pause ends with hours that are closed by then, outlives an import, and a repetition writes nothing', async (t) => {
  const { app, db, pause, resume, seen } = await givenShop({ hours: { operational: 'Mo-Su 09:00-13:15' } });
  t.after(() => app.close());
  const seq = async () => (await db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow()).seq;
  assert.equal((await seen())[0], true);
  const start = await seq();
  await resume();
  assert.equal(await seq(), start);
  await pause(20);
  await pause(20);
  assert.equal(await seq(), start + 1);
  await givenStore(db, { name: 'Renamed', categories: CATEGORIES, hours: { operational: 'Mo-Su 09:00-13:15' } });
  await app.catchUp();
  assert.equal((await seen())[0], false);
  await app.advance({ minutes: 21 });
  assert.equal((await seen())[0], false, 'its hours have ended');
  const ended = await seq();
  await resume();
  assert.equal(await seq(), ended);
  assert.equal(await pauseStore(db, 'f'.repeat(24), app.now(), app.now()), undefined);
});
