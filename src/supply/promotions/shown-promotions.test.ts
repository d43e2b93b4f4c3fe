import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { NEAR_DOOR, pizzeria } from '../../../test/feed-lines.ts';
import { givenChannel, givenConsole, givenOperator } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, type Client, done, givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';

/** The promotions' changes to menus and searches. */

const OPEN = { hours: { operational: '24/7' } };
const START = '2026-06-10T17:00:00Z';
const AT = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
const REASON = { reason: 'A test.' };

let app: App;
let storeId = '';
let otherId = '';
let owner: Client;
let operator: Client;
before(async () => {
  app = await givenApp({ start: START });
  [storeId = '', otherId = ''] = await givenStores(app, [pizzeria(OPEN), pizzeria({ external_id: 'other', ...OPEN })]);
  owner = await givenConsole(app, storeId);
  operator = await givenOperator(app);
});
after(() => app.close());

/** The menus' content is written, and this node's search follows. */
async function settle() {
  await app.advance({ milliseconds: 1 });
  await app.catchUp();
}

const created: { path: string; client: Client; body: object }[] = [];
beforeEach(async () => {
  for (const { client, path, body } of created.splice(0)) await client.post(`${path}/end`, body);
  await settle();
});
async function given(body: object, client = owner, path = '/store/promotions'): Promise<string> {
  const { status, body: answer, text } = await client.post(path, body);
  assert.equal(status, 200, text);
  created.push({ client, path: `${path}/${answer.promotion_id}`, body: path.startsWith('/operator') ? REASON : {} });
  await settle();
  return answer.promotion_id;
}

type Item = { name: string; product_id: string; price: number; min_price: number; original_price: number };
async function menu(of = storeId, pickup = false) {
  const { body } = await app.get('/details/inventory', { store_id: of, pickup });
  const items: Item[] = body.categories.flatMap((category: { menu_item_list: Item[] }) => category.menu_item_list);
  const { Margherita, ...others } = Object.fromEntries(items.map((item) => [item.name, item]));
  assert.ok(Margherita);
  return { menuId: body.menu_id as string, offers: body.offers, item: Margherita, others: Object.values(others) };
}
const pricesOf = ({ price, original_price }: Pick<Item, 'price' | 'original_price'>) => [price, original_price];
async function found(query: object = {}) {
  const { body } = await app.get('/search/store/v3', { ...AT, ...query });
  return body.stores as { _id: string; offers?: { text: string }[] }[];
}

test('a menu price is shown by inventory, details and searches next to the list price, and ends on time', async () => {
  const before = await menu();
  const list = before.item.price;
  const items = { products: ['margherita'] };
  const id = await given({ kind: 'item_price', price_cents: list - 300, items });
  const shown = await menu();
  assert.notEqual(shown.menuId, before.menuId);
  assert.deepEqual(pricesOf(shown.item), [list - 300, list]);
  assert.equal(shown.item.min_price, before.item.min_price - 300);
  assert.deepEqual(shown.others, before.others);
  const details = (await app.get('/details/product', { product_id: shown.item.product_id })).body;
  assert.deepEqual(pricesOf(details), [list - 300, list]);
  const query = { ...NEAR_DOOR, query: 'margherita', store_id: storeId };
  const search = (await app.get('/search/product/v4', query)).body;
  assert.deepEqual(pricesOf(search.products[0]), [list - 300, list]);
  assert.equal((await menu(otherId)).item.price, list);
  await owner.post(`/store/promotions/${id}/end`, {});
  await settle();
  assert.deepEqual(await menu(), before);
});

