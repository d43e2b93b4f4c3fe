import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../../test/runs.ts';
import { createCellSorter } from './sort-by-cell.ts';

test('stores are sorted by cell, and keep their sequence within a cell', () => {
  const sort = createCellSorter();
  const cell = fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constant(2 ** 32 - 1));
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 3000, size: 'max' }), (cells) => {
      const stores = { cells: Uint32Array.from(cells), ordinals: Uint32Array.from(cells.keys()) };
      sort(stores);
      const expected = [...cells.entries()].sort(([a, one], [b, other]) => one - other || a - b);
      assert.deepEqual(
        [...stores.ordinals],
        expected.map(([ordinal]) => ordinal),
      );
      assert.deepEqual(
        [...stores.cells],
        expected.map(([, own]) => own),
      );
    }),
    { numRuns: runs(60) },
  );
});
