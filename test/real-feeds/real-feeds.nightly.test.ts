import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { ImportResult } from '../../src/supply/imports/import-result.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { countsOf, givenImport } from '../given/import.ts';
import { type App, givenApp } from '../harness.ts';

// covers: src/supply/imports/{import-files,merge-staged}.flow.ts, test/real-feeds/*

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

type Product = { name: string; product_id: string; quantity: number; price: number; min_price: number };
type Cart = { pickup: boolean; products: Record<string, Product[]>; grand_total: number; missing: string[] };

/** Searches carts at Wednesday noon in Virginia, while the feeds' market is open. */
async function searchCarts(t: TestContext, app: App): Promise<void> {
  const cartsOf = async (cart: object, door: object): Promise<Cart[]> => {
    const reply = await app.get('/search/cart', { query: JSON.stringify(cart), ...door });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.carts;
  };

  await t.test('a cart of a market with thousands of products costs the same as an order of it', async () => {
    const door = { user_latitude: 38.9074, user_longitude: -77.4069 };
    const wanted = {
      'white bread': 2,
      eggs: 1,
      butter: 1,
      'orange juice': 1,
      bananas: 3,
      yogurt: 2,
      rice: 1,
      'paper towels': 1,
    };
    const [cart] = await cartsOf(wanted, door);
    assert.ok(cart);
    assert.deepEqual(Object.keys(cart.products), Object.keys(wanted));
    const chosen = Object.values(cart.products).map(([product]) => product as Product);
    const order = await app.post('/order/order/v2', {
      items: chosen.map(({ product_id, quantity }) => ({ product_id, quantity })),
      pickup: cart.pickup,
      include_final_quote: true,
      ...door,
    });
    assert.equal(order.body.final_quote?.quote.total_without_tips, cart.grand_total, order.text);
  });

  await t.test('pizzas of a chain are found from its stores nearby, the cheapest first', async () => {
    const carts = await cartsOf(
      { 'pepperoni pizza': 2, coke: 1 },
      { user_latitude: 38.9, user_longitude: -77.0, pickup: true },
    );
    assert.ok(carts.length > 1);
    const totals = carts.map((cart) => cart.grand_total);
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => a - b),
    );
    for (const { products, missing } of carts) {
      assert.deepEqual(missing, []);
      assert.match(products['pepperoni pizza']?.[0]?.name ?? '', /pepperoni/i);
      assert.match(products.coke?.[0]?.name ?? '', /coke/i);
    }
  });
}

type Found = { name: string; product_id: string; price: number; category: string };

async function searchProducts(t: TestContext, app: App): Promise<void> {
  const { db } = app.service.deps;
  const near = { user_latitude: 37.87, user_longitude: -122.27 };
  const search = async (query: Record<string, string | number | boolean>) => {
    const { status, body, text } = await app.get('/search/product/v4', { ...near, ...query });
    assert.equal(status, 200, text);
    return body as { products: Found[]; next_page: number };
  };
  const walk = async (query: Record<string, string>) => {
    const seen: Found[] = [];
    for (let page = 0; ; ) {
      const { products, next_page } = await search({ ...query, page });
      if (products.length === 0) return seen;
      seen.push(...products);
      page = next_page;
    }
  };

  await t.test('a walk by price shows every product with the word once, cheapest first', async () => {
    const forms = {
      milk: ['milk', 'milks'],
      cookie: ['cookie', 'cookies', 'cooky'],
      tomatoes: ['tomato', 'tomatoes', 'tomatos'],
      pizza: ['pizza', 'pizzas'],
    };
    for (const [query, words] of Object.entries(forms)) {
      const seen = await walk({ query, sort: 'cheapest' });
      const patterns = words.map((word) => `% ${word} %`);
      const { rows } = await sql<{ count: number }>`
        select count(*) from products where not removed and available and search_words like any (${patterns})`.execute(
        db,
      );
      assert.equal(seen.length, rows[0]?.count, query);
      assert.equal(new Set(seen.map(({ product_id }) => product_id)).size, seen.length);
      const prices = seen.map(({ price }) => price);
      assert.deepEqual(
        prices,
        prices.toSorted((a, b) => a - b),
      );
    }
  });

  await t.test('usual queries have the expected product first', async () => {
    const market = { user_latitude: 38.9, user_longitude: -77.4 };
    const firstOf = async (query: string, place = near) => (await search({ query, ...place })).products[0]?.name ?? '';
    assert.match(await firstOf('chocolate milk', market), /^chocolate milk/i);
    assert.match(await firstOf('banana', market), /^bananas?\b/i);
    assert.match(await firstOf('white bread 20 oz', market), /WHITE BREAD 20 OZ/);
    assert.match(await firstOf('chiken tika masala'), /Chicken Tikka Masala/);
    assert.match(await firstOf('pepperoni pizza'), /pepperoni/i);
  });

  await t.test('every product is found by its own name', async () => {
    const { rows } = await sql<{ name: string; storeId: string }>`
      select store_id, name from products where not removed and available and search_words ~ '[a-z]{3}'
      order by md5(store_id || product_no::text) limit 150`.execute(db);
    for (const { name, storeId } of rows) {
      const { products } = await search({ query: name, store_id: storeId });
      assert.ok(
        products.some((product) => product.name === name),
        name,
      );
    }
  });
}

