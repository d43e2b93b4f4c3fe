import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  BARE,
  faultsOf,
  type Line,
  productOf,
  storeOf,
  warningsOf,
  withProduct,
} from '../../../test/parsed-line.ts';
import { FEED_LIMITS } from '../stores/feed-fields.ts';

test('ids are unique: of categories and products within the store, of choices within the product', () => {
  const product = { id: 'p', name: 'P', price: 1 };
  const twice = {
    ...BARE,
    categories: [
      { id: 'a', name: 'A', products: [product] },
      { id: 'b', name: 'B', categories: [{ id: 'a', name: 'A2', products: [product] }] },
    ],
  };
  assert.deepEqual(faultsOf(twice), [
    'categories[1].categories[0].id: expected unique within the store',
    'categories[1].categories[0].products[0].id: expected unique within the store',
  ]);
  const option = { id: 'o', name: 'O' };
  const nested = { id: 'c', name: 'C', options: [option] };
  const choices = [{ id: 'c', name: 'C', options: [{ ...option, customizations: [nested] }] }];
  assert.deepEqual(faultsOf(withProduct({ customizations: choices })), [
    at('customizations[0].options[0].customizations[0].id: expected unique within the product'),
    at('customizations[0].options[0].customizations[0].options[0].id: expected unique within the product'),
  ]);
});

test('a category has sub-categories or products, not both, and nests to a named depth', () => {
  const product = { id: 'p', name: 'P', price: 1 };
  const both = { id: 'a', name: 'A', products: [product], categories: [{ id: 'b', name: 'B' }] };
  assert.deepEqual(faultsOf({ ...BARE, categories: [both] }), [
    'categories[0]: expected sub-categories or products, not both',
  ]);
  const nest = (depth: number): Line[] =>
    depth === 0 ? [] : [{ id: `c${depth}`, name: 'C', categories: nest(depth - 1) }];
  const deepest = FEED_LIMITS.categoryDepth;
  const { categories } = storeOf({ ...BARE, categories: nest(deepest) }).catalog;
  assert.deepEqual([categories.length, categories[0]?.isLeaf, categories.at(-1)?.isLeaf], [deepest, false, true]);
  assert.equal(faultsOf({ ...BARE, categories: nest(deepest + 1) }).length, 1);
});

test('prices are whole cents from 0 to a limit, wherever they stand', () => {
  for (const wrong of [-1, FEED_LIMITS.priceCents + 1, true, [100], {}]) {
    assert.match(faultsOf(withProduct({ price: wrong })).join(), /products\[0\]\.price: expected whole cents/);
    const options = [{ id: 'o', name: 'O', price: wrong, conditional_price: { x: wrong } }];
    assert.equal(faultsOf(withProduct({ customizations: [{ id: 'c', name: 'C', options }] })).length, 2);
  }
  assert.deepEqual(faultsOf(withProduct({ price: null })), [at('price: expected present')]);
  assert.equal(productOf({ price: 0 })?.price, 0);
});

test('a product with a price that is no amount is left out with a warning; binary noise is rounded', () => {
  const sold = { id: 'p', name: 'P', price: 100 };
  const listed = (product: Line) => ({ ...BARE, categories: [{ id: 'a', name: 'A', products: [product, sold] }] });
  const options = [{ id: 'o', name: 'O', price: 'Market Price' }];
  const unpriced: Line[] = [
    ...['Market Price', '100', 1.5, 32.970000000000006, ''].map((price) => ({ price })),
    { price: 100, pickup_price: 'ask' },
    { price: 100, customizations: [{ id: 'c', name: 'C', options }] },
  ];
  for (const more of unpriced) {
    const line = listed({ ...sold, id: 'q', ...more });
    const placed = storeOf(line).catalog.products.map(({ product, position }) => [product.externalId, position]);
    assert.deepEqual(placed, [['p', 0]], JSON.stringify(more));
    assert.match(
      warningsOf(line).join(),
      /^categories\[0\]\.products\[0\]\..*price: expected whole cents .*, not text or a fraction; product left out$/,
    );
    assert.deepEqual(faultsOf(listed({ ...sold, id: 'q', ...more, modes: ['drone'] })).length, 2);
  }
  assert.equal(productOf({ price: 3297.0000000000005 })?.price, 3297);
  assert.equal(productOf({ price: 28.999999999999996 })?.price, 29);
  assert.match(faultsOf({ ...BARE, fees: { order_minimum: 'Market Price' } }).join(), /^fees\.order_minimum: expected/);
});

