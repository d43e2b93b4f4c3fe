import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createVocabulary, EXACT, PREFIX } from './vocabulary.ts';

test('however words come and go, a beginning finds those that are held and no others', () => {
  const word = fc.constantFrom('a', 'ab', 'aba', 'abb', 'abc', 'aca', 'b', 'ba', 'bab');
  fc.assert(
    fc.property(fc.array(fc.record({ word, isGone: fc.boolean() }), { maxLength: 60 }), (steps) => {
      const vocabulary = createVocabulary();
      const held: string[] = [];
      for (const step of steps) {
        const at = held.indexOf(step.word);
        if (!step.isGone) {
          vocabulary.acquire(step.word);
          held.push(step.word);
        } else if (at >= 0) {
          vocabulary.release(vocabulary.idOf(step.word) as number);
          held.splice(at, 1);
        }
      }
      const words = [...new Set(held)];
      assert.equal(vocabulary.size, words.length);
      for (const prefix of ['a', 'ab', 'abc', 'ac', 'b', 'ba', 'c']) {
        const found = vocabulary.candidates(prefix, true, 0);
        const expected = words.filter((one) => one.startsWith(prefix)).map((one) => vocabulary.idOf(one));
        assert.deepEqual(new Set([...found[EXACT], ...found[PREFIX]]), new Set(expected), prefix);
      }
    }),
  );
});

test('numbers by the ten thousand that begin alike go as quickly as they came', () => {
  const vocabulary = createVocabulary();
  const ids = Array.from({ length: 100_000 }, (_, n) => vocabulary.acquire(`${10_000_000 + n}`));
  for (const id of ids) vocabulary.release(id);
  assert.equal(vocabulary.size, 0);
});
