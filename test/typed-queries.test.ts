import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeProducts } from '../bench/relevance/typed-products.ts';
import type { Half, Judged } from '../bench/relevance/typed-queries.ts';
import { judgeStores } from '../bench/relevance/typed-stores.ts';

function assertRight(judged: readonly Judged[]): void {
  const wrong = judged.filter(({ isRight }) => !isRight);
  assert.equal(judged.length, 100);
  assert.ok(wrong.length <= 5, wrong.map(({ text, first }) => `${text}: ${first}`).join('\n'));
}

for (const half of ['tuned', 'held out'] satisfies Half[]) {
  test(`of 100 ${half} store searches as people type them, 95 have the right first hit`, () => {
    assertRight(judgeStores(half));
  });

  test(`of 100 ${half} product searches as people type them, 95 have the right first hit`, async () => {
    assertRight(await judgeProducts(half));
  });
}
