import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { CARD, givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, type Client, givenApp } from '../../../test/harness.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';

let app: App;
let store: Client;
let storeId = '';
let card = '';
let token = '';
before(async () => {
  app = await givenApp({ env: { SHOW_STORES_ADDED_FEES: 'true' } });
  const wine = { id: 'wine', name: 'Wine', price: 1200, is_alcoholic: true, food: { nutrition: { calories: 125 } } };
  [storeId = ''] = await givenStores(app, [
    pizzeria({ categories: [{ id: 'wines', name: 'Wines', products: [wine] }] }),
  ]);
  token = (await productTokens(app, storeId)).Wine ?? assert.fail();
  card = await givenPaymentMethod(app, CARD.card_number);
  store = await givenStoreKey(app, storeId, app.accountId);
});
after(() => app.close());

const order = (item: object = {}, changes: object = {}) =>
  app.post(
    '/order/order/v2',
    orderBody(token, card, {
      items: [{ product_id: token, quantity: 1, ...item }],
      email_receipt_specifications: { prices_marked: true },
      ...changes,
    }),
  );
const step = (orderId: string, name: string, body: object = {}) => store.post(`/store/orders/${orderId}/${name}`, body);

test('an order with alcohol is handed over only with id_checked, at the counter and of an own delivery', async () => {
  for (const pickup of [true, false]) {
    const { body } = await order({}, { pickup });
    const { order_id: orderId } = body;
    await step(orderId, 'confirm', { preparation_minutes: 10 });
    if (!pickup) {
      await step(orderId, 'assign_driver', { name: 'Ana', phone: 12125550188, vehicle_type: 'car' });
      await step(orderId, 'pick_up');
    }
    const refused = await step(orderId, 'complete');
    assert.deepEqual([refused.status, refused.body.code], [422, 'id_check_required']);
    const done = await step(orderId, 'complete', { id_checked: true });
    assert.deepEqual([done.status, done.body.status, done.body.min_age], [200, 'completed', 21]);
    const events = await listEvents(app.service.deps.db, orderId);
    const completed = events.find(({ type }) => type === 'order.completed');
    assert.deepEqual(completed?.data, { id_checked_by: 'key' });
    const proof = (await app.get(`/account/orders/${orderId}/proof`)).body;
    assert.deepEqual([proof.id_checked, proof.at], [true, app.now().epochMilliseconds / 1000]);
  }
});

test('SHOW_STORES_ADDED_FEES: each statement line shows the customer’s price and the added fees', async () => {
  const { body } = await order({ product_marked_price: 1500 }, { pickup: true });
  await app.advance({ seconds: 1 });
  const { lines } = (await store.get('/store/statements')).body;
  const line = lines.find(({ order_id }: { order_id: string }) => order_id === body.order_id);
  assert.deepEqual([line.customer_total, line.added], [body.final_quote.total_with_tip, 300]);
  const csv = (await store.get('/store/statements.csv')).text;
  assert.match(csv.split('\r\n')[0] ?? '', /,customer_total,added,tax_ids$/);
});

test('a store without mark-up refuses a cart with a price above its own, and takes its own prices', async () => {
  const operator = await givenConsole(app, null);
  await operator.post(`/operator/stores/${storeId}/switches`, { markup: false });
  const above = await order({ product_marked_price: 1201 }, { place_order: false });
  assert.deepEqual([above.status, above.body.code], [422, 'markup_not_allowed'], above.text);
  assert.equal((await order({ product_marked_price: 1200 }, { place_order: false })).status, 200);
  await operator.post(`/operator/stores/${storeId}/switches`, { markup: true });
  assert.equal((await order({ product_marked_price: 1201 }, { place_order: false })).status, 200);
});

test('a client that sends no body completes an order without alcohol as before', async () => {
  const [sodaStore = ''] = await givenStores(app, [pizzeria({ external_id: 'sodas' })]);
  const soda = (await productTokens(app, sodaStore)).Soda;
  const till = await givenStoreKey(app, sodaStore, app.accountId);
  const items = [{ product_id: soda, quantity: 4 }];
  const { order_id: orderId } = (await app.post('/order/order/v2', orderBody(soda, card, { items, pickup: true })))
    .body;
  await till.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 10 });
  const done = await till.post(`/store/orders/${orderId}/complete`);
  assert.deepEqual([done.status, done.body.status, done.body.min_age], [200, 'completed', null], done.text);
});
