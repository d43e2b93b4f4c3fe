import { floorOf, leastFeeUnits, UNITS_PER_CENT } from './cart-floor.ts';
import type { CartTerms } from './price-cart.ts';
import { cheapestOfPair, type SplitBudget, type SplitSide } from './split-pair.ts';

/** A store whose part of a cart may be combined with another's. */
export type SplitSeller = {
  terms: CartTerms;
  /** What each line costs there, all units of it, in cents; Infinity where the store lacks it. */
  lineCents: readonly number[];
};

/** A cart shared out over two stores, by their numbers in the list; what both charge together before tips. */
export type Split = { first: number; second: number; linesOfFirst: readonly boolean[]; totalCents: number };

/** Cheapest first, each of another pair of stores. Not exhaustive: the work's limit was met, so there may be cheaper. */
export type SplitSearch = { splits: readonly Split[]; isExhaustive: boolean };

export type SplitLimits = {
  /** Only splits that cost less than this count; Infinity for all. */
  underCents: number;
  mostSplits: number;
  /** Partial splits that are looked at in all, whatever the number of lines and stores. */
  mostSteps: number;
};

/** Pairs that promise most are looked at first: what they cost rules out nearly all of the others unseen. */
const PROMISING_PAIRS = 64;

type Side = SplitSide & {
  seller: number;
  /** Units that its fees add at least, whatever its part. */
  feeUnits: number;
};

/** Two sides by their numbers, and the units that a split between them costs at least. */
type Pair = { first: number; second: number; leastUnits: number };

/**
 * The cheapest splits of a cart over two of the stores: of all pairs, and of all ways to share the lines out between
 * the two. Every line is had, each store brings at least one, and both order minima are met. Of stores with the same
 * prices and terms those first in the list stand for all.
 */
export function cheapestSplits(sellers: readonly SplitSeller[], limits: SplitLimits): SplitSearch {
  const steps = splitSteps(sellers, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same with a stop after each short piece of the work, so that other work can have its turn. */
export function* splitSteps(sellers: readonly SplitSeller[], limits: SplitLimits): Generator<void, SplitSearch> {
  const { underCents, mostSplits, mostSteps } = limits;
  const sides = yield* sidesOf(sellers, mostSplits);
  const budget: SplitBudget = { stepsLeft: mostSteps };
  const splits: Split[] = [];
  const limitCents = () => splits[mostSplits - 1]?.totalCents ?? underCents;

  const look = ({ first: a, second: b, leastUnits }: Pair): void => {
    if (budget.stepsLeft <= 0 || leastUnits > limitUnits(limitCents())) return;
    const [first, second] = [sides[a] as Side, sides[b] as Side];
    const found = cheapestOfPair(first, second, limitCents(), budget);
    if (!found) return;
    const linesOfFirst = first.lineCents.map((_, line) => Math.floor(found.linesOfFirst / 2 ** line) % 2 === 1);
    splits.push({ first: first.seller, second: second.seller, linesOfFirst, totalCents: found.totalCents });
    splits.sort((x, y) => x.totalCents - y.totalCents || x.first - y.first || x.second - y.second);
    splits.length = Math.min(splits.length, mostSplits);
  };

  const least = yield* leastOfPairs(sides, limitUnits(underCents));
  const promising = yield* mostPromising(least, sides.length, limitUnits(underCents));
  for (const pair of promising) {
    look(pair);
    least[pair.first * sides.length + pair.second] = Infinity;
    yield;
  }
  yield* eachPairWithin(least, sides.length, () => limitUnits(limitCents()), look);
  return { splits, isExhaustive: budget.stepsLeft > 0 };
}

/** No more stores of the same prices and terms than could be in the answer. */
function* sidesOf(sellers: readonly SplitSeller[], mostSplits: number): Generator<void, Side[]> {
  const counts = new Map<string, number>();
  const sides: Side[] = [];
  for (const [seller, { terms, lineCents }] of sellers.entries()) {
    yield;
    const key = JSON.stringify([lineCents, terms]);
    const same = counts.get(key) ?? 0;
    counts.set(key, same + 1);
    const had = lineCents.filter((cents) => cents !== Infinity);
    if (had.length === 0 || same >= Math.max(2, mostSplits)) continue;
    const floor = floorOf(terms);
    const lineUnits = Float64Array.from(lineCents, (cents) => cents * floor.unitsPerCent);
    const sum = had.reduce((total, cents) => total + cents, 0);
    sides.push({ seller, terms, lineCents, floor, lineUnits, feeUnits: leastFeeUnits(floor, Math.min(...had), sum) });
  }
  return sides;
}

/**
 * Units that a split costs at least for each pair, at the place first × sides + second with first < second; Infinity at
 * all other places, and for pairs that are over the limit.
 */
function* leastOfPairs(sides: readonly Side[], limit: number): Generator<void, Float64Array> {
  const least = new Float64Array(sides.length ** 2).fill(Infinity);
  for (const [a, first] of sides.entries()) {
    yield;
    for (let b = a + 1; b < sides.length; b += 1) {
      const second = sides[b] as Side;
      const units = leastTogether(first.lineUnits, second.lineUnits) + first.feeUnits + second.feeUnits;
      if (units <= limit) least[a * sides.length + b] = units;
    }
  }
  return least;
}

/** The cheaper of the two for every line, in sum. */
function leastTogether(first: Float64Array, second: Float64Array): number {
  let units = 0;
  for (let line = 0; line < first.length; line += 1) {
    const a = first[line] as number;
    const b = second[line] as number;
    units += a < b ? a : b;
  }
  return units;
}

/** The pairs that could cost least, best first. */
function* mostPromising(least: Float64Array, sideCount: number, limit: number): Generator<void, Pair[]> {
  const kept: Pair[] = [];
  const worst = () => kept[PROMISING_PAIRS - 1]?.leastUnits ?? limit;
  yield* eachPairWithin(least, sideCount, worst, (pair) => {
    let at = kept.length;
    while (at > 0 && (kept[at - 1] as Pair).leastUnits > pair.leastUnits) at -= 1;
    kept.splice(at, 0, pair);
    kept.length = Math.min(kept.length, PROMISING_PAIRS);
  });
  return kept;
}

/** Visits the pairs within the limit, which may fall with every visit. */
function* eachPairWithin(
  least: Float64Array,
  sideCount: number,
  limitOf: () => number,
  visit: (pair: Pair) => void,
): Generator<void, void> {
  let limit = limitOf();
  for (let place = 0; place < least.length; place += 1) {
    const leastUnits = least[place] as number;
    if (place % sideCount === 0) yield;
    if (leastUnits > limit) continue;
    visit({ first: Math.floor(place / sideCount), second: place % sideCount, leastUnits });
    limit = limitOf();
  }
}

/** The most units of a split that is cheaper than this; anything finite where there is no limit. */
function limitUnits(cents: number): number {
  return cents === Infinity ? Number.MAX_VALUE : (cents - 1) * UNITS_PER_CENT;
}
