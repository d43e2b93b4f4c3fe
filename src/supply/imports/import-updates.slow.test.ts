import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import type { FeedLine } from '../../../test/feed-lines.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { updateStorePreferences } from '../stores/set-store.db.ts';
import { storeIdOf } from '../stores/store-id.ts';

const given = await givenImport();
const { app, db, digests, importLines, productsOf, store } = given;
after(() => given.close());

test('a store’s product edits survive, each until the feed’s own value changes', async () => {
  const given = (id: string, changes: FeedLine = {}) => product(id, { qty_available: 5, ...changes });
  await importLines('stock', [shop(['a', 'b', 'c', 'd', 'e'].map((id) => given(id)))]);
  await db
    .updateTable('products')
    .set({ available: false, qtyAvailable: 2 })
    .where('storeId', '=', storeIdOf('stock', 'shop'))
    .execute();
  const stock = async () =>
    [...(await productsOf('stock')).values()]
      .map((one) => `${one.externalId} ${one.available ? 'on' : 'off'} ${one.qtyAvailable}`)
      .sort();
  const second = [
    given('a'),
    given('b', { name: 'B', price: 120 }),
    given('c', { qty_available: 6 }),
    given('d', { available: false }),
    given('e', { qty_available: null }),
    product('new'),
  ];
  assert.deepEqual(await importLines('stock', [shop(second, { name: 'Renamed' })]), [1, 0, 1, 0, 0]);
  assert.deepEqual(await stock(), ['a off 2', 'b off 2', 'c off 6', 'd off 2', 'e off null', 'new on null']);
  const third = [
    given('a', { name: 'A' }),
    given('b'),
    given('c', { qty_available: 6, name: 'C' }),
    given('d'),
    given('e'),
  ];
  await importLines('stock', [shop(third)]);
  assert.deepEqual(await stock(), ['a off 2', 'b off 2', 'c off 6', 'd on 2', 'e off 5', 'new on null']);
});

test('a store’s language is the feed’s, or English, and a manual one stays until the feed’s own value changes', async () => {
  const language = () => store('languages').then((row) => row?.language);
  const lines = (changes: FeedLine = {}) => importLines('languages', [shop([product('a')], changes)]);
  await lines();
  assert.equal(await language(), 'en');
  await updateStorePreferences(db, storeIdOf('languages', 'shop'), { language: 'es' });
  await lines({ name: 'Other' });
  assert.equal(await language(), 'es');
  await lines({ language: 'fr-CA' });
  assert.equal(await language(), 'fr');
  await updateStorePreferences(db, storeIdOf('languages', 'shop'), { language: 'en' });
  await lines({ language: 'fr', name: 'Third' });
  assert.equal(await language(), 'en');
  assert.deepEqual(
    await lines({ language: 'Klingon' }),
    [1, 0, 0, 0, 1],
    'a language that the service lacks is a fault',
  );
});

test('a live switch stays until the feed’s own value of it changes', async () => {
  await importLines('switches', [shop([product('a')])]);
  const live = () => store('switches').then((row) => [row?.onlineOrdering, row?.acceptDelivery, row?.acceptPickup]);
  await db
    .updateTable('stores')
    .set({ onlineOrdering: false, acceptDelivery: false })
    .where('storeId', '=', storeIdOf('switches', 'shop'))
    .execute();
  await importLines('switches', [shop([product('a')], { name: 'Other' })]);
  assert.deepEqual(await live(), [false, false, true]);
  await importLines('switches', [shop([product('a')], { pickup: { accepting: false } })]);
  assert.deepEqual(await live(), [false, false, false]);
  await importLines('switches', [shop([product('a')], { pickup: { accepting: true }, online_ordering: false })]);
  assert.deepEqual(await live(), [false, false, true]);
  await importLines('switches', [shop([product('a')], { online_ordering: true })]);
  assert.deepEqual(await live(), [true, false, true]);
});

