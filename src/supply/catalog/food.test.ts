import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFood, anyNeeds, statesFood } from '../../../test/oracles/food.ts';
import { runs } from '../../../test/runs.ts';
import { claimsOf, contradictedDiets, type Food, foodClaims, hasClaims } from './food.ts';

const UNKNOWN: Food = { allergens: null, mayContain: null, diets: null, nutrition: null, source: null };

test('a food’s bits equal a linear scan of its lists, and unknown facts set none', () => {
  fc.assert(
    fc.property(fc.option(anyFood), anyNeeds, (food, needs) => {
      assert.equal(hasClaims(foodClaims(food), claimsOf(needs)), statesFood(food, needs));
    }),
    { numRuns: runs(5000) },
  );
});

test('a food is free of an allergen only where contents and traces are known, and neither names it', () => {
  const isFree = (food: Partial<Food>) =>
    hasClaims(foodClaims({ ...UNKNOWN, ...food }), claimsOf({ diets: [], without: ['peanuts'] }));
  assert.equal(isFree({ allergens: [], mayContain: [] }), true);
  assert.equal(isFree({ allergens: ['milk'], mayContain: ['sesame'] }), true);
  assert.equal(isFree({ allergens: [], mayContain: ['peanuts'] }), false);
  assert.equal(isFree({ allergens: ['peanuts'], mayContain: [] }), false);
  assert.equal(isFree({ allergens: [] }), false);
  assert.equal(isFree({ mayContain: [] }), false);
  assert.equal(isFree({ diets: ['vegan'] }), false);
});

test('a diet is ruled out by the allergens that no food of it contains; wheat may be free of gluten', () => {
  assert.deepEqual(contradictedDiets(['vegan', 'vegetarian'], ['milk']), ['vegan']);
  assert.deepEqual(contradictedDiets(['vegan', 'vegetarian', 'kosher'], ['crustaceans']), [
    'vegan',
    'vegetarian',
    'kosher',
  ]);
  assert.deepEqual(contradictedDiets(['gluten_free', 'halal'], ['wheat', 'fish']), []);
});
