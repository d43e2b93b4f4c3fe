import type { ProductIndex } from './product.index.ts';
import type { ProductTerms } from './product-terms.index.ts';

/** Which terms the product indexes of one request have: the same on every node, whatever else a node has loaded. */
export type TermsInIndexes = Pick<ProductTerms, 'match'> & {
  /** Whether one of the indexes has the word, in singular or plural. */
  has(word: string): boolean;
  hasAnyOf(termIds: Uint32Array): boolean;
};

/** Reads the terms of the indexes at the first question. */
export function termsInIndexes(terms: ProductTerms, indexes: readonly ProductIndex[]): TermsInIndexes {
  let marks: Uint8Array | undefined;
  const hasAnyOf = (termIds: Uint32Array): boolean => {
    marks ??= markTerms(indexes);
    for (let i = 0; i < termIds.length; i += 1) if (marks[termIds[i] as number] === 1) return true;
    return false;
  };
  return { match: terms.match, has: (word) => hasAnyOf(terms.formsOf(word)), hasAnyOf };
}

/** 1 at the number of each term that some index has. */
function markTerms(indexes: readonly ProductIndex[]): Uint8Array {
  const maxId = indexes.reduce((greatest, { termIds }) => Math.max(greatest, termIds.at(-1) ?? 0), 0);
  const marks = new Uint8Array(maxId + 1);
  for (const { termIds } of indexes) {
    for (let i = 0; i < termIds.length; i += 1) marks[termIds[i] as number] = 1;
  }
  return marks;
}
