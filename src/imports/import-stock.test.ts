import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { killedAfterCharging, withBrokenGateway } from '../../test/fakes/broken-gateway.ts';
import { givenImport, product, shop } from '../../test/given-import.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../test/given-orders.ts';
import { storeIdOf } from '../stores/store-id.ts';

const { app, close, db, importLines, productsOf } = await givenImport();
after(close);
const card = await givenPaymentMethod(app);

/** Products `a` and `b` of a feed of its own, as its entries say now; `changes` go over those of `a`. */
const lineOf = (changes: object = {}) =>
  shop([product('a', { price: 900, ...changes }), product('b', { qty_available: 7 })]);
const leftOf = async (source: string) => (await productsOf(source)).get('a')?.qtyAvailable;

/** A store whose feed says ten of product `a`, and what orders it. */
async function givenTen(source: string) {
  await importLines(source, [lineOf({ qty_available: 10 })]);
  const tokens = await productTokens(app, storeIdOf(source, 'shop'));
  const body = (quantity: number) => orderBody(undefined, card, { items: [{ product_id: tokens.a, quantity }] });
  return {
    order: async (quantity: number): Promise<string> => {
      const reply = await app.post('/order/order/v2', body(quantity));
      assert.equal(reply.status, 200, reply.text);
      return reply.body.order_id;
    },
    post: (quantity: number) => app.post('/order/order/v2', body(quantity)),
  };
}
async function step(orderId: string, ...events: string[]): Promise<void> {
  for (const event of events) {
    const reply = await app.post(`/sandbox/orders/${orderId}/advance`, { event });
    assert.equal(reply.status, 200, reply.text);
  }
}

test('a feed that counts the shelf leaves orders under way what they hold, and a cancelation adds it once', async () => {
  const { order } = await givenTen('under-way');
  const [waiting, confirmed, completed, canceled] = [await order(1), await order(2), await order(3), await order(1)];
  await step(confirmed, 'confirm');
  await step(completed, 'confirm', 'assign_driver', 'pick_up', 'complete');
  await step(canceled, 'cancel');
  assert.equal(await leftOf('under-way'), 4);
  await importLines('under-way', [lineOf({ qty_available: 7 })]);
  assert.equal(await leftOf('under-way'), 4);
  await step(waiting, 'cancel');
  await step(confirmed, 'cancel');
  assert.equal(await leftOf('under-way'), 7);
});

test('an order whose charge is on its way holds its units, too', async () => {
  const { post } = await givenTen('charging');
  assert.equal((await withBrokenGateway(app, killedAfterCharging, () => post(4))).status, 500);
  await importLines('charging', [lineOf({ qty_available: 11 })]);
  assert.equal(await leftOf('charging'), 7);
});

test('where fewer lie on the shelf than are sold, none are left', async () => {
  const { order, post } = await givenTen('short');
  await order(6);
  await importLines('short', [lineOf({ qty_available: 5 })]);
  assert.equal(await leftOf('short'), 0);
  assert.equal((await post(1)).body.code, 'product_unavailable');
});

test('stock that is counted no more, or whose entry is as before, is not touched by what orders hold', async () => {
  const { order } = await givenTen('others');
  await order(2);
  await importLines('others', [{ ...lineOf({ qty_available: 10 }), name: 'Renamed' }]);
  assert.equal(await leftOf('others'), 8);
  assert.equal((await productsOf('others')).get('b')?.qtyAvailable, 7);
  await importLines('others', [lineOf()]);
  assert.equal(await leftOf('others'), null);
});

test('one unit is sold once, with imports that count it and orders that want it at the same time', async () => {
  const source = 'at-once';
  const { post } = await givenTen(source);
  const shelf = 10;
  const imports = async () => {
    for (let n = 0; n < 8; n += 1) await importLines(source, [lineOf({ qty_available: shelf, description: `${n}` })]);
  };
  const orders = async () => {
    for (let n = 0; n < 6; n += 1) await post(1);
  };
  await Promise.all([imports(), orders(), orders(), orders(), orders()]);
  const held = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('storeId', '=', storeIdOf(source, 'shop'))
    .where('status', '=', 'awaiting_confirmation')
    .executeTakeFirstOrThrow();
  assert.equal(Number(held.count), shelf);
  assert.equal(await leftOf(source), 0);
});
