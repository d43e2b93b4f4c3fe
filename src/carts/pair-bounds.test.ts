import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/runs.ts';
import { type BoundedSide, type PairBounds, pairsWithin } from './pair-bounds.ts';

const units = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 900 }) }, fc.constant(Infinity));
const cases = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 60 }))
  .chain(([lineCount, sideCount]) =>
    fc.record({
      sides: fc.array(
        fc.record({
          feeUnits: fc.integer({ min: -50, max: 400 }),
          lineUnits: fc.array(units, { minLength: lineCount, maxLength: lineCount }),
        }),
        { minLength: sideCount, maxLength: sideCount },
      ),
      limit: fc.oneof(fc.constant(Number.MAX_VALUE), fc.integer({ min: 0, max: 4000 })),
    }),
  );

function run(steps: Generator<void, PairBounds>): PairBounds {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The pairs within the limit by looking at all pairs: both positions, and the lower bound. */
function pairsByTrial(sides: readonly BoundedSide[], limit: number): [number, number, number][] {
  return sides.flatMap((first, at) =>
    sides.slice(at + 1).flatMap((second, after): [number, number, number][] => {
      const lines = first.lineUnits.reduce(
        (sum, one, line) => sum + Math.min(one, second.lineUnits[line] as number),
        0,
      );
      const bound = first.feeUnits + second.feeUnits + lines;
      return bound <= limit ? [[at, at + 1 + after, bound]] : [];
    }),
  );
}

test('the pairs within any limit are those of all pairs, in their order, with their lower bounds', () => {
  fc.assert(
    fc.property(cases, fc.nat({ max: 4000 }), ({ sides: given, limit }, lower) => {
      const sides = given.map((side) => ({ ...side, lineUnits: Float64Array.from(side.lineUnits) }));
      const pairs = run(pairsWithin(sides, limit));
      const expected = pairsByTrial(sides, limit);
      const found = Array.from({ length: pairs.size }, (_, at) => [
        pairs.firstAt(at),
        pairs.secondAt(at),
        pairs.minUnitsAt(at),
      ]);
      assert.deepEqual(found, expected);
      const within: number[] = [];
      for (let at = pairs.nextWithin(lower, 0); at < pairs.size; at = pairs.nextWithin(lower, at + 1)) within.push(at);
      assert.deepEqual(
        within,
        [...expected.keys()].filter((at) => (expected[at]?.[2] as number) <= lower),
      );
    }),
    { numRuns: runs(300) },
  );
});
