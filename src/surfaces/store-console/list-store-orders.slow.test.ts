import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';

async function givenList(t: TestContext) {
  const shop = await givenLiveShop(t);
  const key = await givenStoreKey(shop.app, shop.storeId);
  const nowS = () => shop.app.now().epochMilliseconds / 1000;
  const listed = async (query: Record<string, string | number>) => {
    const reply = await key.get('/store/orders', query);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.orders.map(({ order_id: id }: { order_id: string }) => id);
  };
  return { ...shop, key, nowS, listed };
}

test('orders since any moment of the years to 9999 are listed, a later moment is refused', async (t) => {
  const { key, place } = await givenList(t);
  const orderId = await place();
  const since = async (moment: number) => key.get('/store/orders', { since: moment });
  assert.equal((await since(0)).body.orders[0].order_id, orderId);
  assert.equal((await since(253_402_300_799)).status, 200);
  assert.deepEqual([(await since(253_402_300_800)).status, (await since(8_640_000_000_000)).status], [400, 400]);
});

test('since lists the orders that the store was offered from that moment on, to a fraction of a second, and no others', async (t) => {
  const { app, place, nowS, listed } = await givenList(t);
  const before = nowS();
  const first = await place();
  await app.advance({ milliseconds: 500 });
  const between = nowS();
  await app.advance({ milliseconds: 250 });
  const second = await place();
  assert.deepEqual(await listed({ since: before }), [first, second]);
  assert.deepEqual(await listed({ since: between }), [second], 'the first order waits, and is older');
  assert.deepEqual(await listed({ since: before - 0.000_123_4 }), [first, second], 'less than a millisecond');
  assert.deepEqual(await listed({ since: nowS() + 1 }), []);
  assert.deepEqual(await listed({}), [first, second]);
});

test('a scheduled order counts from its offer, and an old order that has not ended is listed without since', async (t) => {
  const { app, key, place, nowS, listed } = await givenList(t);
  const orderId = await place();
  const later = app.now().add({ hours: 10 }).toString();
  await sql`update orders set offer_at = ${later} where order_id = ${orderId}`.execute(app.service.deps.db);
  const startS = nowS();
  await app.advance({ hours: 11 });
  assert.deepEqual(await listed({ since: startS + 3600 }), [orderId]);
  await key.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 20 });
  await app.advance({ hours: 30 });
  assert.deepEqual([await listed({}), await listed({ since: nowS() - 3600 })], [[orderId], []]);
});

test('status is one status or several with commas; another word is refused by name', async (t) => {
  const { app, key, place, listed } = await givenList(t);
  const placed: string[] = [];
  for (const _ of ['waiting', 'confirmed', 'canceled']) {
    placed.push(await place());
    await app.advance({ milliseconds: 1 });
  }
  const [waiting, confirmed, canceled] = placed;
  await key.post(`/store/orders/${confirmed}/confirm`, { preparation_minutes: 20 });
  await key.post(`/store/orders/${canceled}/cancel`, { reason: 'closed' });
  assert.deepEqual(await listed({ status: 'awaiting_confirmation' }), [waiting]);
  assert.deepEqual(await listed({ status: 'awaiting_confirmation, canceled' }), [waiting, canceled]);
  assert.deepEqual(await listed({ status: '' }), [waiting, confirmed, canceled]);
  for (const status of ['waiting', 'canceled,', 'canceled,unplaced']) {
    const { status: code, body } = await key.get('/store/orders', { status });
    assert.deepEqual([code, body.errors?.[0].name], [400, 'status'], status);
  }
});
