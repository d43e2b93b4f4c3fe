import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { schemaOrg } from '../../../plugins/schema-org/open-schema-org.flow.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { setShop } from '../../access/accounts/set-shop.flow.ts';
import { importFiles } from '../../supply/imports/import-files.flow.ts';
import { listStoresAfter } from '../../supply/stores/stores.db.ts';

const app = await givenApp();
const line = pizzeria();
const [pies, ...others] = line.categories as { products: object[] }[];
const salad = {
  id: 'salad',
  name: 'Salad & "Greens" </script>',
  description: 'With <b>oil</b>, é and 香.',
  price: 1099,
  image: 'https://pictures.example/salad.jpg',
  food: { diets: ['vegan', 'gluten_free'], nutrition: { calories: 320, fat: 12.5, sodium: 0.4 } },
};
const categories = [{ ...pies, products: [...(pies?.products ?? []), salad] }, ...others];
const more = { description: 'Pies & more', dollar_signs: 2, rating: { value: 4.5, count: 120 } };
const [storeId = ''] = await givenStores(app, [{ ...line, ...more, categories }]);
const shop = { mode: 'sandbox', isDefault: true } as const;
await app.service.deps.db.transaction().execute((tx) => setShop(tx, app.accountId, shop, app.now()));

async function readPage(id = storeId): Promise<string> {
  const { statusCode, body } = await app.service.http.inject({ url: `/shop/s/x-${id}` });
  assert.equal(statusCode, 200, body);
  return body;
}

/** A menu reduced to the vocabulary: without IDs, counts of one option, stock and menu hours. */
async function menuOf(id: string) {
  type Choice = { name: string; min_choice_options: number; max_choice_options: number; options: Option[] };
  type Option = { name: string; price: number; customizations: Choice[] };
  const choices = (list: Choice[]): unknown[] =>
    list.map(({ name, min_choice_options: min, max_choice_options: max, options }) => {
      const shown = options.map((option) => [option.name, option.price, choices(option.customizations)]);
      return [name, min, max, shown];
    });
  const { status, body, text } = await app.get('/details/inventory', { store_id: id, pickup: false });
  assert.equal(status, 200, text);
  return body.categories.map(({ name, menu_item_list: items }: { name: string; menu_item_list: MenuItem[] }) => [
    name,
    items.map((item) => [
      ...[item.name, item.description, item.price, item.image, item.food?.diets, item.food?.nutrition],
      item.available_at === undefined && !item.is_available,
      choices(item.customizations),
    ]),
  ]);
  type MenuItem = {
    name: string;
    description: string;
    price: number;
    image?: string;
    food: { diets: unknown; nutrition: unknown } | null;
    is_available: boolean;
    available_at?: number;
    customizations: Choice[];
  };
}

test('`doorstep import` of the store’s page reads the same store and the same menu back', async () => {
  const { db, clock } = app.service.deps;
  const request = { files: ['-'], source: 'page', format: schemaOrg, site: new URL('http://127.0.0.1/') };
  const { result } = await importFiles({ db, clock }, { ...request, stdin: Readable.from([await readPage()]) });
  assert.deepEqual([result.errors, result.created], [[], 1]);
  await app.catchUp();
  const [copy] = await listStoresAfter(db, undefined, { source: 'page', limit: 2 });
  const read = async (id: string) => (await app.get('/details/store', { store_id: id })).body.stores[0];
  const [given, back] = [await read(storeId), await read(copy?.storeId ?? '')];
  for (const name of ['name', 'type', 'address', 'phone_number', 'description', 'cuisines', 'dollar_signs'] as const) {
    assert.deepEqual(back[name], given[name], name);
  }
  assert.deepEqual(back.local_hours.operational, given.local_hours.operational);
  assert.deepEqual([back.weighted_rating_value, back.aggregated_rating_count], [4.5, 120]);
  assert.deepEqual(await menuOf(copy?.storeId ?? ''), await menuOf(storeId));
});

/** Terms of schema.org that the page uses: the types, and the properties of each (schema.org, version 29). */
const VOCABULARY: Readonly<Record<string, readonly string[]>> = {
  Restaurant: [
    ...['url', 'name', 'description', 'telephone', 'image', 'logo', 'address', 'geo', 'openingHoursSpecification'],
    ...['priceRange', 'aggregateRating', 'servesCuisine', 'hasMenu'],
  ],
  GroceryStore: [
    ...['url', 'name', 'description', 'telephone', 'image', 'logo', 'address', 'geo', 'openingHoursSpecification'],
    ...['priceRange', 'aggregateRating', 'hasOfferCatalog'],
  ],
  OfferCatalog: ['name', 'itemListElement'],
  Product: ['name', 'description', 'image'],
  PostalAddress: ['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry'],
  GeoCoordinates: ['latitude', 'longitude'],
  OpeningHoursSpecification: ['dayOfWeek', 'opens', 'closes'],
  AggregateRating: ['ratingValue', 'bestRating', 'ratingCount'],
  Menu: ['hasMenuSection'],
  MenuSection: ['name', 'hasMenuItem', 'offers'],
  MenuItem: ['name', 'description', 'image', 'offers', 'menuAddOn', 'suitableForDiet', 'nutrition'],
  Offer: ['price', 'priceCurrency', 'availability', 'eligibleQuantity', 'itemOffered'],
  QuantitativeValue: ['minValue', 'maxValue'],
  NutritionInformation: [
    ...['calories', 'fatContent', 'saturatedFatContent', 'transFatContent', 'cholesterolContent', 'sodiumContent'],
    ...['carbohydrateContent', 'fiberContent', 'sugarContent', 'proteinContent'],
  ],
};

const readData = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

test('a grocery’s page shows its first categories’ products, as text and as JSON-LD', async () => {
  const aisle = (id: string) => ({ id, name: `Aisle ${id}`, products: [{ id, name: `Product ${id}`, price: 250 }] });
  const categories = [{ id: 'd', name: 'Department', categories: ['a', 'b', 'c'].map(aisle) }];
  const [groceryId = ''] = await givenStores(app, [
    { ...pizzeria(), external_id: 'grocery', type: 'grocery', categories },
  ]);
  const page = await readPage(groceryId);
  for (const text of ['Aisle c', 'Product a', 'Product b', '$2.50']) assert.ok(page.includes(text), text);
  const { hasOfferCatalog: catalog } = readData(page);
  const [first] = catalog.itemListElement;
  assert.deepEqual([first.name, first.itemListElement[0].itemOffered.name], ['Aisle a', 'Product a']);
  assert.deepEqual(faultsIn(readData(page)), []);
});

test('every type and property of the JSON-LD is of schema.org’s vocabulary', async () => {
  assert.deepEqual(faultsIn(readData(await readPage())), []);
});

function faultsIn(data: unknown): string[] {
  const faults: string[] = [];
  let things = 0;
  const check = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) check(one);
      return;
    }
    const { '@context': _context, '@id': _id, '@type': type, ...properties } = value as Record<string, unknown>;
    const known = VOCABULARY[String(type)];
    if (!known) faults.push(String(type));
    for (const name of Object.keys(properties)) if (!known?.includes(name)) faults.push(`${type}.${name}`);
    things += 1;
    for (const one of Object.values(properties)) check(one);
  };
  check(data);
  assert.ok(things > 10);
  return [...new Set(faults)];
}
