import { grownUint8, grownUint16, grownUint32 } from '../../lib/grown-arrays.ts';
import { TopK } from '../../lib/top-k.ts';
import type { NearStore, Sort } from '../../search/stores/store-query.ts';
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

/** A match by its rank: the seller, and the number of the product. */
export type RankedProduct = { seller: NearStore; productNo: number };

/** The matches of all sellers of one request. Sellers are numbered from nearest to farthest, below 65,536. */
export type ProductPool = {
  /** Adds a match of a seller. Sellers come in ascending order, and the matches of each by product number. */
  add(sellerNo: number, match: Readonly<ProductMatch>): void;
  readonly size: number;
  /** The matches of `limit` ranks, best first; fewer at the end. Yields after each short piece of the work. */
  rank(sellers: readonly NearStore[], sort: Sort, from: number, limit: number): Generator<void, RankedProduct[]>;
};

/** More than half the earth's circumference in hundredths of a mile. */
const HUNDREDTHS_RANGE = 2 ** 21;

/** A product beyond these miles loses one step, two steps, or all steps of relevance: milk is bought nearby. */
const FAR_MILES = [10, 30, 100] as const;
/** Steps of relevance of one guess: those of quality, and of distance added. */
const STEPS = 2 * QUALITIES;

/** Matches that are visited between two yields. */
const PIECE = 16_384;

/** Matches are sorted by both keys, then by their position in the pool. */
type SortKeys = { first: number; second: number };

export function createProductPool(): ProductPool {
  const matches = createMatchColumns();
  return {
    get size() {
      return matches.size();
    },
    add: matches.add,
    *rank(sellers, sort, from, limit) {
      if (from >= matches.size()) return [];
      const best = new TopK((one, other) => one < other);
      best.reset(Math.min(from + limit, matches.size()));
      yield* visitSortKeys(matches, sellers, sort, ({ first, second }, at) => best.offer(first, second, at));
      return best
        .drain()
        .slice(from)
        .map(({ ref }) => ({
          seller: sellerAt(sellers, matches.sellerNoAt(ref)),
          productNo: matches.productNoAt(ref),
        }));
    },
  };
}

type Visitor = (keys: SortKeys, at: number) => void;

function sellerAt(sellers: readonly NearStore[], sellerNo: number): NearStore {
  const seller = sellers[sellerNo];
  if (!seller) throw new Error(`The pool has a match of seller ${sellerNo}, and the request has no such seller.`);
  return seller;
}

type MatchColumns = ReturnType<typeof createMatchColumns>;

/** Matches in columns: a search may have hundreds of thousands. */
function createMatchColumns() {
  let sellerNos = new Uint16Array(1024);
  let productNos = new Uint32Array(1024);
  let cents = new Uint32Array(1024);
  let qualities = new Uint8Array(1024);
  let size = 0;
  let minGuess = Infinity;

  return {
    size: () => size,
    /** The least guess of all matches; Infinity without a match. */
    minGuess: () => minGuess,
    add(sellerNo: number, { productNo, priceCents, quality }: Readonly<ProductMatch>): void {
      if (size === sellerNos.length) {
        sellerNos = grownUint16(sellerNos, size + 1);
        productNos = grownUint32(productNos, size + 1);
        cents = grownUint32(cents, size + 1);
        qualities = grownUint8(qualities, size + 1);
      }
      sellerNos[size] = sellerNo;
      productNos[size] = productNo;
      cents[size] = priceCents;
      qualities[size] = quality;
      size += 1;
      minGuess = Math.min(minGuess, guessOf(quality));
    },
    sellerNoAt: (at: number) => sellerNos[at] as number,
    productNoAt: (at: number) => productNos[at] as number,
    centsAt: (at: number) => cents[at] as number,
    qualityAt: (at: number) => qualities[at] as number,
  };
}

/** Visits every match that counts for the sort, with its sort keys, in the order of adding. */
function* visitSortKeys(
  matches: MatchColumns,
  sellers: readonly NearStore[],
  sort: Sort,
  visit: Visitor,
): Generator<void, void> {
  const size = matches.size();
  const minGuess = matches.minGuess();
  const hundredths = sellers.map(hundredthsOf);
  const storeKeys = sellers.map(({ key }) => key);
  const keys: SortKeys = { first: 0, second: 0 };
  for (let at = 0; at < size; at += 1) {
    if (at % PIECE === PIECE - 1) yield;
    const quality = matches.qualityAt(at);
    if (!counts(guessOf(quality), minGuess, sort)) continue;
    const sellerNo = matches.sellerNoAt(at);
    setKeys(keys, sort, {
      quality,
      cents: matches.centsAt(at),
      hundredths: hundredths[sellerNo] as number,
      storeKey: storeKeys[sellerNo] as number,
    });
    visit(keys, at);
  }
}

/**
 * An unfinished word counts only where no product matches it whole. By relevance a product of another size comes after
 * those of the typed size, and a misspelt match last. Any other sort would mix them, so there only the products with the
 * least guess count.
 */
function counts(guess: number, minGuess: number, sort: Sort): boolean {
  if (sort !== 'relevance') return guess === minGuess;
  const words = wordGuessOf(guess);
  return (
    words === NO_GUESS || words === GUESSED_SPELLING || (words === GUESSED_END && wordGuessOf(minGuess) !== NO_GUESS)
  );
}

type RankInputs = { quality: number; cents: number; hundredths: number; storeKey: number };

/** The second key sorts matches of equal first keys. */
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

/** The distance of a seller in hundredths of a mile, as answers show it. */
export function hundredthsOf({ miles }: Pick<NearStore, 'miles'>): number {
  return Math.round(miles * 100);
}

/** Steps of quality and of distance added; a product with a smaller guess comes first whatever its distance. */
export function relevanceOf(quality: number, hundredths: number): number {
  const [near, middling, far] = FAR_MILES;
  const miles = hundredths / 100;
  const away = miles <= near ? 0 : miles <= middling ? 1 : miles <= far ? 2 : QUALITIES;
  return guessOf(quality) * STEPS + (quality % QUALITIES) + away;
}
