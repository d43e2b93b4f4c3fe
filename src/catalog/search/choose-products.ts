/** A product of one store that answers a line of a cart, as it is known at the moment. */
export type LineMatch = {
  productNo: number;
  /** How well it answers the line; smaller is better, and equal ones differ by price alone. */
  quality: number;
  /** One unit with the cheapest way to meet its required choices. */
  unitCents: number;
  /** Units in stock; null where stock is not counted, or not known yet. */
  qtyAvailable: number | null;
};

/** What a store has for one line, best first: the chosen product, then its alternatives. Empty where it lacks the line. */
export type LineChoice = readonly LineMatch[];

function isBetter(one: LineMatch, other: LineMatch): boolean {
  if (one.quality !== other.quality) return one.quality < other.quality;
  if (one.unitCents !== other.unitCents) return one.unitCents < other.unitCents;
  return one.productNo < other.productNo;
}

/** The best few of those that have enough in stock, best first. */
function bestOf(matches: Iterable<LineMatch>, most: number, isEnough: (match: LineMatch) => boolean): LineMatch[] {
  const best: LineMatch[] = [];
  for (const match of matches) {
    const last = best[most - 1];
    if ((last && !isBetter(match, last)) || !isEnough(match)) continue;
    let at = best.length;
    while (at > 0 && isBetter(match, best[at - 1] as LineMatch)) at -= 1;
    best.splice(at, 0, match);
    best.length = Math.min(best.length, most);
  }
  return best;
}

/**
 * What a store brings for each line: of the products that answer it best, the cheapest, with as many alternatives as
 * are asked for. Lines that choose the same product share its stock, in the order of the lines: the store must have
 * enough of it for all of them.
 */
export function chooseProducts(
  matchesByLine: readonly Iterable<LineMatch>[],
  quantities: readonly number[],
  mostAlternatives: number,
): LineChoice[] {
  const taken = new Map<number, number>();
  return matchesByLine.map((matches, line) => {
    const quantity = quantities[line] as number;
    const isEnough = ({ productNo, qtyAvailable }: LineMatch): boolean =>
      qtyAvailable === null || quantity + (taken.get(productNo) ?? 0) <= qtyAvailable;
    const best = bestOf(matches, 1 + mostAlternatives, isEnough);
    const chosen = best[0];
    if (chosen) taken.set(chosen.productNo, quantity + (taken.get(chosen.productNo) ?? 0));
    return best;
  });
}

/** What the lines cost at the store, all units of each, in cents; Infinity for those it lacks. */
export function centsOfLines(choices: readonly LineChoice[], quantities: readonly number[]): number[] {
  return choices.map(([chosen], line) => (chosen ? chosen.unitCents * (quantities[line] as number) : Infinity));
}
