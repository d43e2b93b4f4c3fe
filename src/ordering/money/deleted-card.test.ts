import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { heldGateway } from '../../../test/fakes/broken-gateway.ts';
import { type CountedShop, givenCountedShop, orderOfKey } from '../../../test/given/counted-shop.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import type { Reply } from '../../../test/harness.ts';

let shop: CountedShop;
before(async () => {
  shop = await givenCountedShop();
});
after(() => shop.close());

const statusAndCode = ({ status, body }: Reply) => [status, body.code];
const NOT_FOUND = [404, 'payment_method_not_found'];

/** Sends requests whose charges reach the gateway after the card has been deleted there. */
async function whileDeleting(card: string, send: () => Promise<Reply>[]): Promise<Reply[]> {
  const gateway = heldGateway(shop);
  try {
    const replies = Promise.all(send());
    await gateway.reached;
    const deleted = await shop.post('/payment/delete', { user_id: 'u1', payment_method_id: card });
    assert.equal(deleted.status, 200, deleted.text);
    await shop.advance({ seconds: 1 });
    gateway.letGo();
    return await replies;
  } finally {
    gateway.fix();
  }
}

test('an order whose card is deleted while it is charged is refused for its card, and holds and charges nothing', async () => {
  const card = await givenPaymentMethod(shop);
  const key = shop.newKey();
  const [reply] = await whileDeleting(card, () => [shop.place(key, { payment_method_id: card })]);
  assert.ok(reply);
  assert.deepEqual(statusAndCode(reply), NOT_FOUND, reply.text);
  assert.deepEqual(
    statusAndCode(await shop.place(key, { payment_method_id: card })),
    NOT_FOUND,
    'the refusal is replayed',
  );
  assert.deepEqual(await shop.held(), { stock: 0, slots: 0 });
  const orderId = await orderOfKey(shop, key);
  assert.deepEqual(await shop.books(orderId), []);
});

test('tips whose card is deleted while it is charged are refused for its card, also one that joins another', async () => {
  const card = await givenPaymentMethod(shop);
  const { body } = await shop.place(shop.newKey(), { payment_method_id: card });
  const tip = () => shop.post('/order/tip', { order_id: body.order_id, driver_tip_cents: 900 });
  const charged = await shop.books(body.order_id);
  const replies = await whileDeleting(card, () => [tip(), tip()]);
  assert.deepEqual(replies.map(statusAndCode), [NOT_FOUND, NOT_FOUND]);
  assert.deepEqual(await shop.books(body.order_id), charged);
  assert.deepEqual(statusAndCode(await tip()), NOT_FOUND);
});
