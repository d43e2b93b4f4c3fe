import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centsOfLines, chooseProducts, type LineMatch } from './choose-products.ts';

const match = (
  productNo: number,
  quality: number,
  unitCents: number,
  qtyAvailable: number | null = null,
): LineMatch => ({
  productNo,
  quality,
  unitCents,
  qtyAvailable,
});
const numbersOf = (choices: readonly (readonly LineMatch[])[]) =>
  choices.map((choice) => choice.map(({ productNo }) => productNo));

test('of the products that answer a line best the cheapest is chosen, and the next best follow', () => {
  const matches = [
    match(1, 2, 10),
    match(2, 0, 300),
    match(3, 0, 200),
    match(4, 0, 200),
    match(5, 1, 5),
    match(6, 9, 1),
  ];
  assert.deepEqual(numbersOf(chooseProducts([matches], [1], 4)), [[3, 4, 2, 5, 1]]);
  assert.deepEqual(numbersOf(chooseProducts([matches], [1], 0)), [[3]]);
});

test('a product of which fewer are left than the line wants does not count', () => {
  const matches = [match(1, 0, 100, 2), match(2, 0, 120, 3), match(3, 0, 150, 0)];
  assert.deepEqual(numbersOf(chooseProducts([matches], [2], 4)), [[1, 2]]);
  assert.deepEqual(numbersOf(chooseProducts([matches], [3], 4)), [[2]]);
  assert.deepEqual(numbersOf(chooseProducts([matches], [4], 4)), [[]]);
});

test('lines that choose the same product share its stock', () => {
  const milk = match(1, 0, 100, 3);
  const other = match(2, 0, 150);
  assert.deepEqual(
    numbersOf(
      chooseProducts(
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
    numbersOf(
      chooseProducts(
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
  assert.deepEqual(numbersOf(chooseProducts([[milk], [milk]], [2, 2], 0)), [[1], []]);
});

test('a line costs all its units; one that is lacking costs more than any', () => {
  const choices = chooseProducts([[match(1, 0, 250)], []], [3, 1], 4);
  assert.deepEqual(centsOfLines(choices, [3, 1]), [750, Infinity]);
});
