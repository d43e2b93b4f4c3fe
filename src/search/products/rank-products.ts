import { growUint8, growUint16, growUint32 } from '../../platform/lib/grown-arrays.ts';
import { TopK } from '../../platform/lib/top-k.ts';
import type { NearStore, Sort } from '../stores/store-query.ts';
import {
  GUESSED_END,
  GUESSED_SPELLING,
  guessOf,
  NO_GUESS,
  type ProductMatch,
  QUALITIES,
  QUALITY_END,
  wordGuessOf,
} from './match-products.ts';

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

/** Sort keys of a match; ties go by its position in the pool. */
type SortKeys = { first: number; second: number };

type Visitor = (keys: SortKeys, at: number) => void;

/**
 * The matches of all sellers of a request, in columns, possibly hundreds of thousands. Sellers are numbered from the
 * nearest, below 65,536.
 */
export class ProductPool {
  private sellerNos = new Uint16Array(1024);
  private productNos = new Uint32Array(1024);
  private cents = new Uint32Array(1024);
  private qualities = new Uint8Array(1024);
  private count = 0;
  /** The smallest guess of all matches. */
  private minGuess = Infinity;

  get size(): number {
    return this.count;
  }

  /** Adds a match. Sellers must be added in ascending order, and their matches by product number. */
  add(sellerNo: number, { productNo, priceCents, quality }: Readonly<ProductMatch>): void {
    const at = this.count;
    this.count += 1;
    if (at === this.sellerNos.length) this.grow();
    this.sellerNos[at] = sellerNo;
    this.productNos[at] = productNo;
    this.cents[at] = priceCents;
    this.qualities[at] = quality;
    this.minGuess = Math.min(this.minGuess, guessOf(quality));
  }

  /** Returns the matches at `limit` ranks from `from`, best first; fewer at the end. Yields after short steps. */
  *rank(sellers: readonly NearStore[], sort: Sort, from: number, limit: number): Generator<void, RankedProduct[]> {
    if (from >= this.count) return [];
    const best = new TopK((one, other) => one < other);
    best.reset(Math.min(from + limit, this.count));
    yield* this.visitSortKeys(sellers, sort, ({ first, second }, at) => best.offer(first, second, at));
    return best
      .drain()
      .slice(from)
      .map(({ ref }) => ({
        seller: sellerAt(sellers, this.sellerNos[ref] as number),
        productNo: this.productNos[ref] as number,
      }));
  }

  /** Visits every match that counts for the sort, with its sort keys, in the order of insertion. */
  private *visitSortKeys(sellers: readonly NearStore[], sort: Sort, visit: Visitor): Generator<void, void> {
    const { sellerNos, cents, qualities, count, minGuess } = this;
    const hundredths = sellers.map(hundredthsOf);
    const storeKeys = sellers.map(({ key }) => key);
    const keys: SortKeys = { first: 0, second: 0 };
    for (let at = 0; at < count; at += 1) {
      if (at % MATCHES_PER_STEP === MATCHES_PER_STEP - 1) yield;
      const quality = qualities[at] as number;
      if (!isCounted(guessOf(quality), minGuess, sort)) continue;
      const sellerNo = sellerNos[at] as number;
      setKeys(keys, sort, {
        quality,
        cents: cents[at] as number,
        hundredths: hundredths[sellerNo] as number,
        storeKey: storeKeys[sellerNo] as number,
      });
      visit(keys, at);
    }
  }

  private grow(): void {
    this.sellerNos = growUint16(this.sellerNos, this.count);
    this.productNos = growUint32(this.productNos, this.count);
    this.cents = growUint32(this.cents, this.count);
    this.qualities = growUint8(this.qualities, this.count);
  }
}

function sellerAt(sellers: readonly NearStore[], sellerNo: number): NearStore {
  const seller = sellers[sellerNo];
  if (!seller) throw new Error(`The pool has a match of seller ${sellerNo}, and the request has no such seller.`);
  return seller;
}

/**
 * Whether a match counts. Prefix matches count only without whole-word matches. Sorts other than relevance would mix
 * good and poor matches, so they count only those with the fewest guesses.
 */
function isCounted(guess: number, minGuess: number, sort: Sort): boolean {
  if (sort !== 'relevance') return guess === minGuess;
  const words = wordGuessOf(guess);
  return (
    words === NO_GUESS || words === GUESSED_SPELLING || (words === GUESSED_END && wordGuessOf(minGuess) !== NO_GUESS)
  );
}

type RankInputs = { quality: number; cents: number; hundredths: number; storeKey: number };

/** Sets the sort keys of a match; the second key breaks ties of the first. */
function setKeys(keys: SortKeys, sort: Sort, { quality, cents, hundredths, storeKey }: RankInputs): void {
  const relevance = relevanceOf(quality, hundredths) * HUNDREDTHS_RANGE + hundredths;
  if (sort === 'relevance' || sort === 'distance') {
    keys.first = sort === 'relevance' ? relevance : hundredths * QUALITY_END + quality;
    keys.second = cents;
    return;
  }
  keys.first = sort === 'cheapest' ? cents : storeKey;
  keys.second = relevance;
}

/** Returns a seller's distance in hundredths of a mile, as shown in answers. */
export function hundredthsOf({ miles }: Pick<NearStore, 'miles'>): number {
  return Math.round(miles * 100);
}

/** Adds quality steps and distance steps. A smaller guess ranks higher at any distance. */
export function relevanceOf(quality: number, hundredths: number): number {
  const [near, middling, far] = FAR_MILES;
  const miles = hundredths / 100;
  const away = miles <= near ? 0 : miles <= middling ? 1 : miles <= far ? 2 : QUALITIES;
  return guessOf(quality) * STEPS + (quality % QUALITIES) + away;
}
