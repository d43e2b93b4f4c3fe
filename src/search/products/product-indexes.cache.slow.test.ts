import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { matchProducts, prepareQuery } from '../../../test/given/product-index.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { watched } from '../../../test/given/watched-database.ts';
import { givenDatabase } from '../../../test/test-database.ts';
import { until } from '../../../test/until.ts';
import type { Db } from '../../platform/db/connect.ts';
import { createLog } from '../../platform/lib/log.ts';
import { setProduct } from '../../supply/catalog/set-product.flow.ts';
import { matchSellers, withProductIndexes } from './find-products.flow.ts';
import { ShelfKeeper } from './keep-shelves.flow.ts';
import type { ProductIndex } from './product.index.ts';
import { ProductIndexes, type ProductIndexesOptions } from './product-indexes.cache.ts';

const { db, close } = await givenDatabase();
after(() => close());

const keepers: ShelfKeeper[] = [];
after(() => Promise.all(keepers.map((keeper) => keeper.close())));

/** Product indexes that must not differ from their menus, unless a test expects it; built in this thread. */
async function openIndexes({
  db: of,
  maxTerms,
  ...options
}: Partial<ProductIndexesOptions> & { db: Db; maxTerms?: number }): Promise<ProductIndexes> {
  const keeper = new ShelfKeeper({ db: of, kept: null, log: createLog('silent'), maxTerms });
  keepers.push(keeper);
  await keeper.open();
  const indexes = new ProductIndexes({
    reportLeftOut: (...reported) => assert.fail(JSON.stringify(reported)),
    ...options,
  });
  indexes.attach(keeper.connect());
  return indexes;
}
const AT = Temporal.Instant.from('2026-06-10T17:00:00Z');

type Product = Record<string, unknown> & { id: string };
const givenShop = (name: string, products: readonly Product[]): Promise<string> =>
  givenStore(db, {
    external_id: name,
    name,
    categories: [
      { id: 'c', name: 'Things', products: products.map((product) => ({ name: product.id, price: 100, ...product })) },
    ],
  });
const isRead = (text: string) => text.includes('as product_nos');

async function productIndexOf(indexes: ProductIndexes, storeId: string): Promise<ProductIndex> {
  return (await indexes.of([storeId], 'anyone')).get(storeId) as ProductIndex;
}

/** Product number and price of the matches; a product index has no names. */
const found = (index: ProductIndex, text: string) =>
  matchProducts(index, prepareQuery(text, index.terms), null).map(({ productNo, priceCents }) => [
    productNo,
    priceCents,
  ]);

const indexBytes = ({ data, gtins, gtinPositions }: ProductIndex): number =>
  data.byteLength + gtins.byteLength + gtinPositions.byteLength;

test('a product index has the products on sale, sold out or not, with prices, modes and codes, and no others', async () => {
  const indexes = await openIndexes({ db });
  const storeId = await givenShop('Corner', [
    {
      id: 'Milk',
      price: 300,
      pickup_price: 250,
      upc_code: '0 36000 29145 2',
      unit_size: 1,
      unit_of_measurement: 'gal',
    },
    { id: 'Milk sold out', qty_available: 0 },
    { id: 'Milk off sale', available: false },
    { id: 'Milk to go', modes: ['pickup'], price: 900, pickup_price: 800 },
  ]);
  const index = await productIndexOf(indexes, storeId);
  assert.deepEqual(found(index, 'milk'), [
    [1, 300],
    [2, 100],
    [4, 800],
  ]);
  assert.deepEqual(found(index, 'gallon'), []);
  const [best] = matchProducts(index, prepareQuery('milk 1 gallon', index.terms), null).sort(
    (a, b) => a.quality - b.quality,
  );
  assert.equal(best?.productNo, 1);
  const coded = matchProducts(index, prepareQuery('', index.terms, new Set([36000291452])), 'pickup');
  assert.deepEqual(
    coded.map(({ productNo, priceCents }) => [productNo, priceCents]),
    [[1, 250]],
  );
  assert.ok(indexBytes(index) < 1000);
});

test('a store without products and an unknown store have empty product indexes', async () => {
  const indexes = await openIndexes({ db });
  const bare = await givenStore(db, { external_id: 'bare' });
  const both = await indexes.of([bare, 'f'.repeat(24)], 'anyone');
  assert.deepEqual(
    [...both.values()].map(({ productCount }) => productCount),
    [0, 0],
  );
});

