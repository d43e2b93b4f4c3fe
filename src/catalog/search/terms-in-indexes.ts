import { bitsOfNumbers, haveCommonBit } from '../../lib/columns/number-sets.ts';
import type { SlotBits } from './indexes-by-term.index.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductTerms } from './product-terms.index.ts';
import type { TermMatches } from './term-matches.ts';

/** The terms that the product indexes of one request have: the same on every node, whatever else a node has loaded. */
export type TermsInIndexes = Pick<ProductTerms, 'match' | 'indexes'> & {
  /** Whether one of the indexes has the word, in singular or plural. */
  has(word: string): boolean;
  /** Whether one of the indexes is among the slots. */
  hasAnyOf(slots: SlotBits): boolean;
};

export function termsInIndexes(
  terms: ProductTerms,
  productIndexes: readonly Pick<ProductIndex, 'slot'>[],
): TermsInIndexes {
  const { match, formsOf, indexes } = terms;
  const own = bitsOfNumbers(productIndexes.map(({ slot }) => slot));
  const isOwn = (termId: number): boolean => indexes.isAmong(own, termId);
  return {
    match: (...searched) => keptOf(match(...searched), isOwn),
    indexes,
    has: (word) => formsOf(word).some(isOwn),
    hasAnyOf: (slots) => haveCommonBit(slots, own),
  };
}

function keptOf({ termIds, grades }: TermMatches, isKept: (termId: number) => boolean): TermMatches {
  const kept = [...termIds.keys()].filter((at) => isKept(termIds[at] as number));
  return {
    termIds: Uint32Array.from(kept, (at) => termIds[at] as number),
    grades: Uint8Array.from(kept, (at) => grades[at] as number),
  };
}
