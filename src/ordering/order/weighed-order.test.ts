import { test } from 'node:test';
import fc from 'fast-check';
import {
  assertAlgebra,
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

test('with substitutes, adjusted line by line in any sequence, it is that of the algebra, too', () => {
  fc.assert(fc.property(substitutedCarts, assertSubstituted), { numRuns: runs(5000) });
});
