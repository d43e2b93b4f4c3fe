// covers: src/supply/imports/{import-files,merge-staged}.flow.ts, test/real-feeds/*
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { ImportResult } from '../../src/supply/imports/import-result.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { countsOf, givenImport } from '../given/import.ts';
import { givenApp } from '../harness.ts';
import { searchCarts } from './search-carts.ts';
import { searchProducts } from './search-products.ts';
import { walkInventories } from './walk-inventories.ts';

const FEEDS = join(import.meta.dirname, '../../../shared/data/feed');
const skip = existsSync(FEEDS) ? false : `the real feeds are not beside the repository (${FEEDS})`;

/**
 * Counts from the feeds' README: lines, valid, outside, invalid, again, stores, products. One chain line that the
 * README has as valid is not: its state is `US`.
 */
const README = {
  chains: [72_965, 72_502, 4, 459, 4, 72_498, 0],
  'bay-area': [240, 240, 0, 0, 0, 240, 5_169],
  pizza: [6, 6, 0, 0, 0, 6, 408],
  icecream: [1, 1, 0, 0, 0, 1, 180],
  market: [1, 1, 0, 0, 0, 1, 10_416],
} as const;

/** Chain lines by broken rule; a line with several faults counts under each. */
const INVALID_CHAINS = {
  'address.state: missing or empty; give it a value': 177,
  'latitude: expected present': 143,
  'longitude: expected present': 143,
  'address.zipcode: missing or empty; give it a value': 129,
  'address.city: missing or empty; give it a value': 123,
  'address.state: expected a state or territory of the US, such as IL': 2,
  'address.street_addr: missing or empty; give it a value': 12,
  'latitude, longitude: expected a coordinate in the US or Canada': 4,
};

let given: Awaited<ReturnType<typeof givenImport>>;
before(async () => {
  if (!skip) given = await givenImport(givenApp);
});
after(() => given?.close());

const importFeed = (name: string): Promise<ImportResult> => given.importAll([join(FEEDS, `${name}.ndjson.gz`)]);

for (const [name, [lines, valid, outside, invalid, again, stores, products]] of Object.entries(README)) {
  test(`${name}: every valid line is in, every other one is rejected, and again nothing changes`, {
    skip,
  }, async () => {
    const first = await importFeed(name);
    // A full duplicate of a valid line is unchanged; invalid duplicates are rejected again.
    const repeated = valid - stores;
    assert.deepEqual(countsOf(first), [lines, stores, 0, repeated, outside + invalid]);
    assert.ok(repeated <= again);
    assert.deepEqual(await inDatabase(name), { stores, products });
    assert.deepEqual(countsOf(await importFeed(name)), [lines, 0, 0, valid, outside + invalid]);
    // Numbers of three digits, or with other words.
    assert.deepEqual(
      first.warnings.filter(({ path }) => path !== 'phone'),
      [],
    );
    assert.equal(first.warnings.length, name === 'chains' ? 57 : 0);
    if (name !== 'chains') return;
    const byFault = Map.groupBy(first.errors, ({ path, message }) => `${path}: ${message}`);
    assert.deepEqual(Object.fromEntries([...byFault].map(([fault, errors]) => [fault, errors.length])), INVALID_CHAINS);
    assert.equal(new Set(first.errors.map(({ line }) => line)).size, outside + invalid);
  });
}

test('the pizzas keep their 62,280 options, five levels deep, and the grocery its tree', { skip }, async () => {
  const { rows } = await sql<{ options: number }>`
    select sum(option_count)::int as options from products as p join stores as s using (store_id)
    where s.source = 'pizza'`.execute(given.db);
  assert.equal(rows[0]?.options, 62_280);
  const categories = await given.db
    .selectFrom('categories')
    .select(['isLeaf', (eb) => eb.fn.countAll<number>().as('count')])
    .where('storeId', '=', storeIdOf('market', 'journey-market'))
    .groupBy('isLeaf')
    .orderBy('isLeaf')
    .execute();
  assert.deepEqual(
    categories.map(({ count }) => count),
    [320, 1_676],
  );
});

test('walking the pages of search over the real feeds visits every store once', { skip }, async (t) => {
  const { app, db } = given;
  await app.catchUp();
  const listed = await db.selectFrom('stores').select('storeId').where('listed', '=', true).execute();
  const walk = async (query: Record<string, string | number>) => {
    const seen: string[] = [];
    for (let page = 0; ; ) {
      const { body } = await app.get('/search/store/v3', { latitude: 39.1, longitude: -94.6, page, ...query });
      if (body.stores.length === 0) return seen;
      for (const store of body.stores) seen.push(store._id);
      page = body.next_page;
    }
  };

  await t.test('browsing', async () => {
    const seen = await walk({});
    assert.equal(seen.length, listed.length);
    assert.deepEqual(new Set(seen), new Set(listed.map(({ storeId }) => storeId)));
  });

  await t.test('by a name that thousands of stores bear', async () => {
    const seen = await walk({ query: 'pizza hut' });
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(seen.length > 5000);
  });
});

test('every inventory of the real feeds, and product details of its products, keep the contract', { skip }, () =>
  walkInventories(given.app),
);

test('product search over the real feeds', { skip }, (t) => searchProducts(t, given.app));

test('cart search over the real feeds', { skip }, (t) => searchCarts(t, given.app));

async function inDatabase(source: string): Promise<{ stores: number; products: number }> {
  const { rows } = await sql<{ stores: number; products: number }>`
    select count(distinct s.store_id)::int as stores, count(p.product_no)::int as products
    from stores as s left join products as p on p.store_id = s.store_id and not p.removed
    where s.source = ${source} and s.listed`.execute(given.db);
  return rows[0] ?? { stores: 0, products: 0 };
}
