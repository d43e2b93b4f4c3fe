import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { openCategory } from './catalog-tokens.ts';
import { InventoryCache } from './inventory.cache.ts';
import { setProduct } from './set-product.flow.ts';
import type { StoreSnapshot } from './store-snapshots.cache.ts';

const app = await givenOwnApp();

type Item = { name: string; product_id: string };
type Category = {
  name: string;
  subcategory_id: string;
  has_subcategories: boolean;
  product_count: number;
  menu_item_list: Item[];
  subcategories?: Category[];
};

const readLevel = (storeId: string, subcategory?: string, headers?: Record<string, string>) =>
  app.get(
    '/details/inventory',
    { store_id: storeId, pickup: false, ...(subcategory !== undefined && { subcategory_id: subcategory }) },
    headers,
  );

async function readCategories(storeId: string, subcategory?: string): Promise<Category[]> {
  const { status, body } = await readLevel(storeId, subcategory);
  assert.equal(status, 200);
  return body.categories;
}

const shelfProducts = (shelf: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `${shelf}-${n}`, name: `${shelf} product ${n}`, price: 100 + n }));

/** Departments, aisles and shelves, with this many products per shelf. */
function market(departments: number, aisles: number, shelves: number, products: number): object[] {
  const list = (count: number, id: string, of: (id: string) => object) =>
    Array.from({ length: count }, (_, n) => ({ id: `${id}${n}`, name: `Category ${id}${n}`, ...of(`${id}${n}.`) }));
  return list(departments, '', (department) => ({
    categories: list(aisles, department, (aisle) => ({
      categories: list(shelves, aisle, (shelf) => ({ products: shelfProducts(shelf, products) })),
    })),
  }));
}

/** All products reached by walking every level, and the number of requests. */
async function walk(storeId: string): Promise<{ items: Item[]; requests: number }> {
  const items: Item[] = [];
  const open: (string | undefined)[] = [undefined];
  let requests = 0;
  for (let next = open.pop(); requests === 0 || open.length > 0 || next !== undefined; next = open.pop()) {
    requests += 1;
    const categories = await readCategories(storeId, next);
    const isLeaf = categories.length === 1 && categories[0]?.subcategory_id === next;
    if (isLeaf) items.push(...(categories[0]?.menu_item_list ?? []));
    else open.push(...categories.map((category) => category.subcategory_id));
  }
  return { items, requests };
}

test('a walk through four levels comes to every product once', async () => {
  const categories = market(6, 4, 3, 5);
  const storeId = await givenStore(app.service.deps.db, { external_id: 'walked', type: 'grocery', categories });
  const { items, requests } = await walk(storeId);
  assert.equal(items.length, 6 * 4 * 3 * 5);
  assert.equal(new Set(items.map((item) => item.product_id)).size, items.length);
  assert.equal(new Set(items.map((item) => item.name)).size, items.length);
  assert.equal(requests, 1 + 6 + 6 * 4 + 6 * 4 * 3);
});

