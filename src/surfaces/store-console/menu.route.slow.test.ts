import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { comeAgain } from '../../../test/come-again.ts';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { fieldsOf, menuEditor, menuSteps, WORDS } from '../../../test/given/menu-edits.ts';
import { givenChannel, givenStoreKey } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenApp, type Reply } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { STORE_BUDGETS } from '../../access/budgets/budget.ts';
import { MAX_MENU_ITEMS } from '../../supply/menus/edit-menu.flow.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';

const { app, close, db, importLines } = await givenImport(givenApp);
after(close);
const HOURS = { hours: { operational: '24/7' }, scheduling: { enabled: false } };
const storeId = storeIdOf('menus', 'shop');
const SIZE = {
  id: 'size',
  name: 'Size',
  min_choice_options: 1,
  max_choice_options: 1,
  max_total_units: 2,
  options: [
    { id: 's', name: 'Small' },
    { id: 'l', name: 'Large', price: 50 },
  ],
};
const feed = (changes: object = {}) =>
  shop([product('pie', { name: 'Margherita', customizations: [SIZE] }), product('cola'), product('tea')], {
    ...HOURS,
    ...changes,
  });
await importLines('menus', [feed()]);
const key = await givenStoreKey(app, storeId);

const items = async (categoryId = 'c') => (await key.get('/store/menu/items', { category_id: categoryId })).body.items;
const itemNamed = async (name: string, categoryId = 'c') =>
  (await items(categoryId)).find((one: { name: string }) => one.name === name) ?? assert.fail(name);
/** The menu as customers see it: names by category, and the version. */
async function seen(): Promise<{ menuId: string; names: string[] }> {
  await app.catchUp();
  const { body } = await app.get('/details/inventory', { store_id: storeId, pickup: true, ...NEAR_DOOR });
  const names = body.categories.flatMap((one: { name: string; menu_item_list: { name: string }[] }) => [
    `[${one.name}]`,
    ...one.menu_item_list.map(({ name }) => name),
  ]);
  return { menuId: body.menu_id, names };
}
const found = async (query: string): Promise<string[]> =>
  (await app.get('/search/product/v4', { query, store_id: storeId, ...NEAR_DOOR })).body.products.map(
    ({ name }: { name: string }) => name,
  );
const is = (reply: Reply, status: number, code?: string): Reply => {
  assert.deepEqual([reply.status, reply.body?.code], [status, code], reply.text);
  return reply;
};
test('an item with nested options is added, seen, found and ordered at once; its ids are given', async () => {
  const before = await seen();
  const item = {
    name: 'Lemonade',
    price: 450,
    customizations: [
      {
        name: 'Size',
        min_choice_options: 1,
        max_choice_options: 1,
        options: [
          { name: 'Small' },
          { name: 'Large', price: 150, customizations: [{ name: 'Ice', options: [{ name: 'None' }] }] },
        ],
      },
    ],
  };
  const { body } = is(await key.post('/store/menu/items', { category_id: 'c', item }), 200);
  assert.equal(body.item.origin, 'added');
  assert.match(body.item.item_id, /^own:/);
  const [size] = body.item.customizations;
  assert.deepEqual(
    [size.id, size.options.map(({ id }: { id: string }) => id), size.options[1].customizations[0].options[0].name],
    ['own-1', ['own-2', 'own-3'], 'None'],
  );
  const shown = await seen();
  assert.deepEqual(shown.names, ['[C]', 'Margherita', 'cola', 'tea', 'Lemonade']);
  assert.notEqual(shown.menuId, before.menuId);
  assert.deepEqual(await found('lemonade'), ['Lemonade']);
  const token = (await productTokens(app, storeId)).Lemonade ?? assert.fail();
  const order = {
    place_order: false,
    items: [{ product_id: token, quantity: 2, selected_options: [{ option_id: 'own-3', quantity: 1 }] }],
  };
  const quoted = await app.post('/order/order/v2', orderBody(token, null, order));
  assert.equal(quoted.status, 200, quoted.text);
});

