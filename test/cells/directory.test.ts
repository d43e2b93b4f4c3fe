import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Store } from '../../src/supply/stores/store.ts';
import { createDirectory } from './directory.ts';

const STORE_ID = '5f0000000000000000000001';
const row = (listed: boolean) => ({ storeId: STORE_ID, listed }) as Store;

/** What two cells report of a store that moves from west to east and back; a feed may drop all but its latest entry. */
const NEWS = {
  west: [true, false, true].map(row),
  east: [true, false].map(row),
};

test('in whatever sequence two feeds tell of moves, the store ends in the cell that has it, and search shows it', () => {
  const cells = fc.array(fc.constantFrom('west' as const, 'east' as const), { minLength: 12, maxLength: 12 });
  const skipped = fc.record({ west: fc.nat(2), east: fc.nat(1) });
  fc.assert(
    fc.property(cells, skipped, (turns, skips) => {
      const directory = createDirectory();
      const news = { west: NEWS.west.slice(skips.west), east: NEWS.east.slice(skips.east) };
      let shown: Store | undefined;
      const tell = (cell: 'west' | 'east') => {
        const store = news[cell].shift();
        if (store) shown = directory.take(cell, store);
      };
      for (const cell of [...turns, 'west', 'west', 'west', 'east', 'east'] as const) tell(cell);
      assert.equal(directory.cellOf(STORE_ID), 'west');
      assert.deepEqual(directory.formerCellsOf(STORE_ID), ['east']);
      assert.equal(shown?.listed, true);
    }),
  );
});

test('a move in its real sequence never takes the store out of search', () => {
  const directory = createDirectory();
  directory.take('west', row(true));
  assert.equal(directory.take('east', row(true)).listed, true);
  assert.equal(directory.cellOf(STORE_ID), 'east');
  assert.equal(directory.take('west', row(false)).listed, true);
  assert.equal(directory.cellOf(STORE_ID), 'east');
});
