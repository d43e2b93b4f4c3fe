import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenOwnApp } from '../../../test/harness.ts';

const HERE = { latitude: 44, longitude: -103 };
/** Nearest first. */
const SOLD: readonly (readonly [store: string, products: readonly string[]])[] = [
  ['two typos', ['Margarita']],
  ['another store', ['Calzone', 'Marinara']],
  ['exact', ['Pizza Margherita']],
  ['longer', ['Margheritas for Two']],
  ['one typo', ['Margherta', 'Garlic Bread']],
  ['both', ['Margarita', 'Margherita']],
  ['words of two products', ['Margherita Slice', 'Garlic Bread']],
];

let app: App;
before(async () => {
  app = await givenOwnApp();
  for (const [n, [name, products]] of SOLD.entries()) {
    await givenStore(app.service.deps.db, {
      external_id: `s${n}`,
      name,
      latitude: HERE.latitude + n / 100,
      longitude: HERE.longitude,
      categories: [
        { id: 'c', name: 'C', products: products.map((product, p) => ({ id: `${p}`, name: product, price: 1 })) },
      ],
    });
  }
  await app.catchUp();
});
after(() => app.close());

/** All pages of a search. */
async function found(query: Record<string, string | boolean>): Promise<string[]> {
  const names: string[] = [];
  for (let page = 0; ; ) {
    const { status, body, text } = await app.get('/search/store/v3', { ...HERE, search_focus: 'item', page, ...query });
    assert.equal(status, 200, text);
    if (body.stores.length === 0) return names;
    names.push(...body.stores.map(({ name }: { name: string }) => name));
    page = body.next_page;
  }
}

test('products are found in spite of typos, after the exact ones in singular or plural, each by distance', async () => {
  assert.deepEqual(await found({ query: 'margherita' }), [
    'exact',
    'longer',
    'both',
    'words of two products',
    'two typos',
    'one typo',
  ]);
  assert.deepEqual(await found({ query: 'margherta garlic' }), []);
  assert.deepEqual(await found({ query: 'garlci bread' }), ['one typo', 'words of two products']);
});

test('an unfinished last word ranks after the exact one, and before typos', async () => {
  assert.deepEqual(await found({ query: 'two margh', autocomplete: true }), ['longer']);
  assert.deepEqual(await found({ query: 'margherita', autocomplete: true }), [
    'exact',
    'longer',
    'both',
    'words of two products',
    'two typos',
    'one typo',
  ]);
});

test('any sort but relevance is of all matches together', async () => {
  for (const sort of ['distance', 'cheapest']) {
    assert.deepEqual(await found({ query: 'margherita', sort }), [
      'two typos',
      'exact',
      'longer',
      'one typo',
      'both',
      'words of two products',
    ]);
    assert.deepEqual(await found({ query: 'marghe', autocomplete: true, sort }), [
      'exact',
      'longer',
      'one typo',
      'both',
      'words of two products',
    ]);
  }
});

test('a page of more grades than the query has is empty, and so are the pages after it', async () => {
  for (const query of [{ query: 'fro two' }, { query: 'margherita' }, { query: 'margherita', sort: 'rating' }]) {
    let page = 900_000_000;
    for (let n = 0; n < 3; n += 1) {
      const { body } = await app.get('/search/store/v3', { ...HERE, search_focus: 'item', page, ...query });
      assert.deepEqual(body.stores, []);
      page = body.next_page;
    }
  }
});

test('short words forgive nothing', async () => {
  assert.deepEqual(await found({ query: 'fro two' }), []);
  assert.deepEqual(await found({ query: 'for twoo' }), ['longer']);
});
