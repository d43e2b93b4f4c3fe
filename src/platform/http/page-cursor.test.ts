import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { readCursor, writeCursor } from './page-cursor.ts';
import { Refusal } from './refusal.ts';

const after = { in: 'query', name: 'after' } as const;

test('a cursor is read back as it was written, from letters that a URL carries as they are', () => {
  const values = fc.array(fc.oneof(fc.string(), fc.maxSafeInteger()));
  fc.assert(
    fc.property(values, (position) => {
      const text = writeCursor(...position);
      assert.match(text, /^[\w-]+$/);
      assert.deepEqual(
        readCursor(text, after, (read) => read),
        position,
      );
    }),
  );
});

test('any other text is refused by the name of its parameter', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.json().map((json) => Buffer.from(`{"a":${json}}`).toString('base64url')),
    fc.constantFrom('', 'bnVsbA', 'W251bGxd', 'WzEuNV0', 'W1tdXQ', 'WzFlOTld'),
  );
  const read = (text: string) => readCursor(text, after, () => undefined);
  fc.assert(
    fc.property(texts, (text) => {
      assert.throws(
        () => read(text),
        (error) => error instanceof Refusal && error.extras.errors?.[0]?.name === 'after',
      );
    }),
    { numRuns: runs(2000) },
  );
  for (const text of ['bnVsbA', 'W251bGxd', 'WzEuNV0', 'W1tdXQ', 'WzFlOTld']) {
    assert.throws(() => readCursor(text, after, (values) => values), Refusal, text);
  }
});
