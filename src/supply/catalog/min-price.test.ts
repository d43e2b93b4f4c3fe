import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { feedMissing, feedProducts } from '../../../test/oracles/feed-products.ts';
import { ask, choicesCents, products, treeOf, validCompletions } from '../../../test/oracles/option-oracle.ts';
import { runs } from '../../../test/runs.ts';
import { fillBudget } from './fill-group.ts';
import { cheapestUnitCents, countOptions, MAX_PRICE_CASES, minPrice } from './min-price.ts';
import type { Option } from './product.ts';

test('the lowest price is the cheapest of all valid choices, conditional prices included', () => {
  let priced = 0;
  let conditional = 0;
  fc.assert(
    fc.property(products(5, 8), (product) => {
      const all = [...validCompletions(product)].map((picks) => choicesCents(product, picks));
      if (all.length > 0) priced++;
      if (product.options.some(({ conditional: prices }) => Object.keys(prices).length > 0)) conditional++;
      assert.equal(minPrice(1000, treeOf(product)), 1000 + (all.length > 0 ? Math.min(...all) : 0));
    }),
    { numRuns: runs(10_000) },
  );
  assert.ok(priced > runs(3_000) && conditional > runs(3_000), `too few telling products: ${priced}, ${conditional}`);
});

test('every option counts, nested ones too', () => {
  fc.assert(
    fc.property(products(6, 14), (product) => {
      const reachable = treeOf(product);
      assert.equal(countOptions(reachable), product.options.length);
    }),
  );
});

const option = (id: string, price: number, rest: Partial<Option> = {}): Option => ({
  id,
  name: id,
  price,
  defaultQty: 0,
  minQty: 0,
  maxQty: 9,
  conditionalPrice: {},
  customizations: [],
  ...rest,
});

test('beyond the limit of cases a conditional price counts where an option above brings it about', () => {
  const keys = Array.from({ length: Math.log2(MAX_PRICE_CASES) + 1 }, (_, index) => `k${index}`);
  const cheap = Object.fromEntries(keys.map((key) => [key, 1]));
  const nested = ask('n', 1, 1, [option('inner', 40, { conditionalPrice: { outer: 30 } })]);
  const required = ask('r', 1, 1, [option('outer', 200, { conditionalPrice: cheap, customizations: [nested] })]);
  assert.equal(
    minPrice(0, [
      required,
      ask(
        'extras',
        0,
        99,
        keys.map((key) => option(key, 0)),
      ),
    ]),
    230,
  );
});

test('the least price of an option depends on the chosen options, and leaves them unchanged', () => {
  const chosenIds = new Set(['l']);
  const nested = ask('n', 1, 1, [option('inner', 40, { conditionalPrice: { outer: 30, l: 35 } })]);
  const unitCents = (one: Option) => cheapestUnitCents(one, chosenIds, new Set(), fillBudget());
  assert.equal(unitCents(option('outer', 100, { minQty: 2, customizations: [nested] })), 135);
  assert.equal(unitCents(option('no', 100, { customizations: [ask('n', 1, 1, [])] })), Infinity);
  assert.deepEqual([...chosenIds], ['l']);
  const either = ask('n', 1, 1, [option('x', 50), option('y', 40, { conditionalPrice: { x: 5 } })]);
  assert.equal(unitCents(option('outer', 0, { customizations: [either] })), 40);
});

test('a group with too many combinations to search keeps its product’s price', () => {
  const kinds = Array.from({ length: 2_000 }, (_, index) => option(`k${index}`, 100));
  const box = { ...ask('box', 0, 2_000, kinds), minTotalUnits: 200, maxTotalUnits: 300 };
  assert.equal(minPrice(50, [box]), 50);
  assert.equal(minPrice(50, [{ ...box, options: kinds.slice(0, 40), minTotalUnits: 12, maxTotalUnits: 12 }]), 1250);
});

test('prices beyond exact integers end at the largest one', () => {
  const huge = ask('c', 1, 1, [option('a', Number.MAX_SAFE_INTEGER, { minQty: 9 })]);
  assert.equal(minPrice(Number.MAX_SAFE_INTEGER, [huge]), Number.MAX_SAFE_INTEGER);
});

test('a product of 60,000 options is read a bounded number of times', () => {
  let reads = 0;
  const counted = (id: string): Option => ({
    ...option(id, 100, { conditionalPrice: { s: 90 } }),
    get id() {
      reads++;
      return id;
    },
  });
  const leaves = (prefix: string) => Array.from({ length: 200 }, (_, index) => counted(`${prefix}.${index}`));
  const crusts = Array.from({ length: 300 }, (_, index) =>
    option(`crust${index}`, 0, { customizations: [ask(`top${index}`, 1, 5, leaves(`top${index}`))] }),
  );
  const product = [ask('size', 1, 1, [option('s', 0), option('l', 600)]), ask('crust', 1, 1, crusts)];
  assert.equal(countOptions(product), 60_302);
  assert.equal(minPrice(0, product), 90);
  assert.ok(reads < 60_000 * 40, `${reads} reads`);
});

test('lowest prices of the real pizza menus', { skip: feedMissing('pizza') }, () => {
  const menu = feedProducts('pizza');
  assert.equal(
    menu.reduce((sum, product) => sum + countOptions(product.customizations), 0),
    62_280,
  );
  for (const { price, customizations } of menu) assert.ok(minPrice(price, customizations) >= price);
});
