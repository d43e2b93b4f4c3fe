/** A product of one store that answers a line of a cart, as it is known at the moment. */
export type LineMatch = {
  productNo: number;
  /** How well it answers the line; smaller is better, and equal ones differ by price alone. */
  quality: number;
  /** One unit with the cheapest way to meet its required choices. */
  unitCents: number;
  /** Units in stock; null where stock is not counted, or not known yet. */
  qtyAvailable: number | null;
  /** Whether stock is counted at all. */
  isCounted: boolean;
};

/** What a store has for one line, best first: the chosen product, then its alternatives. Empty where it lacks the line. */
export type LineChoice = readonly LineMatch[];

/**
 * How a line counts whatever stands for a product. Of thousands looked at a few are chosen: only for those an object
 * is made.
 */
export type Reading<Match> = {
  productNo(match: Match): number;
  /** Infinity for a product that cannot be had. */
  quality(match: Match): number;
  unitCents(match: Match): number;
  qtyAvailable(match: Match): number | null;
  isCounted(match: Match): boolean;
};

function isBetter(one: LineMatch, other: LineMatch): boolean {
  if (one.quality !== other.quality) return one.quality < other.quality;
  if (one.unitCents !== other.unitCents) return one.unitCents < other.unitCents;
  return one.productNo < other.productNo;
}

/** The best few of those that have enough in stock, best first. */
function bestOf<Match>(
  matches: readonly Match[],
  reading: Reading<Match>,
  most: number,
  isEnough: (productNo: number, qtyAvailable: number | null) => boolean,
): LineMatch[] {
  const best: LineMatch[] = [];
  for (const match of matches) {
    const quality = reading.quality(match);
    const last = best[most - 1];
    if (quality === Infinity || (last && quality > last.quality)) continue;
    const unitCents = reading.unitCents(match);
    if (last && quality === last.quality && unitCents > last.unitCents) continue;
    const one = {
      productNo: reading.productNo(match),
      quality,
      unitCents,
      qtyAvailable: reading.qtyAvailable(match),
      isCounted: reading.isCounted(match),
    };
    if ((last && !isBetter(one, last)) || !isEnough(one.productNo, one.qtyAvailable)) continue;
    let at = best.length === most ? most - 1 : best.length;
    for (; at > 0 && isBetter(one, best[at - 1] as LineMatch); at -= 1) best[at] = best[at - 1] as LineMatch;
    best[at] = one;
  }
  return best;
}

/**
 * What a store brings for each line: of the products that answer it best, the cheapest, with as many alternatives as
 * are asked for. Lines that choose the same product share its stock, in the order of the lines: the store must have
 * enough of it for all of them.
 */
export function chooseProducts<Match>(
  matchesByLine: readonly (readonly Match[])[],
  reading: Reading<Match>,
  quantities: readonly number[],
  mostAlternatives: number,
): LineChoice[] {
  const taken = new Map<number, number>();
  return matchesByLine.map((matches, line) => {
    const quantity = quantities[line] as number;
    const isEnough = (productNo: number, qtyAvailable: number | null): boolean =>
      qtyAvailable === null || quantity + (taken.get(productNo) ?? 0) <= qtyAvailable;
    const best = bestOf(matches, reading, 1 + mostAlternatives, isEnough);
    const chosen = best[0];
    if (chosen) taken.set(chosen.productNo, quantity + (taken.get(chosen.productNo) ?? 0));
    return best;
  });
}

/** What the lines cost at the store, all units of each, in cents; Infinity for those it lacks. */
export function centsOfLines(choices: readonly LineChoice[], quantities: readonly number[]): number[] {
  return choices.map(([chosen], line) => (chosen ? chosen.unitCents * (quantities[line] as number) : Infinity));
}
