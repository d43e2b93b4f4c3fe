import { deliveryRateFor, taxesOfTerms } from '../../supply/pricing/price-order.ts';
import { isTaxed } from '../../supply/pricing/taxes.ts';
import type { ServiceFee } from '../../supply/stores/store.ts';
import { taxClassOfCode } from '../../supply/stores/tax-class.ts';
import type { LinePrices } from './choose-products.ts';
import { type CartTerms, priceCart } from './sort-carts.ts';

/*
 * The cheapest split of a cart over two stores, by branch and bound. A floor is a lower bound of a subtotal's cost at
 * one store: cheap to compute, and never above the exact price.
 */

/**
 * Units of a floor per cent: ten-thousandths, so that 8.87% tax on a cent is a whole number. The largest order has a
 * ninth of `Number.MAX_SAFE_INTEGER` units.
 */
export const UNITS_PER_CENT = 10_000;

/** Rounding to cents lowers an exact percentage by at most half a cent. */
const ROUNDING_UNITS = UNITS_PER_CENT / 2;

/** Lower bounds of carts at one store, cheap to compute for many subtotals. */
export type CartFloor = {
  orderMinimumCents: number;
  /** Returns the units that each cent of a line with this tax code adds: itself and its tax. */
  unitsPerCent(taxCode: number): number;
  /** Subtotals at which a fee may drop, ascending. Between them, fees never decrease. */
  dropsAt: readonly number[];
  /** Returns the minimum units that fees and their taxes add at exactly this subtotal. */
  feeUnitsAt(subtotalCents: number): number;
};

/** Returns the whole units that a cent adds at this percentage, rounded down. */
function percentUnits(percent: number): number {
  const nearest = Math.round(percent * 100);
  return nearest / 100 > percent ? nearest - 1 : nearest;
}

type Rate = { flatCents: number; percent: number };

function rateUnits({ flatCents, percent }: Rate, cents: number): number {
  const flat = flatCents * UNITS_PER_CENT;
  return percent === 0 ? flat : flat + percentUnits(percent) * cents - ROUNDING_UNITS;
}

function serviceUnits(fee: ServiceFee, cents: number): number {
  const units = Math.max(rateUnits(fee, cents), fee.minCents * UNITS_PER_CENT);
  return fee.maxCents === null ? units : Math.min(units, fee.maxCents * UNITS_PER_CENT);
}

/**
 * Returns the lower bound of `priceCart` for lines with some of these tax codes. As the subtotal grows, fees decrease
 * only at delivery thresholds and at the small-order minimum.
 */
export function floorOf(terms: CartTerms, taxCodes: readonly number[]): CartFloor {
  const { mode, fees, slotDeliveryFee, orderMinimumCents } = terms;
  const { deliveryFee, smallOrderFee } = fees;
  const isDelivered = mode === 'delivery';
  const service = isDelivered ? fees.serviceFee : fees.pickupServiceFee;
  const taxes = taxesOfTerms(terms);
  const taxUnits = (code: number): number => {
    const taxClass = taxClassOfCode(code, terms.taxClass);
    return taxes.reduce((units, tax) => (isTaxed(tax, taxClass) ? units + percentUnits(tax.percent) : units), 0);
  };
  const unitsByCode = new Map(taxCodes.map((code) => [code, taxUnits(code)]));
  // A fee bears each tax that is on one of the lines, so at least the taxes of the line that is taxed least.
  const feeTaxUnits = Math.min(...unitsByCode.values());
  const deliveryTaxable = (slotDeliveryFee ?? deliveryFee).taxable;
  const thresholds = isDelivered ? deliveryFee.thresholds.map(({ minimumSubtotalCents }) => minimumSubtotalCents) : [];
  const dropsAt = [...new Set([...thresholds, smallOrderFee.minimumOrderCents])].sort((a, b) => a - b);

  return {
    orderMinimumCents,
    unitsPerCent: (code) => UNITS_PER_CENT + (unitsByCode.get(code) ?? 0),
    dropsAt,
    feeUnitsAt(cents) {
      const delivery = isDelivered ? rateUnits(deliveryRateFor(deliveryFee, slotDeliveryFee, cents), cents) : 0;
      const serviced = service ? serviceUnits(service, cents) : 0;
      const small = cents < smallOrderFee.minimumOrderCents ? rateUnits(smallOrderFee, cents) : 0;
      const taxed = (deliveryTaxable ? delivery : 0) + (service?.taxable ? serviced : 0);
      const tax = Math.floor(taxed / UNITS_PER_CENT) * feeTaxUnits - taxes.length * ROUNDING_UNITS;
      return delivery + serviced + small + tax;
    },
  };
}

/**
 * Computes the minimum units that fees and their taxes add to a subtotal in this range, inclusive, that reaches the
 * order minimum. Infinity if there is none.
 */
export function minFeeUnits(floor: CartFloor, lowestCents: number, highestCents: number): number {
  const lowest = Math.max(lowestCents, floor.orderMinimumCents);
  if (lowest > highestCents) return Number.POSITIVE_INFINITY;
  let units = floor.feeUnitsAt(lowest);
  for (const at of floor.dropsAt) {
    if (at > highestCents) break;
    if (at > lowest) units = Math.min(units, floor.feeUnitsAt(at));
  }
  return units;
}

