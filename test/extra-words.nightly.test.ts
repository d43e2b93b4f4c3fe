// covers: bench/relevance/extra-words.ts, packages/search-engine/text/*
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasExtraWordsData, judgeExtraWords, readExtraWords } from '../bench/relevance/extra-words.ts';

const skip = !hasExtraWordsData() && 'no ../shared/data';

test('of 300 queries of a brand and an extra word, 285 find the brand first', { skip }, () => {
  const { outlets, queries } = readExtraWords();
  const wrong = [...judgeExtraWords(outlets, queries)].filter(({ isRight }) => !isRight);
  assert.ok(wrong.length <= 15, wrong.map(({ query, first }) => `${query.text}: ${first}`).join('\n'));
});
