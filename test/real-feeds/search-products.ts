import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import type { App } from '../harness.ts';

type Found = { name: string; product_id: string; price: number; category: string };

export async function searchProducts(t: TestContext, app: App): Promise<void> {
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
