import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { givenStore } from '../../../test/given-store.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { nextTurn } from '../../../test/next-turn.ts';
import { until } from '../../../test/until.ts';
import { createLog } from '../../lib/log.ts';
import type { Service } from '../../service.ts';
import { setProduct } from '../set-product.flow.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';
import { createReadAhead } from './read-ahead.cache.ts';

const log = createLog('silent');
const NEAR = { user_latitude: '40.7383', user_longitude: '-73.9927' };

let app: App;
let other: Service;
before(async () => {
  app = await givenApp({ env: { PRODUCTS_READ_AHEAD: '1000' } });
  other = await app.givenNode();
});
after(() => app.close());

const givenShop = (name: string, products: readonly string[], changes = {}): Promise<string> =>
  givenStore(app.service.deps.db, {
    external_id: name,
    name,
    categories: [{ id: 'c', name: 'All', products: products.map((id) => ({ id, name: id, price: 100, ...changes })) }],
  });

const inMemory = (node: Service) => node.deps.productIndexes.productCount;

async function pricesOn(node: Service, query: string): Promise<number[]> {
  await node.deps.storeFeed.catchUp();
  const url = `/search/product/v4?${new URLSearchParams({ ...NEAR, query })}`;
  const reply = await node.http.inject({ url, headers: { 'id-token': app.key } });
  return reply.json().products.map(({ price }: { price: number }) => price);
}

test('the products of every store are in memory before a search, on every node, and again after each change', async () => {
  const storeIds = [await givenShop('one', ['Quince', 'Medlar']), await givenShop('two', ['Quince'])];
  const late = await app.givenNode('api');
  const nodes = [app.service, other, late];
  for (const node of nodes) await until('all products are read', () => inMemory(node) === 3);
  const before = await Promise.all(nodes.map((node) => pricesOn(node, 'medlar')));
  assert.deepEqual(before, [[100], [100], [100]]);

  await givenShop('one', ['Quince', 'Medlar', 'Loquat'], { price: 120 });
  for (const node of nodes) await until('the new products are read', () => inMemory(node) === 4);
  await app.service.deps.db
    .transaction()
    .execute((tx) =>
      setProduct(tx, { storeId: storeIds[0] as string, externalId: 'Loquat' }, { available: false }, app.now()),
    );
  for (const node of nodes) await until('the product off sale has left', () => inMemory(node) === 3);

  await givenStore(app.service.deps.db, { external_id: 'two' });
  for (const node of nodes) await until('the store without products has left', () => inMemory(node) === 2);
});

test('no node answers with what it read ahead before a change that has been acknowledged', async () => {
  await givenShop('changing', ['Durian']);
  for (let price = 101; price <= 120; price += 1) {
    await givenShop('changing', ['Durian'], { price });
    const shown = await Promise.all([app.service, other].map((node) => pricesOn(node, 'durian')));
    assert.deepEqual(shown, [[price], [price]]);
  }
});

/** Product indexes that tell what is read. */
function fakeIndexes() {
  const reads: string[][] = [];
  const state = { productCount: 0, fault: undefined as Error | undefined };
  const of: ProductIndexes['of'] = async (storeIds) => {
    if (state.fault) throw state.fault;
    reads.push([...storeIds]);
    state.productCount += storeIds.length;
    return new Map();
  };
  return {
    reads,
    state,
    productIndexes: {
      of,
      get productCount() {
        return state.productCount;
      },
    },
  };
}
const seller = (storeId: string) => ({ storeId, listed: true, hasCatalogue: true });

test('nothing is read before all stores are known, nor for stores that sell nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { reads, productIndexes } = fakeIndexes();
  let isLoaded = false;
  const ahead = createReadAhead({ productIndexes, isLoaded: () => isLoaded, maxProducts: 100, log });
  for (const storeId of ['a', 'b', 'c', 'd']) ahead.note(seller(storeId));
  ahead.note({ ...seller('b'), listed: false });
  ahead.note({ ...seller('c'), hasCatalogue: false });
  await passTime(t, 3);
  assert.deepEqual(reads, []);
  isLoaded = true;
  await passTime(t, 2);
  assert.deepEqual(reads, [['a', 'd']]);
  assert.equal(ahead.waiting, 0);
  await ahead.close();
});

test('reading ends at the bound on products, and goes on for a store that changes once there is room', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { reads, state, productIndexes } = fakeIndexes();
  const ahead = createReadAhead({ productIndexes, isLoaded: () => true, maxProducts: 50, log });
  for (let nth = 0; nth < 90; nth += 1) ahead.note(seller(`store ${nth}`));
  await passTime(t, 10);
  assert.deepEqual(
    reads.map(({ length }) => length),
    [25, 25],
  );
  assert.equal(ahead.waiting, 0);
  state.productCount -= 1;
  ahead.note(seller('store 7'));
  await passTime(t, 2);
  assert.deepEqual(reads.at(-1), ['store 7']);
  await ahead.close();
});

test('a read that fails is tried again, and a closed node reads no more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { reads, state, productIndexes } = fakeIndexes();
  const ahead = createReadAhead({ productIndexes, isLoaded: () => true, maxProducts: 50, log });
  state.fault = new Error('no database');
  ahead.note(seller('a'));
  await passTime(t, 3);
  assert.equal(ahead.waiting, 1);
  state.fault = undefined;
  await passTime(t, 2);
  assert.deepEqual(reads, [['a']]);
  await ahead.close();
  ahead.note(seller('b'));
  await passTime(t, 3);
  assert.deepEqual(reads, [['a']]);
});

/** Lets so many of the longest pauses pass, and everything that follows from each. */
async function passTime({ mock }: Pick<TestContext, 'mock'>, pauses: number): Promise<void> {
  for (let nth = 0; nth < pauses; nth += 1) {
    mock.timers.tick(2000);
    await nextTurn();
  }
}
