import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import type { FormatName } from '../../src/supply/imports/formats.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { addOns, item, kitchen, offer } from '../food-entities.ts';
import { givenApp } from '../harness.ts';
import { menuOf, schemaOrgShop, soup } from '../schema-org-pages.ts';

const app = await givenApp();
const folder = mkdtempSync(join(tmpdir(), 'doorstep-menus-'));
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const door = { user_latitude: 41.885, user_longitude: -87.65 };

/** Imports a file and returns the inventory of its one store, with its one product's details, for pickup. */
async function importAndRead(format: FormatName, name: string, text: string, externalId: string) {
  const file = join(folder, name);
  writeFileSync(file, text);
  const { db, clock } = app.service.deps;
  const { result } = await importFiles(
    { db, clock },
    { files: [file], format, source: format, stdin: Readable.from([]) },
  );
  assert.deepEqual([result.created, result.errors, result.warnings], [1, [], []]);
  await app.catchUp();
  const store_id = storeIdOf(format, externalId);
  const found = await app.get('/search/store/v3', {
    latitude: 41.885,
    longitude: -87.65,
    query: 'Test Kitchen',
    pickup: true,
    open: false,
  });
  assert.equal(found.status, 200, found.text);
  assert.ok(found.body.stores.some((store: { _id: string }) => store._id === store_id));
  const inventory = await app.get('/details/inventory', { store_id, pickup: true, ...door });
  assert.equal(inventory.status, 200, inventory.text);
  const [category] = inventory.body.categories;
  const [listed] = category.menu_item_list;
  const details = await app.get('/details/product', { product_id: listed.product_id, pickup: true, ...door });
  assert.equal(details.status, 200, details.text);
  return { category: category.name, listed, details: details.body };
}

type Shown = {
  name: string;
  min_choice_options: number;
  max_choice_options: number;
  options: { name: string; price: number }[];
};

const shown = (groups: Shown[]) =>
  groups.map((group) => [
    group.name,
    group.min_choice_options,
    group.max_choice_options,
    group.options.map(({ name, price }) => [name, price]),
  ]);

test("a restaurant of Google's feed is found, and sold with its options and prices", async () => {
  const entities = kitchen(
    {
      '@type': 'MenuItemOption',
      '@id': 'cup',
      menuItemId: { '@id': 'soup', displayOrder: 1 },
      optionType: 'SIZE',
      value: 'Cup',
    },
    {
      '@type': 'MenuItemOption',
      '@id': 'bowl',
      menuItemId: { '@id': 'soup', displayOrder: 2 },
      optionType: 'SIZE',
      value: 'Bowl',
    },
    offer('soup', 5, { '@id': 'cup/offer', menuItemId: undefined, menuItemOptionId: 'cup' }),
    offer('soup', '7.25', { '@id': 'bowl/offer', menuItemId: undefined, menuItemOptionId: 'bowl' }),
    addOns('sides', 'soup', { name: 'Sides', eligibleQuantityMin: 1, eligibleQuantityMax: 2 }),
    item('fries', 'sides', { name: 'Fries' }),
    offer('fries', 1.5),
    item('slaw', 'sides', { name: 'Slaw' }),
    offer('slaw', 0),
  ).filter((entity) => entity['@id'] !== 'soup/offer');
  const text = entities.map((entity) => JSON.stringify(entity)).join('\n');
  const { category, listed, details } = await importAndRead('google-food', 'kitchen.ndjson', text, 'r1');
  assert.deepEqual([category, listed.name, listed.price, listed.min_price], ['mains', 'soup', 500, 500]);
  const groups = [
    [
      'Size',
      1,
      1,
      [
        ['Cup', 0],
        ['Bowl', 225],
      ],
    ],
    [
      'Sides',
      1,
      2,
      [
        ['Fries', 150],
        ['Slaw', 0],
      ],
    ],
  ];
  assert.deepEqual(shown(listed.customizations), groups);
  assert.deepEqual(shown(details.customizations), groups);
});

test("a store's own page is found, and sold with its options and prices", async () => {
  const sides = {
    '@type': 'MenuSection',
    name: 'Sides',
    hasMenuItem: [soup({ name: 'Fries', offers: { price: '$1.50' } }), { '@type': 'MenuItem', name: 'Slaw' }],
  };
  const dish = soup({
    offers: [
      { name: 'Bowl', price: '7.25' },
      { name: 'Cup', price: 5 },
    ],
    menuAddOn: sides,
  });
  const page = `<!doctype html><script type="application/ld+json">${JSON.stringify({ ...schemaOrgShop(), hasMenu: menuOf(dish) })}</script>`;
  const { category, listed, details } = await importAndRead(
    'schema-org',
    'page.html',
    page,
    'page.html https://kitchen.example/#store',
  );
  assert.deepEqual([category, listed.name, listed.price, listed.min_price], ['Mains', 'Soup', 500, 500]);
  const groups = [
    [
      'Choose one',
      1,
      1,
      [
        ['Bowl', 225],
        ['Cup', 0],
      ],
    ],
    [
      'Sides',
      0,
      2,
      [
        ['Fries', 150],
        ['Slaw', 0],
      ],
    ],
  ];
  assert.deepEqual(shown(listed.customizations), groups);
  assert.deepEqual(shown(details.customizations), groups);
});
