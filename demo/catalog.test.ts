import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { prepareDemo } from '../src/app/cli/prepare-demo.ts';
import { parseStoreLine } from '../src/supply/imports/feed/parse-store-line.ts';
import { markUnreferenced } from '../src/supply/photos/photos.db.ts';
import { storeIdOf } from '../src/supply/stores/store-id.ts';
import { givenApp } from '../test/harness.ts';
import { DEMO_SOURCE, DEMO_START, demoCatalog } from './catalog.ts';
import { CITIES } from './cities.ts';
import type { FeedCategory, FeedCustomization, FeedProduct } from './feed-line.ts';
import { NAMES_WITH_FACTS } from './food-facts.ts';
import { CORNER } from './roster.ts';
import { checkDigitOf } from './upc.ts';

const stores = [...demoCatalog()];
const productsOf = (categories: readonly FeedCategory[]): FeedProduct[] =>
  categories.flatMap((category) => [...(category.products ?? []), ...productsOf(category.categories ?? [])]);
const nestingOf = (customizations: readonly FeedCustomization[] = []): number =>
  Math.max(0, ...customizations.flatMap(({ options }) => options).map((each) => 1 + nestingOf(each.customizations)));
const namesIn = (entries: readonly Pick<FeedProduct, 'name' | 'customizations'>[]): string[] =>
  entries.flatMap(({ name, customizations = [] }) => [
    name,
    ...namesIn(customizations.flatMap(({ options }) => options)),
  ]);
const products = stores.flatMap((store) => productsOf(store.categories));

test('the feed parser takes every line, without a warning, and again the very same lines', () => {
  for (const store of stores) {
    const parsed = parseStoreLine(JSON.parse(JSON.stringify(store)));
    assert.deepEqual([parsed.ok ? [] : parsed.faults, parsed.warnings], [[], []], store.external_id);
  }
  assert.deepEqual([...demoCatalog()], stores);
  assert.ok(stores.length >= 60 && stores.length <= 100);
  assert.equal(new Set(stores.map((store) => store.external_id)).size, stores.length);
});

test('the stores are of nine cities in eight time zones, with everything a store can be', () => {
  assert.equal(new Set(stores.map((store) => store.address.city)).size, 9);
  assert.equal(new Set(stores.map((store) => store.time_zone)).size, 8);
  const parties = new Set(stores.map(({ delivery }) => ('party' in delivery ? delivery.party : 'several')));
  assert.deepEqual([...parties].sort(), ['courier', 'first', 'several', 'third']);
  const some = (what: string, is: (store: (typeof stores)[number]) => boolean) => assert.ok(stores.some(is), what);
  some('pickup only', (store) => !store.delivery.enabled && store.pickup.enabled);
  some('delivery only', (store) => store.delivery.enabled && !store.pickup.enabled);
  some('paused', (store) => !store.delivery.accepting);
  some('no online orders', (store) => !store.online_ordering);
  some('overnight hours', (store) => JSON.stringify(store.hours).includes('AM - 02:00AM'));
  some('closed on a date', ({ hours_exceptions: dates = [] }) => dates.some(({ hours }) => hours === 'Closed'));
  some('an area', ({ delivery }) => JSON.stringify(delivery).includes('Polygon'));
  some('split hours', (store) => JSON.stringify(store.hours).includes('14:30,17:00'));
  some('reads right with accents', (store) => store.name.includes('É') && store.address.city === 'Montréal');
});

test('every fact of a food is of something that is sold, and in every city something states a diet or lacks nuts', () => {
  const states = (food: FeedProduct['food'], diet: string) => food?.diets?.includes(diet) === true;
  for (const { name } of Object.values(CITIES)) {
    const own = stores.filter((store) => store.address.city === name).flatMap((store) => productsOf(store.categories));
    for (const diet of ['vegan', 'vegetarian', 'gluten_free', 'kosher']) {
      assert.ok(
        own.some(({ food }) => states(food, diet)),
        `${name}: ${diet}`,
      );
    }
    const isNutFree = (words: string[] | null | undefined) => words?.every((word) => !word.endsWith('nuts')) === true;
    assert.ok(
      own.some(({ food }) => isNutFree(food?.allergens) && isNutFree(food?.may_contain)),
      name,
    );
  }
  const withFacts = products.filter(({ food }) => food !== undefined);
  assert.ok(withFacts.length * 2 < products.length, 'most food is unknown, as in real catalogs');
  const sold = new Set(namesIn(stores.flatMap((store) => productsOf(store.categories))));
  assert.deepEqual(
    NAMES_WITH_FACTS.filter((name) => !sold.has(name)),
    [],
  );
});

test('in every city a restaurant and a grocery never close', () => {
  for (const { name } of Object.values(CITIES)) {
    const open = stores.filter(
      (store) =>
        store.address.city === name && JSON.stringify(store.hours.operational).match(/Open 24 hours/g)?.length === 7,
    );
    assert.deepEqual(new Set(open.map((store) => store.type)), new Set(['restaurant', 'grocery']));
    for (const { online_ordering, pickup, delivery } of open) {
      assert.ok(online_ordering && pickup.enabled && pickup.accepting && delivery.enabled && delivery.accepting);
    }
  }
});

