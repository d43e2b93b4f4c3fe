import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Customization, Option } from '../../clients/typescript/src/main.ts';
import { type Choices, choose, chosenOptions, firstChoices, unitCents, unmet } from './choices.ts';

function option(id: string, changes: Partial<Option> = {}): Option {
  return {
    option_id: id,
    name: id,
    price: 0,
    formatted_price: '',
    customizations: [],
    default_qty: 0,
    min_qty: 0,
    max_qty: 1,
    conditional_price: {},
    food: null,
    ...changes,
  };
}

function group(id: string, [min, max]: readonly [number, number], options: Option[]): Customization {
  return { customization_id: id, name: id, min_choice_options: min, max_choice_options: max, options };
}

const SIZE = group('size', [1, 1], [option('small'), option('large', { price: 300 })]);
const CHEESE = group(
  'cheese',
  [0, 2],
  [option('feta', { price: 100, max_qty: 3 }), option('brie', { price: 200 }), option('blue')],
);
const DIP = group('dip', [1, 1], [option('mayo'), option('aioli', { price: 50 })]);
const SIDE = group(
  'side',
  [0, 1],
  [option('fries', { price: 400, customizations: [DIP], conditional_price: { large: 250 } })],
);
const BOX = {
  ...group(
    'box',
    [0, 3],
    [option('glazed', { max_qty: 6 }), option('plain', { max_qty: 6, min_qty: 2 }), option('jam')],
  ),
  min_total_units: 2,
  max_total_units: 4,
};
const DISH = { price: 1000, customizations: [SIZE, CHEESE, SIDE] };

const optionIn = ({ options }: Customization, nth: number) => options[nth] ?? option('none');
const ids = (choices: Choices) => chosenOptions(DISH.customizations, choices).map(({ optionId }) => optionId);

test('defaults and options without an alternative are chosen from the start', () => {
  const spicy = group('spice', [0, 1], [option('mild', { default_qty: 1 }), option('hot', { default_qty: 1 })]);
  const only = group('bread', [1, 1], [option('rye', { customizations: [spicy] })]);
  assert.deepEqual(
    [...firstChoices([only, SIZE])],
    [
      ['rye', 1],
      ['mild', 1],
    ],
  );
});

test('a single choice replaces the former; a multiple choice adds', () => {
  let choices = choose(SIZE, optionIn(SIZE, 0), 1, new Map());
  choices = choose(SIZE, optionIn(SIZE, 1), 1, choices);
  choices = choose(CHEESE, optionIn(CHEESE, 0), 2, choices);
  choices = choose(CHEESE, optionIn(CHEESE, 1), 1, choices);
  assert.deepEqual(ids(choices), ['large', 'feta', 'brie']);
  assert.equal(unitCents(DISH, choices), 1000 + 300 + 2 * 100 + 200);
  assert.deepEqual(ids(choose(CHEESE, optionIn(CHEESE, 0), 0, choices)), ['large', 'brie']);
});

test('missing choices are named in menu order, nested groups once their option is chosen', () => {
  assert.deepEqual(
    unmet(DISH.customizations, new Map()).map(({ name }) => name),
    ['size'],
  );
  const withFries = choose(SIDE, optionIn(SIDE, 0), 1, new Map());
  assert.deepEqual(
    unmet(DISH.customizations, withFries).map(({ name }) => name),
    ['size', 'dip'],
  );
});

test('conditional prices apply only while their option is chosen, and nested options with their parent', () => {
  let choices = choose(SIDE, optionIn(SIDE, 0), 1, new Map());
  choices = choose(DIP, optionIn(DIP, 1), 1, choices);
  assert.equal(unitCents(DISH, choices), 1000 + 400 + 50);
  choices = choose(SIZE, optionIn(SIZE, 1), 1, choices);
  assert.equal(unitCents(DISH, choices), 1000 + 300 + 250 + 50);
  choices = choose(SIDE, optionIn(SIDE, 0), 0, choices);
  assert.equal(unitCents(DISH, choices), 1300);
  assert.deepEqual(ids(choices), ['large']);
});

test('a group of units is met by its quantities, and takes no more than it allows', () => {
  const dozen = { price: 0, customizations: [BOX] };
  let choices = choose(BOX, optionIn(BOX, 0), 1, new Map());
  assert.deepEqual(unmet(dozen.customizations, choices), [BOX]);
  choices = choose(BOX, optionIn(BOX, 0), 6, choices);
  assert.deepEqual([...choices], [['glazed', 4]]);
  assert.deepEqual(unmet(dozen.customizations, choices), []);
  choices = choose(BOX, optionIn(BOX, 0), 3, choices);
  assert.deepEqual([...choose(BOX, optionIn(BOX, 1), 2, choices)], [['glazed', 3]]);
  const defaults = { ...BOX, options: BOX.options.map((each) => ({ ...each, default_qty: 3 })) };
  assert.deepEqual(
    [...firstChoices([defaults])],
    [
      ['glazed', 3],
      ['jam', 1],
    ],
  );
});

test('for any presses, no group exceeds its maximum and quantities stay within limits', () => {
  const presses = fc.array(
    fc.record({ group: fc.constantFrom(SIZE, CHEESE, SIDE, BOX), nth: fc.nat(2), quantity: fc.nat(5) }),
  );
  fc.assert(
    fc.property(presses, (pressed) => {
      let choices = firstChoices(DISH.customizations);
      for (const { group: each, nth, quantity } of pressed) {
        const chosen = each.options[nth];
        const isFull = each.options.filter(({ option_id: id }) => choices.has(id)).length >= each.max_choice_options;
        if (!chosen || (isFull && each.max_choice_options > 1 && !choices.has(chosen.option_id))) continue;
        choices = choose(each, chosen, quantity, choices);
      }
      for (const each of [SIZE, CHEESE, SIDE, BOX]) {
        const units = each.options.reduce((sum, { option_id: id }) => sum + (choices.get(id) ?? 0), 0);
        assert.ok(units <= (each.max_total_units ?? units));
        assert.ok(each.options.filter(({ option_id: id }) => choices.has(id)).length <= each.max_choice_options);
        for (const { option_id: id, max_qty: max } of each.options) assert.ok((choices.get(id) ?? 1) <= max);
      }
    }),
  );
});
