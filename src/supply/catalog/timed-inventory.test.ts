import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { FeedLine } from '../../../test/feed-lines.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';

/** Wednesday, 05:59 in New York. */
const app = await givenOwnApp({ start: '2026-06-10T09:59:00Z' });
after(() => app.close());

type Item = { name: string; product_id: string; is_available: boolean; available_at?: number | null };
type Inventory = { menu_id: string; categories: { name: string; subcategory_id: string; menu_item_list: Item[] }[] };

const given = (line: FeedLine) => givenStore(app.service.deps.db, line);
const read = async (storeId: string, query: object = {}, headers?: Record<string, string>) =>
  app.get('/details/inventory', { store_id: storeId, pickup: false, ...query }, headers);
const readMenu = async (storeId: string, query: object = {}): Promise<Inventory> => (await read(storeId, query)).body;
const allItems = ({ categories }: Inventory) => categories.flatMap((category) => category.menu_item_list);
const local = (epochS: number) =>
  instantOfEpochSeconds(epochS).toZonedDateTimeISO('America/New_York').toString().slice(5, 16);
/** Availability by name: true, false, or the time when it becomes available. */
const availabilityByName = (menu: Inventory) =>
  Object.fromEntries(
    allItems(menu).map(({ name, is_available: isAvailable, available_at: at }) => [
      name,
      at === undefined ? isAvailable : at === null ? null : local(at),
    ]),
  );
const goTo = (time: string) => app.advance(app.now().until(Temporal.Instant.from(time)));
const product = (name: string, more: object = {}) => ({ id: name, name, price: 100, ...more });
const BREAKFAST = 'Mo-Su 06:00-10:00';

const CATEGORIES = [
  {
    id: 'a',
    name: 'A',
    products: [
      product('bread'),
      product('eggs', { hours: BREAKFAST }),
      product('gone', { hours: BREAKFAST, qty_available: 0 }),
      product('out', { qty_available: 0 }),
    ],
  },
  {
    id: 'b',
    name: 'B',
    hours: 'Mo-Fr 09:00-17:00',
    products: [product('soup'), product('brunch', { hours: 'Su 09:00-12:00' }), product('early', { hours: BREAKFAST })],
  },
];

test('menu items say whether they can be ordered now, and from when outside their menu hours', async () => {
  const storeId = await given({ external_id: 'timed', categories: CATEGORIES });
  const agree = async () => {
    const menu = await readMenu(storeId);
    for (const item of allItems(menu)) {
      const { body } = await app.get('/details/product', { product_id: item.product_id, pickup: false });
      assert.equal(body.is_available, item.is_available, item.name);
    }
    return menu;
  };
  const night = await agree();
  assert.deepEqual(availabilityByName(night), {
    bread: true,
    eggs: '06-10T06:00',
    gone: false,
    out: false,
    soup: '06-10T09:00',
    brunch: null,
    early: '06-10T09:00',
  });
  const tag = String((await read(storeId)).headers.etag);
  // Each round of due jobs advances the clock by a second.
  await goTo('2026-06-10T09:59:40Z');
  assert.equal((await read(storeId, {}, { 'if-none-match': tag })).status, 304);

  await goTo('2026-06-10T10:00:00Z');
  const opened = await read(storeId, {}, { 'if-none-match': tag });
  assert.deepEqual([opened.status, availabilityByName(opened.body).eggs], [200, true]);
  assert.notEqual(opened.headers.etag, tag);
  assert.notEqual(opened.body.menu_id, night.menu_id);

  await goTo('2026-06-10T13:30:00Z');
  assert.deepEqual(availabilityByName(await agree()).early, true);
  await goTo('2026-06-10T14:00:00Z');
  assert.deepEqual(
    [availabilityByName(await agree()).eggs, availabilityByName(await agree()).early],
    ['06-11T06:00', '06-11T09:00'],
  );
});

test('on a dated exception a store promises only its open hours; weekly menu hours return afterward', async () => {
  const line = { external_id: 'dated', categories: CATEGORIES };
  const storeId = await given(line);
  const before = await readMenu(storeId);
  assert.equal(availabilityByName(before).eggs, '06-11T06:00');
  await given({ ...line, hours_exceptions: [{ from: '2026-06-11', to: '2026-06-12', hours: 'Closed' }] });
  const closed = await readMenu(storeId);
  assert.deepEqual([availabilityByName(closed).eggs, availabilityByName(closed).soup], ['06-13T06:00', true]);
  assert.notEqual(closed.menu_id, before.menu_id);
  await given({ ...line, hours_exceptions: [{ from: '2026-06-11', hours: '08:00-20:00', channel: 'delivery' }] });
  assert.equal(availabilityByName(await readMenu(storeId)).eggs, '06-11T08:00');
  assert.equal(availabilityByName(await readMenu(storeId, { pickup: true })).eggs, '06-11T06:00');
  await given(line);
  assert.deepEqual(await readMenu(storeId), before);
});

