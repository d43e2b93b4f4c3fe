import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { grocery, NO_FEES, searchCart, storesIn, withStores } from '../../../test/given/groceries.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';

const app = await givenApp();
after(() => app.close());

test('a store that takes no orders never appears; a closed one does while it has slots, as closed', async () => {
  const night = { operational: 'Mo-Su 01:00-02:00' };
  const scheduling = { enabled: true, slot_minutes: 60, lead_minutes: 0, days_ahead: 1, capacity: 1 };
  const goods = { Milk: 300 };
  const stores = [
    grocery('open', goods),
    grocery('off', goods, { online_ordering: false }),
    grocery('closed', goods, { hours: night }),
    grocery('later', goods, { hours: night, scheduling }),
    grocery('no-modes', goods, { pickup: { enabled: false }, delivery: { enabled: true, accepting: false } }),
  ];
  await withStores(app, stores, async (ids) => {
    const body = await searchCart(app, { milk: 1 });
    assert.deepEqual(storesIn(body).split(' ').sort(), ['later', 'open']);
    const open = Object.fromEntries(
      body.carts.map((cart: { store: { name: string; is_open: boolean } }) => [cart.store.name, cart.store.is_open]),
    );
    assert.deepEqual(open, { 'Store open': true, 'Store later': false });
    assert.equal(storesIn(await searchCart(app, { milk: 1 }, { open: true })), 'open');

    const { db } = app.service.deps;
    const full = { storeId: ids.get('later') as string, held: 1, startsAt: '2026-06-11T05:00:00Z' };
    const hold = (accountId: string) =>
      db
        .insertInto('slotHolds')
        .values([true, false].map((pickup) => ({ ...full, accountId, pickup })))
        .execute();
    await hold('');
    assert.deepEqual(
      storesIn(await searchCart(app, { milk: 1 }))
        .split(' ')
        .sort(),
      ['later', 'open'],
    );
    await hold(app.accountId);
    assert.equal(storesIn(await searchCart(app, { milk: 1 })), 'open');
  });
});

test('stock is read at the moment of the answer: a product that left, runs short or costs more is replaced, and its cart priced again', async () => {
  const goods = {
    'Whole Milk': { price: 300, qty_available: 5 },
    'Skim Milk': { price: 350, qty_available: null },
    Bread: { price: 200 },
  };
  await withStores(
    app,
    [grocery('stocked', goods), grocery('other', { 'Whole Milk': 340, Bread: 230 })],
    async (ids) => {
      const { db } = app.service.deps;
      const cart = { milk: 2, bread: 1 };
      const change = (set: object, at: number) =>
        db
          .updateTable('products')
          .set(set)
          .where('storeId', '=', ids.get('stocked') as string)
          .where('externalId', '=', `p${at}`)
          .execute();
      const seen = async () =>
        (await searchCart(app, cart)).carts.map(
          (one: { grand_total: number; products: { milk: { name: string }[] } }) => [
            one.products.milk[0]?.name,
            one.grand_total,
          ],
        );
      assert.deepEqual(await seen(), [
        ['Whole Milk', 800],
        ['Whole Milk', 910],
      ]);
      await change({ qtyAvailable: 1 }, 0);
      assert.deepEqual(await seen(), [
        ['Skim Milk', 900],
        ['Whole Milk', 910],
      ]);
      await change({ price: 400 }, 1);
      assert.deepEqual(await seen(), [
        ['Whole Milk', 910],
        ['Skim Milk', 1000],
      ]);
      await change({ available: false }, 1);
      assert.deepEqual(await seen(), [['Whole Milk', 910]]);
    },
  );
});

test('an imported price, fee or switch is in the next search', async () => {
  const line = grocery('changing', { Milk: 300 });
  await withStores(app, [line], async () => {
    assert.equal((await searchCart(app, { milk: 1 })).carts[0].grand_total, 300);
    const fees = { ...NO_FEES, delivery_fee: { delivery_fee_flat: 199 } };
    await givenStores(app, [grocery('changing', { Milk: 310 }, { fees })]);
    assert.equal((await searchCart(app, { milk: 1 })).carts[0].grand_total, 509);
    await givenStores(app, [{ ...line, online_ordering: false }]);
    assert.deepEqual((await searchCart(app, { milk: 1 })).carts, []);
  });
});
