import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseProducts, type LineMatch, pricesOfLines } from './choose-products.ts';

const match = (
  productNo: number,
  quality: number,
  unitCents: number,
  qtyAvailable: number | null = null,
): LineMatch => ({
  productNo,
  quality,
  quantity: 1,
  lineCents: unitCents,
  taxCode: 0,
  qtyAvailable,
  isCounted: qtyAvailable !== null,
});
const choose = (matches: LineMatch[][], quantities: number[], maxAlternatives: number) => {
  // A quality of Infinity marks a product that cannot be ordered.
  const live = new Map(
    matches.flat().map((one) => {
      const { productNo, quality, lineCents: priceCents, qtyAvailable } = one;
      const sold = { priceCents, extraCents: 0, size: 0, weight: null };
      return [productNo, quality === Infinity ? null : { sold, taxCode: null, qtyAvailable }];
    }),
  );
  const amounts = quantities.map((count) => ({ count }));
  return chooseProducts(matches, live, amounts, maxAlternatives);
};
const chosenNumbers = (choices: readonly (readonly LineMatch[])[]) =>
  choices.map((choice) => choice.map(({ productNo }) => productNo));

test('the cheapest of the best matches is chosen, and the next best follow', () => {
  const matches = [
    match(1, 2, 10),
    match(2, 0, 300),
    match(3, 0, 200),
    match(4, 0, 200),
    match(5, 1, 5),
    match(6, 9, 1),
  ];
  assert.deepEqual(chosenNumbers(choose([matches], [1], 4)), [[3, 4, 2, 5, 1]]);
  assert.deepEqual(chosenNumbers(choose([matches], [1], 0)), [[3]]);
});

test('a product with less stock than the line wants does not count', () => {
  const matches = [match(1, 0, 100, 2), match(2, 0, 120, 3), match(3, 0, 150, 0)];
  assert.deepEqual(chosenNumbers(choose([matches], [2], 4)), [[1, 2]]);
  assert.deepEqual(chosenNumbers(choose([matches], [3], 4)), [[2]]);
  assert.deepEqual(chosenNumbers(choose([matches], [4], 4)), [[]]);
});

test('lines that choose the same product share its stock', () => {
  const milk = match(1, 0, 100, 3);
  const other = match(2, 0, 150);
  assert.deepEqual(
    chosenNumbers(
      choose(
        [
          [milk, other],
          [milk, other],
        ],
        [2, 1],
        0,
      ),
    ),
    [[1], [1]],
  );
  assert.deepEqual(
    chosenNumbers(
      choose(
        [
          [milk, other],
          [milk, other],
        ],
        [2, 2],
        0,
      ),
    ),
    [[1], [2]],
  );
  assert.deepEqual(chosenNumbers(choose([[milk], [milk]], [2, 2], 0)), [[1], []]);
});

test('a line costs all its units; a lacking line costs Infinity', () => {
  const choices = choose([[match(1, 0, 250)], []], [3, 1], 4);
  const chosen = choices.map(([best]) => best);
  assert.deepEqual(pricesOfLines(chosen), { lineCents: [750, Infinity], taxCodes: [] });
  const classed = chosen.map((one) => one && { ...one, taxCode: 3 });
  assert.deepEqual(pricesOfLines(classed).taxCodes, [3, 0]);
});

test('the choice is the head of the sorted matches, however they arrive', () => {
  const anyMatch = fc.record(
    {
      productNo: fc.nat({ max: 50 }),
      quality: fc.oneof(fc.nat({ max: 3 }), fc.constant(Infinity)),
      quantity: fc.constant(1),
      lineCents: fc.nat({ max: 5 }),
      taxCode: fc.constant(0),
      qtyAvailable: fc.option(fc.nat({ max: 4 })),
      isCounted: fc.boolean(),
    },
    { noNullPrototype: true },
  );
  const matches = fc.uniqueArray(anyMatch, { selector: ({ productNo }) => productNo, maxLength: 20 });
  fc.assert(
    fc.property(matches, fc.integer({ min: 1, max: 3 }), fc.nat({ max: 5 }), (list, quantity, maxAlternatives) => {
      const inStock = list.filter((one) => one.quality < Infinity && (one.qtyAvailable ?? Infinity) >= quantity);
      inStock.sort((a, b) => a.quality - b.quality || a.lineCents - b.lineCents || a.productNo - b.productNo);
      const expected = inStock.map((one) => ({ ...one, quantity, lineCents: quantity * one.lineCents }));
      assert.deepEqual(choose([list], [quantity], maxAlternatives), [expected.slice(0, 1 + maxAlternatives)]);
    }),
  );
});
