import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type FeedLine, NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { menuEditor } from '../../../test/given/menu-edits.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { orderBody } from '../../../test/given/orders.ts';
import type { Reply } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { storeIdOf } from '../stores/store-id.ts';

const given = await givenImport();
after(() => given.close());
const { app, importLines } = given;

type Fields = { name: string; price: number };
type Feed = Record<string, Fields>;
type MenuItem = Fields & { item_id: string; category_id: string; version: string; available: boolean };
type Shown = Fields & { product_id: string };
const OPEN = { hours: { operational: '24/7' }, scheduling: { enabled: false } };
const lines = (feed: Feed, changes: FeedLine = {}) => [
  shop(
    Object.entries(feed).map(([id, fields]) => product(id, fields)),
    { ...OPEN, ...changes },
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

test('a field edited by the store survives imports until the feed’s value is the same', async () => {
  const feed = { a: { name: 'A', price: 100 }, b: { name: 'B', price: 200 }, c: { name: 'C', price: 300 } };
  const { key, editor, item, items, listed, load } = await givenMenu('keep', feed);
  await editor.edit(await item('A'), 'c', { price: 150 });
  const { version } = await item('B');
  await key.post('/store/menu/items/b/remove', { version });
  await key.post('/store/menu/items', { category_id: 'c', item: { name: 'New', price: 50 }, position: 0 });
  const expected = ['New 50', 'A 150', 'C 300'];
  assert.deepEqual(await listed(), expected);
  assert.deepEqual(await load(feed), [1, 0, 0, 1, 0]);
  await load(feed, { description: 'Other' });
  assert.deepEqual(await listed(), expected);
  const marked = async () => (await items()).filter((one) => Reflect.get(one, 'feed_changed')).map(({ name }) => name);
  assert.deepEqual(await marked(), []);
  await load({ ...feed, a: { name: 'Apple', price: 110 }, b: { name: 'B', price: 210 }, d: { name: 'D', price: 400 } });
  assert.deepEqual(await listed(), ['New 50', 'Apple 150', 'C 300', 'D 400']);
  assert.deepEqual(await marked(), ['Apple']);
  await load({ c: feed.c });
  assert.deepEqual(await listed(), ['New 50', 'C 300'], 'a feed removes its own items');
  await load({ ...feed, a: { name: 'A', price: 110 } });
  assert.deepEqual(await listed(), expected, 'and what the store set is there when they return');
  const asFeed = (id: string) => key.post('/store/menu/as_feed', { target: 'item', target_id: id });
  const { body, status } = await asFeed('a');
  assert.equal(status, 200);
  assert.equal((await asFeed('b')).status, 200);
  assert.deepEqual(await listed(), ['New 50', 'A 110', 'B 200', 'C 300']);
  assert.deepEqual(await marked(), []);
  await load(feed);
  assert.deepEqual(await listed(), ['New 50', 'A 100', 'B 200', 'C 300']);
  assert.equal((await key.post(`/store/menu/changes/${body.change_id}/undo`, {})).status, 200);
  assert.deepEqual(await listed(), ['New 50', 'A 150', 'B 200', 'C 300']);
  assert.equal((await asFeed((await item('New')).item_id)).body.code, 'product_not_found');
});

test('the store’s order survives, with the feed’s new items after their neighbors, until the feed has the same', async () => {
  const feed = { a: { name: 'A', price: 1 }, b: { name: 'B', price: 2 }, c: { name: 'C', price: 3 } };
  const { key, listed, load } = await givenMenu('sorted', feed);
  const sort = { category_id: 'c', from: ['a', 'b', 'c'], to: ['c', 'a', 'b'] };
  assert.equal((await key.put('/store/menu/sequence', sort)).status, 200);
  assert.equal((await key.put('/store/menu/sequence', sort)).body.code, 'menu_changed');
  const { a, b, c } = feed;
  await load({ a, d: { name: 'D', price: 4 }, b, c });
  assert.deepEqual(await listed(), ['C 3', 'A 1', 'D 4', 'B 2']);
  await load({ b, a, c });
  assert.deepEqual(await listed(), ['C 3', 'A 1', 'B 2']);
  assert.equal((await key.post('/store/menu/as_feed', { target: 'sequence', target_id: 'c' })).status, 200);
  assert.deepEqual(await listed(), ['B 2', 'A 1', 'C 3']);
});

test('a store’s category edits stay; a category the feed fills again returns', async () => {
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
    [['B'], ['Mine']],
  );
});

/** Histories of eight acts; `HISTORIES=10000` takes as many. */
const HISTORIES = Number(process.env.HISTORIES ?? runs(60));

type Act =
  | { act: 'import'; feed: (Fields | null)[] }
  | { act: 'edit'; at: number; fields: Partial<Fields> }
  | { act: 'remove' | 'switch' | 'undo' | 'as feed' | 'order'; at: number }
  | { act: 'add'; fields: Fields };
type Own = Partial<Fields> | 'removed';
/** The feed's values, the store's, and the switch. `isAdded`: all values are the store's. */
type Known = { feed: Fields | null; own: Own; isAdded: boolean; isOn: boolean };
const NEW: Known = { feed: null, own: {}, isAdded: false, isOn: true };

function shownOf({ feed, own, isAdded }: Known): Fields | null {
  if (own === 'removed' || (!feed && !isAdded)) return null;
  const { name = '', price = 0 } = { ...feed, ...own };
  return { name, price };
}

test(`${HISTORIES} histories of feed, edits, undos and sales: a field is the store’s until its edit ends, a sale has its price`, async () => {
  const { key, editor, items, load } = await givenMenu('model', { p0: { name: 'A', price: 500 } });
  const storeId = storeIdOf('model', 'shop');
  const ids = ['p0', 'p1', 'p2'];
  const price = fc.constantFrom(500, 600, 700);
  const name = fc.constantFrom('A', 'B');
  const fields = fc.record({ name, price }, { noNullPrototype: true });
  const at = fc.nat(5);
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ act: fc.constant('import' as const), feed: fc.tuple(...ids.map(() => fc.option(fields))) }),
    fc.record({ act: fc.constant('edit' as const), at, fields: fc.record({ name, price }, { requiredKeys: [] }) }),
    fc.record({ act: fc.constantFrom('remove', 'switch', 'undo', 'as feed'), at }),
    fc.record({ act: fc.constant('order' as const), at }),
    fc.record({ act: fc.constant('add' as const), fields }),
  );
  const known = new Map<string, Known>([['p0', { ...NEW, feed: { name: 'A', price: 500 } }]]);
  const changes: { changeId: string; id: string; was: Known; is: Known }[] = [];
  let [round, orders] = [0, 0];
  const note = (reply: Reply, id: string, is: Known) => {
    assert.equal(reply.status, 200, reply.text);
    const was = known.get(id) ?? NEW;
    known.set(id, is);
    if (reply.body.change_id !== null) changes.push({ changeId: reply.body.change_id, id, was, is });
  };
  const isSame = (a: Known, b: Known) => isDeepStrictEqual([a.own, a.isAdded], [b.own, b.isAdded]);

  const takeFeed = async (feed: readonly (Fields | null)[]) => {
    round += 1;
    const entries = ids.map((id, n) => [id, feed[n] ?? null] as const);
    await load(Object.fromEntries(entries.filter((entry): entry is [string, Fields] => entry[1] !== null)), {
      description: `Round ${round}`,
    });
    for (const [id, now] of entries) {
      const before = known.get(id) ?? NEW;
      const after = { ...before, feed: now };
      // An item that returns has the feed's switch.
      const isBack = shownOf(before) === null && shownOf(after) !== null;
      known.set(id, { ...after, isOn: before.isOn || isBack });
    }
  };
  const edit = async (one: MenuItem, sent: Partial<Fields>) => {
    const before = known.get(one.item_id) ?? assert.fail();
    const to = { name: one.name, price: one.price, ...sent };
    const own = before.own === 'removed' ? {} : before.own;
    const isOwn = (field: keyof Fields) =>
      before.isAdded || (Object.hasOwn(own, field) && own[field] === to[field]) || before.feed?.[field] !== to[field];
    const names = (['name', 'price'] as const).filter(isOwn);
    const is = { ...before, own: Object.fromEntries(names.map((field) => [field, to[field]])) };
    note(await editor.edit(one, one.category_id, sent), one.item_id, is);
  };
  const remove = async ({ item_id: id, version }: MenuItem) => {
    const before = known.get(id) ?? assert.fail();
    const gone = before.isAdded ? { own: {}, isAdded: false } : { own: 'removed' as const };
    note(await key.post(`/store/menu/items/${encodeURIComponent(id)}/remove`, { version }), id, { ...before, ...gone });
  };
  const undo = async (n: number) => {
    const change = changes.at(-1 - (n % Math.max(1, changes.length)));
    if (!change) return;
    const { changeId, id, was, is } = change;
    const now = known.get(id) ?? assert.fail();
    const reply = await key.post(`/store/menu/changes/${changeId}/undo`, {});
    if (isSame(now, is)) note(reply, id, { ...now, own: was.own, isAdded: was.isAdded });
    else assert.equal(reply.body.code, 'menu_changed', reply.text);
  };
  /** A customer reads the menu and asks for an item of it. */
  const order = async (n: number) => {
    await app.catchUp();
    const { body } = await app.get('/details/inventory', { store_id: storeId, pickup: true, ...NEAR_DOOR });
    const all = (body.categories ?? []).flatMap((one: { menu_item_list: Shown[] }) => one.menu_item_list);
    const onSale = [...known.values()].filter(({ isOn }) => isOn).flatMap((one) => shownOf(one) ?? []);
    const texts = (list: readonly Fields[]) => list.map((one) => `${one.name} ${one.price}`).sort();
    assert.deepEqual(texts(all), texts(onSale));
    const chosen: Shown | undefined = all[n % Math.max(1, all.length)];
    if (!chosen) return;
    const line = { items: [{ product_id: chosen.product_id, quantity: 2 }], place_order: false, driver_tip_cents: 0 };
    const quoted = await app.post('/order/order/v2', orderBody(chosen.product_id, null, { ...line, pickup: true }));
    assert.equal(quoted.status, 200, quoted.text);
    assert.equal(quoted.body.final_quote.quote.subtotal, 2 * chosen.price);
    orders += 1;
  };
  const take = async (step: Act) => {
    if (step.act === 'import') return takeFeed(step.feed);
    if (step.act === 'add') {
      const reply = await key.post('/store/menu/items', { category_id: 'c', item: step.fields });
      note(reply, reply.body.item.item_id, { ...NEW, own: step.fields, isAdded: true });
      return;
    }
    if (step.act === 'undo') return undo(step.at);
    if (step.act === 'order') return order(step.at);
    const all = await items();
    const one = all[step.at % Math.max(1, all.length)];
    if (!one) return;
    if (step.act === 'edit') return edit(one, step.fields);
    if (step.act === 'remove') return remove(one);
    const id = one.item_id;
    const before = known.get(id) ?? assert.fail();
    if (step.act === 'switch') {
      const reply = await key.patch(`/store/products/${encodeURIComponent(id)}`, { available: !before.isOn });
      assert.equal(reply.status, 200, reply.text);
      known.set(id, { ...before, isOn: !before.isOn });
    } else if (!before.isAdded) {
      note(await key.post('/store/menu/as_feed', { target: 'item', target_id: id }), id, { ...before, own: {} });
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 8 }), async (steps) => {
      for (const step of steps) {
        await take(step);
        const shown = (await items()).map((one) => `${one.item_id} ${one.name} ${one.price} ${one.available}`).sort();
        const expected = [...known].flatMap(([id, one]) => {
          const fields = shownOf(one);
          return fields ? [`${id} ${fields.name} ${fields.price} ${one.isOn}`] : [];
        });
        assert.deepEqual(shown, expected.sort(), JSON.stringify(step));
      }
      // The next history begins with a short menu.
      for (const one of (await items()).slice(4)) await remove(one);
      changes.splice(0, changes.length - 20);
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  );
  assert.ok(orders > HISTORIES / 4, `${orders} orders`);
});
