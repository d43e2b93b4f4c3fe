import { wordsOf } from '../../lib/text/normalise-text.ts';

/** A product's name as the column `search_words` has it: its words in sequence, a space around each. */
export function productWords(name: string): string {
  return ` ${wordsOf(name).join(' ')} `;
}

/** LIKE patterns, all of which a product's words must match; words are letters and digits, so no escape is needed. */
export function wordPatterns(words: readonly string[], lastIsPrefix: boolean): string[] {
  return words.map((word, at) => (lastIsPrefix && at === words.length - 1 ? `% ${word}%` : `% ${word} %`));
}