test('product indexes are read once, in one statement, for all requests of the moment', async () => {
  const { db: seen, statements } = watched(db);
  const indexes = await openIndexes({ db: seen });
  const storeIds = await Promise.all(['one', 'two', 'three'].map((name) => givenShop(name, [{ id: 'Tea' }])));
  const [first, second] = await Promise.all([
    indexes.of(storeIds, 'anyone'),
    indexes.of(storeIds.toReversed(), 'anyone'),
  ]);
  const third = await indexes.of(storeIds, 'anyone');
  for (const storeId of storeIds) {
    assert.equal(first.get(storeId), second.get(storeId));
    assert.equal(first.get(storeId), third.get(storeId));
  }
  assert.equal(statements.filter(isRead).length, 1);
});

test('a dropped product index is read again, and an index dropped during its read is not kept', async () => {
  const indexes = await openIndexes({ db });
  const storeId = await givenShop('Changing', [{ id: 'Tea' }]);
  const before = await productIndexOf(indexes, storeId);
  await db.transaction().execute((tx) => setProduct(tx, { storeId, externalId: 'Tea' }, { available: false }, AT));
  indexes.drop(storeId);
  const reading = productIndexOf(indexes, storeId);
  await db.transaction().execute((tx) => setProduct(tx, { storeId, externalId: 'Tea' }, { available: true }, AT));
  indexes.drop(storeId);
  const after = await productIndexOf(indexes, storeId);
  assert.notEqual(await reading, after);
  assert.equal(await productIndexOf(indexes, storeId), after);
  assert.deepEqual(found(after, 'tea'), [[1, 100]]);
  // A request that still uses the first index must stay correct: its term numbers keep their meaning.
  assert.deepEqual(found(before, 'tea'), [[1, 100]]);
});

test('stores that change are read again before a search, all in one statement, and only those in memory', async () => {
  const { db: seen, statements } = watched(db);
  const indexes = await openIndexes({ db: seen });
  const names = ['renewed one', 'renewed two', 'never searched'];
  const storeIds = await Promise.all(names.map((name) => givenShop(name, [{ id: 'Tea' }])));
  await indexes.of(storeIds.slice(0, 2), 'anyone');
  statements.length = 0;
  for (const storeId of storeIds) indexes.drop(storeId);
  await until('two indexes', () => indexes.indexCount === 2);
  assert.equal(statements.filter(isRead).length, 1);
  await indexes.of(storeIds.slice(0, 2), 'anyone');
  assert.equal(statements.filter(isRead).length, 1);
});

test('many stores that change at once are read again a few at a time', async (t) => {
  const keeper = new ShelfKeeper({ db, kept: null, log: createLog('silent') });
  keepers.push(keeper);
  await keeper.open();
  const indexes = new ProductIndexes({ reportLeftOut: () => {} });
  const access = keeper.connect();
  const posted = t.mock.method(access.port, 'postMessage');
  indexes.attach(access);
  const storeIds: string[] = [];
  for (let nth = 0; nth < 60; nth += 1) storeIds.push(await givenShop(`of many ${nth}`, [{ id: 'Tea' }]));
  await indexes.of(storeIds, 'anyone');
  posted.mock.resetCalls();
  for (const storeId of storeIds) indexes.drop(storeId);
  await until('all indexes', () => indexes.indexCount === 60);
  assert.deepEqual(
    posted.mock.calls.map(({ arguments: [{ storeIds: wanted }] }) => wanted.length),
    [25, 25, 10],
  );
});

test('product memory is bounded: the least recently used product index is evicted first', async () => {
  const { db: seen, statements } = watched(db);
  const indexes = await openIndexes({ db: seen, maxProducts: 80 });
  const many = (prefix: string) => Array.from({ length: 20 }, (_, at) => ({ id: `${prefix} ${at}` }));
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => givenShop(`bounded ${name}`, many(name))));
  assert.ok(a && b && c);
  await indexes.of([a, b], 'anyone');
  const keptA = await productIndexOf(indexes, a);
  await indexes.of([c], 'anyone');
  assert.equal(indexes.indexCount, 2);
  assert.equal(indexes.productCount, 40);
  assert.equal(statements.filter(isRead).length, 2);
  assert.equal(await productIndexOf(indexes, a), keptA);
  assert.equal(statements.filter(isRead).length, 2);
  assert.equal((await productIndexOf(indexes, b)).productCount, 20);
  assert.equal(statements.filter(isRead).length, 3);
});

