import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SEARCHED_STORES } from '../../../test/given/searched-stores.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';

const app = await givenOwnApp();
for (const store of SEARCHED_STORES) await givenStore(app.service.deps.db, store);
await app.catchUp();
after(() => app.close());

test('walking the pages visits every matching store once, by name and by product', async () => {
  const { db } = app.service.deps;
  const there = { latitude: 34.05, longitude: -118.25 };
  for (let n = 0; n < 45; n += 1) {
    const products = [{ id: 'p', name: n % 2 === 0 ? 'Green Tea' : 'Black Coffee', price: 100 }];
    const place = { latitude: there.latitude + (n % 9) * 0.01, longitude: there.longitude };
    await givenStore(db, {
      external_id: `tea-${n}`,
      name: `Tea House ${n}`,
      ...place,
      categories: [{ id: 'c', name: 'C', products }],
    });
  }
  await app.catchUp();
  for (const [query, count] of [
    [{ query: 'tea house' }, 45],
    [{ query: 'tea house', sort: 'rating' }, 45],
    // Without letters or digits all stores match, but the query is not empty.
    [{ query: '…!', maximum_miles: 50 }, 45],
    [{ query: ' ', sort: 'rating', maximum_miles: 50 }, 45],
    [{ query: '🍵', search_focus: 'item', maximum_miles: 50 }, 45],
    [{ query: 'green', search_focus: 'item' }, 23],
    [{ query: 'tea', search_focus: 'item', sort: 'cheapest' }, 23],
  ] as const) {
    const seen = await walk({ ...there, ...query });
    assert.equal(seen.length, count);
    assert.equal(new Set(seen).size, count);
  }
});

async function walk(query: Record<string, string | number>): Promise<string[]> {
  const seen: string[] = [];
  for (let page = 0; ; ) {
    const { body } = await app.get('/search/store/v3', { ...query, page });
    if (body.stores.length === 0) return seen;
    assert.ok(body.stores.length <= (query.query ? 20 : 100));
    seen.push(...body.stores.map((store: { _id: string }) => store._id));
    page = body.next_page;
  }
}

test('the nearest stores of the same name are found by it, whatever its spelling, and no others', async () => {
  const { db, search } = app.service.deps;
  const ids: string[] = [];
  for (const [n, name] of [
    "Joe's Diner",
    'JOES DINER',
    "Joe's Diner West",
    'Joés Diner',
    "Joe's Diner Diner",
  ].entries()) {
    ids.push(await givenStore(db, { external_id: `joe-${n}`, name, latitude: 41 + n * 0.1, longitude: -75 }));
  }
  await app.catchUp();
  const near = { latitude: 41.3, longitude: -75 };
  assert.deepEqual(search.nearestNamed('Joe’s diner', near, null, 10), [ids[3], ids[1], ids[0]]);
  assert.deepEqual(search.nearestNamed('Joe’s diner', near, null, 2), [ids[3], ids[1]]);
  assert.deepEqual(search.nearestNamed('!', near, null, 2), []);
});