test('modes, pickup price and original price', () => {
  const product = productOf({ price: 1400, pickup_price: 1300, original_price: 1500, modes: ['pickup'] });
  assert.deepEqual([product?.pickupPrice, product?.originalPrice], [1300, 1500]);
  assert.deepEqual([product?.inDelivery, product?.inPickup], [false, true]);
  assert.deepEqual(faultsOf(withProduct({ original_price: 99 })), [at('original_price: expected at least the price')]);
  assert.deepEqual(faultsOf(withProduct({ modes: ['drone'] })), [at('modes[0]: expected delivery or pickup')]);
});

test('options default to price 0 and quantities 0, 0 and 1; a choice may ask for all of its options', () => {
  const [customization] =
    productOf({
      customizations: [
        {
          id: 'c',
          name: 'C',
          options: [
            { id: 'a', name: 'A' },
            { id: 'b', name: 'B' },
          ],
        },
      ],
    })?.customizations ?? [];
  assert.deepEqual([customization?.minChoiceOptions, customization?.maxChoiceOptions], [0, 2]);
  const plain = { price: 0, defaultQty: 0, minQty: 0, maxQty: 1, conditionalPrice: {}, customizations: [] };
  assert.deepEqual(customization?.options[0], { id: 'a', name: 'A', ...plain });
});

test('contradicting limits are errors', () => {
  const options = [
    { id: 'o', name: 'O', min_qty: 3, max_qty: 2 },
    { id: 'q', name: 'Q', default_qty: 2 },
  ];
  const customizations = [{ id: 'c', name: 'C', min_choice_options: 2, max_choice_options: 1, options }];
  assert.deepEqual(faultsOf(withProduct({ customizations })), [
    at('customizations[0].options[0].max_qty: expected at least min_qty'),
    at('customizations[0].options[1].default_qty: expected at most max_qty'),
    at('customizations[0].max_choice_options: expected at least min_choice_options'),
  ]);
});

test('a group limits units as well as choices; defaults that break the limits are a warning', () => {
  const withGroup = (limits: object): Line => ({
    customizations: [{ id: 'c', name: 'C', options: [{ id: 'o', name: 'O', max_qty: 9, default_qty: 3 }], ...limits }],
  });
  const group = (limits: object) => withProduct(withGroup(limits));
  const limitsOf = (limits: object) => {
    const { minTotalUnits, maxTotalUnits } = productOf({ price: 1, ...withGroup(limits) })?.customizations[0] ?? {};
    return [minTotalUnits, maxTotalUnits];
  };
  assert.deepEqual(limitsOf({ min_total_units: 2, max_total_units: 6 }), [2, 6]);
  assert.deepEqual(limitsOf({}), [undefined, undefined]);
  assert.deepEqual(faultsOf(group({ min_total_units: 4, max_total_units: 3 })), [
    at('customizations[0].max_total_units: expected at least min_total_units'),
  ]);
  assert.deepEqual(faultsOf(group({ min_total_units: 1.5 })), [
    at('customizations[0].min_total_units: expected a whole number from 0 to 10000'),
  ]);
  assert.deepEqual(warningsOf(group({ min_total_units: 4 })), [
    at('customizations[0].min_total_units: expected at most the 3 units of the defaults'),
  ]);
  assert.deepEqual(warningsOf(group({ max_total_units: 2 })), [
    at('customizations[0].max_total_units: expected at least the 3 units of the defaults'),
  ]);
});

test('choices nest to a named depth', () => {
  const nest = (depth: number): Line[] =>
    depth === 0
      ? []
      : [{ id: `c${depth}`, name: 'C', options: [{ id: `o${depth}`, name: 'O', customizations: nest(depth - 1) }] }];
  assert.deepEqual(faultsOf(withProduct({ customizations: nest(FEED_LIMITS.customizationDepth) })), []);
  assert.equal(faultsOf(withProduct({ customizations: nest(FEED_LIMITS.customizationDepth + 1) })).length, 1);
});

test('a picture that no browser could load is left out with a warning', () => {
  const line = {
    ...withProduct({ image: 'javascript:alert(1)' }),
    photos: { logo: ['https://cdn.example/l.png', 'x'] },
  };
  const { profile, catalog } = storeOf(line);
  assert.deepEqual([profile.photos.logo, catalog.products[0]?.product.image], [['https://cdn.example/l.png'], null]);
  assert.equal(warningsOf(line).length, 2);
});

test('a line names a categories file or has categories, not both', () => {
  assert.equal(storeOf({ ...BARE, categories_file: ' m.ndjson ' }).categoriesFile, 'm.ndjson');
  assert.match(
    faultsOf({ ...withProduct({}), categories_file: 'm.ndjson' }).join(),
    /^categories_file: expected instead/,
  );
});
