import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNodeMemo } from './node-memo.index.ts';

test('a value is made once for each node, and once more after its node is forgotten', () => {
  const made: number[] = [];
  const memo = createNodeMemo((node) => ({ node, nth: made.push(node) }));
  assert.equal(memo.knownOf(7), undefined);
  assert.deepEqual(
    [memo.of(7), memo.of(8), memo.of(7)].map(({ node, nth }) => [node, nth]),
    [
      [7, 1],
      [8, 2],
      [7, 1],
    ],
  );
  memo.forget(7);
  memo.forget(9);
  assert.deepEqual([memo.knownOf(7), memo.knownOf(8)?.nth, memo.knownOf(9)], [undefined, 2, undefined]);
  assert.equal(memo.of(7).nth, 3);
  assert.deepEqual(made, [7, 8, 7]);
});
