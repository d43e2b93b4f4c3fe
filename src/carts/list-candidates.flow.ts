import { NO_CLAIMS } from '../catalog/food.ts';
import type { IndexedSeller } from '../catalog/search/find-products.flow.ts';
import { createMatchMarks } from '../catalog/search/match-marks.ts';
import { visitMatches } from '../catalog/search/match-products.ts';
import { type PreparedQuery, prepareRewrites } from '../catalog/search/prepare-query.ts';
import type { ProductIndex } from '../catalog/search/product.index.ts';
import type { ProductTerms } from '../catalog/search/product-terms.index.ts';
import { termsInIndexes } from '../catalog/search/terms-in-indexes.ts';
import { grownFloat64, grownUint8, grownUint16, grownUint32 } from '../lib/columns/grow.ts';
import { isSliceOver, nextSlice } from '../load/event-loop-scheduler.ts';
import type { Mode } from '../stores/store.ts';
import type { CartSeller } from './cart-offers.ts';
import type { CandidateReader } from './choose-products.ts';
import { type LiveProduct, lineQualityOf, prepareLine } from './match-cart.ts';
import type { CartLine } from './parse-cart-query.ts';

/** First length of a list: nearly always one of so many candidates is the best with enough stock. */
const FIRST_LENGTH = 16;
const USUAL_LENGTH = 8;
/** A list whose candidates all run short becomes so many times as long. */
const LENGTH_FACTOR = 8;
/**
 * Steps of matching the lines of one cart with product indexes: some 100 ms. A cart of 20 usual lines takes a tenth of
 * them near 500 stores of 400 products. Rewrites of unmatched lines and longer lists have `moreSteps`.
 */
const MAX_STEPS = { steps: 1_000_000, moreSteps: 500_000 };

/** A store that takes orders, with its product index. */
export type StockedSeller = IndexedSeller<CartSeller>;

/** A line of the cart with its query as it was matched, and its lists by seller, nearest first. */
type ListedLine = CartLine & { prepared: PreparedQuery; lists: LineList[] };

/** The candidates of one line at one seller. */
export type LineList = CandidateList & { readonly line: ListedLine; readonly seller: StockedSeller };

/** A seller with its candidates for each line, and the products whose stock was read. */
export type ListedSeller = StockedSeller & { lists: LineList[]; stockRead: ReadonlySet<number> };

/** What lines are matched with: the sellers with their product indexes, nearest first, and the terms of all indexes. */
export type ListingInputs = {
  terms: ProductTerms;
  sellers: readonly StockedSeller[];
  /** What the food of every product must state, by the bits of `foodClaims`. */
  claims?: number;
  max?: typeof MAX_STEPS;
};

/** The candidates of all sellers, nearest first, and the steps that may still be taken. */
export type ListedCandidates = { candidates: Candidates; sellers: ListedSeller[]; stepsLeft: number };

/**
 * Matches each line with each product index, once. Tries rewrites of a line that no store matches, until one of them is
 * matched. Where that is too much work, stores are left out, the farthest first.
 */
export async function listCandidates(
  cartLines: readonly CartLine[],
  { terms, sellers, claims = NO_CLAIMS, max = MAX_STEPS }: ListingInputs,
): Promise<ListedCandidates> {
  const candidates = createCandidates(cartLines.length * sellers.length * USUAL_LENGTH);
  const listed: ListedCandidates = { candidates, sellers: [], stepsLeft: max.steps };
  const inIndexes = termsInIndexes(terms, indexesOf(sellers));
  const lines: ListedLine[] = [];
  for (const line of cartLines) {
    lines.push({ ...line, prepared: prepareLine(line, inIndexes, claims), lists: [] });
    if (isSliceOver()) await nextSlice();
  }
  for (const seller of sellers) {
    if (listed.stepsLeft <= 0) break;
    await listSeller(listed, lines, seller);
  }
  const isWhole = listed.sellers.length === sellers.length;
  const inListed = isWhole ? inIndexes : termsInIndexes(terms, indexesOf(listed.sellers));
  listed.stepsLeft = max.moreSteps;
  for (const line of lines) {
    const isMatched = line.lists.some(({ ids }) => ids.length > 0);
    if (isMatched || line.gtin !== null) continue;
    await tryRewrites(listed, line, prepareRewrites(line.query, inListed, null, claims));
  }
  return listed;
}

const indexesOf = (sellers: readonly StockedSeller[]) => sellers.map(({ productIndex }) => productIndex);

const NOTHING_READ: ReadonlySet<number> = new Set();

async function listSeller(
  listed: ListedCandidates,
  lines: readonly ListedLine[],
  seller: StockedSeller,
): Promise<void> {
  const lists: LineList[] = [];
  listed.sellers.push({ ...seller, lists, stockRead: NOTHING_READ });
  for (const line of lines) {
    const list: LineList = { line, seller, ids: [], isComplete: false };
    lists.push(list);
    line.lists.push(list);
    fill(listed, list, FIRST_LENGTH);
    if (isSliceOver()) await nextSlice();
  }
}

