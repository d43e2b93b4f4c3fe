import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { FeedLine } from '../../../test/feed-lines.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { menuEditor } from '../../../test/given/menu-edits.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { runs } from '../../../test/runs.ts';
import { storeIdOf } from '../stores/store-id.ts';

const given = await givenImport();
after(() => given.close());
const { app, importLines } = given;

type Fields = { name: string; price: number };
type Feed = Record<string, Fields>;
const lines = (feed: Feed, changes: FeedLine = {}) => [
  shop(
    Object.entries(feed).map(([id, fields]) => product(id, fields)),
    changes,
  ),
];

async function givenMenu(source: string, feed: Feed) {
  await importLines(source, lines(feed));
  const key = await givenStoreKey(app, storeIdOf(source, 'shop'));
  const editor = menuEditor(key);
  const items = async () => (await editor.read()).flatMap((one) => one.items);
  const item = async (name: string) => (await items()).find((one) => one.name === name) ?? assert.fail(name);
  const listed = async () => (await items()).map(({ name, price }) => `${name} ${price}`);
  return { key, editor, items, item, listed, load: (to: Feed, more = {}) => importLines(source, lines(to, more)) };
}

test('edits outlive an import that says the same of them; the feed’s new values replace the store’s, and the history says so', async () => {
  const feed = { a: { name: 'A', price: 100 }, b: { name: 'B', price: 200 }, c: { name: 'C', price: 300 } };
  const { key, editor, item, listed, load } = await givenMenu('keep', feed);
  await editor.edit(await item('A'), 'c', { name: 'Mine', price: 150 });
  const { version } = await item('B');
  await key.post('/store/menu/items/b/remove', { version });
  await key.post('/store/menu/items', { category_id: 'c', item: { name: 'New', price: 50 }, position: 0 });
  const expected = ['New 50', 'Mine 150', 'C 300'];
  assert.deepEqual(await listed(), expected);
  assert.deepEqual(await load(feed), [1, 0, 0, 1, 0]);
  await load(feed, { description: 'Other' });
  assert.deepEqual(await listed(), expected);
  await load({ ...feed, a: { name: 'A', price: 110 }, d: { name: 'D', price: 400 } });
  assert.deepEqual(await listed(), ['New 50', 'Mine 110', 'C 300', 'D 400']);
  const { changes } = (await key.get('/store/menu/changes')).body;
  const { action, by, by_id: source, fields } = changes[0];
  assert.deepEqual(
    [action, by, source, fields],
    ['imported', 'feed', 'keep', [{ field: 'price', before: 150, after: 110 }]],
  );
  await load({ ...feed, b: { name: 'B', price: 201 } });
  assert.deepEqual(
    await listed(),
    ['New 50', 'Mine 100', 'B 201', 'C 300'],
    'a removed item returns when the feed changes it',
  );
  await load({});
  assert.deepEqual(await listed(), ['New 50'], 'a feed removes its own items');
});

test('the store’s sequence stays while the feed’s does, with new items after the ones that they follow there', async () => {
  const feed = { a: { name: 'A', price: 1 }, b: { name: 'B', price: 2 }, c: { name: 'C', price: 3 } };
  const { key, listed, load } = await givenMenu('sorted', feed);
  const sort = { category_id: 'c', from: ['a', 'b', 'c'], to: ['c', 'a', 'b'] };
  assert.equal((await key.put('/store/menu/sequence', sort)).status, 200);
  assert.equal((await key.put('/store/menu/sequence', sort)).body.code, 'menu_changed');
  const { a, b, c } = feed;
  await load({ a, d: { name: 'D', price: 4 }, b, c });
  assert.deepEqual(await listed(), ['C 3', 'A 1', 'D 4', 'B 2']);
  await load({ b, a, c });
  assert.deepEqual(await listed(), ['B 2', 'A 1', 'C 3']);
});

test('categories that a store adds, renames or removes stay so; one that the feed fills again returns', async () => {
  const { key, editor, load } = await givenMenu('categories', { a: { name: 'A', price: 1 } });
  const named = async () => (await editor.read()).map((one) => Reflect.get(one, 'name'));
  const [only] = await editor.read();
  await key.put('/store/menu/categories/c', { name: 'Pies', version: only?.version });
  const { body } = await key.post('/store/menu/categories', { name: 'Own', hours: 'Mo-Fr 08:00-11:00' });
  await key.post('/store/menu/items', { category_id: body.category.category_id, item: { name: 'Mine', price: 5 } });
  await load({ a: { name: 'A', price: 2 } });
  assert.deepEqual(await named(), ['Pies', 'Own']);
  const [pies] = await editor.read();
  await key.post('/store/menu/categories/c/remove', { version: pies?.version });
  await load({ a: { name: 'A', price: 2 } }, { description: 'Other' });
  assert.deepEqual(await named(), ['Own']);
  await load({ a: { name: 'A', price: 2 }, b: { name: 'B', price: 3 } });
  assert.deepEqual(
    (await editor.read()).map(({ items }) => items.map(({ name }) => name)),
    [['Mine'], ['B']],
  );
});