test('begin, hours and end of a price change the menu when they come, and an import keeps it', async () => {
  const before = await menu();
  const list = before.item.price;
  const now = Math.floor(app.now().epochMilliseconds / 1000);
  const items = { products: ['margherita'] };
  await given({ kind: 'item_price', percent: 50, items, mode: 'pickup', starts_at: now + 600, ends_at: now + 7200 });
  assert.deepEqual(await menu(), before);
  await app.advance({ minutes: 10 });
  await settle();
  assert.equal((await menu()).item.price, list, 'for pickup alone');
  const pickup = (await menu(storeId, true)).item;
  assert.equal(pickup.price, Math.floor(pickup.original_price / 2));
  await givenStores(app, [pizzeria({ ...OPEN, name: 'Renamed' })]);
  await settle();
  assert.deepEqual(pricesOf((await menu(storeId, true)).item), pricesOf(pickup));
  await app.advance({ hours: 2 });
  await settle();
  assert.deepEqual((await menu()).item, before.item);
});

test('a price and an offer for new stores are shown until so many days after the first live order', async () => {
  const list = (await menu()).item.price;
  const items = { products: ['margherita'] };
  const common = { new_store_days: 7, stores: [storeId], ...REASON };
  await given({ ...common, kind: 'item_price', percent: 10, items }, operator, '/operator/promotions');
  await given({ ...common, kind: 'percent', percent: 5, max_uses: 9 }, operator, '/operator/promotions');
  const isShown = async () => {
    const { item, offers } = await menu();
    return [item.price < list, offers?.length ?? 0];
  };
  await app.advance({ hours: 10 * 24 });
  await settle();
  assert.deepEqual(await isShown(), [true, 2], 'no live order yet');
  const live = await app.givenClient('live');
  await givenChannel(app, storeId);
  const { Soda } = await productTokens(app, storeId);
  const { status, text } = await live.post(
    '/order/order/v2',
    orderBody(Soda, null, { items: [{ product_id: Soda, quantity: 4 }], charge_user: false }),
  );
  assert.equal(status, 200, text);
  await app.advance({ hours: 5 * 24 });
  await settle();
  assert.deepEqual(await isShown(), [true, 2]);
  await app.advance({ hours: 2 * 24 });
  await settle();
  assert.deepEqual(await isShown(), [false, 0]);
});

test('an offer is listed until live orders have used it up, and again once one gives its use back', async () => {
  const live = await app.givenClient('live');
  const { Soda } = await productTokens(app, storeId);
  const isShown = async () => {
    await settle();
    const searched = (await found({ has_offer: true })).map(({ _id }) => _id);
    return [(await menu()).offers?.length ?? 0, searched.length];
  };
  const order = async () => {
    const items = [{ product_id: Soda, quantity: 4 }];
    return done(live.post('/order/order/v2', orderBody(Soda, null, { items, charge_user: false })));
  };
  for (const body of [{ max_uses: 2 }, { budget_cents: 400 }]) {
    await given({ kind: 'percent', percent: 20, ...body });
    assert.deepEqual(await isShown(), [1, 1]);
    await order();
    assert.deepEqual(await isShown(), [1, 1]);
    const { order_id } = await order();
    assert.deepEqual(await isShown(), [0, 0], 'used up');
    await done(live.post('/order/cancel', { order_id }));
    assert.deepEqual(await isShown(), [1, 1], 'given back');
    const { client, path } = created.at(-1) ?? assert.fail();
    await client.post(`${path}/end`, {});
  }
});

test('stores list their active offers, a search with has_offer finds them alone, and ended ones are gone', async () => {
  const ids = (stores: { _id: string }[]) => stores.map(({ _id }) => _id);
  assert.deepEqual(ids(await found({ has_offer: true })), []);
  assert.equal((await menu()).offers, undefined);
  await given({ kind: 'percent', percent: 20 });
  await given({ kind: 'percent', percent: 10, code: 'QUIET10' });
  await given(
    { kind: 'delivery', to_cents: 0, max_uses: 9, stores: [otherId], ...REASON },
    operator,
    '/operator/promotions',
  );
  const { offers } = await menu();
  assert.deepEqual(
    offers.map(({ text, ends_at }: { text: string; ends_at: null }) => [text, ends_at]),
    [['20% off', null]],
  );
  assert.deepEqual(offers[0].translations, { fr: '20\u00a0% de rabais', es: '20% de descuento' });
  assert.deepEqual(ids(await found({ has_offer: true })).toSorted(), [storeId, otherId].toSorted());
  const stores = await found();
  assert.deepEqual(
    stores.map(({ _id, offers: of }) => [_id, of?.map(({ text }) => text)]).toSorted(),
    [
      [storeId, ['20% off']],
      [otherId, ['Free delivery']],
    ].toSorted(),
  );
  const { body } = await app.get('/details/store', { store_id: storeId });
  assert.deepEqual(body.stores[0].offers, offers);
});

