import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { isCode, readCode } from './promotion-code.ts';

const codes = fc.stringMatching(/^[A-Z0-9-]{4,32}$/);
const DASHES = ['-', '‐', '‑', '‒', '–', '—', '―', '−', '﹣', '-'];
const UNSEEN = [
  '',
  ' ',
  '\t',
  '\n',
  '\u00A0',
  '\u2007',
  '\u202F',
  '\u3000',
  '\u200B',
  '\u200D',
  '\u2060',
  '\uFEFF',
  '\u200E',
  '\uFE0F',
  '\u00AD',
];

/** A way to write one character of a code. */
const written = (character: string) =>
  fc.record({
    letter: character === '-' ? fc.constantFrom(...DASHES) : fc.constantFrom(...formsOf(character)),
    before: fc.constantFrom(...UNSEEN),
  });
const formsOf = (character: string) => {
  const fullWidth = String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0);
  return [character, character.toLowerCase(), fullWidth, fullWidth.toLowerCase()];
};

test('a code is the same code, however it is pasted', () => {
  const pasted = codes.chain((code) => fc.tuple(fc.constant(code), fc.tuple(...[...code].map(written))));
  const property = fc.property(pasted, ([code, characters]) => {
    const typed = characters.map(({ letter, before }) => before + letter).join('');
    assert.equal(readCode(typed), code);
    assert.equal(readCode(readCode(typed)), code);
  });
  fc.assert(property, { numRuns: runs(20_000, 1000) });
});

test('text of other characters is no code', () => {
  for (const typed of ['', 'ABC', 'WELCOME_5', 'ÉTÉ-2026', '🍕🍕🍕🍕', 'A'.repeat(33), 'WELCOME/5'])
    assert.equal(isCode(typed), false, typed);
});
