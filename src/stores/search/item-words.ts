import { wordsOf } from '../../lib/text/normalise-text.ts';

/** A product's name as the column `search_words` keeps it: its words in their order, a space around each. */
export function productWords(name: string): string {
  return ` ${wordsOf(name).join(' ')} `;
}

/** LIKE patterns that a product's words match all of; words are letters and digits, so nothing needs an escape. */
export function wordPatterns(words: readonly string[], lastIsPrefix: boolean): string[] {
  return words.map((word, at) => (lastIsPrefix && at === words.length - 1 ? `% ${word}%` : `% ${word} %`));
}
