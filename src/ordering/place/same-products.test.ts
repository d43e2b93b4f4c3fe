import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchNamedProducts } from './quote-order.flow.ts';

const product = (productNo: number, name: string, upcCode: string | null = null) => ({ productNo, name, upcCode });

test('two products are the same if their UPCs match, or without UPCs their names in any case', () => {
  const wanted = [product(1, 'Milk', '111'), product(2, 'ÉCLAIR'), product(3, 'Bread', '333'), product(4, 'Eggs')];
  const candidates = [product(10, 'Milk'), product(11, 'Whole Milk', '111'), product(12, 'Éclair', '999')];
  const more = [product(13, 'bread'), product(14, 'BREAD'), product(15, 'Eggs, large')];
  const same = matchNamedProducts(wanted, [...candidates, ...more]);
  assert.deepEqual(
    [...same],
    [
      [1, 11],
      [2, 12],
      [3, 13],
    ],
  );
});
