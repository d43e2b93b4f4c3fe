import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_TEXT_LENGTH, MAX_WORDS, splitWords } from './normalize-text.ts';

test('the words of a plain text are its runs of letters and digits, in lower case, up to the bounds', () => {
  const character = fc.constantFrom(...'abcXYZ019  ');
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: MAX_TEXT_LENGTH + 40 }), (text) => {
      const runs =
        text
          .slice(0, MAX_TEXT_LENGTH)
          .toLowerCase()
          .match(/[a-z0-9]+/g) ?? [];
      assert.deepEqual(splitWords(text), runs.slice(0, MAX_WORDS));
    }),
  );
});

test('an accent, an apostrophe or another sign next to plain words changes none of them', () => {
  assert.deepEqual(splitWords('Joe Pizza 24'), ['joe', 'pizza', '24']);
  assert.deepEqual(splitWords("Joe's Pizzà, 24!"), ['joes', 'pizza', '24']);
});