/** Takes the first rewrite that some store matches. */
async function tryRewrites(
  listed: ListedCandidates,
  line: ListedLine,
  rewrites: readonly PreparedQuery[],
): Promise<void> {
  for (const rewrite of rewrites) {
    line.prepared = rewrite;
    let isMatched = false;
    for (const [at, list] of line.lists.entries()) {
      if (listed.stepsLeft <= 0) {
        if (isMatched) listed.sellers.length = at;
        return;
      }
      fill(listed, list, FIRST_LENGTH);
      isMatched ||= list.ids.length > 0;
      if (isSliceOver()) await nextSlice();
    }
    if (isMatched) return;
  }
}

/** Makes a list longer; false where no steps are left for it. */
export function listMore(listed: ListedCandidates, list: LineList): boolean {
  if (listed.stepsLeft <= 0) return false;
  fill(listed, list, LENGTH_FACTOR * list.ids.length);
  return true;
}

function fill(listed: ListedCandidates, list: LineList, limit: number): void {
  const { productIndex, terms } = list.seller;
  const found = listed.candidates.list(productIndex, list.line.prepared, terms.mode, limit);
  listed.stepsLeft -= found.steps;
  list.ids = found.ids;
  list.isComplete = found.isComplete;
}

/**
 * The best candidates of one line at one store, best first by the product index. Every candidate that the list leaves
 * out is no better than its last one; a complete list leaves none out.
 */
export type CandidateList = { ids: readonly number[]; isComplete: boolean };

/** All candidates of one request, in columns: thousands of them would be thousands of objects. */
export type Candidates = {
  /** The best `limit` products that match the query, and the steps of matching it. */
  list(index: ProductIndex, query: PreparedQuery, mode: Mode, limit: number): CandidateList & { steps: number };
  productNo(id: number): number;
  /** The price of a unit and the quality by the product index. */
  unitCents(id: number): number;
  quality(id: number): number;
  isCounted(id: number): boolean;
  /** Whether the list reaches a product of this number, quality and price, by the product index. */
  isWithin(list: CandidateList, match: { productNo: number; quality: number; unitCents: number }): boolean;
  /**
   * Reads candidates of one store. `live` has the products of the store that the database was read for; any other
   * product has the price of the product index, and unknown stock.
   */
  readerOf(live: ReadonlyMap<number, LiveProduct>): CandidateReader<number>;
};

/** `capacity` is a first size of the columns, which grow. */
export function createCandidates(capacity: number): Candidates {
  const columns = createColumns(capacity);
  const marks = createMatchMarks();
  const { productNo, cents, quality, isCounted } = columns;

  /** The list under work; its elements beyond the candidates so far are of earlier lists. */
  const best: number[] = [];

  return {
    list(index, query, mode, limit) {
      let seen = 0;
      let count = 0;
      const steps = visitMatches(marks, index, query, mode, (match) => {
        seen += 1;
        const lineQuality = lineQualityOf(match);
        const unitCents = match.priceCents + match.extraCents;
        if (count === limit && !columns.isBefore(lineQuality, unitCents, best[limit - 1] as number)) return;
        const id = count === limit ? (best[limit - 1] as number) : columns.takeId();
        if (count < limit) count += 1;
        let position = count - 1;
        for (; position > 0; position -= 1) {
          const other = best[position - 1] as number;
          if (!columns.isBefore(lineQuality, unitCents, other)) break;
          best[position] = other;
        }
        best[position] = id;
        columns.write(id, match.productNo, unitCents, lineQuality, match.isCounted);
      });
      return { ids: best.slice(0, count), isComplete: seen <= limit, steps };
    },
    productNo,
    unitCents: cents,
    quality,
    isCounted,
    isWithin({ ids }, match) {
      const last = ids.at(-1) as number;
      if (match.quality !== quality(last)) return match.quality < quality(last);
      if (match.unitCents !== cents(last)) return match.unitCents < cents(last);
      return match.productNo <= productNo(last);
    },
    readerOf: (live) => ({
      productNo,
      quality: (id) => (live.get(productNo(id)) === null ? Infinity : quality(id)),
      unitCents: (id) => live.get(productNo(id))?.unitCents ?? cents(id),
      qtyAvailable: (id) => live.get(productNo(id))?.qtyAvailable ?? null,
      isCounted,
    }),
  };
}

/** The columns of all candidates, by id. */
function createColumns(capacity: number) {
  let productNos = new Uint32Array(capacity);
  let unitCents = new Float64Array(capacity);
  let qualities = new Uint16Array(capacity);
  let counted = new Uint8Array(capacity);
  let size = 0;

  return {
    /** Matches arrive by ascending product number: of equal matches the first stays before the next. */
    isBefore(quality: number, cents: number, id: number): boolean {
      const other = qualities[id] as number;
      return quality < other || (quality === other && cents < (unitCents[id] as number));
    },
    takeId(): number {
      if (size === productNos.length) {
        productNos = grownUint32(productNos, size + 1);
        unitCents = grownFloat64(unitCents, productNos.length);
        qualities = grownUint16(qualities, productNos.length);
        counted = grownUint8(counted, productNos.length);
      }
      size += 1;
      return size - 1;
    },
    write(id: number, productNo: number, cents: number, quality: number, isCounted: boolean): void {
      productNos[id] = productNo;
      unitCents[id] = cents;
      qualities[id] = quality;
      counted[id] = isCounted ? 1 : 0;
    },
    productNo: (id: number) => productNos[id] as number,
    cents: (id: number) => unitCents[id] as number,
    quality: (id: number) => qualities[id] as number,
    isCounted: (id: number) => counted[id] === 1,
  };
}