test('a product keeps its number for good: moved, removed and back again', async () => {
  await importLines('renumbered', [shop([product('a'), product('b'), product('c')])]);
  const moved = [
    {
      id: 'top',
      name: 'Top',
      categories: [{ id: 'c', name: 'C', products: [product('d'), product('c'), product('a')] }],
    },
  ];
  await importLines('renumbered', [shop([], { categories: moved })]);
  const numbers = async () =>
    [...(await productsOf('renumbered')).values()]
      .map((one) => `${one.externalId}${one.productNo}${one.removed ? '-' : ''}`)
      .sort();
  assert.deepEqual(await numbers(), ['a1', 'b2-', 'c3', 'd4']);
  await importLines('renumbered', [shop([product('b'), product('e')])]);
  assert.deepEqual(await numbers(), ['a1-', 'b2', 'c3-', 'd4-', 'e5']);
  const categories = await db
    .selectFrom('categories')
    .select(['externalId', 'categoryNo', 'parentNo', 'removed'])
    .where('storeId', '=', storeIdOf('renumbered', 'shop'))
    .orderBy('categoryNo')
    .execute();
  assert.deepEqual(
    categories.map((one) => [one.externalId, one.categoryNo, one.parentNo, one.removed]),
    [
      ['c', 1, null, false],
      ['top', 2, null, true],
    ],
  );
});

test('a product that returns takes the feed’s stock', async () => {
  await importLines('return', [shop([product('a'), product('b')])]);
  await db
    .updateTable('products')
    .set({ available: false })
    .where('storeId', '=', storeIdOf('return', 'shop'))
    .execute();
  await importLines('return', [shop([product('b')])]);
  await importLines('return', [shop([product('a'), product('b')])]);
  const products = await productsOf('return');
  assert.deepEqual([products.get('a')?.available, products.get('b')?.available], [true, false]);
});

test('the version of an inventory changes in a mode when, and only when, that mode would look different', async () => {
  const plain = [product('a'), product('b'), product('off', { available: false }), product('z')];
  const [, b, off, z] = plain as [FeedLine, FeedLine, FeedLine, FeedLine];
  const choices = (count: number, name = 'O') => [
    { id: 'x', name: 'X', options: Array.from({ length: count }, (_, n) => ({ id: `${n}`, name: `${name}${n}` })) },
  ];
  const cases: [string, FeedLine[], FeedLine[], boolean, boolean][] = [
    ['name', plain, [product('a', { name: 'A' }), b, off, z], true, true],
    ['pickup price', plain, [product('a', { pickup_price: 90 }), b, off, z], false, true],
    [
      'price',
      [product('a', { pickup_price: 90 })],
      [product('a', { price: 120, pickup_price: 90, original_price: 120 })],
      true,
      false,
    ],
    [
      'price that ends a sale',
      [product('a', { pickup_price: 90, original_price: 120 })],
      [product('a', { price: 120, pickup_price: 90, original_price: 120 })],
      true,
      true,
    ],
    ['modes', plain, [product('a', { modes: ['pickup'] }), b, off, z], true, false],
    ['order', plain, [b, product('a'), off, z], true, true],
    ['place of what is off sale', plain, [off, product('a'), b, z], false, false],
    ['removal of what is off sale', plain, [product('a'), b, z], false, false],
    ['picture', plain, [product('a', { image: 'https://cdn.example/a' }), b, off, z], true, true],
    [
      'bar code, menu hours',
      plain,
      [product('a', { upc_code: '1', hours: 'Mo 10:00-12:00' }), b, off, z],
      false,
      false,
    ],
    ['stock', plain, [product('a', { qty_available: 4 }), b, off, z], true, true],
    ['few choices', [product('a')], [product('a', { customizations: choices(40) })], true, true],
    [
      'names of few choices',
      [product('a', { customizations: choices(40) })],
      [product('a', { customizations: choices(40, 'P') })],
      true,
      true,
    ],
    [
      'names of many choices',
      [product('a', { customizations: choices(41) })],
      [product('a', { customizations: choices(41, 'P') })],
      false,
      false,
    ],
  ];
  for (const [name, from, to, delivery, pickup] of cases) {
    await importLines('digests', [shop(from)]);
    const before = await digests('digests');
    await importLines('digests', [shop(to)]);
    const now = await digests('digests');
    const differs = before.map((digest, mode) => digest !== now[mode]);
    assert.deepEqual(differs, [delivery, pickup], name);
    await importLines('digests', [shop(from)]);
    assert.deepEqual(await digests('digests'), before, `${name}, and back`);
  }
});

