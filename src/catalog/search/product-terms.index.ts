import { grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists } from '../../lib/columns/int-lists.ts';
import { createTermDictionary, PREFIX, TYPO } from '../../lib/text/term-dictionary.ts';
import { isMeasure, stemOf } from './product-words.ts';
import { type Answers, EXACT, MISSPELT, PLURAL, UNFINISHED } from './term-matches.ts';

/**
 * The words of all shelves of this process, each with one number for as long as some shelf holds it. A number stands
 * for its word while the caller has a shelf with that word.
 */
export type Lexicon = {
  acquire(word: string): number;
  release(wordId: number): void;
  /** `typos` are forgiven; as many as the word's length allows where it is left out. */
  answersTo(word: string, mayBeUnfinished: boolean, typos?: number): Answers;
  /** Numbers of the word and of its other number, singular or plural, as far as some shelf has them. */
  formsOf(word: string): Uint32Array;
  /** Words held, and what they have in common with their plurals. */
  readonly size: number;
};

/** No word has this number. */
const NONE = 0;

/** Shorter beginnings would answer nearly anything. */
const LEAST_UNFINISHED = 2;

export function createLexicon(): Lexicon {
  /** Words and stems alike: a stem that no product has as a word is held by the words that come from it. */
  const terms = createTermDictionary();
  const wordsOfStem = createIntLists();
  let stems = new Uint32Array(1024);
  let holders = new Uint32Array(1024);

  function acquire(word: string): number {
    const id = terms.acquire(word);
    if (id >= stems.length) {
      stems = grownUint32(stems, id + 1);
      holders = grownUint32(holders, id + 1);
    }
    holders[id] = (holders[id] as number) + 1;
    if (holders[id] === 1) {
      const stem = terms.acquire(stemOf(word));
      stems[id] = stem;
      wordsOfStem.add(stem, id);
    }
    return id;
  }

  function release(wordId: number): void {
    const left = (holders[wordId] as number) - 1;
    holders[wordId] = left;
    if (left === 0) {
      const stem = stems[wordId] as number;
      wordsOfStem.remove(stem, wordId);
      terms.release(stem);
    }
    terms.release(wordId);
  }

  function answersTo(word: string, mayBeUnfinished: boolean, typos?: number): Answers {
    const grades = new Map<number, number>();
    const offer = (wordIds: Iterable<number>, grade: number): void => {
      for (const id of wordIds) if (isHeld(id) && grade < (grades.get(id) ?? Infinity)) grades.set(id, grade);
    };
    const stem = stemOf(word);
    offer([terms.idOf(word) ?? NONE], EXACT);
    if (isMeasure(word)) {
      // A unit is the same by any of its names, and a number is no other number.
      offer(wordsOf(terms.idOf(stem)), EXACT);
    } else {
      offer(wordsOf(terms.idOf(stem)), PLURAL);
      const near = terms.match(word, mayBeUnfinished && word.length >= LEAST_UNFINISHED, typos);
      offer(near[PREFIX], UNFINISHED);
      offer(near[TYPO], MISSPELT);
      for (const id of terms.match(stem, false, typos)[TYPO]) offer(wordsOf(id), MISSPELT);
    }
    const wordIds = Uint32Array.from(grades.keys()).sort();
    return { wordIds, grades: Uint8Array.from(wordIds, (id) => grades.get(id) as number) };
  }

  /** Not only as a stem of others. */
  function isHeld(wordId: number): boolean {
    return wordId < holders.length && (holders[wordId] as number) > 0;
  }

  function wordsOf(stemId = NONE): Uint32Array {
    const start = wordsOfStem.starts[stemId] ?? 0;
    return wordsOfStem.data.subarray(start, start + (wordsOfStem.counts[stemId] ?? 0));
  }

  return {
    acquire,
    release,
    answersTo,
    formsOf: (word) => wordsOf(terms.idOf(stemOf(word))),
    get size() {
      return terms.size;
    },
  };
}
