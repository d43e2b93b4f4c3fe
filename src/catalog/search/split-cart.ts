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
type Pair = { first: Side; second: Side; leastUnits: number };

/**
 * The cheapest splits of a cart over two of the stores: of all pairs, and of all ways to share the lines out between
 * the two. Every line is had, each store brings at least one, and both order minima are met. Of stores with the same
 * prices and terms those first in the list stand for all.
 */
export function cheapestSplits(sellers: readonly SplitSeller[], limits: SplitLimits): SplitSearch {
  const { underCents, mostSplits, mostSteps } = limits;
  const sides = sidesOf(sellers, mostSplits);
  const budget: SplitBudget = { stepsLeft: mostSteps };
  const splits: Split[] = [];
  const limitCents = () => splits[mostSplits - 1]?.totalCents ?? underCents;

  const look = ({ first, second }: Pair): void => {
    if (budget.stepsLeft <= 0) return;
    const found = cheapestOfPair(first, second, limitCents(), budget);
    if (!found) return;
    const linesOfFirst = first.lineCents.map((_, line) => Math.floor(found.linesOfFirst / 2 ** line) % 2 === 1);
    splits.push({ first: first.seller, second: second.seller, linesOfFirst, totalCents: found.totalCents });
    splits.sort((a, b) => a.totalCents - b.totalCents || a.first - b.first || a.second - b.second);
    splits.length = Math.min(splits.length, mostSplits);
  };

  const promising = mostPromising(sides, limitCents);
  for (const pair of promising) look(pair);
  const seen = new Set(promising.map(({ first, second }) => first.seller * sellers.length + second.seller));
  eachPair(sides, limitCents, (pair) => {
    if (!seen.has(pair.first.seller * sellers.length + pair.second.seller)) look(pair);
  });
  return { splits, isExhaustive: budget.stepsLeft > 0 };
}

/** No more stores of the same prices and terms than could be in the answer. */
function sidesOf(sellers: readonly SplitSeller[], mostSplits: number): Side[] {
  const counts = new Map<string, number>();
  return sellers.flatMap(({ terms, lineCents }, seller) => {
    const key = JSON.stringify([lineCents, terms]);
    const same = counts.get(key) ?? 0;
    counts.set(key, same + 1);
    const had = lineCents.filter((cents) => cents !== Infinity);
    if (had.length === 0 || same >= Math.max(2, mostSplits)) return [];
    const floor = floorOf(terms);
    const lineUnits = lineCents.map((cents) => cents * floor.unitsPerCent);
    const sum = had.reduce((total, cents) => total + cents, 0);
    return [{ seller, terms, lineCents, floor, lineUnits, feeUnits: leastFeeUnits(floor, Math.min(...had), sum) }];
  });
}

/** The pairs that could cost least, best first. */
function mostPromising(sides: readonly Side[], limitCents: () => number): Pair[] {
  const kept: Pair[] = [];
  eachPair(sides, limitCents, (pair) => {
    const worst = kept[PROMISING_PAIRS - 1];
    if (worst && worst.leastUnits <= pair.leastUnits) return;
    let at = kept.length;
    while (at > 0 && (kept[at - 1] as Pair).leastUnits > pair.leastUnits) at -= 1;
    kept.splice(at, 0, pair);
    kept.length = Math.min(kept.length, PROMISING_PAIRS);
  });
  return kept;
}

/** Every pair that has all lines and might cost less than the limit, which may fall meanwhile. */
function eachPair(sides: readonly Side[], limitCents: () => number, visit: (pair: Pair) => void): void {
  const lineCount = sides[0]?.lineUnits.length ?? 0;
  const cheapest = Array.from({ length: lineCount }, (_, line) =>
    Math.min(...sides.map(({ lineUnits }) => lineUnits[line] as number)),
  );
  const leastFees = Math.min(...sides.map(({ feeUnits }) => feeUnits));
  sides.forEach((first, index) => {
    const withBest = leastTogether(first.lineUnits, cheapest) + first.feeUnits + leastFees;
    if (isOver(withBest, limitCents())) return;
    for (let other = index + 1; other < sides.length; other += 1) {
      const second = sides[other] as Side;
      const leastUnits = leastTogether(first.lineUnits, second.lineUnits) + first.feeUnits + second.feeUnits;
      if (!isOver(leastUnits, limitCents())) visit({ first, second, leastUnits });
    }
  });
}

/** Whether a cart of at least so many units cannot cost less than the limit. */
function isOver(leastUnits: number, limitCents: number): boolean {
  return leastUnits === Infinity || leastUnits > (limitCents - 1) * UNITS_PER_CENT;
}

function leastTogether(first: readonly number[], second: readonly number[]): number {
  let units = 0;
  for (let line = 0; line < first.length; line += 1) {
    const a = first[line] as number;
    const b = second[line] as number;
    units += a < b ? a : b;
  }
  return units;
}
