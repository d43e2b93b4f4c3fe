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

test('estimate, hold and final price are those of the algebra, to the cent', () => {
  fc.assert(
    fc.property(weighedCarts, (one) => assertAlgebra(one)),
    { numRuns: runs(20_000) },
  );
});

test('a budget covers an offer if it covers what placing takes of it, not a cent less', () => {
  fc.assert(fc.property(weighedCarts, assertBudgets), { numRuns: runs(20_000, 1500) });
});

test('with substitutes, adjusted line by line in any sequence, it is that of the algebra, too', () => {
  fc.assert(fc.property(substitutedCarts, assertSubstituted), { numRuns: runs(5000) });
});