test('new menu hours are visible at once, and change menu_id only if the shown menu changes', async () => {
  const menu = (hours: string) => [{ id: 'c', name: 'C', products: [product('pie', { hours }), product('tea')] }];
  const storeId = await given({ external_id: 'hours', categories: menu('Mo-Su 20:00-22:00') });
  const evening = await readMenu(storeId);
  assert.equal(availabilityByName(evening).pie, '06-10T20:00');
  await given({ external_id: 'hours', categories: menu('Mo-Su 20:00-23:00') });
  assert.deepEqual(await readMenu(storeId), evening, 'shows the same, now');
  await given({ external_id: 'hours', categories: menu('Mo-Su 00:00-24:00') });
  const always = await readMenu(storeId);
  await given({
    external_id: 'hours',
    categories: [{ id: 'c', name: 'C', products: [product('pie'), product('tea')] }],
  });
  assert.deepEqual(await readMenu(storeId), always, 'no menu hours, or all hours');
});

test('the levels of a grocery have one menu_id, which changes with the menu hours of any of them', async () => {
  const leaf = (id: string, hours?: string) => ({
    id,
    name: id,
    products: [product(`${id} pie`, hours ? { hours } : {})],
  });
  const categories = [
    { id: 'top', name: 'Top', categories: [leaf('one', 'Mo-Su 06:00-11:00'), leaf('two')] },
    { id: 'rest', name: 'Rest', hours: 'Mo-Su 06:00-12:00', categories: [leaf('three')] },
  ];
  const storeId = await given({ external_id: 'levels', type: 'grocery', categories });
  const levels = async () => {
    const top = await readMenu(storeId);
    const all = [top];
    for (const { subcategory_id: id } of top.categories) {
      const inner = await readMenu(storeId, { subcategory_id: id });
      all.push(inner);
      for (const { subcategory_id: leafId } of inner.categories)
        all.push(await readMenu(storeId, { subcategory_id: leafId }));
    }
    assert.equal(new Set(all.map(({ menu_id: menuId }) => menuId)).size, 1);
    return { menuId: top.menu_id, shown: Object.assign({}, ...all.map(availabilityByName)) };
  };
  const before = await levels();
  assert.deepEqual(before.shown, { 'one pie': true, 'two pie': true, 'three pie': true });
  await goTo('2026-06-10T15:00:00Z');
  const after = await levels();
  assert.deepEqual(after.shown, { 'one pie': '06-11T06:00', 'two pie': true, 'three pie': true });
  await goTo('2026-06-10T16:00:00Z');
  const last = await levels();
  assert.deepEqual(last.shown['three pie'], '06-11T06:00');
  assert.equal(new Set([before.menuId, after.menuId, last.menuId]).size, 3);
});

test('at any hour two menus share a menu_id exactly when they show the same items', async () => {
  const hours = fc.constantFrom(
    undefined,
    'Mo-Su 06:00-12:00',
    'Mo-Su 06:00-14:00',
    'Mo-Su 13:00-20:00',
    '24/7',
    'off',
  );
  const one = fc.record({ name: fc.constantFrom('A', 'B'), hours, qty_available: fc.constantFrom(null, null, 0) });
  const leaf = fc.record({
    name: fc.constantFrom('A', 'B'),
    hours,
    products: fc.array(one, { minLength: 1, maxLength: 2 }),
  });
  const feed = fc.record({
    categories: fc.array(leaf, { minLength: 1, maxLength: 2 }),
    closed: fc.constantFrom([], [], [{ from: '2026-06-11', hours: 'Closed' }]),
    minutes: fc.constantFrom(0, 0, 30, 125, 400),
  });
  const seen = new Map<string, string>();
  const shownAs = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(feed, async ({ categories, closed, minutes }) => {
      const numbered = categories.map((category, n) => ({
        ...category,
        id: `c${n}`,
        products: category.products.map((each, at) => ({ ...each, id: `c${n}p${at}`, price: 100 })),
      }));
      const storeId = await given({ external_id: 'any-hours', categories: numbered, hours_exceptions: closed });
      if (minutes > 0) await app.advance({ minutes });
      const body = await readMenu(storeId);
      const shown = JSON.stringify(body.categories);
      assert.equal(shownAs.get(body.menu_id) ?? shown, shown, 'one menu_id is of one menu');
      assert.equal(seen.get(shown) ?? body.menu_id, body.menu_id, 'one menu has one menu_id');
      shownAs.set(body.menu_id, shown);
      seen.set(shown, body.menu_id);
    }),
    { numRuns: runs(60) },
  );
});
