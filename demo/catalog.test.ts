import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStoreLine } from '../src/supply/imports/parse-store-line.ts';
import { demoCatalog } from './catalog.ts';
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

test('every food fact belongs to a product on sale, and each city has a stated diet and a nut-free product', () => {
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

test('the menus contain breakfasts, sold-out and scarce items, nested choices and conditional prices', () => {
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
