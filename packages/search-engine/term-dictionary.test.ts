import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Columns } from './columns.ts';
import { NAME, NO_TERM, Term, TermDictionary } from './term-dictionary.ts';

/** A dictionary of the words as names, in sorted order. */
function dictionaryOf(words: readonly string[]): TermDictionary {
  const terms = words.map((word) => Buffer.from(NAME + word));
  const termStarts = new Uint32Array(terms.length + 1);
  for (const [at, { length }] of terms.entries()) termStarts[at + 1] = (termStarts[at] as number) + length;
  return new TermDictionary({ termBytes: new Uint8Array(Buffer.concat(terms)), termStarts } as unknown as Columns);
}

test('terms are found again and again, and a bounded number of them is remembered', () => {
  const words = Array.from({ length: 10_000 }, (_, at) => String(100_000 + at));
  const dictionary = dictionaryOf(words);
  const terms = [...words, 'nowhere', '0'].map((word) => new Term(NAME, word));
  const expected = [...words.keys(), NO_TERM, NO_TERM];
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual(
      terms.map((term) => dictionary.find(term)),
      expected,
    );
  }
  // biome-ignore lint/complexity/useLiteralKeys: a private field.
  assert.ok(dictionary['found'].size <= 8192);
});
