import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenChannel, givenStoreKey } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { postForm } from '../../../test/given/post-form.ts';
import { AMOUNT_5, endPromotions, givenPromotion } from '../../../test/given/promotions.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type Client, givenOwnApp, type Reply } from '../../../test/harness.ts';
import { loadPlugins } from '../../app/wiring/load-plugins.ts';
import { listDeliveries, setStoreCourier } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';

/** A service whose gateway is the example `examples/plugins/cash`, with a limit of $60. */

const ROOT = join(import.meta.dirname, '../../..');
const PLUGINS = ['examples/plugins/cash/cash.ts', 'test/plugins/bike.ts'].map((file) => join(ROOT, file)).join(',');

const env = { PLUGINS, PAYMENT_GATEWAY: 'cash', CASH_LIMIT: '60', BIKE_SECRET: 'bike-secret' };
const app = await givenOwnApp({ env, plugins: await loadPlugins(env) });
const [storeId = ''] = await givenStores(app, [pizzeria()]);
await givenChannel(app, storeId);
await setStoreCourier(app.service.deps.db, storeId, 'bike', app.now());
const soda = (await productTokens(app, storeId)).Soda ?? assert.fail();
after(() => app.close());

const sodas = (quantity: number) => ({ items: [{ product_id: soda, quantity }] });
const readOrder = async (orderId: string) => (await findAnyOrder(app.service.deps.db, orderId)) ?? assert.fail();

async function givenCheckout(
  client: Client = app,
  quantity = 4,
  changes: object = {},
): Promise<{ orderId: string; path: string }> {
  const body = orderBody(soda, null, { place_order: false, ...sodas(quantity), ...changes });
  const reply = await client.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  return { orderId: reply.body.order_id, path: new URL(reply.body.checkout_url).pathname };
}

const submit = (path: string, form: Record<string, string>) => postForm(app, path, form);

const open = (path: string): Promise<Reply> => app.get(path, {}, { 'id-token': '', accept: 'text/html' });
const totalIn = ({ text }: Reply) => /name="total" value="(\d+)"/.exec(text)?.[1] ?? '';

test('the checkout says that the order is paid in cash, asks for no card, and places it', async () => {
  const { orderId, path } = await givenCheckout();
  const page = await open(path);
  assert.match(page.text, /Pay in cash at the door/);
  assert.doesNotMatch(page.text, /value="card"|value="cash"/);
  const placed = await submit(path, { action: 'place', total: totalIn(page) });
  assert.equal(placed.statusCode, 303, placed.body);
  const { status, chargeState } = await readOrder(orderId);
  assert.deepEqual([status, chargeState], ['awaiting_confirmation', 'to_collect']);
});

test('a code for first orders is checked once it is known who orders, and until then the page says so', async () => {
  const { db } = app.service.deps;
  await givenPromotion(db, { terms: AMOUNT_5, code: 'FIRST', firstOrder: true });
  const unknown = { user_phone: undefined, user_id: undefined, user_email: undefined };
  const order = { ...unknown, promotion_codes: ['FIRST'], pickup: true };
  const later = await open((await givenCheckout(app, 4, order)).path);
  assert.match(later.text, /FIRST is for first orders. We’ll check when you place yours\./);
  const known = { ...order, user_id: 'new', user_phone: 12125550142, user_email: 'new@example.com' };
  assert.match((await open((await givenCheckout(app, 4, known)).path)).text, /FIRST is applied\./);
  const placed = await app.post('/order/finalize', {
    order_id: (await givenCheckout(app, 4, known)).orderId,
    payment_token: 'cash',
  });
  assert.equal(placed.status, 200, placed.text);
  assert.match((await open((await givenCheckout(app, 4, known)).path)).text, /FIRST is for first orders only\./);
  await endPromotions(db);
});

test('choices not offered on the page change nothing', async () => {
  const { orderId, path } = await givenCheckout();
  for (const action of ['card', 'cash']) assert.equal((await submit(path, { action })).statusCode, 303);
  assert.equal((await readOrder(orderId)).status, 'unplaced');
});

test('an order to be left at the door is not placed in cash, and the page says why', async () => {
  const { orderId, path } = await givenCheckout(app, 4, {
    drop_off: { where: 'leave_at_door', utensils: false, code: false },
  });
  const page = await submit(path, { action: 'place', total: totalIn(await open(path)) });
  assert.equal(page.statusCode, 400, page.body);
  assert.match(page.body, /paid in cash can’t be left at the door/);
  assert.equal((await readOrder(orderId)).status, 'unplaced');
});

test('a live total above the limit is declined in words, and nothing is placed', async () => {
  const { orderId, path } = await givenCheckout(await app.givenClient('live'), 40);
  const page = await submit(path, { action: 'place', total: totalIn(await open(path)) });
  assert.equal(page.statusCode, 402);
  assert.match(page.body, /You can’t pay for this order in cash/);
  assert.equal((await readOrder(orderId)).status, 'unplaced');
});

test('a live order takes no card; its store brings it, not its courier company, and collects the money', async () => {
  const client = await app.givenClient('live');
  const user = { user_email: 'u1@example.com', user_id: 'u1' };
  const setup = await client.post('/payment/setup', { ...user, return_url: 'https://app.example.com/back' });
  assert.deepEqual([setup.status, setup.body.code], [503, 'payment_gateway_not_configured'], setup.text);
  const method = await client.post('/payment/create', { payment_token: 'cash', ...user });
  const { body } = await client.post('/order/order/v2', orderBody(soda, method.body.payment_method_id, sodas(4)));
  const store = await givenStoreKey(app, storeId);
  await store.post(`/store/orders/${body.order_id}/confirm`, { preparation_minutes: 10 });
  await app.advance({ seconds: 1 });
  assert.deepEqual(await listDeliveries(app.service.deps.db, body.order_id), []);
  for (const event of ['assign_driver', 'pick_up'] as const) {
    await takeStep(app.service.deps, body.order_id, { event });
  }
  const done = await store.post(`/store/orders/${body.order_id}/complete`, {});
  const total = body.final_quote.total_with_tip;
  assert.deepEqual([done.body.collected_cents, done.body.collected_by], [total, 'store'], done.text);
  const refund = await client.post('/order/refund', { order_id: body.order_id, amount: 200 });
  assert.deepEqual([refund.body.state, refund.body.refunded_amount], ['done', 200], refund.text);
});
