import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { givenStore } from '../../../test/given-store.ts';
import { openTestDatabase } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { type Db, openDb, openPool } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { randomId } from '../../lib/random-id.ts';
import { setProduct } from '../set-product.flow.ts';
import { matchShelf } from './match-products.ts';
import { prepareQuery } from './prepare-query.ts';
import { bytesOf, type Shelf } from './product.index.ts';
import { createShelves, type Shelves } from './product-indexes.cache.ts';

const schema = randomId('s_', 6).toLowerCase().replaceAll('-', '_');
let db: Db;
let closeAll: () => Promise<void>;
/** Texts of the statements since a test began to count. */
let statements: string[] = [];

before(async () => {
  const server = await openTestDatabase();
  const pool = openPool({ connectionString: server.connectionString, schema });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((text: unknown, ...rest: unknown[]) => {
      statements.push(typeof text === 'string' ? text : String((text as { text: string }).text));
      return query(text, ...rest);
    }) as typeof client.query;
  });
  await migrate(pool, schema);
  db = openDb(pool);
  closeAll = async () => {
    await pool.query(`drop schema ${schema} cascade`);
    await db.destroy();
    await server.close();
  };
});
after(() => closeAll());

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
const productsRead = () => statements.filter((text) => text.includes('as product_nos')).length;

async function shelfOf(shelves: Shelves, storeId: string): Promise<Shelf> {
  return (await shelves.of([storeId])).get(storeId) as Shelf;
}

/** Names cannot be read from a shelf: what matches is told by product number and price. */
const found = (shelves: Shelves, shelf: Shelf, text: string) =>
  matchShelf(shelf, prepareQuery(text, shelves.lexicon), null).map(({ productNo, priceCents }) => [
    productNo,
    priceCents,
  ]);

test('a shelf has what is on sale, sold out or not, with prices, modes and codes; what is off sale or gone it has not', async () => {
  const shelves = createShelves({ db });
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
  const shelf = await shelfOf(shelves, storeId);
  assert.deepEqual(found(shelves, shelf, 'milk'), [
    [1, 300],
    [2, 100],
    [4, 800],
  ]);
  assert.deepEqual(found(shelves, shelf, 'gallon'), []);
  const [best] = matchShelf(shelf, prepareQuery('milk 1 gallon', shelves.lexicon), null).sort(
    (a, b) => a.quality - b.quality,
  );
  assert.equal(best?.productNo, 1);
  const coded = matchShelf(shelf, prepareQuery('', shelves.lexicon, new Set([36000291452])), 'pickup');
  assert.deepEqual(
    coded.map(({ productNo, priceCents }) => [productNo, priceCents]),
    [[1, 250]],
  );
  assert.ok(bytesOf(shelf) < 1000);
});

test('a store without products, and one that is not there, have empty shelves', async () => {
  const shelves = createShelves({ db });
  const bare = await givenStore(db, { external_id: 'bare' });
  const both = await shelves.of([bare, 'f'.repeat(24)]);
  assert.deepEqual(
    [...both.values()].map(({ productNos }) => productNos.length),
    [0, 0],
  );
});

test('shelves are read once, together, by however many ask at a time', async () => {
  const shelves = createShelves({ db });
  const storeIds = await Promise.all(['one', 'two', 'three'].map((name) => givenShop(name, [{ id: 'Tea' }])));
  statements = [];
  const [first, second] = await Promise.all([shelves.of(storeIds), shelves.of(storeIds.toReversed())]);
  const third = await shelves.of(storeIds);
  for (const storeId of storeIds) {
    assert.equal(first.get(storeId), second.get(storeId));
    assert.equal(first.get(storeId), third.get(storeId));
  }
  assert.equal(productsRead(), 1);
});

test('a dropped shelf is read anew, and one dropped while it is read is not kept', async () => {
  const shelves = createShelves({ db });
  const storeId = await givenShop('Changing', [{ id: 'Tea' }]);
  const before = await shelfOf(shelves, storeId);
  await db.transaction().execute((tx) => setProduct(tx, { storeId, externalId: 'Tea' }, { available: false }, AT));
  shelves.drop(storeId);
  const reading = shelfOf(shelves, storeId);
  await db.transaction().execute((tx) => setProduct(tx, { storeId, externalId: 'Tea' }, { available: true }, AT));
  shelves.drop(storeId);
  const after = await shelfOf(shelves, storeId);
  assert.notEqual(await reading, after);
  assert.equal(await shelfOf(shelves, storeId), after);
  assert.deepEqual(found(shelves, after, 'tea'), [[1, 100]]);
  // Whoever still has the first one may go on with it: its words mean what they meant.
  assert.deepEqual(found(shelves, before, 'tea'), [[1, 100]]);
});

test('the products that are kept are bounded: the shelves unused for longest go first', async () => {
  const shelves = createShelves({ db, mostProducts: 80 });
  const many = (prefix: string) => Array.from({ length: 20 }, (_, at) => ({ id: `${prefix} ${at}` }));
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => givenShop(`bounded ${name}`, many(name))));
  assert.ok(a && b && c);
  await shelves.of([a, b]);
  const keptA = await shelfOf(shelves, a);
  await shelves.of([c]);
  assert.equal(shelves.shelfCount, 2);
  assert.equal(shelves.productCount, 40);
  statements = [];
  assert.equal(await shelfOf(shelves, a), keptA);
  assert.equal(productsRead(), 0);
  assert.equal((await shelfOf(shelves, b)).productNos.length, 20);
  assert.equal(productsRead(), 1);
});

test('a catalogue of more products than one statement brings is whole, and small in memory', async () => {
  const shelves = createShelves({ db });
  const storeId = await givenShop(
    'Large',
    Array.from({ length: 20_000 }, (_, at) => ({ id: `Product number ${at}`, price: at })),
  );
  const shelf = await shelfOf(shelves, storeId);
  assert.equal(shelf.productNos.length, 20_000);
  assert.deepEqual(found(shelves, shelf, 'product 19999'), [[20_000, 19_999]]);
  assert.ok(bytesOf(shelf) / 20_000 < 60, `${bytesOf(shelf) / 20_000} bytes a product`);
});

test('a failed read is told to all who wait, and the next one tries again', async () => {
  let isBroken = true;
  const broken = new Proxy(db, {
    get(target, name) {
      if (isBroken && name === 'executeQuery') throw new Error('no database');
      const member = Reflect.get(target, name, target) as unknown;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const shelves = createShelves({ db: broken });
  const storeId = await givenShop('Unlucky', [{ id: 'Tea' }]);
  const both = await Promise.allSettled([shelves.of([storeId]), shelves.of([storeId])]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isBroken = false;
  assert.equal((await shelfOf(shelves, storeId)).productNos.length, 1);
});

test('the words of a shelf go when nobody has it any more', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const shelves = createShelves({ db });
  const storeId = await givenShop('Forgotten', [{ id: 'Persimmon' }]);
  await shelfOf(shelves, storeId);
  assert.ok(shelves.lexicon.size > 0);
  shelves.drop(storeId);
  await until('the words are gone', () => {
    collect();
    return shelves.lexicon.size === 0;
  });
});
