import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { pizzeria } from '../feed-lines.ts';
import { repeatLost } from '../given/lost-answers.ts';
import { givenStores } from '../given/stores.ts';
import { callsBy, type Got, givenShopApp, openShop, SHOPPING, type ShopApp, TRANSPORTS } from './given-shop.ts';

/* Each write of UCP is carried out, and its process dies before it stores the response. */

let app: ShopApp;
let pie = '';
before(async () => {
  app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '100000', VISITOR_REQUESTS_PER_HOUR: '100000' });
  const products = [{ id: 'pie', name: 'Plain Pie', price: 900 }];
  const [storeId = ''] = await givenStores(app, [pizzeria({ categories: [{ id: 'all', name: 'All', products }] })]);
  ({ 'Plain Pie': pie = '' } = await openShop(app, [storeId], true));
});
after(() => app.close());

const BUYER = { first_name: 'Dana', last_name: 'Reyes', email: 'dana@example.com', phone_number: '+12125550142' };
const CARD = { id: 'card', handler_id: 'card_token', credential: { type: 'token', token: 'tok_visa' } };
const PAYMENT = { payment: { instruments: [CARD] } };

for (const transport of TRANSPORTS) {
  test(`a write over ${transport} whose answer was lost is repeated to the same outcome, and charged once`, async () => {
    const call = callsBy(app, transport, { 'x-api-key': app.key });
    /** Repeats a write, and compares what it says with a read. */
    async function write(operation: string, body: object, id?: string): Promise<Got> {
      const how = { ...(id !== undefined && { id }), key: randomUUID() };
      const { written, ...got } = await repeatLost(app, () => call(operation, body, how));
      assert.ok(written, `${operation} is answered at once`);
      assert.ok(
        [200, 201].includes(got.status) && got.body.ucp.status !== 'error',
        `${operation} ${JSON.stringify(got)}`,
      );
      if (id !== undefined) assert.deepEqual(written, [], `${operation} does something again`);
      const replayed = await call(operation, body, how);
      assert.deepEqual(replayed.body, got.body);
      return got;
    }
    const lines = (quantity: number) => ({ line_items: [{ item: { id: pie }, quantity }] });
    const checkout = { buyer: BUYER, fulfillment: { methods: [{ type: 'pickup' }] } };
    const cart = (await write('create_cart', lines(2))).body;
    assert.equal((await write('update_cart', lines(3), cart.id)).body.line_items[0].quantity, 3);
    const made = await write('create_checkout', { cart_id: cart.id, ...checkout });
    assert.equal(made.status, transport === 'rest' ? 201 : 200);
    const { id } = made.body;
    await write('update_checkout', { ...lines(2), ...checkout }, id);
    const { body: completed } = await write('complete_checkout', PAYMENT, id);
    assert.equal(completed.status, 'completed');
    const { body: charges } = await app.get('/sandbox/charges', { order_id: completed.order.id });
    assert.equal(charges.charges.length, 1);
    const late = await call('complete_checkout', PAYMENT, { id, key: randomUUID() });
    assert.equal(late.body.code, 'session_ended', 'another key is another request');

    const other = (await write('create_checkout', { ...lines(1), ...checkout })).body;
    assert.equal((await write('cancel_checkout', {}, other.id)).body.status, 'canceled');
    const spare = (await write('create_cart', lines(1))).body;
    assert.equal((await write('cancel_cart', {}, spare.id)).body.id, spare.id);
    const gone = await call('cancel_cart', {}, { id: spare.id, key: randomUUID() });
    assert.equal(gone.body.messages[0].code, 'not_found');
  });
}
