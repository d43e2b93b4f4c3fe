import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenApp } from '../../../test/harness.ts';

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
const storeIds: string[] = [];
before(async () => {
  app = await givenApp();
  for (const [n, [name, products]] of SOLD.entries()) {
    const storeId = await givenStore(app.service.deps.db, {
      external_id: `s${n}`,
      name,
      latitude: HERE.latitude + n / 100,
      longitude: HERE.longitude,
      categories: [
        { id: 'c', name: 'C', products: products.map((product, p) => ({ id: `${p}`, name: product, price: 1 })) },
      ],
    });
    storeIds.push(storeId);
  }
  await app.catchUp();
});
after(() => app.close());

/** All pages, one after the other. */
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

test('products are found in spite of typos, after the exact ones, each by distance', async () => {
  assert.deepEqual(await found({ query: 'margherita' }), [
    'exact',
    'both',
    'words of two products',
    'two typos',
    'longer',
    'one typo',
  ]);
  assert.deepEqual(await found({ query: 'margherta garlic' }), []);
  assert.deepEqual(await found({ query: 'garlci bread' }), ['one typo', 'words of two products']);
});

test('an unfinished last word comes after the exact one, and before typos', async () => {
  assert.deepEqual(await found({ query: 'margherita', autocomplete: true }), [
    'exact',
    'both',
    'words of two products',
    'longer',
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

test('the same stores are found, in the same sequence, where their products are in memory', async () => {
  const queries = [
    'margherita',
    'margherta',
    'garlci bread',
    'marg',
    'garlic',
    'pizza margherita',
    'calzone',
    'for',
    'x',
  ];
  const forms = queries.flatMap((query) =>
    [{}, { autocomplete: true }, { sort: 'distance' }, { pickup: true }].map((more) => ({ query, ...more })),
  );
  const { productIndexes } = app.service.deps;
  const read: string[][] = [];
  for (const form of forms) read.push(await found(form));
  assert.equal(productIndexes.indexCount, 0);
  await productIndexes.of(storeIds, 'an account');
  assert.equal(productIndexes.indexCount, SOLD.length);
  const known: string[][] = [];
  for (const form of forms) known.push(await found(form));
  assert.deepEqual(known, read);
  assert.ok(known.flat().length > forms.length);
});
