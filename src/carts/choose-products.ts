/** A product of one store that matches a line of a cart, as far as it is known. */
export type LineMatch = {
  productNo: number;
  /** How well it matches the line; smaller is better. Price alone sorts equal qualities. */
  quality: number;
  /** One unit with the cheapest way to meet its required choices. */
  unitCents: number;
  /** Units in stock; null where stock is not counted, or not known yet. */
  qtyAvailable: number | null;
  /** Whether stock is counted at all. */
  isCounted: boolean;
};

/** A store's products for one line, best first: the chosen product, then its alternatives. Empty where it lacks the line. */
export type LineChoice = readonly LineMatch[];

/** Reads the fields of a candidate. An object is made only for the few candidates that are chosen among thousands. */
export type CandidateReader<Candidate> = {
  productNo(candidate: Candidate): number;
  /** Infinity for a product that cannot be ordered. */
  quality(candidate: Candidate): number;
  unitCents(candidate: Candidate): number;
  qtyAvailable(candidate: Candidate): number | null;
  isCounted(candidate: Candidate): boolean;
};

function isBetter(one: LineMatch, other: LineMatch): boolean {
  if (one.quality !== other.quality) return one.quality < other.quality;
  if (one.unitCents !== other.unitCents) return one.unitCents < other.unitCents;
  return one.productNo < other.productNo;
}

/** The best `limit` candidates with enough stock, best first. */
function bestOf<Candidate>(
  candidates: readonly Candidate[],
  reader: CandidateReader<Candidate>,
  limit: number,
  isEnough: (productNo: number, qtyAvailable: number | null) => boolean,
): LineMatch[] {
  const best: LineMatch[] = [];
  for (const candidate of candidates) {
    const quality = reader.quality(candidate);
    const last = best[limit - 1];
    if (quality === Infinity || (last && quality > last.quality)) continue;
    const unitCents = reader.unitCents(candidate);
    if (last && quality === last.quality && unitCents > last.unitCents) continue;
    const match = {
      productNo: reader.productNo(candidate),
      quality,
      unitCents,
      qtyAvailable: reader.qtyAvailable(candidate),
      isCounted: reader.isCounted(candidate),
    };
    if ((last && !isBetter(match, last)) || !isEnough(match.productNo, match.qtyAvailable)) continue;
    let position = best.length;
    // Candidates arrive nearly sorted, so the search starts at the end.
    for (let other = best.at(-1); other && isBetter(match, other); other = best[position - 1]) position -= 1;
    if (position === best.length) best.push(match);
    else best.splice(position, 0, match);
    if (best.length > limit) best.pop();
  }
  return best;
}

/**
 * A store's products for each line: the cheapest of the best matches, with up to `maxAlternatives` alternatives. Lines
 * that choose the same product share its stock, in the order of the lines: the store must have enough for all of them.
 */
export function chooseProducts<Candidate>(
  candidatesByLine: readonly (readonly Candidate[])[],
  reader: CandidateReader<Candidate>,
  quantities: readonly number[],
  maxAlternatives: number,
): LineChoice[] {
  const taken = new Map<number, number>();
  return candidatesByLine.map((candidates, line) => {
    const quantity = quantities[line] as number;
    const isEnough = (productNo: number, qtyAvailable: number | null): boolean =>
      qtyAvailable === null || quantity + (taken.get(productNo) ?? 0) <= qtyAvailable;
    const best = bestOf(candidates, reader, 1 + maxAlternatives, isEnough);
    const chosen = best[0];
    if (chosen) taken.set(chosen.productNo, quantity + (taken.get(chosen.productNo) ?? 0));
    return best;
  });
}

/** The price of each line at the store, all its units, in cents; Infinity where the store lacks the line. */
export function centsOfLines(choices: readonly LineChoice[], quantities: readonly number[]): number[] {
  return choices.map(([chosen], line) => (chosen ? chosen.unitCents * (quantities[line] as number) : Infinity));
}