test('an account sees its own promotions, the operator’s and each store’s, and no other account’s', async () => {
  const other = await app.givenClient();
  const limited = (body: object, path: string, client: Client) => given({ max_uses: 9, ...body }, client, path);
  const operators = (body: object) => limited({ ...body, ...REASON }, '/operator/promotions', operator);
  await given({ kind: 'percent', percent: 20 });
  await operators({ kind: 'delivery', to_cents: 0 });
  await operators({ kind: 'amount', amount_cents: 500, country: 'CA' });
  await operators({ kind: 'percent', percent: 3, store_type: 'grocery' });
  await operators({ kind: 'percent', percent: 4, new_store_days: 30 });
  await operators({ kind: 'percent', percent: 6, new_store_days: 3 });
  await operators({ kind: 'percent', percent: 8, new_store_days: 30, country: 'CA' });
  await limited({ kind: 'percent', percent: 9, new_store_days: 30 }, '/account/promotions', app);
  await operators({ kind: 'percent', percent: 5, code: 'QUIET5' });
  await limited({ kind: 'percent', percent: 7, code: 'SEVEN', listed: true }, '/account/promotions', app);
  await limited({ kind: 'amount', amount_cents: 300, stores: [otherId] }, '/account/promotions', app);
  await app.advance({ seconds: 1 });
  const textsOf = (offers?: { text: string }[]) => offers?.map(({ text }) => text);
  /** The offers of both stores, as each surface shows them to a client. */
  const shownTo = async (client: Client) => {
    const search = (query: object) => client.get('/search/store/v3', { ...AT, ...query });
    const byId = (stores: { _id: string; offers?: { text: string }[] }[]) =>
      [storeId, otherId].map((id) => textsOf(stores.find(({ _id }) => _id === id)?.offers));
    const read = [storeId, otherId].map((id) => client.get('/details/inventory', { store_id: id, pickup: false }));
    const details = await client.get('/details/store', { store_id: `${storeId},${otherId}` });
    return [
      byId((await search({})).body.stores),
      byId((await search({ projections: 'offers' })).body.stores),
      byId((await search({ has_offer: true })).body.stores),
      byId(details.body.stores),
      (await Promise.all(read)).map(({ body }) => textsOf(body.offers)),
    ];
  };
  const everywhere = ['Free delivery'];
  const own = [
    ['20% off', '4% off', ...everywhere, '7% off'],
    ['4% off', '6% off', ...everywhere, '7% off', '$3.00 off'],
  ];
  const others = [
    ['20% off', '4% off', ...everywhere],
    ['4% off', '6% off', ...everywhere],
  ];
  for (const shown of await shownTo(app)) assert.deepEqual(shown, own);
  for (const shown of await shownTo(other)) assert.deepEqual(shown, others);
});

test('a search for offers finds only stores where the account’s or operator’s apply', async () => {
  const find = async () => {
    await app.advance({ seconds: 1 });
    return (await found({ has_offer: true })).map(({ _id }) => _id).toSorted();
  };
  const limited = { kind: 'percent', percent: 5, max_uses: 1 };
  await given({ ...limited, country: 'CA', ...REASON }, operator, '/operator/promotions');
  assert.deepEqual(await find(), []);
  const now = Math.floor(app.now().epochMilliseconds / 1000);
  await given({ ...limited, stores: [otherId], ends_at: now + 600 }, app, '/account/promotions');
  assert.deepEqual(await find(), [otherId]);
  await given(
    { ...limited, country: 'US', starts_at: now + 300, ends_at: now + 900, ...REASON },
    operator,
    '/operator/promotions',
  );
  assert.deepEqual(await find(), [otherId]);
  await app.advance({ minutes: 5 });
  assert.deepEqual(await find(), [storeId, otherId].toSorted());
  await app.advance({ minutes: 10 });
  assert.deepEqual(await find(), []);
});

