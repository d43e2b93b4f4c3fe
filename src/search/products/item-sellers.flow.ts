import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import type {
  GradedSellers,
  GradeSellers,
  ItemGrade,
  ItemNameQuery,
  ItemSearches,
} from '../stores/find-item-sellers.flow.ts';
import { withProductIndexes } from './find-products.flow.ts';
import { MatchMarks, markMatches } from './mark-matches.ts';
import { joinedStopWords, type PreparedQuery, queryWordsOf } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';
import { type RequestedMode, ROW_FACTS, requestedModeOf, rowStart, soldMode } from './product-layout.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { MIN_UNFINISHED } from './product-words.ts';
import { createAdmission, createSearchLimit } from './search-limits.ts';

/** Maximum item searches per account and process. */
const MAX_SEARCHES_PER_ACCOUNT = 64;

type Prepare = (query: ItemNameQuery, terms: ProductTerms) => readonly PreparedItem[];

/**
 * Item searches by product indexes, for store search with `search_focus=item`. A search may cover thousands of stores,
 * so it is rescheduled before each batch.
 */
export class ProductItemSearches implements ItemSearches {
  private readonly productIndexes: Pick<ProductIndexes, 'of' | 'findTerms'>;
  private readonly marks = new MatchMarks();
  private readonly admission = createAdmission(MAX_SEARCHES_PER_ACCOUNT);
  private readonly turns = createSearchLimit(Infinity);

  constructor(productIndexes: Pick<ProductIndexes, 'of' | 'findTerms'>) {
    this.productIndexes = productIndexes;
  }

  run<Found>(owner: string, search: (gradeSellers: GradeSellers) => Promise<Found>): Promise<Found> {
    const prepare = cachePrepared();
    const grade: GradeSellers = (...batch) => this.turns.run(owner, () => this.grade(owner, prepare, ...batch));
    return this.admission.run(owner, () => search(grade));
  }

  private async grade(
    owner: string,
    prepare: Prepare,
    ...[storeIds, query, maxProducts]: Parameters<GradeSellers>
  ): Promise<GradedSellers> {
    const { productIndexes, marks } = this;
    const known = await productIndexes.findTerms(storeIds);
    if (known !== undefined && prepare(query, known).every(lacksTerm)) {
      return { examined: storeIds.length, products: 0, grades: new Map() };
    }
    const sellers = storeIds.map((storeId) => ({ storeId }));
    const indexed = await withProductIndexes({ productIndexes, owner }, sellers, maxProducts);
    const grades = new Map<string, ItemGrade>();
    const [first] = indexed;
    if (!first) return { examined: 0, products: 0, grades };
    const items = prepare(query, first.productIndex.terms);
    const mode = requestedModeOf(query.pickup);
    let products = 0;
    for (const { storeId, productIndex } of indexed) {
      const found = items.map((item) => bestGrade(marks, productIndex, item, mode));
      const grade = GRADES.find((one) => found.includes(one));
      if (grade !== undefined) grades.set(storeId, grade);
      products += productIndex.productCount;
      if (isSliceOver()) await nextSlice();
    }
    return { examined: indexed.length, products, grades };
  }
}

type PreparedItem = Pick<PreparedQuery, 'words' | 'head' | 'required' | 'bound'>;

const GRADES: readonly ItemGrade[] = ['exact', 'unfinished', 'misspelled'];

/** Whether no store sells the item, because no product has one of its words. */
const lacksTerm = ({ words }: PreparedItem): boolean => words.some(({ termIds }) => termIds.length === 0);

/** Prepares the query once per grade, and again if a batch added terms. */
function cachePrepared(): Prepare {
  let last: { terms: ProductTerms; key: string; items: readonly PreparedItem[] } | undefined;
  return (query, terms) => {
    const key = JSON.stringify([query, terms.termCount]);
    if (last?.terms !== terms || last.key !== key) last = { terms, key, items: prepareItems(query, terms) };
    return last.items;
  };
}

/** Reads the text with a stop word joined, too. */
function prepareItems(query: ItemNameQuery, terms: ProductTerms): PreparedItem[] {
  const joined = joinedStopWords(query.text, (word) => terms.formsOf(word).length > 0);
  return [queryWordsOf(query.text), ...joined].map((typed) => prepareItem(typed, query, terms));
}

/** Requires all words, including sizes; no word is the head. */
function prepareItem(typed: readonly string[], { isUnfinished, forgivesTypos }: ItemNameQuery, terms: ProductTerms) {
  const words = typed.map((word, at) => {
    const mayBeUnfinished = isUnfinished && at === typed.length - 1 && word.length >= MIN_UNFINISHED;
    return { ...terms.match(word, mayBeUnfinished, forgivesTypos ? undefined : 0), isMeasure: false };
  });
  return { words, head: -1, required: 2 ** words.length - 1, bound: 0 };
}

/** Returns the best grade of a product that is sold in the mode and whose name has all words; null without one. */
function bestGrade(marks: MatchMarks, index: ProductIndex, item: PreparedItem, mode: RequestedMode): ItemGrade | null {
  const { products, positions, count } = markMatches(marks, index, item);
  let best: ItemGrade | null = null;
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number;
    if (products.nameWords[position] !== item.words.length) continue;
    if (soldMode(index.data[rowStart(index, position) + ROW_FACTS] as number, mode) === undefined) continue;
    if (products.misspelled[position] !== 0) best ??= 'misspelled';
    else if (products.unfinished[position] !== 0) best = 'unfinished';
    else return 'exact';
  }
  return best;
}
