import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenPizzeria, type Pizzeria } from '../../test/given-pizzeria.ts';

let shop: Pizzeria;

before(async () => {
  shop = await givenPizzeria();
});
after(() => shop.close());

const idOf = ({ order_id }: { order_id: string }) => order_id;

test('orders are filtered, counted and paged', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1)
    ids.push((await shop.place('Margherita', { items: [shop.bigPie()], place_order: n > 0 })).body.order_id);
  const [, canceledId = ''] = ids;
  await shop.step(canceledId, 'cancel');
  const all = await shop.get('/account/orders', { include_order_count: true });
  assert.equal(all.body.order_count, all.body.orders.length);
  assert.deepEqual(all.body.orders.map(idOf).sort(), [...ids].sort());
  const canceled = await shop.get('/account/orders', { status: 'canceled,completed' });
  assert.ok(canceled.body.orders.every((order: { status: string }) => /canceled|completed/.test(order.status)));
  assert.deepEqual(canceled.body.orders.map(idOf), [canceledId]);
  assert.deepEqual((await shop.get('/account/orders', { user_id: 'nobody' })).body.orders, []);
  assert.deepEqual((await shop.get('/account/orders', { start_date: '01/01/2027' })).body.orders, []);
  const today = await shop.get('/account/orders', { start_date: '06/10/2026', end_date: '06/10/2026', page: 0 });
  assert.equal(today.body.orders.length, all.body.orders.length);
  const bad = await shop.get('/account/orders', { status: 'lost', start_date: '02/30/2026', end_date: '2026-01-01' });
  assert.deepEqual(
    bad.body.errors.map((fault: { name: string }) => fault.name),
    ['status', 'start_date', 'end_date'],
  );
});
