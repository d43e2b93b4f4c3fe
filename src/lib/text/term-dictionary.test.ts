import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance } from '../../../test/oracles/store-search.ts';
import { createTermDictionary, EXACT, PREFIX, TYPO } from './term-dictionary.ts';

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
        // Asked between two changes: the answer must not be remembered beyond the next change.
        assertStarting(terms, held, 'ab');
      }
      assert.equal(terms.size, new Set(held).size);
      for (const prefix of ['a', 'ab', 'abc', 'ac', 'b', 'ba', 'c', 'ab']) assertStarting(terms, held, prefix);
    }),
  );
});

function assertStarting(terms: ReturnType<typeof createTermDictionary>, held: readonly string[], prefix: string): void {
  const found = terms.match(prefix, true, 0);
  const expected = held.filter((one) => one.startsWith(prefix)).map((one) => terms.idOf(one));
  assert.deepEqual(new Set([...found[EXACT], ...found[PREFIX]]), new Set(expected), prefix);
}

test('numbers by the ten thousand that begin alike go as quickly as they came', () => {
  const terms = createTermDictionary();
  const ids = Array.from({ length: 100_000 }, (_, n) => terms.acquire(`${10_000_000 + n}`));
  for (const id of ids) terms.release(id);
  assert.equal(terms.size, 0);
});

test('however words come and go, a misspelt word finds exactly the held words within its typos', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', 'é'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ word, isGone: fc.boolean() }), { maxLength: 60 }),
      fc.array(fc.record({ wanted: word, maxTypos: fc.constantFrom(0, 1, 2) }), { minLength: 1, maxLength: 6 }),
      (steps, questions) => {
        const terms = createTermDictionary();
        const held = new Map<string, number>();
        for (const { word: term, isGone } of steps) {
          const count = held.get(term) ?? 0;
          if (!isGone) {
            terms.acquire(term);
            held.set(term, count + 1);
          } else if (count > 0) {
            terms.release(terms.idOf(term) as number);
            if (count === 1) held.delete(term);
            else held.set(term, count - 1);
          }
          // Asked between two changes: the answer must not be remembered beyond the next change.
          for (const { wanted, maxTypos } of questions.slice(0, 1)) assertTypos(terms, held, wanted, maxTypos);
        }
        for (const { wanted, maxTypos } of [...questions, ...questions]) assertTypos(terms, held, wanted, maxTypos);
      },
    ),
  );
});

function assertTypos(
  terms: ReturnType<typeof createTermDictionary>,
  held: ReadonlyMap<string, number>,
  wanted: string,
  maxTypos: number,
): void {
  const found = terms.match(wanted, false, maxTypos)[TYPO];
  const expected = [...held.keys()].filter(
    (term) => maxTypos > 0 && term !== wanted && editDistance(term, wanted) <= maxTypos,
  );
  assert.deepEqual(
    [...found].sort((a, b) => a - b),
    expected.map((term) => terms.idOf(term) as number).sort((a, b) => a - b),
    `${wanted} with ${maxTypos} typos`,
  );
}
