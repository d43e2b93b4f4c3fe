import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { fieldsOf } from '../../../test/given/menu-edits.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { inCash, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenApp } from '../../../test/harness.ts';
import { storeIdOf } from '../stores/store-id.ts';

const { app, close, fileOf, importAll, store } = await givenImport(givenApp);
after(close);

/** Imports a store and returns the number of warnings. */
const imported = async (source: string, line: object) =>
  (await importAll([fileOf(`${source}.ndjson`, [line])], { source })).warnings?.length;

type Item = { name: string; is_available: boolean };
const goTo = (local: string) =>
  app.advance(app.now().until(Temporal.ZonedDateTime.from(`${local}[America/New_York]`).toInstant()));
const sold = async (feed: string): Promise<Record<string, boolean>> => {
  await app.catchUp();
  const { body } = await app.get('/details/inventory', { store_id: storeIdOf(feed, 'shop'), pickup: true });
  const items: Item[] = body.categories.flatMap((one: { menu_item_list: Item[] }) => one.menu_item_list);
  return Object.fromEntries(items.map((item) => [item.name, item.is_available]));
};
const storeOf = async (feed: string) => {
  await app.catchUp();
  return (await app.get('/details/store', { store_id: storeIdOf(feed, 'shop') })).body.stores[0];
};

test('dates in a feed’s hours become exceptions; holiday rules are a warning; the store stays open', async () => {
  assert.equal(
    await imported('dated', shop([product('tea')], { hours: { operational: '24/7; Dec 25 off; PH off' } })),
    1,
  );
  await goTo('2026-12-24T12:00');
  assert.equal((await storeOf('dated')).is_open, true);
  await goTo('2026-12-25T12:00');
  assert.deepEqual([(await storeOf('dated')).is_open, (await storeOf('dated')).closed_reason], [false, 'exception']);
  await goTo('2026-12-26T12:00');
  assert.equal((await storeOf('dated')).is_open, true);
});

test('a date with the store closed also closes a channel with other hours; a date with other hours doesn’t', async () => {
  const operational = 'Mo-Su 09:00-22:00; Dec 25 off; Dec 24 09:00-12:00';
  await imported('channels', shop([product('tea')], { hours: { operational, delivery: 'Mo-Su 11:00-21:00' } }));
  const profile = (await store('channels'))?.profile;
  const of2026 = profile?.hoursExceptions?.filter(({ from }) => from < '2027');
  assert.deepEqual(of2026?.map(({ from, channel, ranges }) => `${from} ${channel} ${ranges.length}`).sort(), [
    '2026-12-24 dine_in 1',
    '2026-12-24 operational 1',
    '2026-12-24 pickup 1',
    '2026-12-25 dine_in 0',
    '2026-12-25 null 0',
    '2026-12-25 pickup 0',
  ]);
});

test('beer with hours and a rule of holidays is sold in its hours, with unreadable hours never; bread always', async () => {
  const bar = (more: object) => [
    product('beer', { name: 'beer', is_alcoholic: true, ...more }),
    product('bread', { name: 'bread', ...more }),
  ];
  const open = { hours: { operational: '24/7' }, scheduling: { enabled: false } };
  assert.equal(await imported('bar', shop(bar({ hours: 'Mo-Su 11:00-02:00; PH off' }), open)), 2);
  assert.equal(await imported('odd', shop(bar({ hours: 'Mo-Su 11:00-late' }), open)), 2);
  await goTo('2027-01-10T12:00');
  assert.deepEqual(
    [await sold('bar'), await sold('odd')],
    [
      { beer: true, bread: true },
      { beer: false, bread: true },
    ],
  );
  await goTo('2027-01-11T04:00');
  assert.deepEqual(
    [await sold('bar'), await sold('odd')],
    [
      { beer: false, bread: false },
      { beer: false, bread: true },
    ],
  );
  const { beer } = await productTokens(app, storeIdOf('odd', 'shop'), true);
  const { payment_method_id: cash } = await inCash(app);
  const order = await app.post('/order/order/v2', orderBody(beer, cash, { pickup: true }));
  assert.deepEqual([order.status, order.body.code], [422, 'product_unavailable'], JSON.stringify(order.body));
});

test('an edit that leaves unreadable menu hours as they are shown does not put alcohol on sale; hours of its own do', async () => {
  const open = { hours: { operational: '24/7' }, scheduling: { enabled: false } };
  const bar = (ofCategory: object, ofProduct: object) => ({
    ...shop([], open),
    categories: [
      {
        id: 'c',
        name: 'C',
        ...ofCategory,
        products: [
          product('beer', { name: 'beer', is_alcoholic: true, ...ofProduct }),
          product('bread', { name: 'bread', ...ofProduct }),
        ],
      },
    ],
  });
  const late = { hours: 'Mo-Su 11:00-late' };
  const edited = async (feed: string) => {
    const key = await givenStoreKey(app, storeIdOf(feed, 'shop'));
    return {
      async category(changes: object) {
        const [{ version, name, hours }] = (await key.get('/store/menu')).body.categories;
        const reply = await key.put('/store/menu/categories/c', { version, name, hours, ...changes });
        assert.equal(reply.status, 200, reply.text);
      },
      async beer(changes: object) {
        const [beer] = (await key.get('/store/menu/items', { category_id: 'c' })).body.items;
        assert.deepEqual([beer.name, beer.hours], ['beer', null]);
        const item = { ...fieldsOf(beer), ...changes };
        const edit = { category_id: 'c', version: beer.version, item };
        const reply = await key.put(`/store/menu/items/${beer.item_id}`, edit);
        assert.equal(reply.status, 200, reply.text);
      },
    };
  };
  const daily = { Monday: 'Open 24 hours' };
  await goTo('2027-01-11T12:00');

  await imported('odd items', bar({}, late));
  const items = await edited('odd items');
  await items.beer({ price: 150 });
  assert.deepEqual(await sold('odd items'), { beer: false, bread: true });
  await items.beer({ hours: daily });
  assert.deepEqual(await sold('odd items'), { beer: true, bread: true });

  await imported('odd category', bar(late, {}));
  const category = await edited('odd category');
  await category.category({ name: 'Bar' });
  assert.deepEqual(await sold('odd category'), { beer: false, bread: true });
  await imported('odd category', bar({ hours: 'Mo-Su 00:00-24:00' }, {}));
  assert.deepEqual(await sold('odd category'), { beer: true, bread: true }, 'the hours are still those of the feed');
});
