import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRecentTable } from './recent-table.ts';

type Key = { a: number; b: number };

/** Few hashes, so that chains are long. */
const RULES = {
  hashOf: ({ a }: Key) => a % 3,
  areEqual: (one: Key, other: Key) => one.a === other.a && one.b === other.b,
};

test('a key has the value that was set last, or none once `max` others may have come since', () => {
  const key = fc.record({ a: fc.nat(5), b: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 80 }), fc.integer({ min: 1, max: 9 }), (keys, max) => {
      const table = createRecentTable<Key, number>(max, RULES);
      const last = new Map<string, number>();
      for (const [nth, one] of keys.entries()) {
        table.set(one, nth);
        last.set(JSON.stringify(one), nth);
        assert.ok(table.size <= max);
        for (const [text, value] of last) {
          const known = table.get(JSON.parse(text));
          assert.ok(known === undefined || known === value, 'a value that was replaced is never read');
          // An entry that is written over is at most half of the table old: as many new entries leave it in the table.
          if (nth - value < Math.ceil(max / 2)) assert.equal(known, value);
        }
      }
    }),
  );
});

test('a key that was never set has no value, in a chain with others', () => {
  const table = createRecentTable<Key, number>(4, RULES);
  for (const b of [0, 1, 2]) table.set({ a: 3, b }, b);
  assert.deepEqual([table.get({ a: 0, b: 0 }), table.get({ a: 3, b: 1 })], [undefined, 1]);
});

test('keys that a client has chosen for their hash cost eight comparisons at most', () => {
  let compared = 0;
  const table = createRecentTable<number, number>(5000, {
    hashOf: () => 7,
    areEqual: (one, other) => {
      compared += 1;
      return one === other;
    },
  });
  for (let key = 0; key < 5000; key += 1) table.set(key, key);
  compared = 0;
  assert.deepEqual([table.get(4999), table.get(4992), table.get(0)], [4999, 4992, undefined]);
  assert.equal(compared, 1 + 8 + 8);
});
