import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedLine } from '../../test/feed-lines.ts';
import { kitchen, readJoined } from '../../test/food-entities.ts';

const dish: FeedLine = {
  '@type': 'MenuItem',
  '@id': 'soup',
  name: 'Soup',
  parentMenuSectionId: [{ '@id': 'soups', displayOrder: 1 }],
};
const section: FeedLine = {
  '@type': 'MenuSection',
  '@id': 'soups',
  name: 'Soups',
  menuId: [{ '@id': 'r1/menu', displayOrder: 1 }],
};
const size = (id: string, at: number): FeedLine => ({
  '@type': 'MenuItemOption',
  '@id': id,
  optionType: 'SIZE',
  value: id,
  menuItemId: { '@id': 'soup', displayOrder: at },
});
const offer = (of: FeedLine, price: number, level: number | undefined): FeedLine => ({
  '@type': 'MenuItemOffer',
  '@id': `${Object.values(of)}/offer`,
  price,
  priceCurrency: 'USD',
  ...of,
  ...(level === undefined ? {} : { inventoryLevel: level }),
});

function read(...entities: FeedLine[]) {
  const parsed = readJoined(kitchen(section, dish, ...entities));
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const { product } = parsed.store.catalog.products.find((one) => one.product.name === 'Soup') ?? {};
  const sizes = product?.customizations[0]?.options.map(({ name, price }) => [name, price]);
  return [product?.price, product?.qtyAvailable, sizes];
}

const extras = (minimum: number): FeedLine => ({
  '@type': 'MenuSection',
  '@id': 'extras',
  name: 'Extras',
  eligibleQuantityMin: minimum,
  parentMenuItemId: [{ '@id': 'soup', displayOrder: 1 }],
});
const extra = (id: string, at: number, level?: number): FeedLine[] => [
  {
    '@type': 'MenuItem',
    '@id': id,
    name: id,
    parentMenuSectionId: [{ '@id': 'extras', displayOrder: at }],
  },
  offer({ menuItemId: id }, 1, level),
];

test('an add-on without a unit left is no option, and an item that lacks a required one is sold out', () => {
  const withExtras = (minimum: number, bread?: number, cheese?: number) =>
    read(
      offer({ menuItemId: 'soup' }, 4, 6),
      extras(minimum),
      ...extra('bread', 1, bread),
      ...extra('cheese', 2, cheese),
    );
  const both = [
    ['bread', 100],
    ['cheese', 100],
  ];
  assert.deepEqual(withExtras(0), [400, 6, both]);
  assert.deepEqual(withExtras(0, 3, 0), [400, 6, [['bread', 100]]]);
  assert.deepEqual(withExtras(0, 0, 0), [400, 6, undefined]);
  assert.deepEqual(withExtras(1, 0, 2), [400, 6, [['cheese', 100]]]);
  assert.deepEqual(withExtras(1, 0, 0), [400, 0, both]);
  assert.deepEqual(withExtras(2, 1, 0), [400, 0, both]);
});

test('a sold-out size is no choice, and an item without sizes left is sold out', () => {
  const sizes = (cup?: number, bowl?: number) =>
    read(
      ...[size('cup', 1), size('bowl', 2)],
      ...[offer({ menuItemOptionId: 'cup' }, 4, cup), offer({ menuItemOptionId: 'bowl' }, 7.25, bowl)],
    );
  const both = [
    ['cup', 0],
    ['bowl', 325],
  ];
  assert.deepEqual(sizes(), [400, null, both]);
  assert.deepEqual(sizes(3, 0), [400, null, [['cup', 0]]]);
  assert.deepEqual(sizes(0, 2), [725, null, [['bowl', 0]]]);
  assert.deepEqual(sizes(0, 0), [400, 0, both]);
  assert.deepEqual(read(offer({ menuItemId: 'soup' }, 4, 6)), [400, 6, undefined]);
});
