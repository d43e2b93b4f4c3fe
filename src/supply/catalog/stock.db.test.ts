import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { findCatalogProducts } from './products.db.ts';
import { setProduct } from './set-product.flow.ts';
import { returnStock, takeStock } from './stock.db.ts';
import type { StockItem } from './stock.ts';

const app = await givenApp();
const db = app.service.deps.db;
after(() => app.close());

/** Product numbers 1 to 4: two with ten units, an uncounted one, and one off sale. */
function givenProducts(externalId: string): Promise<string> {
  const products = [
    { id: 'a', name: 'A', price: 1, qty_available: 10 },
    { id: 'b', name: 'B', price: 1, qty_available: 10 },
    { id: 'c', name: 'C', price: 1 },
    { id: 'd', name: 'D', price: 1, available: false },
  ];
  return givenStore(db, { external_id: externalId, categories: [{ id: 'x', name: 'X', products }] }, app.source);
}

const readStock = async (storeId: string) =>
  (await findCatalogProducts(db, storeId, [1, 2, 3, 4], null)).map((product) => product.qtyAvailable);

/** Takes all items or none, as an order does. */
async function order(storeId: string, items: StockItem[], then: (tx: Sql) => Promise<void> = async () => {}) {
  const refusal = new Error('refused');
  let refused: number[] = [];
  await db
    .transaction()
    .execute(async (tx) => {
      refused = await takeStock(tx, storeId, items, null);
      await then(tx);
      if (refused.length > 0) throw refusal;
    })
    .catch((error) => {
      if (error !== refusal) throw error;
    });
  return refused;
}

test('units are taken where they are counted, and every product that lacks them is named', async () => {
  const storeId = await givenProducts('named');
  assert.deepEqual(
    await order(storeId, [
      { productNo: 1, quantity: 4 },
      { productNo: 3, quantity: 99 },
    ]),
    [],
  );
  assert.deepEqual(await readStock(storeId), [6, 10, null, null]);
  const items = [1, 2, 4, 5].map((productNo) => ({ productNo, quantity: 7 }));
  assert.deepEqual(await order(storeId, items), [1, 4, 5]);
  assert.deepEqual(await readStock(storeId), [6, 10, null, null]);
});

test('the lines of one product count together', async () => {
  const storeId = await givenProducts('together');
  const line = { productNo: 1, quantity: 6 };
  assert.deepEqual(await order(storeId, [line, line]), [1]);
  assert.deepEqual(await order(storeId, [line, { productNo: 1, quantity: 4 }]), []);
  assert.deepEqual(await readStock(storeId), [0, 10, null, null]);
});

test('returned units are in stock again, and uncounted stock stays uncounted', async () => {
  const storeId = await givenProducts('returned');
  const items = [1, 2].map((productNo) => ({ productNo, quantity: 5 }));
  await order(storeId, items);
  await setProduct(db, { storeId, externalId: 'b' }, { qtyAvailable: null }, app.now());
  await db.transaction().execute((tx) => returnStock(tx, storeId, items, null));
  assert.deepEqual(await readStock(storeId), [10, null, null, null]);
});

test('orders at once never take more than there is, and never deadlock', async () => {
  const storeId = await givenProducts('at-once');
  const orders = Array.from({ length: 40 }, (_, at) => {
    const items = [1, 2].map((productNo) => ({ productNo, quantity: 1 }));
    return order(storeId, at % 2 === 0 ? items : items.reverse());
  });
  const taken = (await Promise.all(orders)).filter((refused) => refused.length === 0).length;
  assert.equal(taken, 10);
  assert.deepEqual(await readStock(storeId), [0, 0, null, null]);
});

test('a product is set on and off sale and its stock set, and an unchanged product writes nothing', async () => {
  const storeId = await givenProducts('set');
  const seqOf = async () =>
    (await db.selectFrom('stores').select('changedSeq').where('storeId', '=', storeId).executeTakeFirstOrThrow())
      .changedSeq;
  const set = (switches: Parameters<typeof setProduct>[2], externalId = 'a') =>
    db.transaction().execute((tx) => setProduct(tx, { storeId, externalId }, switches, app.now()));
  const start = await seqOf();
  await set({ available: true });
  await set({ available: true, qtyAvailable: 10 });
  assert.equal(await seqOf(), start);

  const off = await set({ available: false, qtyAvailable: null });
  assert.deepEqual([off?.available, off?.qtyAvailable], [false, null]);
  assert.ok((await seqOf()) > start);
  const on = await set({ available: true, qtyAvailable: 0 });
  assert.deepEqual([on?.available, on?.qtyAvailable], [true, 0]);
  assert.equal(await set({ available: true }, 'unknown'), undefined);
  const nowhere = { storeId: 'nowhere', externalId: 'a' };
  assert.equal(await setProduct(db, nowhere, { available: true }, app.now()), undefined);
});
