import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { feedMissing, feedProducts } from '../../../test/oracles/feed-products.ts';
import { ask, faultsOf, picked, products, treeOf, validCompletions } from '../../../test/oracles/option-oracle.ts';
import { picksOf, repeatedIn, selections } from '../../../test/oracles/selections.ts';
import { runs } from '../../../test/runs.ts';
import { minPrice } from '../../supply/catalog/min-price.ts';
import type { Customization, Option } from '../../supply/catalog/product.ts';
import { type ChosenCustomization, priceUnit } from '../../supply/pricing/price-order.ts';
import { autofillOptions, chooseOptions, type SelectedOption } from './choose-options.ts';

const unitPrice = (price: number, chosen: readonly ChosenCustomization[]): number =>
  priceUnit(
    { priceCents: price, quantity: 1, markedPriceCents: null, taxClass: 'general', customizations: chosen },
    false,
  ).unitCents;

test('the result is valid, keeps the customer’s choices, and adds only required options', () => {
  let filledIn = 0;
  fc.assert(
    fc.property(selections(products(5, 12)), ([product, selection]) => {
      const given = picksOf(selection);
      const choice = autofillOptions(treeOf(product), selection);
      if ('faults' in choice) return assert.ok('faults' in chooseOptions(treeOf(product), selection));
      const picks = new Map(picked(choice.chosen));
      assert.deepEqual(faultsOf(product, picks), []);
      for (const [id, quantity] of given) assert.equal(picks.get(id), quantity);
      if (picks.size > given.size) filledIn++;
      for (const { id, min, minUnits } of product.customizations) {
        if (minUnits !== null) continue;
        const own = product.options.filter((option) => option.customization === id);
        const before = own.filter((option) => given.has(option.id)).length;
        const after = own.filter((option) => picks.has(option.id)).length;
        assert.ok(after === before || after === min, `${id}: ${before} chosen, ${after} after filling, ${min} needed`);
      }
    }),
    { numRuns: runs(40_000) },
  );
  assert.ok(filledIn > runs(1_000), `only ${filledIn} of the random selections were filled`);
});

test('a selection that only lacks options is filled whenever any valid choice contains it, and only then', () => {
  const outcomes = { filled: 0, impossible: 0 };
  fc.assert(
    fc.property(selections(products(5, 8)), ([product, selection]) => {
      const given = picksOf(selection);
      const faults = [...faultsOf(product, given), ...repeatedIn(selection)];
      if (!faults.every((fault) => fault.startsWith('too_few_'))) return;
      const possible = !validCompletions(product, given).next().done;
      assert.equal('chosen' in autofillOptions(treeOf(product), selection), possible);
      outcomes[possible ? 'filled' : 'impossible']++;
    }),
    { numRuns: runs(10_000) },
  );
  assert.ok(outcomes.filled > runs(1_000) && outcomes.impossible > runs(300), JSON.stringify(outcomes));
});

test('of a group that needs units nothing added can be left out', () => {
  let filledIn = 0;
  fc.assert(
    fc.property(selections(products(5, 12)), ([product, selection]) => {
      const given = picksOf(selection);
      const choice = autofillOptions(treeOf(product), selection);
      if ('faults' in choice) return;
      const picks = new Map(picked(choice.chosen));
      for (const id of picks.keys()) {
        if (given.has(id)) continue;
        const without = new Map([...picks].filter(([other]) => other !== id));
        assert.notDeepEqual(faultsOf(product, without), [], id);
        filledIn++;
      }
    }),
    { numRuns: runs(20_000) },
  );
  assert.ok(filledIn > runs(800), `only ${filledIn} options were filled in`);
});

test('an autofilled product is never below its lowest price', () => {
  fc.assert(
    fc.property(products(5, 8), (product) => {
      const choice = autofillOptions(treeOf(product), []);
      if ('faults' in choice) return;
      assert.ok(unitPrice(800, choice.chosen) >= minPrice(800, treeOf(product)));
    }),
    { numRuns: runs(5_000) },
  );
});

test('without defaults, required choices are filled in as cheaply as the lowest price says', () => {
  let dependent = 0;
  fc.assert(
    fc.property(products(5, 8), (random) => {
      const customizations = random.customizations.map((one) => ({
        ...one,
        min: 1,
        max: 1,
        minUnits: null,
        maxUnits: null,
      }));
      const options = random.options.map((one) => ({ ...one, defaultQty: 0 }));
      const product = { customizations, options };
      const choice = autofillOptions(treeOf(product), []);
      if ('faults' in choice) return;
      assert.equal(unitPrice(800, choice.chosen), minPrice(800, treeOf(product)));
      if (options.some(({ conditional }) => Object.keys(conditional).length > 0)) dependent++;
    }),
    { numRuns: runs(10_000) },
  );
  assert.ok(dependent > runs(500), `only ${dependent} products had conditional prices`);
});

