import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenCountedShop } from '../../../test/given/counted-shop.ts';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenConsole } from '../../../test/given/merchant.ts';

type Day = { day: string; orders: number; canceled: number; sales: number; refunded: number; confirm_seconds: number };

test('daily totals equal their orders’ totals after any refunds, tips and cancellations', async (t) => {
  const shop = await givenCountedShop();
  t.after(() => shop.close());
  const operator = await givenConsole(shop, null);
  const advance = (id: string, event: string) => shop.post(`/sandbox/orders/${id}/advance`, { event });
  const placed: { id: string; day: string }[] = [];
  for (let count = 0; count < 6; count += 1) {
    const reply = await shop.place(shop.newKey(), { items: [{ ...shop.item(), quantity: 2 }] });
    const id: string = reply.body.order_id;
    placed.push({ id, day: shop.now().toZonedDateTimeISO('America/New_York').toPlainDate().toString() });
    await shop.advance({ seconds: 40 });
    if (count !== 1) await advance(id, 'confirm');
    if (count % 2 === 0) await shop.post('/order/tip', { order_id: id, driver_tip_cents: 900 });
    if (count % 3 === 0) await shop.post('/order/refund', { order_id: id, amount: 123 });
    // The refund of a day may come on a later one.
    await shop.advance({ hours: 7 });
    if (count > 3) await shop.post('/order/cancel', { order_id: id });
    await shop.advance({ seconds: 1 });
  }
  const { days } = (await operator.get('/operator/trends', { mode: 'sandbox', days: '7' })).body as { days: Day[] };
  assert.equal(days.length, 7);
  assert.ok(new Set(placed.map(({ day }) => day)).size > 1);
  assert.ok(days.some(({ confirm_seconds: seconds }) => seconds >= 40));
  const orders = await Promise.all(
    placed.map(async ({ id, day }) => ({ day, order: (await operator.get(`/operator/orders/${id}`)).body })),
  );
  for (const day of days) {
    const own = orders.filter((one) => one.day === day.day).map(({ order }) => order);
    const sum = (of: (order: (typeof own)[number]) => number) => own.reduce((total, order) => total + of(order), 0);
    const refunded = sum(({ charge }) => charge.refunded_amount);
    const waits = own.flatMap(({ events, offered_at: offeredAt, placed_at: placedAt }) =>
      events
        .filter(({ type }: { type: string }) => type === 'order.confirmed')
        .map(({ at }: { at: number }) => at - (offeredAt ?? placedAt)),
    );
    assert.deepEqual(day, {
      day: day.day,
      orders: own.length,
      canceled: own.filter(({ order: { status } }) => status === 'canceled').length,
      sales: sum(({ order: { total_with_tip: total } }) => total) - refunded,
      refunded,
      confirm_seconds: waits.length === 0 ? null : Math.round(waits.reduce((a, b) => a + b) / waits.length),
    });
  }
});

test('an order counts once on its store’s day, at its store and account, and not after cancellation', async (t) => {
  const shop = await givenLiveShop(t);
  const operator = await givenConsole(shop.app, null);
  // 22:00 in New York; the next day in UTC.
  await shop.app.advance({ hours: 9 });
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  const sumOf = async (query: Record<string, string> = {}) => {
    const { days } = (await operator.get('/operator/trends', { days: '7', ...query })).body as { days: Day[] };
    return days
      .filter(({ orders }) => orders > 0)
      .map(({ day, orders, canceled, sales }) => [day, orders, canceled, sales]);
  };
  const total = (await operator.get(`/operator/orders/${orderId}`)).body.order.total_with_tip;
  for (const query of [{}, { store_id: shop.storeId }, { account_id: shop.client.accountId }]) {
    assert.deepEqual(await sumOf(query), [['2026-06-10', 1, 0, total]]);
  }
  for (const query of [{ mode: 'sandbox' }, { store_id: '0'.repeat(24) }, { account_id: 'acc_none' }]) {
    assert.deepEqual(await sumOf(query), []);
  }
  await step(shop, orderId, 'cancel');
  assert.deepEqual(await sumOf(), [['2026-06-10', 1, 1, 0]]);
});
