import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTermDictionary, EXACT, PREFIX } from './term-dictionary.ts';

test('however words come and go, a beginning finds those that are held and no others', () => {
  const word = fc.constantFrom('a', 'ab', 'aba', 'abb', 'abc', 'aca', 'b', 'ba', 'bab');
  fc.assert(
    fc.property(fc.array(fc.record({ word, isGone: fc.boolean() }), { maxLength: 60 }), (steps) => {
      const terms = createTermDictionary();
      const held: string[] = [];
      for (const step of steps) {
        const at = held.indexOf(step.word);
        if (!step.isGone) {
          terms.acquire(step.word);
          held.push(step.word);
        } else if (at >= 0) {
          terms.release(terms.idOf(step.word) as number);
          held.splice(at, 1);
        }
      }
      const words = [...new Set(held)];
      assert.equal(terms.size, words.length);
      for (const prefix of ['a', 'ab', 'abc', 'ac', 'b', 'ba', 'c']) {
        const found = terms.match(prefix, true, 0);
        const expected = words.filter((one) => one.startsWith(prefix)).map((one) => terms.idOf(one));
        assert.deepEqual(new Set([...found[EXACT], ...found[PREFIX]]), new Set(expected), prefix);
      }
    }),
  );
});

test('numbers by the ten thousand that begin alike go as quickly as they came', () => {
  const terms = createTermDictionary();
  const ids = Array.from({ length: 100_000 }, (_, n) => terms.acquire(`${10_000_000 + n}`));
  for (const id of ids) terms.release(id);
  assert.equal(terms.size, 0);
});
