import type { Shelf } from './product.index.ts';
import type { Lexicon } from './product-terms.index.ts';

/** The words that some of these shelves have, whatever others are loaded: every node knows the same. */
export type WordsOnShelves = Pick<Lexicon, 'answersTo'> & {
  /** Whether one of the shelves has the word, in singular or plural. */
  knows(word: string): boolean;
  hasOneOf(wordIds: Uint32Array): boolean;
};

/** Looks through the shelves when it is first asked. */
export function wordsOnShelves(lexicon: Lexicon, shelves: readonly Shelf[]): WordsOnShelves {
  let marks: Uint8Array | undefined;
  const hasOneOf = (wordIds: Uint32Array): boolean => {
    marks ??= markWords(shelves);
    for (let i = 0; i < wordIds.length; i += 1) if (marks[wordIds[i] as number] === 1) return true;
    return false;
  };
  return { answersTo: lexicon.answersTo, knows: (word) => hasOneOf(lexicon.formsOf(word)), hasOneOf };
}

/** 1 at the number of each word that a shelf has. */
function markWords(shelves: readonly Shelf[]): Uint8Array {
  const most = shelves.reduce((greatest, { wordIds }) => Math.max(greatest, wordIds.at(-1) ?? 0), 0);
  const marks = new Uint8Array(most + 1);
  for (const { wordIds } of shelves) {
    for (let i = 0; i < wordIds.length; i += 1) marks[wordIds[i] as number] = 1;
  }
  return marks;
}