test('every level says whether there is one below and how many products, and the tree is all levels at once', async () => {
  const { db } = app.service.deps;
  const categories = [...market(2, 3, 2, 4), { id: 'bare', name: 'Bare', categories: [] }];
  const storeId = await givenStore(db, { external_id: 'counted', type: 'grocery', categories });
  const treeOf = async (level?: string) => {
    const query = { store_id: storeId, pickup: false, category_tree: true, ...(level && { subcategory_id: level }) };
    return (await app.get('/details/inventory', query)).body.categories as Category[];
  };
  const walked = async (level?: string): Promise<Category[]> => {
    const nodes: Category[] = [];
    for (const category of await readCategories(storeId, level)) {
      const below = category.has_subcategories ? await walked(category.subcategory_id) : [];
      nodes.push({ ...category, menu_item_list: [], subcategories: below });
      const [leaf] = category.has_subcategories ? [] : await readCategories(storeId, category.subcategory_id);
      const count = leaf?.menu_item_list.length ?? below.reduce((sum, { product_count }) => sum + product_count, 0);
      assert.equal(category.product_count, count, category.name);
      assert.equal(leaf?.product_count ?? count, count);
    }
    return nodes;
  };
  const tree = await treeOf();
  assert.deepEqual(tree, await walked());
  assert.deepEqual(tree[0]?.product_count, 3 * 2 * 4);
  const [department] = tree;
  assert.deepEqual(await treeOf(department?.subcategory_id), department?.subcategories);
  const shelf = department?.subcategories?.[0]?.subcategories?.[0];
  assert.deepEqual(await treeOf(shelf?.subcategory_id), [shelf]);
  await setProduct(db, { storeId, externalId: '0.0.0.-1' }, { available: false }, app.now());
  app.service.deps.inventory.evict(storeId);
  assert.deepEqual((await readCategories(storeId))[0]?.product_count, 3 * 2 * 4 - 1);
  assert.deepEqual(await treeOf(), await walked());
});

type Grown = { categories?: Grown[]; products?: { available: boolean; modes: readonly string[] }[] };

/** A tree whose products may be off sale, of one mode, or sold out. */
function grown(depth: number): fc.Arbitrary<Grown[]> {
  const product = fc.record({
    name: fc.constant('Product'),
    price: fc.constant(100),
    available: fc.boolean(),
    qty_available: fc.constantFrom(undefined, 0, 5),
    modes: fc.constantFrom(['delivery'], ['pickup'], ['delivery', 'pickup']),
  });
  const leaf = fc.array(product, { maxLength: 2 }).map((products) => ({ products }));
  const node =
    depth === 0
      ? leaf
      : fc.oneof(
          leaf,
          grown(depth - 1).map((categories) => ({ categories })),
        );
  return fc.array<Grown>(node, { maxLength: 3 });
}

let trees = 0;
/** Gives every category and product an ID; returns the names of products that are on sale for delivery. */
function named(categories: readonly Grown[], onSale: string[], at = 'c'): object[] {
  return categories.map(({ categories: below, products = [] }, nth) => {
    const id = `${at}.${nth}`;
    if (below) return { id, name: id, categories: named(below, onSale, id) };
    const all = products.map((product, n) => {
      const name = `${id} product ${n}`;
      if (product.available && product.modes.includes('delivery')) onSale.push(name);
      return { ...product, id: name, name };
    });
    return { id, name: id, products: all };
  });
}

test('a walk through any tree ends, meets no empty category, and comes to all that is on sale in the mode', async () => {
  await fc.assert(
    fc.asyncProperty(grown(3), async (tree) => {
      const onSale: string[] = [];
      trees += 1;
      const line = { external_id: `tree ${trees}`, type: 'grocery', categories: named(tree, onSale) };
      const storeId = await givenStore(app.service.deps.db, line);
      const { items, requests } = await walk(storeId);
      assert.deepEqual(items.map(({ name }) => name).sort(), onSale.sort());
      const query = { store_id: storeId, pickup: false, category_tree: true };
      const { categories } = (await app.get('/details/inventory', query)).body;
      const count = (nodes: readonly Category[]): number =>
        nodes.reduce((sum, { product_count, subcategories = [] }) => {
          assert.ok(product_count > 0);
          return sum + 1 + count(subcategories);
        }, 0);
      assert.equal(requests, 1 + count(categories), 'each category of the tree is met once');
    }),
    { numRuns: runs(100, 15) },
  );
});

