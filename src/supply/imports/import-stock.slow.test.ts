import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { comeAgain } from '../../../test/come-again.ts';
import { killedAfterCharging, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import type { KeyMode } from '../../access/accounts/account.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import type { AdvanceEvent } from '../../ordering/order/order.ts';
import { storeIdOf } from '../stores/store-id.ts';

const { app, close, db, importLines, productsOf } = await givenImport();
after(close);
const card = await givenPaymentMethod(app);
const clients = { sandbox: app, live: await app.givenClient('live') };
const MODES: readonly KeyMode[] = ['live', 'sandbox'];

/** Products `a` and `b` of a feed, as currently imported; `changes` override the fields of `a`. */
const givenLine = (changes: object = {}) =>
  shop([product('a', { price: 900, ...changes }), product('b', { qty_available: 7 })]);

/** A store whose feed has ten units of product `a`, and a buyer with a key of this mode. */
async function givenTen(source: string, mode: KeyMode = 'sandbox') {
  await importLines(source, [givenLine({ qty_available: 10 })]);
  const storeId = storeIdOf(source, 'shop');
  await givenChannel(app, storeId);
  const client = clients[mode];
  const tokens = await productTokens(client, storeId);
  const payment = mode === 'live' ? { charge_user: false } : { payment_method_id: card };
  const post = (quantity: number) => {
    const body = orderBody(undefined, null, { items: [{ product_id: tokens.a, quantity }], ...payment });
    return comeAgain((key) => client.post('/order/order/v2', body, key));
  };
  return {
    post,
    order: async (quantity: number): Promise<string> => {
      const reply = await post(quantity);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.order_id;
    },
    /** Units of product `a` shown to the client. */
    async left(): Promise<number | null> {
      const { body } = await client.get('/details/product', { product_id: tokens.a ?? '' });
      return body.qty_available;
    },
  };
}
async function step(orderId: string, ...events: AdvanceEvent[]): Promise<void> {
  for (const event of events) await takeStep(app.service.deps, orderId, { event });
}

for (const mode of MODES) {
  test(`a feed with stock leaves ${mode} orders under way their units, and a cancellation returns them once`, async () => {
    const source = `under-way-${mode}`;
    const { order, left } = await givenTen(source, mode);
    const [waiting, confirmed, completed, canceled] = [await order(1), await order(2), await order(3), await order(1)];
    await step(confirmed, 'confirm');
    await step(completed, 'confirm', 'assign_driver', 'pick_up', 'complete');
    await step(canceled, 'cancel');
    assert.equal(await left(), 4);
    await importLines(source, [givenLine({ qty_available: 7 })]);
    assert.equal(await left(), 4);
    await step(waiting, 'cancel');
    await step(confirmed, 'cancel');
    assert.equal(await left(), 7);
  });

  test(`where fewer lie on the shelf than are sold to ${mode} orders, none are left`, async () => {
    const { order, post, left } = await givenTen(`short-${mode}`, mode);
    await order(6);
    await importLines(`short-${mode}`, [givenLine({ qty_available: 5 })]);
    assert.equal(await left(), 0);
    assert.equal((await post(1)).body.code, 'product_unavailable');
  });

  test(`stock that is counted no more, or whose entry is as before, is not touched by what ${mode} orders hold`, async () => {
    const source = `others-${mode}`;
    const { order, left } = await givenTen(source, mode);
    await order(2);
    await importLines(source, [{ ...givenLine({ qty_available: 10 }), name: 'Renamed' }]);
    assert.equal(await left(), 8);
    assert.equal((await productsOf(source)).get('b')?.qtyAvailable, 7);
    await importLines(source, [givenLine()]);
    assert.equal(await left(), null);
  });

  test(`one unit is sold once, with imports that count it and ${mode} orders that want it at the same time`, async () => {
    const source = `at-once-${mode}`;
    const { post, left } = await givenTen(source, mode);
    const shelf = 10;
    const imports = async () => {
      for (let n = 0; n < 8; n += 1)
        await importLines(source, [givenLine({ qty_available: shelf, description: `${n}` })]);
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
    assert.equal(await left(), 0);
  });
}

test('sandbox orders leave an import nothing to subtract from the live stock', async () => {
  const { order, left } = await givenTen('beside orders', 'sandbox');
  await order(4);
  await importLines('beside orders', [givenLine({ qty_available: 9 })]);
  assert.equal((await productsOf('beside orders')).get('a')?.qtyAvailable, 9);
  assert.equal(await left(), 5);
});

test('imports that change the stock while sandbox orders come and go never lose a unit of an order under way', async () => {
  const source = 'changing';
  const { post, left } = await givenTen(source, 'sandbox');
  const imports = async () => {
    for (let n = 0; n < 8; n += 1) await importLines(source, [givenLine({ qty_available: 100 + n })]);
  };
  const placed: string[] = [];
  const orders = async () => {
    for (let n = 0; n < 5; n += 1) {
      const { body } = await post(1);
      if (n % 2 === 0) await step(body.order_id, 'cancel');
      else placed.push(body.order_id);
    }
  };
  await Promise.all([imports(), orders(), orders(), orders()]);
  // The last import may have preceded the last cancelation, whose unit was then returned to the same count.
  assert.equal(await left(), 107 - placed.length);
  for (const orderId of placed) await step(orderId, 'cancel');
  assert.equal(await left(), 107);
});

test('an order whose charge is on its way holds its units, too', async () => {
  const { post, left } = await givenTen('charging');
  assert.equal((await withBrokenGateway(app, killedAfterCharging, () => post(4))).status, 500);
  await importLines('charging', [givenLine({ qty_available: 11 })]);
  assert.equal(await left(), 7);
});
