import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { faultsOf, productOf, warningsOf, withProduct } from '../../../test/parsed-line.ts';
import { parseProductLine } from './parse-categories.ts';

const withFood = (food: unknown) => withProduct({ food });
const parseFoodOf = (food: unknown) => productOf({ food })?.food;
const UNKNOWN = { allergens: null, mayContain: null, diets: null, nutrition: null, source: null };
const PLACE = 'categories[0].products[0].food';

test('an absent list is unknown and an empty list says that there are none', () => {
  assert.deepEqual(parseFoodOf({ allergens: [], diets: null }), { ...UNKNOWN, allergens: [] });
  assert.deepEqual(parseFoodOf({ may_contain: [] }), { ...UNKNOWN, mayContain: [] });
});

test('a food without facts is no food: a bare source, null, nutrition without an amount', () => {
  for (const nothing of [null, {}, { source: 'label' }, { allergens: null }, { nutrition: {} }]) {
    assert.equal(parseFoodOf(nothing), null, JSON.stringify(nothing));
  }
});

test('words appear once and in the same order for every order of the feed', () => {
  const food = parseFoodOf({
    allergens: ['wheat', ' milk ', 'wheat'],
    diets: ['kosher', 'vegetarian'],
    source: ' the label ',
  });
  assert.deepEqual(food, {
    ...UNKNOWN,
    allergens: ['milk', 'wheat'],
    diets: ['vegetarian', 'kosher'],
    source: 'the label',
  });
});

test('unknown words, unknown fields and out-of-range amounts are errors with their paths', () => {
  const words =
    'milk, eggs, fish, crustaceans, tree_nuts, peanuts, wheat, soybeans, sesame, mustard, molluscs, sulphites';
  assert.deepEqual(faultsOf(withFood({ allergens: ['milk', 'dairy', 7], may_contain: ['nuts'] })), [
    `${PLACE}.allergens[1]: expected one of ${words}`,
    `${PLACE}.allergens[2]: expected one of ${words}`,
    `${PLACE}.may_contain[0]: expected one of ${words}`,
  ]);
  assert.deepEqual(faultsOf(withFood({ diets: ['Vegan', 'keto'] })), [
    `${PLACE}.diets[0]: expected one of vegan, vegetarian, gluten_free, halal, kosher`,
    `${PLACE}.diets[1]: expected one of vegan, vegetarian, gluten_free, halal, kosher`,
  ]);
  assert.deepEqual(faultsOf(withFood({ allergen: ['milk'], allergens: 'milk' })), [
    `${PLACE}.allergen: expected no field but allergens, may_contain, diets, nutrition, source`,
    `${PLACE}.allergens: expected a list`,
  ]);
  const amounts = { calories: -1, fat: '9 g', sodium: 1e7, salt: 1 };
  assert.deepEqual(
    faultsOf(withFood({ nutrition: amounts })).map((fault) => fault.slice(PLACE.length)),
    [
      '.nutrition.salt: expected no field but calories, fat, saturated_fat, trans_fat, cholesterol, sodium, carbohydrates, fiber, sugars, added_sugars, protein',
      '.nutrition.calories: expected a number from 0 to 1000000',
      '.nutrition.fat: expected a number',
      '.nutrition.sodium: expected a number from 0 to 1000000',
    ],
  );
  assert.deepEqual(faultsOf(withFood(['milk'])), [`${PLACE}: expected an object`]);
});

test('options have facts of their own, and a line of a categories file is read by the same rules', () => {
  const options = [
    { id: 'a', name: 'A', food: { allergens: ['sesame'] } },
    { id: 'b', name: 'B' },
  ];
  const product = productOf({ id: 'p', name: 'P', price: 1, customizations: [{ id: 'c', name: 'C', options }] });
  const [seeded, plain] = product?.customizations[0]?.options ?? [];
  assert.deepEqual([seeded?.food, plain?.food], [{ ...UNKNOWN, allergens: ['sesame'] }, undefined]);
  const wrong = parseProductLine({ path: ['A'], id: 'p', name: 'P', price: 1, food: { diets: ['paleo'] } });
  assert.deepEqual(!wrong.ok && wrong.faults.map(({ path }) => path), ['food.diets[0]']);
});

test('a diet that the stated allergens rule out is left out with a warning', () => {
  const line = withFood({ allergens: ['milk'], diets: ['vegan', 'vegetarian'] });
  assert.deepEqual(parseFoodOf({ allergens: ['milk'], diets: ['vegan', 'vegetarian'] })?.diets, ['vegetarian']);
  assert.deepEqual(warningsOf(line), [`${PLACE}.diets: expected no vegan beside these allergens; left out`]);
  assert.equal(parseFoodOf({ allergens: ['milk'], diets: ['vegan'] })?.diets, null);
});

test('any JSON value gives facts or faults, and throws nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const line = withFood(value);
      if (faultsOf(line).length === 0) assert.ok(parseFoodOf(value) !== undefined);
    }),
  );
});
