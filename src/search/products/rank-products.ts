import { grown, TopK } from 'doorstep/collections';
import { amountOf } from '../../supply/catalog/unit-price.ts';
import { type NearStore, SORTS } from '../stores/store-query.ts';
import {
  BY_GUESSED_CATEGORY,
  GUESSED_END,
  guessOf,
  NO_GUESS,
  type ProductMatch,
  QUALITIES,
  QUALITY_END,
  wordGuessOf,
} from './match-products.ts';

/* Ranks the matches of a product search by its sort. */

export const PRODUCT_SORTS = [...SORTS, 'unit_price'] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

/** Quotients of doubles that differ by a greater part are not equal. */
const NEARLY_EQUAL = 1e-12;

/** A ranked match: the seller and the product's number. */
export type RankedProduct = { seller: NearStore; productNo: number };

/** More than half of the earth's circumference, in hundredths of a mile. */
const HUNDREDTHS_RANGE = 2 ** 21;

/**
 * Distances in miles beyond which a product loses one step, two steps, or all steps of relevance, because people
 * buy groceries nearby.
 */
const FAR_MILES = [10, 30, 100] as const;
/** Number of relevance steps within one guess: quality plus distance. */
const STEPS = 2 * QUALITIES;

/** Matches between two yields. */
const MATCHES_PER_STEP = 16_384;

/**
 * The matches of all sellers of a request, in columns, possibly hundreds of thousands. Sellers are numbered from the
 * nearest, below 65,536.
 */
export class ProductPool {
  private sellerNos = new Uint16Array(1024);
  private productNos = new Uint32Array(1024);
  private cents = new Uint32Array(1024);
  /** Packed sizes (`packSize`). */
  private sizes = new Uint32Array(1024);
  private qualities = new Uint8Array(1024);
  private count = 0;
  /** Words of the query that the products lack (`relaxed`). */
  relaxed: readonly string[] = [];
  /** The number of matches by name without a guessed word. */
  named = 0;
  /** The smallest guess of all matches. */
  private minGuess = Infinity;

  get size(): number {
    return this.count;
  }

  /** The word guess of the best match (`wordGuessOf`). */
  get minWordGuess(): number {
    return wordGuessOf(this.minGuess);
  }

  /** Adds a match. Those of one guess must be added by seller, ascending, and then by product number. */
  add(sellerNo: number, { productNo, priceCents, size, quality }: Readonly<ProductMatch>): void {
    const at = this.count;
    this.count += 1;
    if (at === this.sellerNos.length) this.grow();
    this.sellerNos[at] = sellerNo;
    this.productNos[at] = productNo;
    this.cents[at] = priceCents;
    this.sizes[at] = size;
    this.qualities[at] = quality;
    const guess = guessOf(quality);
    if (wordGuessOf(guess) === NO_GUESS) this.named += 1;
    this.minGuess = Math.min(this.minGuess, guess);
  }

  /**
   * Returns the matches at `limit` ranks from `from`, best first; fewer at the end. Ties go by position in the pool.
   * Yields after short steps.
   */
  *rank(
    sellers: readonly NearStore[],
    sort: ProductSort,
    from: number,
    limit: number,
  ): Generator<void, RankedProduct[]> {
    const { sellerNos, productNos, cents, sizes, qualities, count, minGuess } = this;
    if (from >= count) return [];
    const hundredths = sellers.map(({ miles }) => Math.round(miles * 100));
    const storeKeys = sellers.map(({ key }) => key);
    const unitPrices = sort === 'unit_price' ? new UnitPrices(count) : null;
    const best = new TopK((one, other) => unitPrices?.isBefore(one, other) ?? one < other);
    best.reset(Math.min(from + limit, count));
    for (let at = 0; at < count; at += 1) {
      if (at % MATCHES_PER_STEP === MATCHES_PER_STEP - 1) yield;
      const quality = qualities[at] as number;
      if (!isCounted(guessOf(quality), minGuess, sort)) continue;
      const sellerNo = sellerNos[at] as number;
      const price = cents[at] as number;
      const away = hundredths[sellerNo] as number;
      const relevance = relevanceOf(quality, away) * HUNDREDTHS_RANGE + away;
      if (unitPrices) {
        unitPrices.note(at, { cents: price, size: sizes[at] as number, relevance });
        best.offer(0, 0, at);
      } else if (sort === 'relevance') best.offer(relevance, price, at);
      else if (sort === 'distance') best.offer(away * QUALITY_END + quality, price, at);
      else best.offer(sort === 'cheapest' ? price : (storeKeys[sellerNo] as number), relevance, at);
    }
    const seller = (ref: number) => sellers[sellerNos[ref] as number] as NearStore;
    const ranked = best.drain().slice(from);
    return ranked.map(({ ref }) => ({ seller: seller(ref), productNo: productNos[ref] as number }));
  }