test('an edit replaces an item; unseen fields change nothing for customers; undo restores it', async () => {
  const start = await seen();
  const cola = await itemNamed('cola');
  const edit = (changes: object) =>
    key.put(`/store/menu/items/${cola.item_id}`, {
      category_id: 'c',
      version: cola.version,
      item: { ...fieldsOf(cola), ...changes },
    });
  const same = is(await edit({}), 200).body;
  assert.equal(same.change_id, null);
  const changed = is(await edit({ name: 'Cola', price: 120, pickup_price: 110 }), 200).body;
  assert.equal(changed.item.origin, 'edited');
  assert.deepEqual((await seen()).names.slice(0, 3), ['[C]', 'Margherita', 'Cola']);
  is(await edit({ price: 1 }), 409, 'menu_changed');
  const undone = is(await key.post(`/store/menu/changes/${changed.change_id}/undo`, {}), 200).body;
  assert.equal((await itemNamed('cola')).origin, 'feed');
  assert.deepEqual((await seen()).names, start.names);
  is(await key.post(`/store/menu/changes/${changed.change_id}/undo`, {}), 409, 'menu_changed');
  const { changes } = (await key.get('/store/menu/changes')).body;
  const name = { field: 'name', before: 'cola', after: 'Cola' };
  const price = { field: 'price', before: 100, after: 120 };
  const pickup = { field: 'pickup_price', before: null, after: 110 };
  const back = [name, price, pickup].map(({ field, before, after }) => ({ field, before: after, after: before }));
  assert.deepEqual(
    changes.slice(0, 2).map((one: Record<string, unknown>) => [one.action, one.undone_by, one.fields, one.by]),
    [
      ['undone', null, back, 'key'],
      ['edited', undone.change_id, [name, price, pickup], 'key'],
    ],
  );
});

test('a removed subcategory does not return into a category that has items now', async () => {
  const add = async (name: string, parent_id: string | null) =>
    is(await key.post('/store/menu/categories', { name, parent_id }), 200).body.category;
  const parent = await add('Parent', null);
  const child = await add('Child', parent.category_id);
  const path = `/store/menu/categories/${encodeURIComponent(child.category_id)}/remove`;
  const removed = is(await key.post(path, { version: child.version }), 200).body;
  const item = { category_id: parent.category_id, item: { name: 'Dumplings', price: 900 } };
  const added = is(await key.post('/store/menu/items', item), 200).body;
  const undo = (id: string) => key.post(`/store/menu/changes/${id}/undo`, {});
  is(await undo(removed.change_id), 409, 'menu_changed');
  is(await undo(added.change_id), 200);
  is(await undo(removed.change_id), 200);
});

test('availability and stock are in the history with who set them, and undone while they are as they were set', async () => {
  const tea = (await itemNamed('tea')).item_id;
  const set = async (body: object) => is(await key.patch(`/store/products/${tea}`, body), 200).body;
  const undo = (id: string) => key.post(`/store/menu/changes/${id}/undo`, {});
  const newest = async (count: number) =>
    (await key.get('/store/menu/changes')).body.changes
      .slice(0, count)
      .map((one: Record<string, unknown>) => [one.action, one.target, one.name, one.by, one.fields]);
  const stock = await set({ qty_available: 9, available: true });
  assert.equal((await set({ qty_available: 9 })).change_id, null, 'nothing differs');
  const size = await itemNamed('Margherita');
  const large = is(await key.patch(`/store/options/${size.item_id}/l`, { available: false }), 200).body;
  const off = await set({ available: false });
  const field = (field: string, before: unknown, after: unknown) => [{ field, before, after }];
  const large86 = ['switched', 'item', 'Margherita: Large', 'key', field('available', true, false)];
  assert.deepEqual(await newest(3), [
    ['switched', 'item', 'tea', 'key', field('available', true, false)],
    large86,
    ['switched', 'item', 'tea', 'key', field('qty_available', null, 9)],
  ]);
  is(await undo(off.change_id), 200);
  is(await undo(large.change_id), 200);
  is(await undo(large.change_id), 409, 'menu_changed');
  assert.deepEqual(await newest(1), [['undone', 'item', 'Margherita: Large', 'key', field('available', false, true)]]);
  const token = (await productTokens(app, storeId)).tea ?? assert.fail();
  const order = { items: [{ product_id: token, quantity: 8 }], charge_user: false, driver_tip_cents: 0 };
  const live = await app.givenClient('live');
  await givenChannel(app, storeId);
  is(await live.post('/order/order/v2', orderBody(token, null, order)), 200);
  assert.equal((await itemNamed('tea')).qty_available, 1);
  is(await undo(stock.change_id), 409, 'menu_changed');
  is(await undo((await set({ qty_available: null })).change_id), 200);
  assert.equal((await itemNamed('tea')).qty_available, 1);
  await set({ qty_available: null });
});

