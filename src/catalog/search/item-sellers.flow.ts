import { isSliceOver, nextSlice } from '../../load/event-loop-scheduler.ts';
import type { AskedItem, GradeSellers, ItemGrade } from '../../search/stores/find-item-sellers.flow.ts';
import { withProductIndexes } from './find-products.flow.ts';
import { createMatchMarks, type MatchMarks, markMatches } from './mark-matches.ts';
import { type PreparedQuery, queryWordsOf, type SearchedTerms } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';
import { modeOf, type RequestedMode, ROW_FACTS, requestedModeOf, rowOf } from './product-layout.ts';
import { createSearchLimit } from './search-limits.ts';

/** Item searches of one account that wait or run in a process. */
const MAX_ADMITTED = 64;

/**
 * Item search by product indexes: what store search asks with `search_focus=item`. A hundred stores are one search of the
 * limit. Refuses with rate_limited.
 */
export function createGradeSellers(productIndexes: Pick<ProductIndexes, 'of'>): GradeSellers {
  const limiter = createSearchLimit(MAX_ADMITTED);
  const marks = createMatchMarks();
  const grade: GradeSellers = async (storeIds, asked, { owner, maxProducts, mayEvict }) => {
    const sellers = storeIds.map((storeId) => ({ storeId }));
    const indexed = await withProductIndexes({ productIndexes, owner, mayEvict }, sellers, maxProducts);
    const grades = new Map<string, ItemGrade>();
    let products = 0;
    const [first] = indexed;
    const item = first && prepareItem(asked, first.productIndex.terms);
    for (const { storeId, productIndex } of indexed) {
      const grade = item ? gradeOf(marks, productIndex, item, requestedModeOf(asked.pickup)) : null;
      if (grade !== null) grades.set(storeId, grade);
      products += productIndex.productCount;
      if (isSliceOver()) await nextSlice();
    }
    return { looked: indexed.length, products, grades };
  };
  return (storeIds, asked, bounds) => limiter.run(bounds.owner, () => grade(storeIds, asked, bounds));
}

type PreparedItem = Pick<PreparedQuery, 'words' | 'head' | 'required'>;

/** All words are required, sizes too, and none of them names the product more than the others. */
function prepareItem({ text, isUnfinished, forgivesTypos }: AskedItem, terms: SearchedTerms): PreparedItem {
  const typed = queryWordsOf(text);
  const words = typed.map((word, at) => ({
    ...terms.match(word, isUnfinished && at === typed.length - 1, forgivesTypos ? undefined : 0),
    isMeasure: false,
  }));
  return { words, head: -1, required: 2 ** words.length - 1 };
}

/** The best grade of a product that is sold in the mode and has all words in its name; null where none has. */
function gradeOf(marks: MatchMarks, index: ProductIndex, item: PreparedItem, mode: RequestedMode): ItemGrade | null {
  const { products, positions, count } = markMatches(marks, index, item);
  let best: ItemGrade | null = null;
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number;
    if (products.nameWords[position] !== item.words.length) continue;
    if (modeOf(index.data[rowOf(index, position) + ROW_FACTS] as number, mode) === undefined) continue;
    if (products.misspelt[position] !== 0) best ??= 'misspelt';
    else if (products.unfinished[position] !== 0) best = 'unfinished';
    else return 'exact';
  }
  return best;
}
