import { test } from 'node:test';
import fc from 'fast-check';
import {
  assertAlgebra,
  assertBudgets,
  assertSubstituted,
  substitutedCarts,
  weighedCarts,
} from '../../../test/given/weighed-orders.ts';
import { runs } from '../../../test/runs.ts';

test('estimate, hold and final price equal the model’s, to the cent', () => {
  fc.assert(
    fc.property(weighedCarts, (one) => assertAlgebra(one)),
    { numRuns: runs(20_000) },
  );
});

test('a budget covers a promotion if it covers the amount placing takes, to the cent', () => {
  fc.assert(fc.property(weighedCarts, assertBudgets), { numRuns: runs(20_000, 1500) });
});

test('with substitutes, adjusted line by line in any order, it equals the model too', () => {
  fc.assert(fc.property(substitutedCarts, assertSubstituted), { numRuns: runs(5000) });
});
