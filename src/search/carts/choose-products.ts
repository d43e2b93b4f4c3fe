import { type LineAmount, type Ordered, orderOf, type Sold } from './line-amount.ts';

/** A product of one store that matches a line of a cart, according to the store's product index. */
export type Candidate = Ordered & {
  productNo: number;
  /** How well it matches the line; smaller is better. Equal qualities are sorted by price only. */
  quality: number;
  /** Its tax class code; 0: the store's default. */
  taxCode: number;
  /** Whether stock is counted. */
  isCounted: boolean;
};

/** A candidate with its stock as read; `qtyAvailable` is null if stock is not counted or not read yet. */
export type LineMatch = Candidate & { qtyAvailable: number | null };

/** A product as read, null if it cannot be ordered. If its price or tax class is null, the product index's applies. */
export type LiveProduct = { sold: Sold | null; taxCode: number | null; qtyAvailable: number | null } | null;

/**
 * A store's matches for one line, best first: the chosen product, then alternatives. Empty if the store lacks the line.
 */
export type RankedMatches = readonly LineMatch[];

/** Whether a candidate ranks before another: by quality, then price, then product number. */
export function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.quality !== other.quality) return one.quality < other.quality;
  if (one.lineCents !== other.lineCents) return one.lineCents < other.lineCents;
  return one.productNo < other.productNo;
}

/** Inserts into a sorted list of up to `limit` elements, from its end, because elements arrive nearly sorted. */
export function insertBest<Element extends Candidate>(best: Element[], limit: number, element: Element): void {
  let position = best.length;
  for (let other = best.at(-1); other && isBetter(element, other); other = best[position - 1]) position -= 1;
  if (position === limit) return;
  best.splice(position, 0, element);
  if (best.length > limit) best.pop();
}

/**
 * Returns a store's products for each line: the cheapest of the best matches, with up to `maxAlternatives`
 * alternatives. Lines with the same product share its stock, first line first.
 */
export function chooseProducts(
  candidatesByLine: readonly (readonly Candidate[])[],
  live: ReadonlyMap<number, LiveProduct>,
  amounts: readonly LineAmount[],
  maxAlternatives: number,
): RankedMatches[] {
  const taken = new Map<number, number>();
  return candidatesByLine.map((candidates, line) => {
    const amount = amounts[line] as LineAmount;
    const best: LineMatch[] = [];
    for (const candidate of candidates) {
      const match = matchAsRead(candidate, live.get(candidate.productNo), amount);
      if (!match) continue;
      const { qtyAvailable, quantity } = match;
      if (qtyAvailable !== null && quantity + (taken.get(candidate.productNo) ?? 0) > qtyAvailable) continue;
      insertBest(best, 1 + maxAlternatives, match);
    }
    const chosen = best[0];
    if (chosen) taken.set(chosen.productNo, chosen.quantity + (taken.get(chosen.productNo) ?? 0));
    return best;
  });
}

/** Returns null if it cannot be ordered as it was read. */
function matchAsRead(candidate: Candidate, known: LiveProduct | undefined, amount: LineAmount): LineMatch | null {
  if (known === null) return null;
  const ordered = known?.sold ? orderOf(amount, known.sold) : candidate;
  if (!ordered) return null;
  const { productNo, quality, isCounted } = candidate;
  const { taxCode = null, qtyAvailable = null } = known ?? {};
  return { ...ordered, productNo, quality, isCounted, taxCode: taxCode ?? candidate.taxCode, qtyAvailable };
}

/** Prices of a cart's lines at a store, and their tax codes. */
export type LinePrices = {
  /** Cents of all that a line orders; Infinity if the store lacks the line. */
  lineCents: readonly number[];
  /** Codes of tax classes, by line; empty if all have the store's default. */
  taxCodes: readonly number[];
};

/** Returns the prices of chosen products; undefined where the store lacks the line. */
export function pricesOfLines(chosen: readonly (Pick<Candidate, 'lineCents' | 'taxCode'> | undefined)[]): LinePrices {
  const isPlain = chosen.every((one) => !one?.taxCode);
  return {
    lineCents: chosen.map((one) => one?.lineCents ?? Infinity),
    taxCodes: isPlain ? NO_CODES : chosen.map((one) => one?.taxCode ?? 0),
  };
}

const NO_CODES: readonly number[] = [];