test('generated codes are listed for no one, with every listing setting', async () => {
  const percent = { kind: 'percent', percent: 50, generate: 1, ...REASON };
  const ids = [
    await given({ ...percent, stores: [storeId] }, operator, '/operator/promotions'),
    await given(percent, operator, '/operator/promotions'),
  ];
  await app.service.deps.db.updateTable('promotions').set({ listed: true }).where('promotionId', 'in', ids).execute();
  await owner.post(`/store/promotions/${await given({ kind: 'percent', percent: 1 })}/end`, {});
  await app.advance({ seconds: 1 });
  await settle();
  assert.deepEqual([(await menu()).offers, (await menu(otherId)).offers], [undefined, undefined]);
  assert.deepEqual(await found({ has_offer: true }), []);
});

test('an offer says its conditions, of a store, an account or the operator alike', async () => {
  const limited = { max_uses: 9 };
  const conditions = { minimum_subtotal: 1500, hours: 'Mo-Fr 14:00-17:00', first_order: true };
  const items = { products: ['margherita'] };
  await given({ kind: 'percent', percent: 20, ...conditions });
  await given({ kind: 'item_price', price_cents: 123, items, mode: 'pickup' });
  await given(
    { kind: 'buy_get', buy: 2, get: 1, get_items: items, items: { except: items }, ...limited, ...REASON },
    operator,
    '/operator/promotions',
  );
  await given({ kind: 'amount', amount_cents: 300, ...conditions, ...limited }, app, '/account/promotions');
  await app.advance({ seconds: 1 });
  const said = '$15.00 minimum · First order only · Mon – Fri, 2:00 – 5:00 PM';
  const { offers } = await menu();
  assert.deepEqual(
    offers.map(({ text }: { text: string }) => text),
    [
      `20% off · ${said}`,
      'Now $1.23 · Selected items · Pickup only',
      'Buy 2, get 1 free · Selected items',
      `$3.00 off · ${said}`,
    ],
  );
});

test('a price that the operator lowers in all stores is in each menu, also of a store that comes later', async () => {
  const list = (await menu()).item.price;
  const items = { products: ['margherita'] };
  const wide = { kind: 'item_price', percent: 10, items, country: 'US', ...REASON };
  const promotionId = await given(wide, operator, '/operator/promotions');
  const [laterId = ''] = await givenStores(app, [pizzeria({ external_id: 'later', ...OPEN })]);
  await app.advance({ seconds: 1 });
  await settle();
  const all = [storeId, otherId, laterId];
  for (const id of all) {
    const { item, offers } = await menu(id);
    assert.deepEqual([item.original_price, item.price < list, offers?.length], [list, true, 1], id);
  }
  await operator.post(`/operator/promotions/${promotionId}/end`, REASON);
  await settle();
  for (const id of all) assert.equal((await menu(id)).item.price, list, id);
});

/** Ids of the test store's menu with their names, in the order of their names. */
const MENU = {
  categories: { pies: 'Pies', specials: 'Specials' },
  products: { breakfast: 'Breakfast Pie', few: 'Few Left', last: 'Last Slice', soda: 'Soda' },
};
type Filter = { products?: string[]; categories?: string[]; tax_classes?: string[]; except?: Filter };
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const subset = (ids: string[]) => maybe(fc.subarray(ids, { minLength: 1 }));
const filterOf = (except: fc.Arbitrary<Filter | undefined>): fc.Arbitrary<Filter> =>
  fc
    .record({
      products: subset(Object.keys(MENU.products)),
      categories: subset(Object.keys(MENU.categories)),
      tax_classes: maybe(fc.constantFrom(['general'], ['prepared_food', 'candy'])),
      except,
    })
    .filter((parts) => Object.values(parts).some((part) => part !== undefined))
    .map((parts) => JSON.parse(JSON.stringify(parts)));

