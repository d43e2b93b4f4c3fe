import { TopK } from '../../platform/lib/top-k.ts';
import type { LinePrices } from './choose-products.ts';
import type { CartTerms } from './sort-carts.ts';
import {
  cheapestOfPair,
  floorOf,
  minFeeUnits,
  type SplitBudget,
  type SplitSide,
  UNITS_PER_CENT,
} from './split-pair.ts';

/** A store whose part of a cart may be combined with another store's. */
export type SplitSeller = LinePrices & { terms: CartTerms };

/** A cart split over two stores, and the price of both parts before tips. */
export type Split<Seller> = {
  first: Seller;
  second: Seller;
  linesOfFirst: readonly boolean[];
  totalCents: number;
};

/**
 * Splits by ascending price, one per pair of stores. If `isExhaustive` is false, the search reached its limit and
 * cheaper splits may exist.
 */
export type SplitSearch<Seller> = { splits: readonly Split<Seller>[]; isExhaustive: boolean };

export type SplitLimits = {
  /** Limit of a split's price, exclusive; Infinity for none. */
  underCents: number;
  maxSplits: number;
  /** Maximum partial splits in all, for any number of lines and stores. */
  maxSteps: number;
};

/** Number of most promising pairs, which are searched first because their prices prune nearly all others. */
const PROMISING_PAIRS = 64;
/** `at` is the store's position. `feeUnits` is the minimum that its fees add to any part. */
type Side<Seller> = SplitSide & { at: number; seller: Seller; feeUnits: number };

/**
 * Finds the cheapest splits of a cart over two stores, of all pairs and assignments. Each store gets at least one line
 * and reaches its order minimum. Ties keep list order. Yields between short pieces of work.
 */
export function* splitSteps<Seller extends SplitSeller>(
  sellers: readonly Seller[],
  { underCents, maxSplits, maxSteps }: SplitLimits,
): Generator<void, SplitSearch<Seller>> {
  const sides = yield* sidesOf(sellers, maxSplits);
  const budget: SplitBudget = { stepsLeft: maxSteps };
  const best = createBestSplits<Seller>({ underCents, maxSplits });
  const promising = yield* rankPromising(sides, maxUnits(underCents));
  for (const pair of promising) yield* searchPair(Math.floor(pair / sides.length), pair % sides.length);
  const searched = new Set(promising);
  for (let first = 0; first < sides.length; first += 1) {
    for (let second = first + 1; second < sides.length; second += 1) {
      if (isOpen(first, second) && !searched.has(first * sides.length + second)) yield* searchPair(first, second);
    }
    yield;
  }
  return { splits: best.splits(), isExhaustive: budget.stepsLeft > 0 };

  /** Whether a split of the pair can still be among the best. */
  function isOpen(first: number, second: number): boolean {
    const limit = maxUnits(best.limitCents(first, second));
    return minUnitsOf(sides[first] as Side<Seller>, sides[second] as Side<Seller>, limit) < Infinity;
  }

  function* searchPair(firstAt: number, secondAt: number): Generator<void, void> {
    if (budget.stepsLeft <= 0 || !isOpen(firstAt, secondAt)) return;
    const [first, second] = [sides[firstAt] as Side<Seller>, sides[secondAt] as Side<Seller>];
    const found = yield* cheapestOfPair(first, second, best.limitCents(firstAt, secondAt), budget);
    if (found) best.add({ ...found, first, second });
    yield;
  }
}

/**
 * Computes a lower bound of a pair, in units: each line at the cheaper store, plus minimum fees. Above `limit`:
 * Infinity.
 */
function minUnitsOf(first: Side<unknown>, second: Side<unknown>, limit: number): number {
  let units = first.feeUnits + second.feeUnits;
  for (let line = 0; line < first.lineUnits.length && units <= limit; line += 1) {
    units += Math.min(first.lineUnits[line] as number, second.lineUnits[line] as number);
  }
  return units <= limit ? units : Infinity;
}

type FoundSplit<Seller> = { first: Side<Seller>; second: Side<Seller>; linesOfFirst: number; totalCents: number };

