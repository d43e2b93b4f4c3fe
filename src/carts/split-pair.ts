import { type CartFloor, minFeeUnits, UNITS_PER_CENT } from './cart-floor.ts';
import { type CartTerms, priceCart } from './price-cart.ts';

/** A store as one side of a split. */
export type SplitSide = {
  terms: CartTerms;
  floor: CartFloor;
  /** All units of each line in cents; Infinity where the store lacks the line. */
  lineCents: readonly number[];
  /** The same prices with their tax, in units of the floor. */
  lineUnits: Float64Array;
};

/** Positions of the first store's lines, a bit each, and the price of both carts. */
export type PairSplit = { linesOfFirst: number; totalCents: number };

/** Partial splits that may still be searched: the bound of the work. */
export type SplitBudget = { stepsLeft: number };

/** What the lines from each depth on add: at least at any side, and at most to each side's subtotal in cents. */
type Rest = { minUnits: number[]; firstCents: number[]; secondCents: number[] };

type Pair = { first: SplitSide; second: SplitSide; rest: Rest };

/** Lines with the greatest difference of prices come first; a line that one store lacks comes before them. */
function linesByDifference({ lineUnits: first }: SplitSide, { lineUnits: second }: SplitSide): number[] {
  const difference = Array.from(first, (units, line) => Math.abs(units - (second[line] as number)));
  return [...difference.keys()].sort((a, b) => (difference[b] as number) - (difference[a] as number) || a - b);
}

function restOf(first: SplitSide, second: SplitSide, lines: readonly number[]): Rest {
  const rest: Rest = { minUnits: [0], firstCents: [0], secondCents: [0] };
  const finite = (cents: number) => (cents === Infinity ? 0 : cents);
  for (const line of lines.toReversed()) {
    const units = Math.min(first.lineUnits[line] as number, second.lineUnits[line] as number);
    rest.minUnits.unshift((rest.minUnits[0] as number) + units);
    rest.firstCents.unshift((rest.firstCents[0] as number) + finite(first.lineCents[line] as number));
    rest.secondCents.unshift((rest.secondCents[0] as number) + finite(second.lineCents[line] as number));
  }
  return rest;
}

/** The lower bound, in units of the floor, of the splits whose lines from the depth on are still open. */
function minUnitsOf({ first, second, rest }: Pair, depth: number, firstCents: number, secondCents: number): number {
  return (
    firstCents * first.floor.unitsPerCent +
    secondCents * second.floor.unitsPerCent +
    (rest.minUnits[depth] as number) +
    minFeeUnits(first.floor, firstCents, firstCents + (rest.firstCents[depth] as number)) +
    minFeeUnits(second.floor, secondCents, secondCents + (rest.secondCents[depth] as number))
  );
}

function exactCents({ terms }: SplitSide, subtotalCents: number): number {
  if (subtotalCents < terms.orderMinimumCents) return Infinity;
  return priceCart(terms, subtotalCents)?.totalWithoutTipsCents ?? Infinity;
}

/**
 * The cheapest split of all lines over the two stores below `underCents`, with at least one line at each store and both
 * order minima met; undefined where there is none. Branch and bound: a partial split is dropped when its lines, the
 * cheaper side of every other line and the least fees of any subtotal still within reach are no less than the best split
 * so far. Stops early when the budget is used up.
 */
export function cheapestOfPair(
  first: SplitSide,
  second: SplitSide,
  underCents: number,
  budget: SplitBudget,
): PairSplit | undefined {
  const lines = linesByDifference(first, second);
  const pair: Pair = { first, second, rest: restOf(first, second, lines) };
  const all = 2 ** lines.length - 1;
  let best: PairSplit = { linesOfFirst: -1, totalCents: underCents };

  const complete = (linesOfFirst: number, firstCents: number, secondCents: number): void => {
    if (linesOfFirst === 0 || linesOfFirst === all) return;
    const totalCents = exactCents(first, firstCents) + exactCents(second, secondCents);
    if (totalCents < best.totalCents) best = { linesOfFirst, totalCents };
  };

  const descend = (depth: number, linesOfFirst: number, firstCents: number, secondCents: number): void => {
    if (budget.stepsLeft <= 0) return;
    budget.stepsLeft -= 1;
    const minUnits = minUnitsOf(pair, depth, firstCents, secondCents);
    if (minUnits === Infinity || minUnits > (best.totalCents - 1) * UNITS_PER_CENT) return;
    const line = lines[depth];
    if (line === undefined) {
      complete(linesOfFirst, firstCents, secondCents);
      return;
    }
    const inFirst = first.lineCents[line] as number;
    const inSecond = second.lineCents[line] as number;
    const isFirstCheaper = (first.lineUnits[line] as number) <= (second.lineUnits[line] as number);
    for (const toFirst of [isFirstCheaper, !isFirstCheaper]) {
      if (toFirst && inFirst !== Infinity)
        descend(depth + 1, linesOfFirst + 2 ** line, firstCents + inFirst, secondCents);
      if (!toFirst && inSecond !== Infinity) descend(depth + 1, linesOfFirst, firstCents, secondCents + inSecond);
    }
  };

  descend(0, 0, 0, 0);
  return best.linesOfFirst < 0 ? undefined : best;
}