test('a category without anything on sale in the mode is answered empty by its own token', async () => {
  const { db } = app.service.deps;
  const pickupOnly = { id: 'p', name: 'P', price: 100, modes: ['pickup'] };
  const categories = [{ id: 'a', name: 'A', categories: [{ id: 'b', name: 'B', products: [pickupOnly] }] }];
  const storeId = await givenStore(db, { external_id: 'empty', type: 'grocery', categories });
  assert.deepEqual(await readCategories(storeId), []);
  const tokens = async (level?: string): Promise<string[]> => {
    const query = { store_id: storeId, pickup: true, ...(level && { subcategory_id: level }) };
    const [category] = (await app.get('/details/inventory', query)).body.categories as Category[];
    if (!category?.has_subcategories) return category ? [category.subcategory_id] : [];
    return [category.subcategory_id, ...(await tokens(category.subcategory_id))];
  };
  const known = await tokens();
  assert.equal(known.length, 2);
  for (const token of known) assert.deepEqual(await readCategories(storeId, token), []);
});

test('a tree as deep as a feed may have is walked to its end', async () => {
  const nested = (depth: number): object =>
    depth === 32
      ? { id: 'd32', name: 'Level 32', products: shelfProducts('deep', 2) }
      : { id: `d${depth}`, name: `Level ${depth}`, categories: [nested(depth + 1)] };
  const storeId = await givenStore(app.service.deps.db, {
    external_id: 'deep',
    type: 'grocery',
    categories: [nested(1)],
  });
  const { items, requests } = await walk(storeId);
  assert.deepEqual(
    items.map((item) => item.name),
    ['deep product 0', 'deep product 1'],
  );
  assert.equal(requests, 33);
});

test('a level of 2,000 categories and a leaf of 10,000 products are whole and in their order', async () => {
  const shelves = Array.from({ length: 2000 }, (_, n) => ({
    id: `s${n}`,
    name: `Shelf ${n}`,
    products: shelfProducts(`s${n}`, 1),
  }));
  const storeId = await givenStore(app.service.deps.db, {
    external_id: 'wide',
    type: 'grocery',
    categories: [
      { id: 'wide', name: 'Wide', categories: shelves },
      { id: 'long', name: 'Long', products: shelfProducts('long', 10_000) },
    ],
  });
  const [wide, long] = (await readCategories(storeId)).map((category) => category.subcategory_id);
  const refused = await app.get('/details/inventory', { store_id: storeId, pickup: false, category_tree: true });
  assert.deepEqual([refused.status, refused.body.errors[0].name], [400, 'category_tree']);
  const level = await readCategories(storeId, wide);
  assert.deepEqual(
    level.map(({ name, menu_item_list }) => [name, menu_item_list]),
    shelves.map(({ name }) => [name, []]),
  );
  const last = level.at(-1) as Category;
  assert.deepEqual((await readCategories(storeId, last.subcategory_id))[0]?.menu_item_list[0]?.name, 's1999 product 0');
  const [leaf] = await readCategories(storeId, long);
  assert.deepEqual(
    leaf?.menu_item_list.map((item) => item.name),
    shelfProducts('long', 10_000).map(({ name }) => name),
  );
});

test('each level has an ETag of its own, and after a change only its own products differ', async () => {
  const { db } = app.service.deps;
  const categories = market(2, 2, 2, 3);
  const storeId = await givenStore(db, { external_id: 'tagged', type: 'grocery', categories });
  const [department] = await readCategories(storeId);
  const [aisle] = await readCategories(storeId, department?.subcategory_id);
  const shelves = await readCategories(storeId, aisle?.subcategory_id);
  const levels = [undefined, department, aisle, ...shelves].map((category) => category?.subcategory_id);
  const readAll = () => Promise.all(levels.map((level) => readLevel(storeId, level)));

  const first = await readAll();
  const tags = first.map(({ headers }) => String(headers.etag));
  assert.equal(new Set(tags).size, levels.length);
  for (const [nth, level] of levels.entries()) {
    assert.equal((await readLevel(storeId, level, { 'if-none-match': String(tags[nth]) })).status, 304);
  }
  await setProduct(db, { storeId, externalId: '0.0.0.-1' }, { qtyAvailable: 4 }, app.now());
  const second = await readAll();
  for (const [nth, { body, headers }] of second.entries()) {
    assert.notEqual(body.menu_id, first[nth]?.body.menu_id, 'menu_id covers the whole inventory');
    assert.notEqual(headers.etag, tags[nth]);
    const isChangedShelf = levels[nth] === shelves[0]?.subcategory_id;
    assert.equal(JSON.stringify(body.categories) === JSON.stringify(first[nth]?.body.categories), !isChangedShelf);
  }
});