type Act =
  | { act: 'import'; feed: (Fields | null)[] }
  | { act: 'edit'; at: number; fields: Partial<Fields> }
  | { act: 'remove'; at: number }
  | { act: 'add'; fields: Fields };
type Known = { feed: Fields | null; own: Fields | null };

test('any sequence of imports and edits: each field is the store’s unless the feed has changed it since', async () => {
  const { key, editor, items, load } = await givenMenu('model', { p0: { name: 'A', price: 1 } });
  const ids = ['p0', 'p1', 'p2'];
  const price = fc.integer({ min: 1, max: 3 });
  const name = fc.constantFrom('A', 'B');
  const fields = fc.record({ name, price });
  const at = fc.nat(5);
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ act: fc.constant('import' as const), feed: fc.tuple(...ids.map(() => fc.option(fields))) }),
    fc.record({ act: fc.constant('edit' as const), at, fields: fc.record({ name, price }, { requiredKeys: [] }) }),
    fc.record({ act: fc.constant('remove' as const), at }),
    fc.record({ act: fc.constant('add' as const), fields }),
  );
  const known = new Map<string, Known>([['p0', { feed: { name: 'A', price: 1 }, own: { name: 'A', price: 1 } }]]);
  let round = 0;

  const takeFeed = async (feed: readonly (Fields | null)[]) => {
    round += 1;
    const entries = ids.map((id, n) => [id, feed[n] ?? null] as const);
    await load(Object.fromEntries(entries.filter((entry): entry is [string, Fields] => entry[1] !== null)), {
      description: `Round ${round}`,
    });
    for (const [id, now] of entries) known.set(id, mergedBy(known.get(id), now));
  };
  const acts = {
    import: ({ feed }: { feed: (Fields | null)[] }) => takeFeed(feed),
    edit: async ({ at, fields }: { at: number; fields: Partial<Fields> }) => {
      const all = await items();
      const one = all[at % Math.max(1, all.length)];
      if (!one) return;
      await editor.edit(one, one.category_id, fields);
      const before = known.get(one.item_id) ?? assert.fail();
      known.set(one.item_id, { ...before, own: { name: one.name, price: one.price, ...fields } });
    },
    remove: async ({ at }: { at: number }) => {
      const all = await items();
      const one = all[at % Math.max(1, all.length)];
      if (!one) return;
      await key.post(`/store/menu/items/${encodeURIComponent(one.item_id)}/remove`, { version: one.version });
      known.set(one.item_id, { feed: known.get(one.item_id)?.feed ?? null, own: null });
    },
    add: async ({ fields }: { fields: Fields }) => {
      const { body, status } = await key.post('/store/menu/items', { category_id: 'c', item: fields });
      assert.equal(status, 200);
      known.set(body.item.item_id, { feed: null, own: fields });
    },
  };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 8 }), async (steps) => {
      for (const step of steps) {
        if (step.act === 'import') await acts.import(step);
        else if (step.act === 'edit') await acts.edit(step);
        else if (step.act === 'add') await acts.add(step);
        else await acts.remove(step);
        const shown = (await items()).map((one) => `${one.item_id} ${one.name} ${one.price}`).sort();
        const expected = [...known].flatMap(([id, { own }]) => (own ? [`${id} ${own.name} ${own.price}`] : []));
        assert.deepEqual(shown, expected.sort(), JSON.stringify(step));
      }
    }),
    { numRuns: runs(60), endOnFailure: true },
  );
});

/** The rule, field by field: what the feed has just changed is the feed's, all else the store's. */
function mergedBy(before: Known | undefined, now: Fields | null): Known {
  const { feed = null, own = null } = before ?? {};
  if (now === null) return { feed: null, own: feed === null ? own : null };
  if (feed === null) return { feed: now, own: now };
  const isSame = feed.name === now.name && feed.price === now.price;
  if (own === null) return { feed: now, own: isSame ? null : now };
  const kept = {
    name: feed.name === now.name ? own.name : now.name,
    price: feed.price === now.price ? own.price : now.price,
  };
  return { feed: now, own: kept };
}
