import { grownUint8, grownUint16, grownUint32 } from '../../lib/columns/grow.ts';
import { createItemPile } from '../../lib/columns/select-nth.ts';
import { createTopList, type RankedItem } from '../../lib/columns/top-list.ts';
import type { NearStore, Sort } from '../../stores/search/store-query.ts';
import {
  GUESSED_END,
  GUESSED_SPELLING,
  guessOf,
  NO_GUESS,
  QUALITIES,
  QUALITY_END,
  type ShelfMatch,
  wordGuessOf,
} from './match-products.ts';

/** A match in the order: which seller's, by its number in the list, and which product of it. */
export type RankedProduct = { seller: number; productNo: number };

/** The matches of all sellers of one request. Sellers are numbered from nearest to farthest, below 65,536. */
export type ProductPool = {
  /** Adds one that a seller has; sellers come in ascending order, and the matches of each by product number. */
  add(seller: number, match: Readonly<ShelfMatch>): void;
  readonly size: number;
  /** The matches of those ranks, best first; fewer at the end. Stops after each short piece of the work. */
  rank(sellers: readonly NearStore[], sort: Sort, from: number, most: number): Generator<void, RankedProduct[]>;
};

/** More than half the earth's circumference in hundredths of a mile, and than any price in cents. */
const HUNDREDTHS_RANGE = 2 ** 21;
const CENTS_RANGE = 2 ** 31;

/** Miles beyond which a product is one step, two steps, and all steps worse an answer: nobody drives that far for milk. */
const FAR_MILES = [10, 30, 100] as const;
/** Steps of relevance of one guess: those of quality, and of distance on top. */
const STEPS = 2 * QUALITIES;

/** Matches that are looked at between two stops. */
const PIECE = 16_384;
/** Deeper ranks are reached by selection among all, not by ranking all before them. */
const DEEP_RANK = 1000;

type Keys = { first: number; second: number };

export function createProductPool(): ProductPool {
  let sellerOf = new Uint16Array(1024);
  let productNos = new Uint32Array(1024);
  let cents = new Uint32Array(1024);
  let qualities = new Uint8Array(1024);
  let otherNumbers = new Uint8Array(1024);
  let size = 0;
  let leastGuess = Infinity;

  function makeRoom(needed: number): void {
    if (needed <= sellerOf.length) return;
    sellerOf = grownUint16(sellerOf, needed);
    productNos = grownUint32(productNos, needed);
    cents = grownUint32(cents, needed);
    qualities = grownUint8(qualities, needed);
    otherNumbers = grownUint8(otherNumbers, needed);
  }

  /** Shows every match that counts for the sort, with what it is ordered by; equal ones come in the order of adding. */
  function* each(
    sellers: readonly NearStore[],
    sort: Sort,
    visit: (keys: Keys, at: number) => void,
  ): Generator<void, void> {
    const hundredths = sellers.map(({ miles }) => Math.round(miles * 100));
    const keys: Keys = { first: 0, second: 0 };
    for (let at = 0; at < size; at += 1) {
      if (at % PIECE === PIECE - 1) yield;
      const quality = qualities[at] as number;
      if (!counts(guessOf(quality), leastGuess, sort)) continue;
      const seller = sellerOf[at] as number;
      setKeys(keys, sort, {
        quality,
        cents: cents[at] as number,
        otherNumber: otherNumbers[at] as number,
        hundredths: hundredths[seller] as number,
        storeKey: (sellers[seller] as NearStore).key,
      });
      visit(keys, at);
    }
  }

  return {
    get size() {
      return size;
    },
    add(seller, { productNo, priceCents, quality, isOtherNumber }) {
      makeRoom(size + 1);
      sellerOf[size] = seller;
      productNos[size] = productNo;
      cents[size] = priceCents;
      qualities[size] = quality;
      otherNumbers[size] = isOtherNumber ? 1 : 0;
      size += 1;
      leastGuess = Math.min(leastGuess, guessOf(quality));
    },
    *rank(sellers, sort, from, most) {
      const isBefore = (a: number, b: number): boolean => a < b;
      const list = createTopList(isBefore);
      const after = from > DEEP_RANK ? yield* nthOf(from - 1) : undefined;
      if (after === null) return [];
      list.reset(after === undefined ? from + most : most);
      yield* each(sellers, sort, ({ first, second }, at) => {
        if (after === undefined || isAfter(after, first, second, at)) list.offer(first, second, at);
      });
      const ranked = list.drain().slice(after === undefined ? from : 0);
      return ranked.map(({ id }) => ({
        seller: sellerOf[id] as number,
        productNo: productNos[id] as number,
      }));

      function* nthOf(nth: number): Generator<void, RankedItem | null> {
        const pile = createItemPile(isBefore);
        yield* each(sellers, sort, ({ first, second }, at) => pile.add(first, second, at));
        return nth < pile.size ? pile.selectNth(nth) : null;
      }
    },
  };
}

/**
 * An unfinished word counts where nothing has it whole. By relevance what is of another size comes after what is of the
 * asked one, and what is misspelt last; another order would mix them, so there only what needs the least guessing counts.
 */
function counts(guess: number, leastGuess: number, sort: Sort): boolean {
  if (sort !== 'relevance') return guess === leastGuess;
  const words = wordGuessOf(guess);
  return (
    words === NO_GUESS || words === GUESSED_SPELLING || (words === GUESSED_END && wordGuessOf(leastGuess) !== NO_GUESS)
  );
}

type Facts = { quality: number; cents: number; otherNumber: number; hundredths: number; storeKey: number };

/** The second key decides between matches of equal first keys. */
function setKeys(keys: Keys, sort: Sort, { quality, cents, otherNumber, hundredths, storeKey }: Facts): void {
  const relevance = relevanceOf(quality, hundredths) * HUNDREDTHS_RANGE + hundredths;
  if (sort === 'relevance' || sort === 'distance') {
    keys.first = sort === 'relevance' ? relevance : hundredths * QUALITY_END + quality;
    keys.second = otherNumber * CENTS_RANGE + cents;
    return;
  }
  keys.first = sort === 'cheapest' ? cents : storeKey;
  keys.second = relevance * 2 + otherNumber;
}

/** Better answers come first, but what is far away is no good answer; what needs less guessing comes first all the same. */
function relevanceOf(quality: number, hundredths: number): number {
  const [near, middling, far] = FAR_MILES;
  const miles = hundredths / 100;
  const away = miles <= near ? 0 : miles <= middling ? 1 : miles <= far ? 2 : QUALITIES;
  return guessOf(quality) * STEPS + (quality % QUALITIES) + away;
}

function isAfter(rank: RankedItem, first: number, second: number, at: number): boolean {
  if (first !== rank.key) return first > rank.key;
  if (second !== rank.tieKey) return second > rank.tieKey;
  return at > rank.id;
}