test('imports concurrent with orders that take stock neither deadlock nor lose a unit', async () => {
  const goods = (name: string) =>
    Array.from({ length: 30 }, (_, n) => product(`${n}`, { qty_available: 1000, description: n === 0 ? name : '' }));
  await importLines('busy', [shop(goods('first'))]);
  const take = async () => {
    for (let n = 0; n < 40; n += 1) {
      await db
        .updateTable('products')
        .set((eb) => ({ qtyAvailable: eb('qtyAvailable', '-', 1) }))
        .where('storeId', '=', storeIdOf('busy', 'shop'))
        .where('productNo', '=', 7)
        .execute();
    }
  };
  const again = async () => {
    for (let n = 0; n < 10; n += 1) assert.deepEqual(await importLines('busy', [shop(goods(`${n}`))]), [1, 0, 1, 0, 0]);
  };
  await Promise.all([take(), take(), again()]);
  assert.equal((await productsOf('busy')).get('6')?.qtyAvailable, 920);
});

test('a store that is not listed answers its inventory with STORE_NOT_AVAILABLE and its product tokens live on', async () => {
  await importLines('live', [shop([product('a')])]);
  await app.catchUp();
  const storeId = storeIdOf('live', 'shop');
  const inventory = () => app.get('/details/inventory', { store_id: storeId, pickup: true, include_quote: true });
  const before = (await inventory()).body;
  await importLines('live', [shop([product('a')], { external_id: 'other' })], { prune: true });
  await app.catchUp();
  const pruned = (await inventory()).body;
  assert.equal(pruned.quote.error, 'This store is not available.');
  assert.deepEqual(pruned.categories, before.categories);
  await importLines('live', [shop([product('b'), product('a')])]);
  await app.catchUp();
  const back = (await inventory()).body;
  assert.equal(back.categories[0].menu_item_list[1].product_id, before.categories[0].menu_item_list[0].product_id);
  assert.notEqual(back.menu_id, before.menu_id);
});

test('an imported catalog with ten changed products writes only those ten, and locks no others', async () => {
  const line = (n: number, price: number) => ({
    path: ['Aisle', `Shelf ${n % 40}`],
    id: `p${n}`,
    name: `P ${n}`,
    price,
  });
  const importMarket = async (priceOf: (n: number) => number) => {
    given.fileOf(
      'market-products.ndjson',
      Array.from({ length: 2000 }, (_, n) => line(n, priceOf(n))),
    );
    const { categories: _, ...market } = shop([], { type: 'grocery', categories_file: 'market-products.ndjson' });
    return importLines('updated market', [market]);
  };
  const written = async () => {
    const { rows } = await sql<{ externalId: string; row: string }>`
      select external_id, concat_ws(' ', xmin, xmax) as row from products
      where store_id = ${storeIdOf('updated market', 'shop')}`.execute(db);
    return new Map(rows.map((row) => [row.externalId, row.row]));
  };
  assert.deepEqual(await importMarket(() => 100), [1, 1, 0, 0, 0]);
  const before = await written();
  assert.deepEqual(await importMarket((n) => (n % 200 === 7 ? 150 : 100)), [1, 0, 1, 0, 0]);
  const after = await written();
  const changed = [...after].filter(([id, row]) => row !== before.get(id)).map(([id]) => id);
  assert.deepEqual(changed.sort(), [...Array(10).keys()].map((n) => `p${n * 200 + 7}`).sort());
});
