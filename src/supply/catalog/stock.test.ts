import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeStock, sumByProduct } from './stock.ts';

test('items of one product count together', () => {
  const items = [
    { productNo: 2, quantity: 1 },
    { productNo: 1, quantity: 4 },
    { productNo: 2, quantity: 3 },
  ];
  assert.deepEqual(sumByProduct(items), [
    { productNo: 2, quantity: 4 },
    { productNo: 1, quantity: 4 },
  ]);
});

test('a product off sale, unknown or short is refused; counted stock is taken, and uncounted stock never runs out', () => {
  const levels = [
    { productNo: 1, onSale: true, left: 4 },
    { productNo: 2, onSale: true, left: 3 },
    { productNo: 3, onSale: false, left: 9 },
    { productNo: 4, onSale: true, left: null },
  ];
  const wanted = [1, 2, 3, 4, 5].map((productNo) => ({ productNo, quantity: 4 }));
  assert.deepEqual(judgeStock(wanted, levels), { refused: [2, 3, 5], taken: [{ productNo: 1, quantity: 4 }] });
});
