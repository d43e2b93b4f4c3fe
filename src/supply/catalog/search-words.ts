import { splitWords } from 'doorstep/search-engine/text';

/** A product's name for the column `search_words`: its words in order, with spaces around each. */
export function searchWordsOf(name: string): string {
  return ` ${splitWords(name).join(' ')} `;
}

/** LIKE patterns that `search_words` must all match. Words have only letters and digits, so none needs escaping. */
export function wordPatterns(words: readonly string[]): string[] {
  return words.map((word, at) => (at === words.length - 1 ? `% ${word}%` : `% ${word} %`));
}