test('the menus have breakfasts, sold-out and scarce things, nested choices and conditional prices', () => {
  assert.ok(products.length > 3000 && products.length < 8000);
  const some = (what: string, is: (product: FeedProduct) => boolean) => assert.ok(products.some(is), what);
  some('off sale', (product) => product.available === false);
  some('none left', (product) => product.qty_available === 0);
  some('few left', (product) => (product.qty_available ?? 0) > 0);
  some('own hours', (product) => product.hours !== undefined);
  some('pickup price', (product) => product.pickup_price !== undefined);
  some('reduced', (product) => (product.original_price ?? 0) > product.price);
  some('alcoholic', (product) => product.is_alcoholic === true);
  some('a price that depends on another choice', (product) =>
    JSON.stringify(product).includes('"conditional_price":{"'),
  );
  some('choices within choices within choices', (product) => nestingOf(product.customizations) >= 3);
});

test('a grocery is a tree of three levels whose codes are valid, and equal in every branch', () => {
  const depthOf = (category: FeedCategory): number => 1 + Math.max(0, ...(category.categories ?? []).map(depthOf));
  const byCode = new Map<string, string>();
  for (const store of stores.filter((each) => each.type === 'grocery')) {
    assert.deepEqual(new Set(store.categories.map(depthOf)), new Set([3]));
    const goods = productsOf(store.categories);
    assert.ok(goods.length > (store.name === CORNER ? 60 : 200), `${store.external_id}: ${goods.length}`);
    for (const { upc_code: code, name } of goods) {
      if (code === undefined) continue;
      assert.match(code, /^4\d{11}$/);
      assert.equal(checkDigitOf(code.slice(0, 11)), code[11]);
      assert.equal(byCode.get(code) ?? name, name);
      byCode.set(code, name);
    }
  }
  // The example of the GS1 check digit calculator.
  assert.equal(checkDigitOf('03600029145'), '2');
});

test('telephone numbers are of the range kept for fiction', () => {
  for (const { phone } of stores) assert.match(phone, /^\+1\d{3}55501\d\d$/);
});

test('loaded twice it changes nothing, and the start store takes orders at any hour', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  const demo = await prepareDemo(app.service, { ...app.config, dataDir: temporaryDirectory(t) });
  const clock = () => app.service.deps.db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow();
  const before = await clock();
  await prepareDemo(app.service, { ...app.config, dataDir: temporaryDirectory(t) });
  assert.deepEqual(await clock(), before);
  assert.equal(demo.storeCount, stores.length);
  const { latitude, longitude } = DEMO_START;
  const store_id = storeIdOf(DEMO_SOURCE, DEMO_START.externalId);
  for (let hours = 0; hours < 24; hours += 5) {
    await app.advance({ hours: 5 });
    const found = await app.get('/search/store/v3', { latitude, longitude, open: true, maximum_miles: 1 });
    assert.ok(found.body.stores.some((store: { _id: string }) => store._id === store_id));
    for (const pickup of [true, false]) {
      const query = { store_id, pickup, include_quote: true, user_latitude: latitude, user_longitude: longitude };
      const { body } = await app.get('/details/inventory', query);
      assert.deepEqual([body.quote.error, body.quote.asap_available], [undefined, true]);
    }
  }
});

test('at each hour of a week ten stores of six cuisines and a grocery within three miles deliver to the start', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  await prepareDemo(app.service, { ...app.config, dataDir: temporaryDirectory(t) });
  const { latitude, longitude } = DEMO_START;
  const near = { latitude, longitude, maximum_miles: 3, delivers_here: true, accepting: true };
  for (let hour = 0; hour < 7 * 24; hour += 1) {
    await app.advance({ hours: 1 });
    for (const pickup of [false, true]) {
      const { body } = await app.get('/search/store/v3', { ...near, pickup });
      const stores: { type: string; cuisines: string[] }[] = body.stores;
      const restaurants = stores.filter(({ type }) => type === 'restaurant');
      const cuisines = new Set(restaurants.map(({ cuisines: [first] }) => first));
      const at = `${app.now()}, pickup ${pickup}: ${restaurants.length} of ${[...cuisines]}`;
      assert.ok(restaurants.length >= 10 && cuisines.size >= 6 && restaurants.length < stores.length, at);
    }
  }
});

test('its pictures are photos that the service shows, and stay while stores show them', async (t) => {
  const app = await givenApp();
  t.after(() => app.close());
  await prepareDemo(app.service, { ...app.config, dataDir: temporaryDirectory(t) });
  const store_id = storeIdOf(DEMO_SOURCE, DEMO_START.externalId);
  const { latitude, longitude } = DEMO_START;
  const { body } = await app.get('/search/store/v3', { latitude, longitude, query: 'diner' });
  const store = body.stores.find(({ _id }: { _id: string }) => _id === store_id);
  const { body: inventory } = await app.get('/details/inventory', { store_id, pickup: true });
  const shown: string[] = [
    ...store.store_photos,
    ...inventory.categories.flatMap(({ menu_item_list: items }: { menu_item_list: { image: string }[] }) =>
      items.map(({ image }) => image),
    ),
  ];
  assert.ok(shown.length > 10);
  const { db } = app.service.deps;
  await markUnreferenced(db, app.now());
  const lost = await db.selectFrom('photos').select('photoId').where('unreferencedSince', 'is not', null).execute();
  assert.deepEqual(lost, []);
  for (const url of shown) {
    const reply = await app.service.http.inject(url.replace(app.config.baseUrl, ''));
    assert.deepEqual([reply.statusCode, reply.headers['content-type']], [200, 'image/webp'], url);
  }
});

function temporaryDirectory(t: { after(done: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'doorstep-demo-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}