  private grow(): void {
    this.sellerNos = grown(this.sellerNos, this.count);
    this.productNos = grown(this.productNos, this.count);
    this.cents = grown(this.cents, this.count);
    this.sizes = grown(this.sizes, this.count);
    this.qualities = grown(this.qualities, this.count);
  }
}

/** Cents per gram or milliliter of matches, sorted exactly: entries without a size come last, and relevance breaks ties. */
class UnitPrices {
  private readonly cents: Uint32Array;
  private readonly sizes: Uint32Array;
  private readonly relevances: Float64Array;
  private readonly prices: Float64Array;
  /** By packed size; 0 without one. */
  private readonly amounts = new Map<number, bigint>([[0, 0n]]);

  constructor(count: number) {
    this.cents = new Uint32Array(count);
    this.sizes = new Uint32Array(count);
    this.relevances = new Float64Array(count);
    this.prices = new Float64Array(count);
  }

  note(at: number, { cents, size, relevance }: { cents: number; size: number; relevance: number }): void {
    const amount = this.amounts.get(size) ?? amountOf(size);
    this.amounts.set(size, amount);
    this.cents[at] = cents;
    this.sizes[at] = size;
    this.relevances[at] = relevance;
    this.prices[at] = size === 0 ? Number.MAX_VALUE : cents / Number(amount);
  }

  isBefore(one: number, other: number): boolean {
    const price = this.prices[one] as number;
    const apart = price - (this.prices[other] as number);
    if (Math.abs(apart) > price * NEARLY_EQUAL) return apart < 0;
    const exactly = this.compareExactly(one, other);
    if (exactly !== 0n) return exactly < 0n;
    const nearer = (this.relevances[one] as number) - (this.relevances[other] as number);
    return nearer === 0 ? one < other : nearer < 0;
  }

  private compareExactly(one: number, other: number): bigint {
    const { cents, sizes } = this;
    if (sizes[one] === sizes[other] && (sizes[one] === 0 || cents[one] === cents[other])) return 0n;
    const amountAt = (at: number) => this.amounts.get(sizes[at] as number) as bigint;
    return BigInt(cents[one] as number) * amountAt(other) - BigInt(cents[other] as number) * amountAt(one);
  }
}

/**
 * Whether a match is used. Prefix matches need a lack of whole-word matches, guessed categories a lack of any other.
 * Sorts other than relevance would mix good and poor matches, so they use only the matches with the fewest guesses.
 */
function isCounted(guess: number, minGuess: number, sort: ProductSort): boolean {
  if (sort !== 'relevance') return guess === minGuess;
  if (guess >= BY_GUESSED_CATEGORY) return guess === minGuess;
  const words = wordGuessOf(guess);
  return words !== GUESSED_END || wordGuessOf(minGuess) !== NO_GUESS;
}

/** Adds quality steps and distance steps. A smaller guess ranks higher at any distance. */
function relevanceOf(quality: number, hundredths: number): number {
  const [near, middling, far] = FAR_MILES;
  const miles = hundredths / 100;
  const away = miles <= near ? 0 : miles <= middling ? 1 : miles <= far ? 2 : QUALITIES;
  return guessOf(quality) * STEPS + (quality % QUALITIES) + away;
}
