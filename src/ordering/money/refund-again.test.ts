import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Killed, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';

test('a key that names another refund after a day gives one refund more, wherever the request of it died', async (t) => {
  const shop = await givenPizzeria();
  t.after(() => shop.close());
  const orderId = (await shop.place('Margherita', { items: [shop.bigPie()], pickup: true })).body.order_id;
  for (const event of ['confirm', 'complete']) await shop.step(orderId, event);
  const refund = (key: string) =>
    shop.post('/order/refund', { order_id: orderId, amount: 100 }, { 'idempotency-key': key });
  const refunded = async () => (await shop.orderOf(orderId)).refunded_amount;
  assert.equal((await refund('daily')).status, 200);
  assert.equal((await refund('daily')).headers['idempotent-replayed'], 'true');
  for (const day of [1, 2]) {
    await shop.advance({ hours: 25 });
    const killed = () => ({ refund: () => Promise.reject(new Killed()) });
    assert.equal((await withBrokenGateway(shop, killed, () => refund('daily'))).status, 500);
    const retried = await refund('daily');
    assert.deepEqual([retried.status, retried.body.amount], [200, 100], retried.text);
    await shop.advance({ minutes: 3 });
    assert.equal(await refunded(), 100 + day * 100);
  }
});
