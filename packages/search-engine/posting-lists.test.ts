import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Columns } from './columns.ts';
import { PostingLists, without } from './posting-lists.ts';

const SIZE = 4096;
const arbitraryList = fc
  .tuple(fc.constantFrom(2, 30, 400), fc.array(fc.nat(SIZE - 1), { maxLength: 400, size: 'max' }))
  .map(([length, slots]) => Uint32Array.from(new Set(slots.slice(0, length))).sort());

test('lists of any lengths are intersected, united and subtracted as sets are', () => {
  const none = { postings: new Uint32Array(0), postingStarts: new Uint32Array(1) };
  const postings = new PostingLists(none as unknown as Columns, SIZE);
  fc.assert(
    fc.property(arbitraryList, arbitraryList, (one, other) => {
      const [set, otherSet] = [new Set(one), new Set(other)];
      const ascending = (slots: Set<number>) => [...slots].sort((a, b) => a - b);
      assert.deepEqual([...postings.intersect(one, other)], ascending(set.intersection(otherSet)));
      assert.deepEqual([...postings.union([one, other])], ascending(set.union(otherSet)));
      assert.deepEqual([...without(one, other)], ascending(set.difference(otherSet)));
    }),
  );
});

test('the slots of a list that have one of some terms, common or rare, are kept as sets are', () => {
  fc.assert(
    fc.property(arbitraryList, fc.array(arbitraryList, { maxLength: 6 }), (slots, lists) => {
      const postingStarts = new Uint32Array(lists.length + 1);
      for (const [term, { length }] of lists.entries()) {
        postingStarts[term + 1] = (postingStarts[term] as number) + length;
      }
      const columns = { postings: Uint32Array.from(lists.flatMap((list) => [...list])), postingStarts };
      const postings = new PostingLists(columns as unknown as Columns, SIZE);
      const due = [...slots].filter((slot) => lists.some((list) => list.includes(slot)));
      assert.deepEqual([...postings.keep(slots, [...lists.keys()])], due);
    }),
  );
});