test('a change of one product leaves the written JSON of levels that do not show it', async () => {
  const { db, clock, tokens } = app.service.deps;
  const categories = market(2, 2, 2, 3);
  const storeId = await givenStore(db, { external_id: 'kept', type: 'grocery', categories });
  const cache = new InventoryCache({ db, tokens, clock, pollIntervalMs: 0 });
  const readMenu = async (token?: string) => {
    const snapshot = (await cache.snapshot(storeId, null)) as StoreSnapshot;
    const categoryNo = token === undefined ? null : (openCategory(tokens, token)?.categoryNo ?? null);
    const view = await cache.menu(snapshot, 'delivery', categoryNo, app.now());
    assert.ok(view);
    return view;
  };
  const [department, beside] = await readCategories(storeId);
  const [aisle] = await readCategories(storeId, department?.subcategory_id);
  const [changed, other] = await readCategories(storeId, aisle?.subcategory_id);
  const levels = [undefined, department, aisle, beside, other, changed].map((category) => category?.subcategory_id);
  const first = await Promise.all(levels.map(readMenu));

  await setProduct(db, { storeId, externalId: '0.0.0.-1' }, { qtyAvailable: 4 }, app.now());
  const stocked = await Promise.all(levels.map(readMenu));
  const isKept = stocked.map((view, nth) => view.categories === first[nth]?.categories);
  assert.deepEqual(isKept, [true, true, true, true, true, false]);
  for (const [nth, view] of stocked.entries()) assert.notEqual(view.head, first[nth]?.head);

  await setProduct(db, { storeId, externalId: '0.0.0.-1' }, { available: false }, app.now());
  const second = await Promise.all(levels.map(readMenu));
  const isKeptBeside = second.map((view, nth) => view.categories === stocked[nth]?.categories);
  assert.deepEqual(isKeptBeside, [false, false, false, true, true, false], 'the levels above it count it');

  await db
    .updateTable('categories')
    .set({ name: 'Renamed' })
    .where('storeId', '=', storeId)
    .where('externalId', '=', '0.0.0')
    .execute();
  const third = await Promise.all(levels.map(readMenu));
  const isKeptAfter = third.map((view, nth) => view.categories === second[nth]?.categories);
  assert.deepEqual(isKeptAfter, [true, true, false, true, true, false], 'its aisle lists it, and it names itself');
  cache.close();
});

test('menus are kept within a bound, however many levels are requested', async () => {
  const { db, clock, tokens } = app.service.deps;
  const storeId = await givenStore(db, { external_id: 'bounded', type: 'grocery', categories: market(5, 5, 4, 10) });
  const maxMenuBytes = 40_000;
  const cache = new InventoryCache({ db, tokens, clock, maxMenuBytes, pollIntervalMs: 0 });
  const snapshot = (await cache.snapshot(storeId, null)) as StoreSnapshot;
  const rows = await db.selectFrom('categories').select('categoryNo').where('storeId', '=', storeId).execute();
  for (const mode of ['delivery', 'pickup'] as const) {
    for (const { categoryNo } of rows) {
      const view = await cache.menu(snapshot, mode, categoryNo, app.now());
      assert.ok(view);
      assert.ok(cache.menuBytes <= maxMenuBytes);
    }
  }
  assert.ok(cache.menuBytes > maxMenuBytes / 2);
  cache.close();
});