/** A store as one side of a split. */
export type SplitSide = LinePrices & {
  terms: CartTerms;
  floor: CartFloor;
  /** Prices of the lines with tax, in units. */
  lineUnits: Float64Array;
};

/** The first store's lines as bits, and the price of both carts. */
export type PairSplit = { linesOfFirst: number; totalCents: number };

/** Number of partial splits that the search may still try. */
export type SplitBudget = { stepsLeft: number };

/** Partial splits between two yields; they take a few tenths of a millisecond. */
const STEPS_PER_YIELD = 1000;

/** Sorts lines for pruning: first those that only one store has, then by descending price difference. */
function linesByDifference({ lineUnits: first }: SplitSide, { lineUnits: second }: SplitSide): number[] {
  const difference = Array.from(first, (units, line) => Math.abs(units - (second[line] as number)));
  return [...difference.keys()].sort((a, b) => (difference[b] as number) - (difference[a] as number) || a - b);
}

/**
 * For the lines from each depth on: the minimum that they add at either side, and the maximum subtotal of each side.
 */
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

function exactCents(side: SplitSide, subtotalCents: number, has: (line: number) => boolean): number {
  if (subtotalCents < side.terms.orderMinimumCents) return Infinity;
  return priceCart(side.terms, subtotalCents, side, has)?.totalWithoutTipsCents ?? Infinity;
}

/**
 * Finds the cheapest split over two stores below `underCents`; undefined if there is none. Branch and bound: prunes
 * partial splits whose lines, cheapest remaining sides and lowest possible fees cost too much. Stops when the budget is
 * used up.
 */
export function* cheapestOfPair(
  first: SplitSide,
  second: SplitSide,
  underCents: number,
  budget: SplitBudget,
): Generator<void, PairSplit | undefined> {
  const lines = linesByDifference(first, second);
  const rest = restOf(first, second, lines);
  const all = 2 ** lines.length - 1;
  // The current partial split and its ancestors, one depth per assigned line; `units` are prices with tax.
  const linesOfFirst = new Uint32Array(lines.length + 1);
  const firstCents = new Float64Array(lines.length + 1);
  const secondCents = new Float64Array(lines.length + 1);
  const units = new Float64Array(lines.length + 1);
  /** Sides that were already tried for the next line: none, one or both. */
  const triedSides = new Uint8Array(lines.length + 1);
  let depth = 0;
  let best: PairSplit = { linesOfFirst: -1, totalCents: underCents };
  for (let steps = 0; depth >= 0; step()) {
    if (triedSides[depth] !== 0) continue;
    if (budget.stepsLeft <= 0) break;
    if (steps > 0 && steps % STEPS_PER_YIELD === 0) yield;
    steps += 1;
    budget.stepsLeft -= 1;
    if (!isOpen()) triedSides[depth] = 2;
  }
  return best.linesOfFirst < 0 ? undefined : best;

  /** Returns a lower bound, in units, of all splits below the current depth. */
  function minUnits(): number {
    const inFirst = firstCents[depth] as number;
    const inSecond = secondCents[depth] as number;
    return (
      (units[depth] as number) +
      (rest.minUnits[depth] as number) +
      minFeeUnits(first.floor, inFirst, inFirst + (rest.firstCents[depth] as number)) +
      minFeeUnits(second.floor, inSecond, inSecond + (rest.secondCents[depth] as number))
    );
  }

  function complete(): void {
    const ofFirst = linesOfFirst[depth] as number;
    if (ofFirst === 0 || ofFirst === all) return;
    const isOfFirst = (line: number) => Math.floor(ofFirst / 2 ** line) % 2 === 1;
    const totalCents =
      exactCents(first, firstCents[depth] as number, isOfFirst) +
      exactCents(second, secondCents[depth] as number, (line) => !isOfFirst(line));
    if (totalCents < best.totalCents) best = { linesOfFirst: ofFirst, totalCents };
  }

  /** Whether splits below the current one can beat the best. Completes a split once all lines are assigned. */
  function isOpen(): boolean {
    const least = minUnits();
    if (least === Infinity || least > (best.totalCents - 1) * UNITS_PER_CENT) return false;
    if (depth < lines.length) return true;
    complete();
    return false;
  }

  /** Assigns the next line to its next side, the cheaper one first; backtracks after both. */
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
    const side = toFirst ? first : second;
    const cents = side.lineCents[line] as number;
    if (cents === Infinity) return;
    units[depth + 1] = (units[depth] as number) + (side.lineUnits[line] as number);
    linesOfFirst[depth + 1] = (linesOfFirst[depth] as number) + (toFirst ? 2 ** line : 0);
    firstCents[depth + 1] = (firstCents[depth] as number) + (toFirst ? cents : 0);
    secondCents[depth + 1] = (secondCents[depth] as number) + (toFirst ? 0 : cents);
    triedSides[depth + 1] = 0;
    depth += 1;
  }
}
