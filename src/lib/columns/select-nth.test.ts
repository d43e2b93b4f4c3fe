import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createItemPile } from './select-nth.ts';

/** Few keys, so that tie keys and ids decide too. */
const arbitraryItems = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
  maxLength: 60,
});

test('a range of ranks has the items of a sorted list, whatever range was selected before', () => {
  const ranges = fc.array(fc.tuple(fc.nat(70), fc.nat(70)), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(arbitraryItems, ranges, (pairs, asked) => {
      const pile = createItemPile((a, b) => a > b);
      const items = pairs.map(([key, tieKey], id) => ({ key: key === 3 ? Infinity : key, tieKey, id }));
      for (const { key, tieKey, id } of items) pile.add(key, tieKey, id);
      const sorted = items.toSorted((a, b) => compare(a.key, b.key) || a.tieKey - b.tieKey || b.id - a.id);
      for (const [first, last] of asked) {
        const steps = pile.selectRange(first, last);
        let step = steps.next();
        while (!step.done) step = steps.next();
        assert.deepEqual(step.value, sorted.slice(first, last + 1));
      }
    }),
  );
});

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
