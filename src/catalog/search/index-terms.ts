import { grownUint32 } from '../../lib/grown-arrays.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { CONTENT, STOP } from './product-words.ts';
import type { NameWord } from './word-roles.ts';

/** The distinct terms of an index that is being built, by numbers of its own from 0, and their postings. */
export type IndexTerms = {
  numberOf(word: string): number;
  /** Whether the term is a content word: neither a stop word nor a measure. */
  isContent(number: number): boolean;
  isStop(number: number): boolean;
  nameWord(number: number): NameWord;
  post(number: number, posting: number): void;
  /**
   * Sorts the terms by their numbers of `ProductTerms`; the postings of a term keep their order. `rowElements` are left
   * for rows.
   */
  finish(rowElements: number): Pick<ProductIndex, 'termCount' | 'data' | 'rowsAt'>;
};

/** Each term is added to `terms` at its first occurrence. */
export function createIndexTerms(terms: ProductTerms): IndexTerms {
  const numbers = new Map<string, number>();
  const termIds: number[] = [];
  const kinds: number[] = [];
  const nameWords: NameWord[] = [];
  const counts: number[] = [];
  const posted = createPostings();
  return {
    numberOf(word) {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const number = numbers.size;
      numbers.set(word, number);
      const termId = terms.add(word);
      termIds.push(termId);
      kinds.push(terms.kindOf(termId));
      nameWords.push(terms.nameWordOf(termId));
      counts.push(0);
      return number;
    },
    isContent: (number) => kinds[number] === CONTENT,
    isStop: (number) => kinds[number] === STOP,
    nameWord: (number) => nameWords[number] as NameWord,
    post(number, posting) {
      posted.add(number, posting);
      counts[number] = (counts[number] as number) + 1;
    },
    finish(rowElements) {
      const sorted = [...termIds.keys()].sort((a, b) => (termIds[a] as number) - (termIds[b] as number));
      const termCount = sorted.length;
      const postingsAt = 2 * termCount + 1;
      const rowsAt = postingsAt + posted.count();
      const data = new Uint32Array(rowsAt + rowElements);
      const startOf = new Uint32Array(termCount);
      let start = postingsAt;
      for (const [at, number] of sorted.entries()) {
        data[at] = termIds[number] as number;
        data[termCount + at] = start;
        startOf[number] = start;
        start += counts[number] as number;
      }
      data[2 * termCount] = start;
      posted.writeTo(data, startOf);
      return { termCount, data, rowsAt };
    },
  };
}

/** Postings in the order of their arrival, each with the number of its term. */
function createPostings() {
  let numbers = new Uint32Array(1024);
  let postings = new Uint32Array(1024);
  let count = 0;
  return {
    add(number: number, posting: number): void {
      if (count === postings.length) {
        numbers = grownUint32(numbers, count + 1);
        postings = grownUint32(postings, count + 1);
      }
      numbers[count] = number;
      postings[count] = posting;
      count += 1;
    },
    count: () => count,
    /** Writes the postings of each term one after the other from its start, and advances the starts. */
    writeTo(data: Uint32Array, startOf: Uint32Array): void {
      for (let i = 0; i < count; i += 1) {
        const number = numbers[i] as number;
        const position = startOf[number] as number;
        data[position] = postings[i] as number;
        startOf[number] = position + 1;
      }
    },
  };
}