/** The first product represents its category: many carry a hundred kilobytes of options. */
const DETAILS_PER_CATEGORY = 1;

type Item = {
  name: string;
  price: number;
  min_price: number;
  product_id: string;
  should_fetch_customizations: boolean;
};
type Category = { name: string; subcategory_id: string; menu_item_list: Item[] };
type Walked = { stores: number; categories: number; products: number; details: Set<string> };

/** Reads every inventory, and details of its products; the harness checks each response against its description. */
async function walkInventories(app: App): Promise<void> {
  const stores = await app.service.deps.db
    .selectFrom('stores')
    .select(['storeId', 'profile'])
    .where('hasCatalog', '=', true)
    .execute();
  const walked: Walked = { stores: 0, categories: 0, products: 0, details: new Set() };
  for (const { storeId, profile } of stores) {
    walked.stores += 1;
    const grocery = profile.type === 'grocery';
    // The two thousand levels of a grocery are read in one mode.
    for (const pickup of profile.pickup.enabled && !grocery ? [false, true] : [false]) {
      await walkStore(app, { storeId, pickup, grocery }, walked);
    }
  }
  assert.ok(walked.stores >= 40 && walked.products > 10_000 && walked.details.size > 1_000, JSON.stringify(walked));
}

type Walk = { storeId: string; pickup: boolean; grocery: boolean };

async function walkStore(app: App, { storeId, pickup, grocery }: Walk, walked: Walked): Promise<void> {
  const places: (string | undefined)[] = [undefined];
  for (const subcategory of places) {
    const query = { store_id: storeId, pickup, ...(subcategory === undefined ? {} : { subcategory_id: subcategory }) };
    const { status, body } = await app.get('/details/inventory', query);
    assert.equal(status, 200);
    for (const category of body.categories as Category[]) {
      walked.categories += 1;
      walked.products += category.menu_item_list.length;
      if (grocery && category.subcategory_id !== subcategory) places.push(category.subcategory_id);
      const items = category.menu_item_list.slice(0, DETAILS_PER_CATEGORY);
      const fresh = items.filter((item) => !walked.details.has(item.product_id));
      await Promise.all(fresh.map((item) => checkDetails(app, item, pickup)));
      for (const item of fresh) walked.details.add(item.product_id);
    }
  }
}

async function checkDetails(app: App, item: Item, pickup: boolean): Promise<void> {
  const { status, body } = await app.get('/details/product', { product_id: item.product_id, pickup });
  assert.equal(status, 200);
  assert.deepEqual([body.name, body.price, body.min_price], [item.name, item.price, item.min_price]);
  assert.ok(body.min_price >= body.price && body.original_price >= body.price);
  if (item.should_fetch_customizations) assert.ok(body.customizations.length > 0);
}
