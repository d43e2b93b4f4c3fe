import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

const shop = await givenPizzeria();
const key = await givenStoreKey(shop, shop.storeId, shop.accountId);
after(() => shop.close());

const place = async () => {
  const items = [{ product_id: shop.tokens.Soda, quantity: 4 }];
  const { status, body, text } = await shop.place('Soda', { items, include_final_quote: true });
  assert.equal(status, 200, text);
  return { orderId: body.order_id as string, total: body.final_quote.total_with_tip as number };
};
const charged = async (orderId: string) =>
  (await shop.chargesOf(orderId)).map(({ refunded_amount }: { refunded_amount: number }) => refunded_amount);

test('the answer of a store that cancels a sandbox order shows the refund, which is made once', async () => {
  const { orderId, total } = await place();
  for (const _ of ['first', 'again']) {
    const { body } = await key.post(`/store/orders/${orderId}/cancel`, { reason: 'closed' });
    assert.deepEqual([body.status, body.refunded_amount], ['canceled', total]);
  }
  await shop.advance({ seconds: 1 });
  assert.deepEqual(await charged(orderId), [total]);
});

test('a store’s response with missing units of a sandbox order shows the refund, which happens once', async () => {
  const { orderId, total } = await place();
  const { body } = await key.post(`/store/orders/${orderId}/items/0`, { quantity: 3 });
  assert.ok(body.refunded_amount > 0 && body.refunded_amount < total, String(body.refunded_amount));
  await shop.advance({ seconds: 1 });
  assert.deepEqual(await charged(orderId), [body.refunded_amount]);
});

test('a gateway that does not answer keeps no step from its answer, and the refund follows', async () => {
  const { orderId, total } = await place();
  const { sandbox } = shop.service.deps.gateways;
  const { refund } = sandbox;
  sandbox.refund = () => Promise.reject(new OutsideError('sandbox', 'no answer', { retryable: true }));
  const { status, body } = await key.post(`/store/orders/${orderId}/cancel`, { reason: 'closed' });
  assert.deepEqual([status, body.status, body.refunded_amount], [200, 'canceled', 0]);
  sandbox.refund = refund;
  await shop.advance({ minutes: 2 });
  assert.deepEqual(await charged(orderId), [total]);
});