/** Keeps the cheapest splits. Of equal prices, the first pair's split is kept. */
function createBestSplits<Seller>({ underCents, maxSplits }: Pick<SplitLimits, 'underCents' | 'maxSplits'>) {
  const found: FoundSplit<Seller>[] = [];
  return {
    /** Returns the maximum price, exclusive, of a split of this pair to be kept. */
    limitCents(first: number, second: number): number {
      const last = found[maxSplits - 1];
      if (!last) return underCents;
      const isBefore = first < last.first.at || (first === last.first.at && second < last.second.at);
      return isBefore ? last.totalCents + 1 : last.totalCents;
    },
    add(split: FoundSplit<Seller>): void {
      found.push(split);
      found.sort((a, b) => a.totalCents - b.totalCents || a.first.at - b.first.at || a.second.at - b.second.at);
      found.length = Math.min(found.length, maxSplits);
    },
    splits: (): Split<Seller>[] =>
      found.map(({ first, second, linesOfFirst, totalCents }) => ({
        first: first.seller,
        second: second.seller,
        linesOfFirst: first.lineCents.map((_, line) => Math.floor(linesOfFirst / 2 ** line) % 2 === 1),
        totalCents,
      })),
  };
}

/**
 * Drops stores that no split can use. Of stores with equal prices and terms, keeps only as many as an answer can use.
 */
function* sidesOf<Seller extends SplitSeller>(
  sellers: readonly Seller[],
  maxSplits: number,
): Generator<void, Side<Seller>[]> {
  const sides: Side<Seller>[] = [];
  const bySum = new Map<number, Side<Seller>[]>();
  for (const seller of sellers) {
    yield;
    const had = seller.lineCents.filter((cents) => cents !== Infinity);
    if (had.length === 0) continue;
    const sum = had.reduce((total, cents) => total + cents, 0);
    const ofSum = bySum.get(sum) ?? [];
    if (ofSum.filter((other) => isSame(other, seller)).length > maxSplits) continue;
    const { terms, lineCents, taxCodes } = seller;
    const floor = floorOf(terms, taxCodes.length === 0 ? ALL_DEFAULT : taxCodes);
    const feeUnits = minFeeUnits(floor, Math.min(...had), sum);
    if (feeUnits === Infinity) continue;
    const lineUnits = Float64Array.from(lineCents, (cents, line) => cents * floor.unitsPerCent(taxCodes[line] ?? 0));
    const side = { at: sides.length, seller, terms, lineCents, taxCodes, floor, lineUnits, feeUnits };
    sides.push(side);
    bySum.set(sum, [...ofSum, side]);
  }
  return sides;
}

const ALL_DEFAULT: readonly number[] = [0];

/** Whether two stores have the same prices and terms. */
function isSame(one: SplitSeller, other: SplitSeller): boolean {
  return (
    one.lineCents.every((cents, line) => cents === other.lineCents[line]) &&
    one.taxCodes.join() === other.taxCodes.join() &&
    JSON.stringify(one.terms) === JSON.stringify(other.terms)
  );
}

/**
 * Returns the pairs with the smallest lower bounds, sorted. A pair is its first position times the number of sides,
 * plus its second position.
 */
function* rankPromising(sides: readonly Side<unknown>[], limit: number): Generator<void, number[]> {
  const list = new TopK((one, other) => one < other);
  list.reset(PROMISING_PAIRS);
  for (const [at, first] of sides.entries()) {
    for (let second = at + 1; second < sides.length; second += 1) {
      const units = minUnitsOf(first, sides[second] as Side<unknown>, list.isFull() ? list.worstKey() : limit);
      if (units < Infinity) list.offer(units, 0, at * sides.length + second);
    }
    yield;
  }
  return list.drain().map(({ ref }) => ref);
}

/** Returns the largest number of units below a price; finite for any price. */
function maxUnits(cents: number): number {
  return cents === Infinity ? Number.MAX_VALUE : (cents - 1) * UNITS_PER_CENT;
}
