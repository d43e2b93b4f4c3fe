import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { faultsOf, picked, products, treeOf } from '../../../test/oracles/option-oracle.ts';
import { picksOf, repeatedIn, selections } from '../../../test/oracles/selections.ts';
import { runs } from '../../../test/runs.ts';
import type { Customization, Option } from '../../supply/catalog/product.ts';
import { chooseOptions, type OptionChoice, type OptionFault } from './choose-options.ts';

const describeFault = (fault: OptionFault): string => {
  const ofCustomization = fault.kind.startsWith('too_');
  return `${fault.kind} ${ofCustomization ? fault.customizationId : fault.optionIds[0]}`;
};

test('a selection is refused for exactly the faults it has, and otherwise chosen as it is', () => {
  let valid = 0;
  fc.assert(
    fc.property(selections(products(5, 12)), ([product, selection]) => {
      const picks = picksOf(selection);
      const expected = [
        ...faultsOf(product, picks),
        ...repeatedIn(selection).map((id) => `repeated_option ${id}`),
      ].sort();
      const choice = chooseOptions(treeOf(product), selection);
      if ('faults' in choice) {
        assert.deepEqual(choice.faults.map(describeFault).sort(), expected);
      } else {
        valid++;
        assert.deepEqual(expected, []);
        assert.deepEqual(new Map(picked(choice.chosen)), picks);
      }
    }),
    { numRuns: runs(20_000) },
  );
  assert.ok(valid > runs(2_000), `only ${valid} of the random selections were valid`);
});

const option = (id: string, rest: Partial<Option> = {}): Option => ({
  id,
  name: id.toUpperCase(),
  price: 0,
  defaultQty: 0,
  minQty: 0,
  maxQty: 1,
  conditionalPrice: {},
  customizations: [],
  ...rest,
});
const ask = (id: string, min: number, max: number, options: Option[]): Customization => ({
  id,
  name: id.toUpperCase(),
  minChoiceOptions: min,
  maxChoiceOptions: max,
  options,
});

const PIZZA = [
  ask('size', 1, 1, [option('s'), option('l', { price: 600, customizations: [ask('cut', 0, 1, [option('sq')])] })]),
  ask('top', 0, 2, [
    option('olives', { price: 150, maxQty: 2 }),
    option('ham', { minQty: 2, maxQty: 3 }),
    option('egg'),
  ]),
];
const faults = (choice: OptionChoice): readonly OptionFault[] => ('faults' in choice ? choice.faults : []);

test('the choice keeps the order of the menu, names, prices, quantities and marks', () => {
  const choice = chooseOptions(PIZZA, [
    { optionId: 'olives', quantity: 2, markedPriceCents: 175 },
    { optionId: 'sq', quantity: 1 },
    { optionId: 'l' },
  ]);
  const plain = { conditionalPrice: {}, defaultQty: 0, markedPriceCents: null, customizations: [] };
  const cut = { id: 'cut', name: 'CUT', options: [{ ...plain, id: 'sq', name: 'SQ', priceCents: 0, quantity: 1 }] };
  assert.deepEqual(choice, {
    chosen: [
      {
        id: 'size',
        name: 'SIZE',
        options: [{ ...plain, id: 'l', name: 'L', priceCents: 600, quantity: 1, customizations: [cut] }],
      },
      {
        id: 'top',
        name: 'TOP',
        options: [{ ...plain, id: 'olives', name: 'OLIVES', priceCents: 150, quantity: 2, markedPriceCents: 175 }],
      },
    ],
  });
});

