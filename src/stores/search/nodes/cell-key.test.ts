import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../../test/runs.ts';
import { type Cell, narrow } from '../halved-cell.ts';
import { CELL_KEY_BITS, cellKeyOf } from './cell-key.ts';

/** Coordinates anywhere, and as near to where cells are halved as numbers are. */
function degrees(half: number): fc.Arbitrary<number> {
  const border = fc.tuple(fc.integer({ min: 0, max: 2 ** 16 }), fc.constantFrom(-1, 0, 1)).map(([part, side]) => {
    const value = (part * 2 * half) / 2 ** 16 - half;
    return Math.min(half, Math.max(-half, value + side * Math.max(Number.MIN_VALUE, Math.abs(value) * 2 ** -53)));
  });
  return fc.oneof(fc.double({ min: -half, max: half, noNaN: true }), border, fc.constantFrom(0, -0, -half, half));
}

test('the bits of a cell are the halves that the search tree takes down to it', () => {
  fc.assert(
    fc.property(degrees(90), degrees(180), (latitude, longitude) => {
      const cell: Cell = { south: -90, north: 90, west: -180, east: 180 };
      let key = 0;
      for (let depth = 0; depth < CELL_KEY_BITS; depth += 1) key = key * 2 + narrow(cell, depth, latitude, longitude);
      assert.equal(cellKeyOf(latitude, longitude), key);
    }),
    { numRuns: runs(2000) },
  );
});
