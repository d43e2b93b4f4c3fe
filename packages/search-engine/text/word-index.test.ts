import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance } from '../../../test/oracles/store-search.ts';
import { EXACT, PREFIX, TYPO, WordIndex } from './word-index.ts';

test('a prefix finds exactly the words that start with it', () => {
  const word = fc.constantFrom('a', 'ab', 'aba', 'abb', 'abc', 'aca', 'b', 'ba', 'bab');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const terms = new WordIndex();
      for (const [at, one] of words.entries()) {
        terms.add(one);
        // Queries between two words: the result must not be cached beyond the next word.
        assertStarting(terms, words.slice(0, at + 1), 'ab');
      }
      assert.equal(terms.size, new Set(words).size);
      for (const prefix of ['a', 'ab', 'abc', 'ac', 'b', 'ba', 'c', 'ab']) assertStarting(terms, words, prefix);
    }),
  );
});

function assertStarting(terms: WordIndex, words: readonly string[], prefix: string): void {
  const found = terms.match(prefix, true, 0);
  const expected = words.filter((one) => one.startsWith(prefix)).map((one) => terms.idOf(one));
  assert.deepEqual(new Set([...found[EXACT], ...found[PREFIX]]), new Set(expected), prefix);
}

test('a word keeps its number', () => {
  const terms = new WordIndex();
  const ids = ['milk', 'tea', 'milk'].map((word) => terms.add(word));
  assert.deepEqual(ids, [0, 1, 0]);
  assert.deepEqual([terms.idOf('tea'), terms.idOf('rum')], [1, undefined]);
});

test('whatever words come, a misspelled word finds exactly the words within its typos, never in the first letter', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', 'é'), minLength: 1, maxLength: 9 });
  const query = fc.record({ wanted: word, maxTypos: fc.constantFrom(0, 1, 2) });
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.array(query, { minLength: 1, maxLength: 6 }),
      (words, questions) => {
        const terms = new WordIndex();
        for (const [at, one] of words.entries()) {
          terms.add(one);
          // Queries between two words: the result must not be cached beyond the next word.
          for (const { wanted, maxTypos } of questions.slice(0, 1)) {
            assertTypos(terms, words.slice(0, at + 1), wanted, maxTypos);
          }
        }
        for (const { wanted, maxTypos } of [...questions, ...questions]) assertTypos(terms, words, wanted, maxTypos);
      },
    ),
  );
});

function assertTypos(terms: WordIndex, words: readonly string[], wanted: string, maxTypos: number): void {
  const found = terms.match(wanted, false, maxTypos)[TYPO];
  const expected = [...new Set(words)].filter(
    (term) => maxTypos > 0 && term !== wanted && term[0] === wanted[0] && editDistance(term, wanted) <= maxTypos,
  );
  assert.deepEqual(
    [...found].sort((a, b) => a - b),
    expected.map((term) => terms.idOf(term) as number).sort((a, b) => a - b),
    `${wanted} with ${maxTypos} typos`,
  );
}
