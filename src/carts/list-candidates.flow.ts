import { type PreparedQuery, prepareReadings } from '../catalog/search/prepare-query.ts';
import type { Shelf } from '../catalog/search/product.index.ts';
import type { Lexicon } from '../catalog/search/product-terms.index.ts';
import { wordsOnShelves } from '../catalog/search/terms-in-indexes.ts';
import type { Slice } from '../lib/slice.ts';
import { createGoods, type Goods, type ShortList } from './candidates.ts';
import type { CartSeller } from './cart-offers.ts';
import { prepareLine } from './match-cart.ts';
import type { CartLine } from './parse-cart-query.ts';

/** Products that are listed for a line at a store at first: nearly always one of them is the best that can be had. */
const FIRST_LISTED = 16;
const USUALLY_LISTED = 8;
/** How many times as many, where all of them have run short. */
const LISTED_MORE = 8;
/**
 * Steps of matching lines with shelves for one cart: some 100 ms. A cart of 20 usual lines takes a tenth of them near
 * 500 stores of 400 products. Then other readings of lines that nobody answers, and lists that are used up, have as
 * many as that.
 */
const MOST = { steps: 1_000_000, moreSteps: 500_000 };

export type Stocked = { seller: CartSeller; shelf: Shelf };

/** A seller, and what answers each line on its shelf; `asked` are the products whose stock was asked for. */
export type ListedSeller = Stocked & { lists: ShortList[]; asked: Set<number> };

/** What lines are matched with: the shelves of the nearest stores, nearest first, whose words the lexicon has. */
export type Look = { lexicon: Lexicon; stocked: readonly Stocked[]; slice: Slice; most?: typeof MOST };

/** The lines as they are read, what sellers have for them, nearest first, and the steps that may still be taken. */
export type ListedGoods = { goods: Goods; queries: PreparedQuery[]; sellers: ListedSeller[]; stepsLeft: number };

/**
 * Matches each line with each shelf, once. A line that no store answers as it stands is read in other ways, until some
 * store does. Where that is too much work, stores are left out, the farthest first.
 */
export async function listGoods(lines: readonly CartLine[], look: Look): Promise<ListedGoods> {
  const { lexicon, stocked, slice, most = MOST } = look;
  const goods = createGoods(lines.length * stocked.length * USUALLY_LISTED);
  const listed: ListedGoods = { goods, queries: [], sellers: [], stepsLeft: most.steps };
  for (const line of lines) {
    listed.queries.push(prepareLine(line, lexicon));
    if (slice.isOver()) await slice.next();
  }
  for (const one of stocked) {
    if (listed.stepsLeft <= 0) break;
    const seller: ListedSeller = { ...one, lists: [], asked: new Set() };
    listed.sellers.push(seller);
    for (const line of lines.keys()) {
      listLine(listed, seller, line, FIRST_LISTED);
      if (slice.isOver()) await slice.next();
    }
  }
  listed.stepsLeft = most.moreSteps;
  const onShelves = wordsOnShelves(
    lexicon,
    listed.sellers.map(({ shelf }) => shelf),
  );
  for (const [at, line] of lines.entries()) {
    const isAnswered = listed.sellers.some(({ lists }) => (lists[at] as ShortList).numbers.length > 0);
    if (isAnswered || line.gtin !== null) continue;
    await readOtherwise(listed, at, prepareReadings(line.query, onShelves), slice);
  }
  return listed;
}

/** Takes the first of the readings that some store answers. */
async function readOtherwise(
  listed: ListedGoods,
  line: number,
  readings: readonly PreparedQuery[],
  slice: Slice,
): Promise<void> {
  const { queries, sellers } = listed;
  for (const reading of readings) {
    queries[line] = reading;
    let isAnswered = false;
    for (const [at, seller] of sellers.entries()) {
      if (listed.stepsLeft <= 0) {
        if (isAnswered) sellers.length = at;
        return;
      }
      const { numbers } = listLine(listed, seller, line, FIRST_LISTED);
      isAnswered ||= numbers.length > 0;
      if (slice.isOver()) await slice.next();
    }
    if (isAnswered) return;
  }
}

/** Lists more of what answers the line; false where it must not be looked at again. */
export function listMore(listed: ListedGoods, seller: ListedSeller, line: number): boolean {
  if (listed.stepsLeft <= 0) return false;
  listLine(listed, seller, line, LISTED_MORE * (seller.lists[line] as ShortList).numbers.length);
  return true;
}

function listLine(listed: ListedGoods, { seller, shelf, lists }: ListedSeller, line: number, most: number): ShortList {
  const query = listed.queries[line] as PreparedQuery;
  const { numbers, isWhole, steps } = listed.goods.shortList(shelf, query, seller.terms.mode, most);
  listed.stepsLeft -= steps;
  const list = { numbers, isWhole };
  lists[line] = list;
  return list;
}
