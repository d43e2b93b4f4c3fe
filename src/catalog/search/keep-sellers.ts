import { hasBit } from '../../lib/columns/number-sets.ts';
import type { AskedWords, KeepSellers } from '../../search/stores/find-item-sellers.flow.ts';
import { markMatches } from './mark-matches.ts';
import { createMatchMarks, type MatchMarks } from './match-marks.ts';
import { MAX_QUERY_WORDS, type QueryWord } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { isMeasure, isStopWord, MIN_UNFINISHED, productWordsOf } from './product-words.ts';
import { slotsWithAll } from './slots-with-all.ts';

type Needs = Pick<ProductIndexes, 'inMemory'> & { terms: Pick<ProductTerms, 'match' | 'indexes'> };

/**
 * Rules stores out by their products in memory. A store stays where one product has all words, in singular or plural, by
 * its name and its size, in any mode: what it sells now is for the caller to read.
 */
export function createKeepSellers({ inMemory, terms }: Needs): KeepSellers {
  const marks = createMatchMarks();
  return (storeIds, asked) => {
    // The numbers of terms hold until the next change of an index, so words are looked up for each call.
    const words = wordsIn(asked, terms);
    const slots = slotsWithAll(terms.indexes, words);
    if (slots === null) return [...storeIds];
    return storeIds.filter((storeId) => {
      const index = inMemory(storeId);
      if (index === undefined) return true;
      return hasBit(slots, index.slot) && hasProductWith(marks, index, words);
    });
  };
}

/** The parts of the words that the product indexes tell apart, with the terms that match each. */
function wordsIn(asked: AskedWords, { match }: Needs['terms']): QueryWord[] {
  return asked.words.flatMap((word, nth) => partsOf(word, nth, asked, match)).slice(0, MAX_QUERY_WORDS);
}

function partsOf(
  word: string,
  nth: number,
  { words, isUnfinished, forgivesTypos }: AskedWords,
  match: ProductTerms['match'],
): QueryWord[] {
  const parts = productWordsOf(word);
  // A typo may stand between letters and digits, which are two terms.
  if (forgivesTypos && parts.length > 1) return [];
  const maxTypos = forgivesTypos ? undefined : 0;
  return parts.flatMap((part, at) => {
    const mayGoOn = isUnfinished && nth === words.length - 1 && at === parts.length - 1;
    // Amounts and units match as they are typed alone.
    const isLoose = (mayGoOn && part.length < MIN_UNFINISHED) || ((mayGoOn || forgivesTypos) && isMeasure(part));
    const isLookedFor = !isStopWord(part) && !isLoose;
    return isLookedFor ? [{ ...match(part, mayGoOn, maxTypos), isMeasure: false }] : [];
  });
}

function hasProductWith(marks: MatchMarks, index: ProductIndex, words: readonly QueryWord[]): boolean {
  const all = 2 ** words.length - 1;
  const { products, positions, count } = markMatches(marks, index, { words, head: -1, required: all });
  for (let at = 0; at < count; at += 1) if (products.matched[positions[at] as number] === all) return true;
  return false;
}
