import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { createTypoMatcher, forgivenTypos } from '../../lib/text/typo-distance.ts';
import { misspeltAmong, misspeltPatterns } from './item-words.ts';

const letter = fc.constantFrom(...'abc');
const text = (min: number, max: number) =>
  fc.array(letter, { minLength: min, maxLength: max }).map((all) => all.join(''));

/** One typo at a position: an insertion, a deletion, a substitution or an exchange of neighbours. */
const typo = fc.tuple(fc.constantFrom('insert', 'delete', 'substitute', 'exchange'), fc.nat(20), letter);

function mistype(word: string, [kind, where, other]: readonly [string, number, string]): string {
  const at = where % word.length;
  const [head, rest] = [word.slice(0, at), word.slice(at)];
  if (kind === 'insert') return head + other + rest;
  if (kind === 'delete') return head + rest.slice(1);
  if (kind === 'substitute') return head + other + rest.slice(1);
  return head + (rest[1] ?? '') + rest[0] + rest.slice(2);
}

const isLike = (spaced: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll('%', '.*')}$`).test(spaced);

test('every word that a word forgives has one of its patterns', () => {
  const { isWithinTypos } = createTypoMatcher();
  fc.assert(
    fc.property(text(4, 12), fc.array(typo, { minLength: 1, maxLength: 2 }), (word, typos) => {
      const other = typos.reduce(mistype, word);
      if (other === word || !isWithinTypos(word, other, forgivenTypos(word.length))) return;
      assert.ok(
        misspeltPatterns(word).some((pattern) => isLike(` ${other} `, pattern)),
        `${word} and ${other}`,
      );
      assert.deepEqual(misspeltAmong(word, [word, other]), [other]);
    }),
    { numRuns: runs(5000) },
  );
});

test('the patterns leave out most other words', () => {
  const names = ['garlic', 'bread', 'chicken', 'caesar', 'salad', 'mango', 'lassi', 'tikka', 'espresso', 'mushroom'];
  const shown = names.filter((name) => misspeltPatterns('margherita').some((pattern) => isLike(` ${name} `, pattern)));
  assert.deepEqual(shown, []);
});
