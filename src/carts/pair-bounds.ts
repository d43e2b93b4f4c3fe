import { grownFloat64, grownUint32 } from '../lib/columns/grow.ts';

/** The prices of one store as a side of pairs. */
export type BoundedSide = {
  /** All units of each line with their tax, in units of the floor; Infinity where the store lacks the line. */
  lineUnits: Float64Array;
  /** Units that its fees add at least, whatever its part. */
  feeUnits: number;
};

/** Pairs of sides, in columns: there may be a hundred thousand. */
export type PairBounds = {
  readonly size: number;
  /** Positions of the two sides, the lower one first. */
  firstAt(at: number): number;
  secondAt(at: number): number;
  /** The lower bound of the splits of the pair, in units. */
  minUnitsAt(at: number): number;
  /** The first pair from there on whose lower bound is within the limit; `size` where there is none. */
  nextWithin(limitUnits: number, from: number): number;
};

/** Pairs that are kept before the columns grow: a search has some hundreds of pairs nearly always. */
const USUAL_PAIRS = 1024;

/**
 * The pairs whose lower bound is within the limit, by the first side and then by the second: the sum of each line at the
 * cheaper store, and the least fees of both. Yields after each short piece of the work.
 */
export function* pairsWithin(sides: readonly BoundedSide[], limitUnits: number): Generator<void, PairBounds> {
  const table = createTable(sides);
  const partners = { sides: new Uint32Array(sides.length), units: new Float64Array(sides.length) };
  const pairs = createPairs();
  for (let first = 0; first < sides.length; first += 1) {
    const count = findPartners(first, table, limitUnits, partners);
    for (let nth = 0; nth < count; nth += 1) {
      pairs.add(first, partners.sides[nth] as number, partners.units[nth] as number);
    }
    yield;
  }
  return pairs;
}

type Table = {
  fees: Float64Array;
  /** Units of one line at each side; the lines whose prices differ most come first. */
  columns: readonly Float64Array[];
  /** Units that the lines from each position of `columns` on add at least to any pair; 0 at the end. */
  restUnits: Float64Array;
};

function createTable(sides: readonly BoundedSide[]): Table {
  const columns = Array.from(sides[0]?.lineUnits ?? [], (_, line) => {
    const units = Float64Array.from(sides, ({ lineUnits }) => lineUnits[line] as number);
    const least = units.reduce((min, one) => Math.min(min, one), Infinity);
    // A line that one store lacks is the best to sort by: most of its pairs cost more than the limit.
    return { units, least, difference: units.reduce((sum, one) => sum + (one - least), 0) };
  });
  columns.sort((a, b) => (a.difference === b.difference ? 0 : b.difference - a.difference));
  const restUnits = new Float64Array(columns.length + 1);
  for (const [at, { least }] of [...columns.entries()].reverse()) restUnits[at] = (restUnits[at + 1] as number) + least;
  const fees = Float64Array.from(sides, ({ feeUnits }) => feeUnits);
  return { fees, columns: columns.map(({ units }) => units), restUnits };
}

type Partners = { sides: Uint32Array; units: Float64Array };

/**
 * Finds the sides after `first` that make a pair within the limit; returns their number. Each line rules out partners
 * whose pair cannot come within the limit any more, so that few are left for the last lines.
 */
function findPartners(
  first: number,
  { fees, columns, restUnits }: Table,
  limitUnits: number,
  partners: Partners,
): number {
  const fee = fees[first] as number;
  let count = 0;
  for (let second = first + 1; second < fees.length; second += 1) {
    partners.sides[count] = second;
    partners.units[count] = fee + (fees[second] as number);
    count += 1;
  }
  for (let at = 0; at < columns.length && count > 0; at += 1) {
    count = keepWithin(partners, count, columns[at] as Float64Array, first, limitUnits - (restUnits[at + 1] as number));
  }
  return count;
}

/** Adds a line to the sums of the first `count` partners; keeps those within the limit, and returns their number. */
function keepWithin(
  { sides, units }: Partners,
  count: number,
  column: Float64Array,
  first: number,
  limit: number,
): number {
  const ofFirst = column[first] as number;
  let kept = 0;
  for (let nth = 0; nth < count; nth += 1) {
    const second = sides[nth] as number;
    const sum = (units[nth] as number) + Math.min(ofFirst, column[second] as number);
    sides[kept] = second;
    units[kept] = sum;
    // No branch: whether a partner is kept is as good as chance, and a processor that guesses wrong waits.
    kept += Number(sum <= limit);
  }
  return kept;
}

function createPairs() {
  let firsts = new Uint32Array(USUAL_PAIRS);
  let seconds = new Uint32Array(USUAL_PAIRS);
  let minUnits = new Float64Array(USUAL_PAIRS);
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(first: number, second: number, units: number): void {
      if (size === firsts.length) {
        firsts = grownUint32(firsts, size + 1);
        seconds = grownUint32(seconds, size + 1);
        minUnits = grownFloat64(minUnits, size + 1);
      }
      firsts[size] = first;
      seconds[size] = second;
      minUnits[size] = units;
      size += 1;
    },
    firstAt: (at: number) => firsts[at] as number,
    secondAt: (at: number) => seconds[at] as number,
    minUnitsAt: (at: number) => minUnits[at] as number,
    nextWithin(limitUnits: number, from: number): number {
      let at = from;
      while (at < size && (minUnits[at] as number) > limitUnits) at += 1;
      return at;
    },
  };
}
