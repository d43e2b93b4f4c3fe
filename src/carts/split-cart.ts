import { floorOf, minFeeUnits, UNITS_PER_CENT } from './cart-floor.ts';
import type { CartTerms } from './price-cart.ts';
import { cheapestOfPair, type SplitBudget, type SplitSide } from './split-pair.ts';

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

type Side<Seller> = SplitSide & {
  seller: Seller;
  /** Units that its fees add at least, whatever its part. */
  feeUnits: number;
};

/** Positions of two sides, and the lower bound of their splits in units. */
type Pair = { first: number; second: number; minUnits: number };

/**
 * The cheapest splits of a cart over two of the stores, of all pairs and of all ways to share the lines. A split has
 * every line, each store has at least one line, and both parts meet their order minimum. Of stores with the same prices
 * and terms the first in the list count.
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
  const budget: SplitBudget = { stepsLeft: maxSteps };
  const best = createBestSplits<Seller>({ underCents, maxSplits });

  const search = (pair: Pair): void => {
    const [first, second] = [sides[pair.first], sides[pair.second]];
    if (!first || !second) throw new RangeError(`There are no sides ${pair.first} and ${pair.second}.`);
    if (budget.stepsLeft <= 0 || pair.minUnits > maxUnits(best.limitCents())) return;
    const found = cheapestOfPair(first, second, best.limitCents(), budget);
    if (found) best.add({ ...found, first, second, pair });
  };

  const minUnits = yield* minUnitsOfPairs(sides, maxUnits(underCents));
  const promising = yield* mostPromising(minUnits, sides.length, maxUnits(underCents));
  for (const pair of promising) {
    search(pair);
    minUnits[pair.first * sides.length + pair.second] = Infinity;
    yield;
  }
  yield* visitPairsWithin(minUnits, sides.length, () => maxUnits(best.limitCents()), search);
  return { splits: best.splits(), isExhaustive: budget.stepsLeft > 0 };
}

type FoundSplit<Seller> = {
  first: Side<Seller>;
  second: Side<Seller>;
  pair: Pair;
  linesOfFirst: number;
  totalCents: number;
};

/** Keeps the cheapest splits; of equal prices the split of the first pair. */
function createBestSplits<Seller>({ underCents, maxSplits }: Pick<SplitLimits, 'underCents' | 'maxSplits'>) {
  const found: FoundSplit<Seller>[] = [];
  return {
    /** Only a split below this price can be added. */
    limitCents: (): number => found[maxSplits - 1]?.totalCents ?? underCents,
    add(split: FoundSplit<Seller>): void {
      found.push(split);
      found.sort((a, b) => a.totalCents - b.totalCents || a.pair.first - b.pair.first || a.pair.second - b.pair.second);
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

/** Leaves out stores of the same prices and terms beyond those that an answer can have. */
function* sidesOf<Seller extends SplitSeller>(
  sellers: readonly Seller[],
  maxSplits: number,
): Generator<void, Side<Seller>[]> {
  const counts = new Map<string, number>();
  const sides: Side<Seller>[] = [];
  for (const seller of sellers) {
    yield;
    const { terms, lineCents } = seller;
    const key = JSON.stringify([lineCents, terms]);
    const same = counts.get(key) ?? 0;
    counts.set(key, same + 1);
    const had = lineCents.filter((cents) => cents !== Infinity);
    if (had.length === 0 || same >= Math.max(2, maxSplits)) continue;
    const floor = floorOf(terms);
    const lineUnits = Float64Array.from(lineCents, (cents) => cents * floor.unitsPerCent);
    const sum = had.reduce((total, cents) => total + cents, 0);
    sides.push({ seller, terms, lineCents, floor, lineUnits, feeUnits: minFeeUnits(floor, Math.min(...had), sum) });
  }
  return sides;
}

/**
 * The lower bound of each pair's splits in units, at slot first × sides + second with first < second; Infinity in all
 * other slots, and for pairs above the limit.
 */
function* minUnitsOfPairs(sides: readonly Side<unknown>[], limit: number): Generator<void, Float64Array> {
  const minUnits = new Float64Array(sides.length ** 2).fill(Infinity);
  for (const [at, first] of sides.entries()) {
    yield;
    for (let other = at + 1, second = sides[other]; second; other += 1, second = sides[other]) {
      const units = cheaperLineUnits(first.lineUnits, second.lineUnits) + first.feeUnits + second.feeUnits;
      if (units <= limit) minUnits[at * sides.length + other] = units;
    }
  }
  return minUnits;
}

/** The sum of every line at the cheaper of two stores. */
function cheaperLineUnits(first: Float64Array, second: Float64Array): number {
  let units = 0;
  for (let line = 0; line < first.length; line += 1) {
    const a = first[line] as number;
    const b = second[line] as number;
    units += a < b ? a : b;
  }
  return units;
}

/** The pairs with the least lower bounds, sorted. */
function* mostPromising(minUnits: Float64Array, sideCount: number, limit: number): Generator<void, Pair[]> {
  const kept: Pair[] = [];
  const worst = () => kept[PROMISING_PAIRS - 1]?.minUnits ?? limit;
  yield* visitPairsWithin(minUnits, sideCount, worst, (pair) => {
    const before = kept.findLastIndex((other) => other.minUnits <= pair.minUnits);
    kept.splice(before + 1, 0, pair);
    kept.length = Math.min(kept.length, PROMISING_PAIRS);
  });
  return kept;
}

/** Visits the pairs within the limit, which may fall with every visit. */
function* visitPairsWithin(
  minUnits: Float64Array,
  sideCount: number,
  limitOf: () => number,
  visit: (pair: Pair) => void,
): Generator<void, void> {
  let limit = limitOf();
  for (let slot = 0; slot < minUnits.length; slot += 1) {
    const units = minUnits[slot] as number;
    if (slot % sideCount === 0) yield;
    if (units > limit) continue;
    visit({ first: Math.floor(slot / sideCount), second: slot % sideCount, minUnits: units });
    limit = limitOf();
  }
}

/** The greatest number of units below a price; a finite number for any price. */
function maxUnits(cents: number): number {
  return cents === Infinity ? Number.MAX_VALUE : (cents - 1) * UNITS_PER_CENT;
}
