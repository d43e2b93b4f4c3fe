import { wordsOf } from '../../lib/text/normalise-text.ts';
import { createTypoMatcher, forgivenTypos } from '../../lib/text/typo-distance.ts';

/** A product's name as the column `search_words` has it: its words in sequence, a space around each. */
export function productWords(name: string): string {
  return ` ${wordsOf(name).join(' ')} `;
}

/** LIKE patterns, all of which a product's words must match; words are letters and digits, so no escape is needed. */
export function wordPatterns(words: readonly string[], lastIsPrefix: boolean): string[] {
  return words.map((word, at) => (lastIsPrefix && at === words.length - 1 ? `% ${word}%` : `% ${word} %`));
}

/** Bound on the spellings of one word that are looked for: the names near one place have a handful. */
const MAX_SPELLINGS = 100;

/** The words that forgive a typo. */
export function forgivingWords(words: readonly string[]): string[] {
  return [...new Set(words.filter((word) => forgivenTypos(word.length) > 0))];
}

/**
 * Patterns of single words (a space around each), one of which every word has that a word forgives as misspelt: of its
 * parts, one more than the forgiven typos, one stays as it is. Two neighbouring letters that changed places across the
 * end of a part break both parts, so a word with these letters exchanged counts too.
 */
export function misspeltPatterns(word: string): string[] {
  const half = Math.ceil(word.length / 2);
  if (forgivenTypos(word.length) === 1)
    return [` ${word.slice(0, half)}%`, `%${word.slice(half)} `, ` ${exchanged(word, half)} `];
  const third = Math.ceil(word.length / 3);
  const last = 2 * third;
  return [
    ` ${word.slice(0, third)}%`,
    `%${word.slice(third, last)}%`,
    `%${word.slice(last)} `,
    ` ${exchanged(word, third).slice(0, third)}%`,
    `%${exchanged(word, last).slice(last)} `,
  ];
}

/** The word with the letters on both sides of a position in each other's place. */
function exchanged(word: string, at: number): string {
  return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
}

/** Of these words the other spellings of a word, by as many typos as the word forgives; at most `MAX_SPELLINGS`. */
export function misspeltAmong(word: string, known: readonly string[]): string[] {
  const { isWithinTypos } = createTypoMatcher();
  const typos = forgivenTypos(word.length);
  return known.filter((other) => other !== word && isWithinTypos(word, other, typos)).slice(0, MAX_SPELLINGS);
}