test('a catalog of more products than one statement reads is whole, and small in memory', async () => {
  const indexes = await openIndexes({ db });
  const storeId = await givenShop(
    'Large',
    Array.from({ length: 20_000 }, (_, at) => ({ id: `Product number ${at}`, price: at })),
  );
  const index = await productIndexOf(indexes, storeId);
  assert.equal(index.productCount, 20_000);
  assert.deepEqual(found(index, 'product 19999'), [[20_000, 19_999]]);
  assert.ok(indexBytes(index) / 20_000 < 60, `${indexBytes(index) / 20_000} bytes a product`);
});

/** The database, whose results lack the last product of every catalog while `loses` returns true. */
function losing(loses: () => boolean): Db {
  return new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== 'function') return member;
      if (name !== 'executeQuery') return member.bind(target);
      return async (query: { sql: string }) => {
        const answer = await member.call(target, query);
        if (!isRead(query.sql) || !loses()) return answer;
        return { ...answer, rows: answer.rows.map(withoutLast) };
      };
    },
  });
}

function withoutLast(row: Record<string, unknown>): Record<string, unknown> {
  const cut = (value: unknown) => (Buffer.isBuffer(value) ? value.subarray(0, -4) : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cut(value)]));
}

test('a product index that lacks a product of its menu is reported, and whole at its next use', async () => {
  let isLosing = true;
  const reported: unknown[][] = [];
  const indexes = await openIndexes({
    db: losing(() => isLosing),
    reportLeftOut: (kind, _text, ...fields) => reported.push([kind, ...fields]),
  });
  const storeId = await givenShop('Lossy', [{ id: 'Tea' }, { id: 'Coffee' }, { id: 'Cake' }]);
  assert.equal((await productIndexOf(indexes, storeId)).productCount, 2);
  assert.deepEqual(reported, [['product', { storeId, menuProducts: 3, indexProducts: 2 }, 1]]);
  assert.equal(indexes.indexCount, 0);
  isLosing = false;
  assert.equal((await productIndexOf(indexes, storeId)).productCount, 3);
  assert.deepEqual([reported.length, indexes.indexCount], [1, 1]);
});

test('a failed read fails all waiting requests, and the next request reads again', async () => {
  let isBroken = true;
  const broken = new Proxy(db, {
    get(target, name) {
      if (isBroken && name === 'executeQuery') throw new Error('no database');
      const member = Reflect.get(target, name, target) as unknown;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const indexes = await openIndexes({ db: broken });
  const storeId = await givenShop('Unlucky', [{ id: 'Tea' }]);
  const both = await Promise.allSettled([indexes.of([storeId], 'anyone'), indexes.of([storeId], 'anyone')]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isBroken = false;
  assert.equal((await productIndexOf(indexes, storeId)).productCount, 1);
});

test('stores of too many words of their own make no search near them read menus again, and share the room for words', async () => {
  // No word is one typo away from another.
  const word = (n: number) =>
    `x${String(n)
      .replace(/./g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
      .repeat(3)}k`;
  const line = (from: number, count: number) => Array.from({ length: count }, (_, at) => word(from + at)).join(' ');
  const hostile = Array.from({ length: 5 }, (_, nth) => {
    const products = Array.from({ length: 50 }, (_, at) => ({
      id: `${at}`,
      name: line(10_000 * (nth + 1) + 20 * at, 20),
    }));
    return givenShop(`hostile ${nth}`, products);
  });
  const near = Array.from({ length: 40 }, (_, at) =>
    givenShop(`near ${at}`, [{ id: `${at}`, name: line(1000 + at, 2) }]),
  );
  const storeIds = [...(await Promise.all(hostile)), ...(await Promise.all(near))];
  const { db: seen, statements } = watched(db);
  const reported: unknown[] = [];
  const reportLeftOut = (kind: string) => void reported.push(kind);
  const productIndexes = await openIndexes({ db: seen, maxTerms: 2000, reportLeftOut });
  for (let round = 0; round < 4; round += 1) {
    statements.length = 0;
    const sellers = [...storeIds, await givenShop(`new ${round}`, [{ id: 'Tea' }])].map((storeId) => ({ storeId }));
    const taken = await withProductIndexes({ productIndexes, owner: 'anyone' }, sellers);
    const reads = statements.filter(isRead).length;
    assert.ok(round === 0 || reads === 1, `${reads} statements`);
    const indexes = taken.map(({ productIndex }) => productIndex);
    assert.equal(indexes.length, 46);
    for (const [text, count] of [
      [word(10_000), 1],
      [word(1020), 2],
      ['tea', 1],
    ] as const) {
      assert.equal((await matchSellers({ text, gtins: null, claims: 0 }, null, indexes)).size, count, text);
    }
  }
  assert.ok(reported.every((kind) => kind === 'product_word'));
});
