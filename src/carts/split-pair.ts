import { type CartFloor, leastFeeUnits, UNITS_PER_CENT } from './cart-floor.ts';
import { type CartTerms, priceCart } from './price-cart.ts';

/** A store as one side of a split. */
export type SplitSide = {
  terms: CartTerms;
  floor: CartFloor;
  /** What each line costs there, all units of it, in cents; Infinity where the store lacks it. */
  lineCents: readonly number[];
  /** The same with its tax, in units of the floor. */
  lineUnits: Float64Array;
};

/** Lines by number that the first store brings (a bit each), and what both carts cost together. */
export type PairSplit = { linesOfFirst: number; totalCents: number };

/** Partial splits that may still be looked at; it is what bounds the work. */
export type SplitBudget = { stepsLeft: number };

/** What the lines from each depth on add: at least, wherever they go, and at most to each side's subtotal in cents. */
type Rest = { leastUnits: number[]; firstCents: number[]; secondCents: number[] };

type Pair = { first: SplitSide; second: SplitSide; rest: Rest };

/** Lines whose side matters most come first; what one store lacks is settled before all others. */
function linesByDifference({ lineUnits: first }: SplitSide, { lineUnits: second }: SplitSide): number[] {
  const difference = Array.from(first, (units, line) => Math.abs(units - (second[line] as number)));
  return [...difference.keys()].sort((a, b) => (difference[b] as number) - (difference[a] as number) || a - b);
}

function restOf(first: SplitSide, second: SplitSide, lines: readonly number[]): Rest {
  const rest: Rest = { leastUnits: [0], firstCents: [0], secondCents: [0] };
  const finite = (cents: number) => (cents === Infinity ? 0 : cents);
  for (const line of lines.toReversed()) {
    const units = Math.min(first.lineUnits[line] as number, second.lineUnits[line] as number);
    rest.leastUnits.unshift((rest.leastUnits[0] as number) + units);
    rest.firstCents.unshift((rest.firstCents[0] as number) + finite(first.lineCents[line] as number));
    rest.secondCents.unshift((rest.secondCents[0] as number) + finite(second.lineCents[line] as number));
  }
  return rest;
}

/** What a split costs at least whose lines from the depth on are still open, in units of the floor. */
function leastUnitsOf({ first, second, rest }: Pair, depth: number, firstCents: number, secondCents: number): number {
  return (
    firstCents * first.floor.unitsPerCent +
    secondCents * second.floor.unitsPerCent +
    (rest.leastUnits[depth] as number) +
    leastFeeUnits(first.floor, firstCents, firstCents + (rest.firstCents[depth] as number)) +
    leastFeeUnits(second.floor, secondCents, secondCents + (rest.secondCents[depth] as number))
  );
}

function exactCents({ terms }: SplitSide, subtotalCents: number): number {
  if (subtotalCents < terms.orderMinimumCents) return Infinity;
  return priceCart(terms, subtotalCents)?.totalWithoutTipsCents ?? Infinity;
}

/**
 * The cheapest way to have every line from one of the two stores, at least one from each, both order minima met, for
 * less than `underCents`; undefined where there is none. Branch and bound: a partial split is given up when what it
 * has, the cheaper side of every other line, and the least fees of any subtotal still within reach are no less than
 * the best so far. Stops early when the budget is used up.
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

  const settle = (linesOfFirst: number, firstCents: number, secondCents: number): void => {
    if (linesOfFirst === 0 || linesOfFirst === all) return;
    const totalCents = exactCents(first, firstCents) + exactCents(second, secondCents);
    if (totalCents < best.totalCents) best = { linesOfFirst, totalCents };
  };

  const descend = (depth: number, linesOfFirst: number, firstCents: number, secondCents: number): void => {
    if (budget.stepsLeft <= 0) return;
    budget.stepsLeft -= 1;
    const least = leastUnitsOf(pair, depth, firstCents, secondCents);
    if (least === Infinity || least > (best.totalCents - 1) * UNITS_PER_CENT) return;
    const line = lines[depth];
    if (line === undefined) {
      settle(linesOfFirst, firstCents, secondCents);
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
