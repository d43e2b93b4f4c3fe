// covers: packages/search-engine/*.ts, packages/search-engine/text/*, test/brand-names/package/*
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JudgedName, judgeNames } from './judge-names.ts';

const shareOf = (judged: readonly JudgedName[], limit: number) =>
  judged.filter(({ at }) => at >= 0 && at < limit).length / judged.length;
const wrongOf = (judged: readonly JudgedName[], limit: number) =>
  judged
    .filter(({ at }) => at < 0 || at >= limit)
    .map(({ text, wanted, found }) => `${text} (${wanted}): ${found.join(', ')}`)
    .join('\n');

test('of a foreign list of chains, 99 % are first by their own name, 90 % of other names are among the first three', (t) => {
  const { own, others } = judgeNames();
  t.diagnostic(`${own.length} names: first ${(100 * shareOf(own, 1)).toFixed(1)} %`);
  t.diagnostic(`${others.length} other names: in the first three ${(100 * shareOf(others, 3)).toFixed(1)} %`);
  assert.ok(own.length > 1000 && others.length > 400);
  assert.ok(shareOf(own, 1) >= 0.99, wrongOf(own, 1));
  assert.ok(shareOf(others, 3) >= 0.9, wrongOf(others, 3));
});
