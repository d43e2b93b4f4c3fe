import { createTopList } from '../lib/columns/top-list.ts';
import { type BoundedSide, type PairBounds, pairsWithin } from './pair-bounds.ts';
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
export type SplitSeller = {
  terms: CartTerms;
  /** All units of each line in cents; Infinity where the store lacks the line. */
  lineCents: readonly number[];
};

/** A cart split over two stores, and the price of both parts before tips. */
export type Split<Seller> = {
  first: Seller;
  second: Seller;
  linesOfFirst: readonly boolean[];
  totalCents: number;
};

/**
 * Cheapest first, each of another pair of stores. A search that is not exhaustive reached its limit: there may be cheaper
 * splits.
 */
export type SplitSearch<Seller> = { splits: readonly Split<Seller>[]; isExhaustive: boolean };

export type SplitLimits = {
  /** Only splits below this price count; Infinity for all. */
  underCents: number;
  maxSplits: number;
  /** Partial splits in all, whatever the number of lines and stores. */
  maxSteps: number;
};

/** The most promising pairs are searched first: their prices rule out nearly all other pairs. */
const PROMISING_PAIRS = 64;
/** Pairs that are visited between two yields. */
const PIECE = 4096;

/** `at` is the position of the side: the sides are in the order of their stores. */
type Side<Seller> = SplitSide & BoundedSide & { at: number; seller: Seller };

/**
 * The cheapest splits of a cart over two of the stores, of all pairs and of all ways to share the lines. A split has
 * every line, each store has at least one line, and both parts meet their order minimum. Of pairs with the same price the
 * first count, in the order of the list.
 */
export function cheapestSplits<Seller extends SplitSeller>(
  sellers: readonly Seller[],
  limits: SplitLimits,
): SplitSearch<Seller> {
  const steps = splitSteps(sellers, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same search, which yields after each short piece of the work. */
export function* splitSteps<Seller extends SplitSeller>(
  sellers: readonly Seller[],
  { underCents, maxSplits, maxSteps }: SplitLimits,
): Generator<void, SplitSearch<Seller>> {
  const sides = yield* sidesOf(sellers, maxSplits);
  const pairs = yield* pairsWithin(sides, maxUnits(underCents));
  const budget: SplitBudget = { stepsLeft: maxSteps };
  const best = createBestSplits<Seller>({ underCents, maxSplits });
  const promising = yield* mostPromising(pairs);
  for (const at of promising) yield* searchPair(at);
  const searched = new Set(promising);
  for (
    let at = pairs.nextWithin(best.limitUnits(), 0);
    at < pairs.size;
    at = pairs.nextWithin(best.limitUnits(), at + 1)
  ) {
    if (!searched.has(at)) yield* searchPair(at);
  }
  return { splits: best.splits(), isExhaustive: budget.stepsLeft > 0 };

  function* searchPair(at: number): Generator<void, void> {
    const limitCents = best.limitCents(pairs.firstAt(at), pairs.secondAt(at));
    if (budget.stepsLeft <= 0 || pairs.minUnitsAt(at) > maxUnits(limitCents)) return;
    const [first, second] = [sideAt(sides, pairs.firstAt(at)), sideAt(sides, pairs.secondAt(at))];
    const found = yield* cheapestOfPair(first, second, limitCents, budget);
    if (found) best.add({ ...found, first, second });
    yield;
  }
}

type FoundSplit<Seller> = { first: Side<Seller>; second: Side<Seller>; linesOfFirst: number; totalCents: number };

/** Keeps the cheapest splits; of equal prices the split of the first pair. */
function createBestSplits<Seller>({ underCents, maxSplits }: Pick<SplitLimits, 'underCents' | 'maxSplits'>) {
  const found: FoundSplit<Seller>[] = [];
  return {
    /** A pair with a greater lower bound cannot be added. */
    limitUnits: (): number => maxUnits((found[maxSplits - 1]?.totalCents ?? underCents - 1) + 1),
    /** Only a split below this price can be added for the pair of these positions. */
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

function sideAt<Seller>(sides: readonly Side<Seller>[], at: number): Side<Seller> {
  const side = sides[at];
  if (!side) throw new RangeError(`There is no side ${at}.`);
  return side;
}

/**
 * Leaves out stores that can be no part of a split, and stores of the same prices and terms beyond those that an answer
 * can have: the first of them and as many partners.
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
    const floor = floorOf(seller.terms);
    const feeUnits = minFeeUnits(floor, Math.min(...had), sum);
    if (feeUnits === Infinity) continue;
    const lineUnits = Float64Array.from(seller.lineCents, (cents) => cents * floor.unitsPerCent);
    const side = {
      at: sides.length,
      seller,
      terms: seller.terms,
      lineCents: seller.lineCents,
      floor,
      lineUnits,
      feeUnits,
    };
    sides.push(side);
    bySum.set(sum, [...ofSum, side]);
  }
  return sides;
}

/** Whether two stores have the same prices and terms. */
function isSame(one: SplitSeller, other: SplitSeller): boolean {
  return (
    one.lineCents.every((cents, line) => cents === other.lineCents[line]) &&
    JSON.stringify(one.terms) === JSON.stringify(other.terms)
  );
}

/** The pairs with the least lower bounds, sorted. */
function* mostPromising(pairs: PairBounds): Generator<void, number[]> {
  const list = createTopList((one, other) => one < other);
  list.reset(PROMISING_PAIRS);
  for (let from = 0; from < pairs.size; from += PIECE) {
    const end = Math.min(pairs.size, from + PIECE);
    for (let at = from; at < end; at += 1) list.offer(pairs.minUnitsAt(at), 0, at);
    yield;
  }
  return list.drain().map(({ id }) => id);
}

/** The greatest number of units below a price; a finite number for any price. */
function maxUnits(cents: number): number {
  return cents === Infinity ? Number.MAX_VALUE : (cents - 1) * UNITS_PER_CENT;
}
