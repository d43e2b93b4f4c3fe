import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { killedAfterCharging, killedBeforeCharging, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { FREED, givenCountedShop, orderOfKey, PLACED } from '../../../test/given/counted-shop.ts';
import { AMOUNT_5, endPromotions, givenPromotion, usedOf } from '../../../test/given/promotions.ts';

const shop = await givenCountedShop();
after(() => shop.close());

const used = (promotionId: string) => usedOf(shop.service.deps.db, promotionId);

for (const [point, breakage, state, count] of [
  ['before', killedBeforeCharging, FREED, 0],
  ['after', killedAfterCharging, PLACED, 1],
] as const) {
  test(`a process that dies ${point} the charge leaves as many uses as orders`, async () => {
    const { db } = shop.service.deps;
    const limited = await givenPromotion(db, { terms: AMOUNT_5, maxUses: 1 });
    const unlimited = await givenPromotion(db, { terms: { kind: 'delivery', toCents: 0 } });
    const key = shop.newKey();
    assert.equal((await withBrokenGateway(shop, breakage, () => shop.place(key))).status, 500);
    assert.deepEqual((await used(limited))[0], 1);
    const orderId = await orderOfKey(shop, key);
    await shop.advance({ minutes: 12 });
    await shop.runLeftOrders();
    assert.deepEqual(await shop.stateOf(orderId), state);
    assert.deepEqual([(await used(limited))[0], (await used(unlimited))[2]], [count, count]);
    if (count > 0) await shop.cancel(orderId);
    assert.deepEqual([await used(limited), (await used(unlimited))[2]], [[0, 0, 0], 0]);
    await endPromotions(db);
  });
}

for (const [moment, ms, left] of [
  ['a millisecond before', -1, 1],
  ['at', 0, 0],
  ['a millisecond after', 1, 0],
] as const) {
  test(`a cut placing ${left ? 'keeps' : 'has given back'} its promotion use ${moment} ten minutes`, async () => {
    const { db } = shop.service.deps;
    const promotionId = await givenPromotion(db, { terms: AMOUNT_5, maxUses: 1 });
    const key = shop.newKey();
    const startedAt = shop.now();
    const { status } = await withBrokenGateway(shop, killedBeforeCharging, () => shop.place(key));
    assert.equal(status, 500);
    const orderId = await orderOfKey(shop, key);
    await shop.advance(shop.now().until(startedAt.add({ milliseconds: 600_000 + ms })));
    await shop.runLeftOrders();
    assert.equal((await used(promotionId))[0], left);
    await shop.advance({ minutes: 1 });
    await shop.runLeftOrders();
    assert.deepEqual([await used(promotionId), await shop.stateOf(orderId)], [[0, 0, 0], FREED]);
    await endPromotions(db);
  });
}

test('an order that its store does not confirm in time gives its uses back', async () => {
  const { db } = shop.service.deps;
  const promotionId = await givenPromotion(db, { terms: AMOUNT_5, maxUses: 1, firstOrder: true });
  const body = { user_id: 'late', charge_user: false, payment_method_id: '' };
  const placed = await shop.place(shop.newKey(), body);
  assert.equal(placed.status, 200, placed.text);
  assert.deepEqual(await used(promotionId), [1, 500, 1]);
  await shop.advance({ hours: 1 });
  assert.equal((await shop.stateOf(placed.body.order_id)).status, 'canceled');
  assert.deepEqual(await used(promotionId), [0, 0, 0]);
  await endPromotions(db);
});