test('all faults are reported at once, each with its ids and a message', () => {
  const choice = chooseOptions(PIZZA, [
    { optionId: 'sq' },
    { optionId: 'olives', quantity: 3 },
    { optionId: 'ham', quantity: 2 },
    { optionId: 'ham', quantity: 2 },
    { optionId: 'egg' },
    { optionId: 'x<y' },
  ]);
  assert.deepEqual(faults(choice), [
    {
      kind: 'repeated_option',
      customizationId: null,
      optionIds: ['ham'],
      message: 'The option "ham" is listed more than once.',
    },
    {
      kind: 'too_few_options',
      customizationId: 'size',
      optionIds: [],
      message: '"SIZE" needs at least 1 chosen option, not 0.',
    },
    {
      kind: 'too_many_options',
      customizationId: 'top',
      optionIds: ['olives', 'ham', 'egg'],
      message: '"TOP" allows at most 2 chosen options, not 3.',
    },
    {
      kind: 'quantity_out_of_bounds',
      customizationId: 'top',
      optionIds: ['olives'],
      message: 'The quantity of "OLIVES" must be from 1 to 2, not 3.',
    },
    {
      kind: 'unreached_option',
      customizationId: 'cut',
      optionIds: ['sq'],
      message: '"SQ" can only be chosen together with "L".',
    },
    { kind: 'unknown_option', customizationId: null, optionIds: ['x<y'], message: 'This product has no option "x<y".' },
  ]);
});

test('a group that limits units counts each option’s quantity, apart from the number chosen', () => {
  const dozen = ask('box', 1, 3, [option('a', { maxQty: 6 }), option('b', { maxQty: 6 })]);
  const kinds = (limits: Partial<Customization>, ...quantities: number[]) =>
    faults(
      chooseOptions(
        [{ ...dozen, ...limits }],
        quantities.map((quantity, at) => ({ optionId: ['a', 'b'][at] ?? '', quantity })),
      ),
    );
  assert.deepEqual(kinds({ minTotalUnits: 6, maxTotalUnits: 8 }, 6, 2), []);
  assert.deepEqual(kinds({ minTotalUnits: 6 }, 5), [
    { kind: 'too_few_units', customizationId: 'box', optionIds: [], message: '"BOX" needs at least 6 units, not 5.' },
  ]);
  assert.deepEqual(kinds({ maxTotalUnits: 1 }, 1, 6), [
    {
      kind: 'too_many_units',
      customizationId: 'box',
      optionIds: ['a', 'b'],
      message: '"BOX" allows at most 1 unit, not 7.',
    },
  ]);
  assert.deepEqual(kinds({}, 6, 6), []);
});

test('a quantity of 0 equals an omitted option, also when repeated or unknown', () => {
  const zeros = ['olives', 'l', 'nope'].map((optionId) => ({ optionId, quantity: 0 }));
  assert.deepEqual(
    chooseOptions(PIZZA, [...zeros, { optionId: 's' }, { optionId: 'olives' }]),
    chooseOptions(PIZZA, [{ optionId: 's' }, { optionId: 'olives' }]),
  );
});

test('quantity limits bind only chosen options', () => {
  assert.ok('chosen' in chooseOptions(PIZZA, [{ optionId: 's' }]));
  const tooFew = chooseOptions(PIZZA, [{ optionId: 's' }, { optionId: 'ham', quantity: 1 }]);
  assert.deepEqual(faults(tooFew).map(describeFault), ['quantity_out_of_bounds ham']);
});

test('a quantity that is negative or broken is out of bounds', () => {
  for (const quantity of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    const choice = chooseOptions(PIZZA, [{ optionId: 's' }, { optionId: 'olives', quantity }]);
    assert.deepEqual(faults(choice).map(describeFault), ['quantity_out_of_bounds olives']);
  }
});

test('a quantity out of bounds is refused with the quantities that the menu allows: none, one or several', () => {
  const boundMessage = (bounds: Partial<Option>, quantity: number) =>
    faults(chooseOptions([ask('c', 0, 1, [option('a', bounds)])], [{ optionId: 'a', quantity }]))[0]?.message;
  assert.equal(boundMessage({ maxQty: 0 }, 1), '"A" cannot be chosen.');
  assert.equal(boundMessage({ maxQty: 1 }, 2), 'The quantity of "A" must be 1, not 2.');
  assert.equal(boundMessage({ minQty: 2, maxQty: 3 }, 1), 'The quantity of "A" must be from 2 to 3, not 1.');
});

test('a customization without chosen options is left out of the choice', () => {
  const choice = chooseOptions(PIZZA, [{ optionId: 'l' }]);
  assert.ok('chosen' in choice);
  assert.deepEqual(
    choice.chosen.map(({ id, options }) => [id, options.map(({ customizations }) => customizations)]),
    [['size', [[]]]],
  );
});