const option = (id: string, price: number, rest: Partial<Option> = {}): Option => ({
  id,
  name: id,
  price,
  defaultQty: 0,
  minQty: 0,
  maxQty: 3,
  conditionalPrice: {},
  customizations: [],
  ...rest,
});
const fill = (customizations: Customization[], ...selected: SelectedOption[]): Record<string, number> | string[] => {
  const choice = autofillOptions(customizations, selected);
  return 'faults' in choice ? choice.faults.map(({ kind }) => kind) : Object.fromEntries(picked(choice.chosen));
};

test('defaults come first, then the cheapest, ties in listed order', () => {
  const options = [option('a', 300), option('b', 100), option('c', 100), option('d', 500, { defaultQty: 2 })];
  assert.deepEqual(fill([ask('c', 1, 4, options)]), { d: 2 });
  assert.deepEqual(fill([ask('c', 2, 4, options)]), { b: 1, d: 2 });
  assert.deepEqual(fill([ask('c', 3, 4, options)]), { b: 1, c: 1, d: 2 });
  assert.deepEqual(fill([ask('c', 2, 4, options)], { optionId: 'a' }), { a: 1, d: 2 });
});

test('the cheapest unit counts its options’ prices and each price’s share of the rest', () => {
  const inner = ask('inner', 1, 1, [option('x', 400), option('y', 200)]);
  const options = [option('a', 0, { customizations: [inner] }), option('b', 150, { conditionalPrice: { big: 250 } })];
  assert.deepEqual(fill([ask('c', 1, 1, options)]), { b: 1 });
  const sizes = ask('size', 1, 1, [option('small', 0), option('big', 0)]);
  assert.deepEqual(fill([sizes, ask('c', 1, 1, options)], { optionId: 'big' }), { big: 1, a: 1, y: 1 });
});

test('missing units are filled with defaults in their quantity, then the cheapest', () => {
  const options = [option('a', 300), option('b', 100), option('d', 500, { defaultQty: 2 })];
  const box = (minTotalUnits: number, rest: Partial<Customization> = {}) => ({
    ...ask('c', 0, 3, options),
    minTotalUnits,
    ...rest,
  });
  assert.deepEqual(fill([box(1)]), { d: 2 });
  assert.deepEqual(fill([box(4)]), { b: 2, d: 2 });
  assert.deepEqual(fill([box(4, { maxChoiceOptions: 1 })]), ['too_few_units']);
  assert.deepEqual(fill([box(3, { maxChoiceOptions: 1 })]), { b: 3 });
  assert.deepEqual(fill([box(6)], { optionId: 'a', quantity: 2 }), { a: 2, b: 2, d: 2 });
});

test('optional choices are left alone, defaults too', () => {
  assert.deepEqual(fill([ask('c', 0, 2, [option('a', 0, { defaultQty: 1 })])]), {});
});

test('a default or a cheapest that cannot be chosen is passed over', () => {
  const dead = { customizations: [ask('none', 1, 1, [])] };
  const options = [
    option('a', 0, { defaultQty: 1, ...dead }),
    option('b', 0, { maxQty: 0 }),
    option('c', 90, { minQty: 2 }),
  ];
  assert.deepEqual(fill([ask('c', 1, 1, options)]), { c: 2 });
});

test('a customization that the menu cannot fill is left as the customer chose: no part of the options is added', () => {
  const options = [option('a', 0), option('b', 0, { maxQty: 0 }), option('x', 0, { maxQty: 0 })];
  const choice = autofillOptions([ask('c', 3, 3, options)], []);
  assert.ok('faults' in choice);
  assert.deepEqual(
    choice.faults.map(({ message }) => message),
    ['"c" needs at least 3 chosen options, not 0.'],
  );
});

test('an unknown, unreachable, excessive or out-of-range choice of the customer stays an error of its own', () => {
  const size = ask('size', 1, 1, [
    option('s', 0, { defaultQty: 1 }),
    option('l', 600, { customizations: [ask('cut', 0, 1, [option('sq', 0)])] }),
  ]);
  assert.deepEqual(fill([size], { optionId: 'nope' }), ['unknown_option']);
  assert.deepEqual(fill([size], { optionId: 'sq' }), ['unreached_option']);
  assert.deepEqual(fill([size], { optionId: 's' }, { optionId: 'l' }), ['too_many_options']);
  assert.deepEqual(fill([size], { optionId: 's', quantity: 9 }), ['quantity_out_of_bounds']);
  assert.deepEqual(fill([ask('size', 2, 1, [option('s', 0), option('l', 0)])]), ['too_few_options']);
});

for (const feed of ['pizza', 'icecream']) {
  test(`every product of the real ${feed} menu can be filled, at its lowest price or above`, {
    skip: feedMissing(feed),
  }, () => {
    const menu = feedProducts(feed);
    assert.ok(menu.length > 100);
    for (const { id, price, customizations } of menu) {
      const choice = autofillOptions(customizations, []);
      assert.ok('chosen' in choice, `${id} cannot be filled`);
      assert.ok(unitPrice(price, choice.chosen) >= minPrice(price, customizations), id);
    }
  });
}