/** Names of up to three items; null where a filter names more, or a tax class. */
function namedBy({ products = [], categories = [], tax_classes: classes }: Filter): string[] | null {
  const names: Record<string, string> = { ...MENU.categories, ...MENU.products };
  const ids = [...products, ...categories];
  return ids.length > 3 || classes ? null : ids.map((id) => names[id] ?? '').toSorted();
}

test('a minimum names its items in the store’s list and where a code misses it', async () => {
  const { Soda } = await productTokens(app, storeId);
  let missed = 0;
  let tried = 0;
  const check = async (filter: Filter) => {
    tried += 1;
    const code = `PIE-${tried}`;
    const [names, except] = [namedBy(filter), namedBy(filter.except ?? {})];
    const isNamed = names !== null && except !== null;
    const items = isNamed ? { ...(names[0] && { names }), ...(except[0] && { except }) } : {};
    const body = { kind: 'percent', percent: 20, minimum_subtotal: 3000, code, listed: true, items: filter };
    const id = await given(body);
    const { text, translations } = (await menu()).offers.find((one: { code: string }) => one.code === code);
    const counted = [...(items.names ?? []), ...(items.except ?? [])];
    for (const said of [text, translations.fr, translations.es])
      for (const name of counted) assert.ok(said.includes(name), said);
    if (items.names && !items.except && items.names.length === 1)
      assert.ok(text.includes(`$30.00 of ${items.names[0]}`));
    if (!isNamed) assert.match(text, /Minimum \$30\.00 of selected items/);
    const units = { items: [{ product_id: Soda, quantity: 4 }] };
    const order = orderBody(Soda, null, { ...units, place_order: false, promotion_codes: [code] });
    const [rejected] = (await done(app.post('/order/order/v2', order))).final_quote.rejected_codes;
    if (rejected.reason === 'minimum_not_met') {
      missed += 1;
      assert.deepEqual(rejected.items, items, JSON.stringify(filter));
    }
    await owner.post(`/store/promotions/${id}/end`, {});
  };
  await fc.assert(fc.asyncProperty(filterOf(maybe(filterOf(fc.constant(undefined)))), check), { numRuns: runs(100) });
  assert.ok(missed > 0);
});

test('a minimum on items has the names of today’s menu, for an account’s or operator’s offer those of its stores', async () => {
  const rules = { kind: 'spend', tiers: [{ minimum_subtotal: 3000, amount_cents: 500 }], max_uses: 9 };
  const items = { categories: ['pies'] };
  await given({ ...rules, items });
  await given({ ...rules, items, stores: [storeId] }, app, '/account/promotions');
  await given({ ...rules, items, stores: [storeId], ...REASON }, operator, '/operator/promotions');
  await given({ ...rules, items, ...REASON }, operator, '/operator/promotions');
  const texts = async () => {
    await app.advance({ seconds: 1 });
    await settle();
    return (await menu()).offers.map(({ text }: { text: string }) => text.split(' · ')[0]);
  };
  const spend = (name: string) => `Spend $30.00 on ${name}, get $5.00 off`;
  const everywhere = spend('selected items');
  assert.deepEqual(await texts(), [spend('Pies'), spend('Pies'), spend('Pies'), everywhere]);
  const [pies, ...others] = pizzeria().categories as { name: string }[];
  await givenStores(app, [pizzeria({ ...OPEN, categories: [{ ...pies, name: 'Tarts' }, ...others] })]);
  assert.deepEqual(await texts(), [spend('Tarts'), spend('Tarts'), spend('Tarts'), everywhere]);
  await givenStores(app, [pizzeria(OPEN)]);
});
