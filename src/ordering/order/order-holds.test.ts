import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { comeAgain } from '../../../test/come-again.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenApp } from '../../../test/harness.ts';

const shop = await givenPizzeria(givenApp);
after(() => shop.close());

test('a declined card returns 402 with its code, and leaves nothing held and nothing placed', async (t) => {
  for (const [number, code] of [
    ['4000000000000002', 'generic_decline'],
    ['4000000000009995', 'insufficient_funds'],
  ] as const) {
    await t.test(code, async () => {
      const declined = await givenPaymentMethod(shop, number);
      const reply = await shop.place('Last Slice', { payment_method_id: declined });
      assert.deepEqual([reply.status, reply.body.code, reply.body.decline_code], [402, 'payment_declined', code]);
      const { menu_item_list: items } = (
        await shop.get('/details/inventory', { store_id: shop.storeId, pickup: false })
      ).body.categories[1];
      assert.equal(items.find((item: { name: string }) => item.name === 'Last Slice').qty_available, 1);
    });
  }
});

test('a charge whose answer is lost ends with one charge and a placed order', async () => {
  const lossy = await givenPaymentMethod(shop, '4000000000000259');
  const reply = await shop.place('Few Left', { payment_method_id: lossy });
  assert.deepEqual([reply.status, reply.body.order_placed], [200, true], reply.text);
  const charges = await shop.chargesOf(reply.body.order_id);
  assert.deepEqual(
    charges.map((charge: { status: string }) => charge.status),
    ['succeeded'],
  );
  await shop.step(reply.body.order_id, 'cancel');
});

test('a cancelation refunds in full and gives stock and slot back', async () => {
  const slots = await shop.slotsOf();
  const reply = await shop.place('Last Slice', { scheduled_id: slots[0] });
  assert.equal(reply.status, 200, reply.text);
  assert.equal((await shop.place('Last Slice')).body.code, 'product_unavailable');
  const canceled = await shop.step(reply.body.order_id, 'cancel');
  assert.deepEqual(
    [canceled.body.status, canceled.body.refunded_amount],
    ['canceled', reply.body.final_quote.total_with_tip],
  );
  const [charge] = await shop.chargesOf(reply.body.order_id);
  assert.equal(charge.refunded_amount, charge.amount);
  const again = await shop.place('Last Slice');
  assert.equal(again.status, 200, again.text);
  await shop.step(again.body.order_id, 'cancel');
});

test('40 buyers at once: the last slot and the last item are sold exactly as often as there are any', async (t) => {
  const outcomes = async (changes: (index: number) => object) => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        comeAgain((key) => shop.post('/order/order/v2', shop.bodyOf('Margherita', changes(index)), key)),
      ),
    );
    return replies.map((reply) => (reply.status === 200 ? 'placed' : reply.body.code));
  };
  await t.test('a slot for two orders takes two', async () => {
    const slot = (await shop.slotsOf()).at(-1);
    const codes = await outcomes(() => ({ items: [shop.bigPie()], scheduled_id: slot }));
    assert.deepEqual([codes.filter((code) => code === 'placed').length, new Set(codes).size], [2, 2], codes.join());
    assert.ok(codes.includes('slot_unavailable'));
    assert.ok(!(await shop.slotsOf()).includes(slot ?? ''));
  });
  await t.test('one item left is sold once', async () => {
    const codes = await outcomes(() => ({ items: [{ product_id: shop.tokens['Last Slice'] }] }));
    assert.deepEqual([codes.filter((code) => code === 'placed').length, new Set(codes).size], [1, 2], codes.join());
    assert.ok(codes.includes('product_unavailable'));
  });
});
