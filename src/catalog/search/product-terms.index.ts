import { grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists } from '../../lib/columns/int-lists.ts';
import { createTermDictionary, PREFIX, TYPO } from '../../lib/text/term-dictionary.ts';
import { isMeasure, stemOf } from './product-words.ts';
import { EXACT, MISSPELT, PLURAL, type TermMatches, UNFINISHED } from './term-matches.ts';

/**
 * The terms of all product indexes of this process. A number stands for its term while some product index holds the
 * term: a caller may use the numbers of an index for as long as it has the index.
 */
export type ProductTerms = {
  acquire(term: string): number;
  release(termId: number): void;
  /** Terms that match a word. `maxTypos` are forgiven; without it, as many as the word's length allows. */
  match(word: string, mayBeUnfinished: boolean, maxTypos?: number): TermMatches;
  /** Numbers of the terms that are the word in singular or plural. */
  formsOf(word: string): Uint32Array;
  /** Terms held, and stems of terms. */
  readonly size: number;
};

/** No term has this number. */
const NONE = 0;

/** A shorter prefix would match nearly every term. */
const MIN_UNFINISHED = 2;

export function createProductTerms(): ProductTerms {
  /** Terms and stems alike: the terms of a stem hold it, so it may be no term itself. */
  const dictionary = createTermDictionary();
  const termsOfStem = createIntLists();
  let stems = new Uint32Array(1024);
  let holders = new Uint32Array(1024);

  function acquire(term: string): number {
    const id = dictionary.acquire(term);
    if (id >= stems.length) {
      stems = grownUint32(stems, id + 1);
      holders = grownUint32(holders, id + 1);
    }
    holders[id] = (holders[id] as number) + 1;
    if (holders[id] === 1) {
      const stem = dictionary.acquire(stemOf(term));
      stems[id] = stem;
      termsOfStem.add(stem, id);
    }
    return id;
  }

  function release(termId: number): void {
    const left = (holders[termId] as number) - 1;
    holders[termId] = left;
    if (left === 0) {
      const stem = stems[termId] as number;
      termsOfStem.remove(stem, termId);
      dictionary.release(stem);
    }
    dictionary.release(termId);
  }

  function match(word: string, mayBeUnfinished: boolean, maxTypos?: number): TermMatches {
    const grades = new Map<number, number>();
    const offer = (termIds: Iterable<number>, grade: number): void => {
      for (const id of termIds) if (isTerm(id) && grade < (grades.get(id) ?? Infinity)) grades.set(id, grade);
    };
    const stem = stemOf(word);
    offer([dictionary.idOf(word) ?? NONE], EXACT);
    if (isMeasure(word)) {
      // All names of a unit are equal, and no number is a typo of another number.
      offer(termsOf(dictionary.idOf(stem)), EXACT);
    } else {
      offer(termsOf(dictionary.idOf(stem)), PLURAL);
      const near = dictionary.match(word, mayBeUnfinished && word.length >= MIN_UNFINISHED, maxTypos);
      offer(near[PREFIX], UNFINISHED);
      offer(near[TYPO], MISSPELT);
      for (const id of dictionary.match(stem, false, maxTypos)[TYPO]) offer(termsOf(id), MISSPELT);
    }
    const termIds = Uint32Array.from(grades.keys()).sort();
    return { termIds, grades: Uint8Array.from(termIds, (id) => grades.get(id) as number) };
  }

  /** False for a number that is only the stem of terms. */
  function isTerm(id: number): boolean {
    return id < holders.length && (holders[id] as number) > 0;
  }

  function termsOf(stemId = NONE): Uint32Array {
    const start = termsOfStem.starts[stemId] ?? 0;
    return termsOfStem.data.subarray(start, start + (termsOfStem.counts[stemId] ?? 0));
  }

  return {
    acquire,
    release,
    match,
    formsOf: (word) => termsOf(dictionary.idOf(stemOf(word))),
    get size() {
      return dictionary.size;
    },
  };
}
