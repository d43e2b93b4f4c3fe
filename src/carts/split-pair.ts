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

/** Partial splits between two yields: some tenths of a millisecond. */
const STEPS_AT_ONCE = 1000;

/**
 * The cheapest split of all lines over the two stores below `underCents`, with at least one line at each store and both
 * order minima met; undefined where there is none. Branch and bound: a partial split is dropped when its lines, the
 * cheaper side of every other line and the least fees of any subtotal still within reach are no less than the best split
 * so far. Stops early when the budget is used up. Yields after each short piece of the work.
 */
export function* cheapestOfPair(
  first: SplitSide,
  second: SplitSide,
  underCents: number,
  budget: SplitBudget,
): Generator<void, PairSplit | undefined> {
  const search = createPairSearch(first, second, underCents);
  while (!search.advance(budget)) yield;
  return search.best();
}

/** Lines with the greatest difference of prices come first; a line that one store lacks comes before them. */
function linesByDifference({ lineUnits: first }: SplitSide, { lineUnits: second }: SplitSide): number[] {
  const difference = Array.from(first, (units, line) => Math.abs(units - (second[line] as number)));
  return [...difference.keys()].sort((a, b) => (difference[b] as number) - (difference[a] as number) || a - b);
}

/** What the lines from each depth on add: at least at any side, and at most to each side's subtotal in cents. */
type Rest = { minUnits: Float64Array; firstCents: Float64Array; secondCents: Float64Array };

function restOf(first: SplitSide, second: SplitSide, lines: readonly number[]): Rest {
  const minUnits = new Float64Array(lines.length + 1);
  const firstCents = new Float64Array(lines.length + 1);
  const secondCents = new Float64Array(lines.length + 1);
  const finite = (cents: number) => (cents === Infinity ? 0 : cents);
  for (let depth = lines.length - 1; depth >= 0; depth -= 1) {
    const line = lines[depth] as number;
    const units = Math.min(first.lineUnits[line] as number, second.lineUnits[line] as number);
    minUnits[depth] = (minUnits[depth + 1] as number) + units;
    firstCents[depth] = (firstCents[depth + 1] as number) + finite(first.lineCents[line] as number);
    secondCents[depth] = (secondCents[depth + 1] as number) + finite(second.lineCents[line] as number);
  }
  return { minUnits, firstCents, secondCents };
}

function exactCents({ terms }: SplitSide, subtotalCents: number): number {
  if (subtotalCents < terms.orderMinimumCents) return Infinity;
  return priceCart(terms, subtotalCents)?.totalWithoutTipsCents ?? Infinity;
}

/** The partial splits from the one without a line down to the present one, a depth for each line that has a side. */
function createBranch(lineCount: number) {
  return {
    linesOfFirst: new Uint32Array(lineCount + 1),
    firstCents: new Float64Array(lineCount + 1),
    secondCents: new Float64Array(lineCount + 1),
    /** Sides of the next line that were tried: none, one or both. */
    triedSides: new Uint8Array(lineCount + 1),
  };
}

function createPairSearch(first: SplitSide, second: SplitSide, underCents: number) {
  const lines = linesByDifference(first, second);
  const rest = restOf(first, second, lines);
  const all = 2 ** lines.length - 1;
  const { linesOfFirst, firstCents, secondCents, triedSides } = createBranch(lines.length);
  let depth = 0;
  let best: PairSplit = { linesOfFirst: -1, totalCents: underCents };

  /** The lower bound, in units of the floor, of the splits whose lines from the present depth on are still open. */
  function minUnits(): number {
    const inFirst = firstCents[depth] as number;
    const inSecond = secondCents[depth] as number;
    return (
      inFirst * first.floor.unitsPerCent +
      inSecond * second.floor.unitsPerCent +
      (rest.minUnits[depth] as number) +
      minFeeUnits(first.floor, inFirst, inFirst + (rest.firstCents[depth] as number)) +
      minFeeUnits(second.floor, inSecond, inSecond + (rest.secondCents[depth] as number))
    );
  }

  function complete(): void {
    const ofFirst = linesOfFirst[depth] as number;
    if (ofFirst === 0 || ofFirst === all) return;
    const totalCents =
      exactCents(first, firstCents[depth] as number) + exactCents(second, secondCents[depth] as number);
    if (totalCents < best.totalCents) best = { linesOfFirst: ofFirst, totalCents };
  }

  /** Whether splits below the present one may be cheaper than the best; completes a split that has all lines. */
  function isOpen(): boolean {
    const units = minUnits();
    if (units === Infinity || units > (best.totalCents - 1) * UNITS_PER_CENT) return false;
    if (depth < lines.length) return true;
    complete();
    return false;
  }

  /** Gives the next line to the next of its sides, the cheaper one first; goes back where both were tried. */
  function step(): void {
    const tried = triedSides[depth] as number;
    if (tried === 2) {
      depth -= 1;
      return;
    }
    triedSides[depth] = tried + 1;
    const line = lines[depth] as number;
    const isFirstCheaper = (first.lineUnits[line] as number) <= (second.lineUnits[line] as number);
    const toFirst = isFirstCheaper === (tried === 0);
    const cents = (toFirst ? first : second).lineCents[line] as number;
    if (cents === Infinity) return;
    linesOfFirst[depth + 1] = (linesOfFirst[depth] as number) + (toFirst ? 2 ** line : 0);
    firstCents[depth + 1] = (firstCents[depth] as number) + (toFirst ? cents : 0);
    secondCents[depth + 1] = (secondCents[depth] as number) + (toFirst ? 0 : cents);
    triedSides[depth + 1] = 0;
    depth += 1;
  }

  return {
    /** Searches on; true once no partial split is left, in the pair or in the budget. */
    advance(budget: SplitBudget): boolean {
      for (let steps = 0; depth >= 0; ) {
        if (triedSides[depth] === 0) {
          if (budget.stepsLeft <= 0) return true;
          if (steps === STEPS_AT_ONCE) return false;
          steps += 1;
          budget.stepsLeft -= 1;
          if (!isOpen()) triedSides[depth] = 2;
        }
        step();
      }
      return true;
    },
    best: (): PairSplit | undefined => (best.linesOfFirst < 0 ? undefined : best),
  };
}
