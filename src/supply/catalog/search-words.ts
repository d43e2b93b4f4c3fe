import { splitWords } from '../../platform/lib/text/normalize-text.ts';

/** A product's name as the column `search_words` has it: its words in sequence, a space around each. */
export function searchWordsOf(name: string): string {
  return ` ${splitWords(name).join(' ')} `;
}

/** LIKE patterns, all of which `search_words` must match; words are letters and digits, so no escape is needed. */
export function wordPatterns(words: readonly string[]): string[] {
  return words.map((word, at) => (at === words.length - 1 ? `% ${word}%` : `% ${word} %`));
}