test('a POS that sets stock all day leaves the edits in the history', async () => {
  const tea = (await itemNamed('tea')).item_id;
  const cola = await itemNamed('cola');
  const edit = { category_id: 'c', version: cola.version, item: { ...fieldsOf(cola), price: 130 } };
  const { change_id: id } = is(await key.put(`/store/menu/items/${cola.item_id}`, edit), 200).body;
  await sql`
    insert into menu_changes (store_id, change_no, at, actor, action, target, name, before, after)
    select store_id, change_no + n, at, actor, 'switched', target, name, before, after
    from menu_changes, generate_series(1, 700) as n where change_no = ${id}`.execute(db);
  is(await key.patch(`/store/products/${tea}`, { available: false }), 200);
  const { rows } = await sql<{ isSwitch: boolean; kept: number }>`
    select action = 'switched' as is_switch, count(*)::integer as kept from menu_changes group by 1 order by 1`.execute(
    db,
  );
  assert.deepEqual(rows[1], { isSwitch: true, kept: 500 });
  is(await key.post(`/store/menu/changes/${id}/undo`, {}), 200);
  is(await key.patch(`/store/products/${tea}`, { available: true }), 200);
});

test('any sequence of edits and switches: menu_id changes exactly when customers see another menu, and search finds it', async () => {
  const shownBy = new Map<string, string>();
  const editor = menuEditor(key);
  let edits = 0;
  const look = async (pickup: boolean) => {
    const { body } = await app.get('/details/inventory', { store_id: storeId, pickup, ...NEAR_DOOR });
    return { menuId: body.menu_id, shown: JSON.stringify(body.categories) };
  };
  const both = async () => [await look(false), await look(true)];
  await fc.assert(
    fc.asyncProperty(fc.array(menuSteps, { minLength: 30, maxLength: 30 }), async (steps) => {
      let before = await both();
      for (const one of steps) {
        if (await editor.act(one)) edits += 1;
        const after = await both();
        after.forEach((is, mode) => {
          const was = before[mode];
          assert.equal(was?.menuId === is.menuId, was?.shown === is.shown, JSON.stringify(one));
          const version = `${mode} ${is.menuId}`;
          assert.equal(shownBy.get(version) ?? is.shown, is.shown, 'a version stands for one menu');
          shownBy.set(version, is.shown);
        });
        before = after;
      }
      await app.catchUp();
      const every = (await editor.read()).flatMap(({ items }) => items);
      for (const word of WORDS) {
        const expected = every.filter((one) => one.name === word && one.available).length;
        assert.equal((await found(word)).filter((name) => name === word).length, Math.min(expected, 50));
      }
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
  assert.ok(edits > 20, `${edits} edits`);
});

test('a store adds items up to 5,000 in a menu, however many come at once, and a feed may bring more', async () => {
  const many = (count: number, externalId: string) => ({
    ...shop(
      Array.from({ length: count }, (_, n) => product(`p${n}`)),
      HOURS,
    ),
    external_id: externalId,
  });
  await importLines('large menus', [many(MAX_MENU_ITEMS - 1, 'nearly'), many(MAX_MENU_ITEMS + 1, 'beyond')]);
  const nearly = await givenStoreKey(app, storeIdOf('large menus', 'nearly'));
  const beyond = await givenStoreKey(app, storeIdOf('large menus', 'beyond'));
  const item = { name: 'One more', price: 100 };
  const add = (client: typeof key) =>
    comeAgain((headers) => client.post('/store/menu/items', { category_id: 'c', item }, headers));
  const answers = await Promise.all([add(nearly), add(nearly), add(nearly)]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400]);
  const refused = is(await add(beyond), 400, 'invalid_request');
  assert.match(refused.text, /a menu has at most 5000 items/);
  const { item_id: itemId, version } = (await nearly.get('/store/menu/items', { category_id: 'c' })).body.items[0];
  is(await nearly.post(`/store/menu/items/${itemId}/remove`, { version }), 200);
  is(await add(nearly), 200);
});

test('menu edits are limited by a daily budget, separate from availability switches and other stores', async () => {
  await importLines('busy', [shop([product('pie')], HOURS)]);
  const busyId = storeIdOf('busy', 'shop');
  const busy = await givenStoreKey(app, busyId);
  const add = (name: string) => busy.post('/store/menu/categories', { name });
  is(await add('First'), 200);
  const [pie] = (await busy.get('/store/menu/items', { category_id: 'c' })).body.items;
  is(await busy.patch(`/store/products/${pie.item_id}`, { available: false }), 200);
  const counted = await db.selectFrom('budgetUse').select(['kind', 'used']).where('accountId', '=', busyId).execute();
  assert.deepEqual(counted, [{ kind: 'menu_edits', used: 1 }]);
  const spent = { used: STORE_BUDGETS.menu_edits };
  await db.updateTable('budgetUse').set(spent).where('accountId', '=', busyId).execute();
  const refused = is(await add('Second'), 429, 'rate_limited');
  assert.match(refused.text, /budget of menu edits is used up until midnight/);
  is(await key.post('/store/menu/categories', { name: 'Elsewhere' }), 200);
  await app.advance({ hours: 24 });
  is(await add('Second'), 200);
});
