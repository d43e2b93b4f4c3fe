import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRecipeLines } from '../bench/relevance/recipe-lines.ts';

for (const half of ['tuned', 'held out'] as const) {
  test(`of 47 ${half} lines of five recipes, 45 find their product at a market of the demo, or rightly nothing`, async (t) => {
    const judged = await judgeRecipeLines(half);
    const wrong = judged.filter(({ isRight }) => !isRight);
    t.diagnostic(`${judged.length - wrong.length} of ${judged.length} are right`);
    assert.equal(judged.length, 47);
    assert.ok(wrong.length <= 2, wrong.map(({ text, first }) => `${text}: ${first}`).join('\n'));
  });
}
