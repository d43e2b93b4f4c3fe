import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CountedShop, givenCountedShop } from '../../../test/given/counted-shop.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { assertAgrees, liveAtOnce, moments } from '../../../test/lives/lives-at-once.ts';
import { runs } from '../../../test/runs.ts';
import { findAnyOrder } from '../order/orders.db.ts';

const LIVES_AT_ONCE = runs(25);

test('random requests about an order at the same moment, with a gateway that fails: every cent is accounted for', async (t) => {
  const shop = await givenCountedShop();
  t.after(() => shop.close());
  const { storeId } = (await findAnyOrder(shop.service.deps.db, await placed(shop))) ?? assert.fail('no order');
  const store = await givenStoreKey(shop, storeId, shop.accountId);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(moments, async (life) => {
      const orderId = await placed(shop);
      const agreed = (await shop.get('/account/orders', { order_id: orderId })).body.orders[0].total_with_tip;
      await shop.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' });
      for (const { status, text } of await liveAtOnce(shop, { store, orderId }, life)) {
        assert.ok([200, 402, 409, 422, 503].includes(status), text);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      await assertAgrees(shop, orderId, agreed);
    }),
    { numRuns: LIVES_AT_ONCE },
  );
  t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
});

/** Places an order of three units, and returns its id. */
async function placed(shop: CountedShop): Promise<string> {
  const { status, body, text } = await shop.place(shop.newKey(), { items: [{ ...shop.item(), quantity: 3 }] });
  assert.equal(status, 200, text);
  return body.order_id;
}
