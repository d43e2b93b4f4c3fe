// covers: src/ordering/order/{weighed-order,weighed-quote,reprice-order}.ts
// covers: src/ordering/money/{weigh-item,substitute}.ts
import { test } from 'node:test';
import fc from 'fast-check';
import {
  assertAlgebra,
  assertSubstituted,
  substitutedCarts,
  weighedCarts,
} from '../../../test/given/weighed-orders.ts';
import { runs } from '../../../test/runs.ts';

const ORDERS = runs(60_000);

test(`estimate, hold and final price of ${ORDERS} random orders equal the model's`, () => {
  fc.assert(
    fc.property(weighedCarts, (one) => assertAlgebra(one)),
    { numRuns: ORDERS },
  );
});

test('with substitutes, adjusted line by line in any order, it equals the model too', () => {
  fc.assert(fc.property(substitutedCarts, assertSubstituted), { numRuns: runs(15_000) });
});
