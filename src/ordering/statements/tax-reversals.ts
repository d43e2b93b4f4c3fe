import { sumCents } from '../../platform/lib/money.ts';
import type { ReversedLine, TaxCalculation } from '../../supply/pricing/tax-calculator.ts';
import { PART_NAMES } from '../order/shares.ts';
import type { LedgerEntry } from './ledger-entry.ts';

/** Everything of an entry but the tip. */
export const TAXABLE_PARTS = PART_NAMES.filter((name) => name !== 'tipCents');

export type TaxedEntry = Pick<LedgerEntry, (typeof TAXABLE_PARTS)[number] | 'taxLines'>;

/**
 * The reversals of a recorded calculation, one list per entry of its order, with the sale first: with them
 * the records of the service add up to the taxes of the ledger, to the cent. No reversal is taken back, and none
 * exceeds the calculation: the records contain the least that the ledger has had. The entry that leaves nothing returns
 * the rest.
 */
export function taxReversals(
  { lines }: Pick<TaxCalculation, 'lines'>,
  entries: readonly TaxedEntry[],
): (readonly ReversedLine[])[] {
  const wholes = lines.map(({ baseCents, cents }) => ({ baseCents, taxCents: sumCents(cents) }));
  let reversed = lines.map(({ subject }) => ({ subject, baseCents: 0, taxCents: 0 }));
  return entries.map((_, nth) => {
    const before = reversed;
    const until = entries.slice(0, nth + 1);
    const isOver = TAXABLE_PARTS.every((name) => sumCents(until.map((one) => one[name])) === 0);
    const given = lines.map(({ subject }, at) =>
      sumGiven(until.map((one, no) => givenBack(one, subject, no === 0 ? wholes[at] : undefined))),
    );
    reversed = lines.map(({ subject, baseCents: whole }, at) => {
      const { baseCents = 0, taxCents = 0 } = before[at] ?? {};
      const upTo = isOver ? whole : Math.min(whole, given[at]?.baseCents ?? 0);
      return { subject, baseCents: Math.max(baseCents, upTo), taxCents };
    });
    let moreCents =
      sumGiven(wholes).taxCents - sumCents(until.map(({ taxesCents }) => taxesCents)) - sumGiven(before).taxCents;
    // Cents that a class returns beyond all of its taxes come off the other classes' taxes.
    for (const limits of [
      given.map(({ taxCents }, at) => Math.min(taxCents, wholes[at]?.taxCents ?? 0)),
      wholes.map(({ taxCents }) => taxCents),
    ])
      for (const [at, line] of reversed.entries()) {
        const cents = Math.max(0, Math.min(moreCents, (limits[at] ?? 0) - line.taxCents));
        line.taxCents += cents;
        moreCents -= cents;
      }
    return reversed.flatMap(({ subject, ...after }, at) => {
      const { baseCents = 0, taxCents = 0 } = before[at] ?? {};
      const now = { baseCents: after.baseCents - baseCents, taxCents: after.taxCents - taxCents };
      return now.baseCents > 0 || now.taxCents > 0 ? [{ subject, ...now }] : [];
    });
  });
}

type Given = Omit<ReversedLine, 'subject'>;

const NOTHING: Given = { baseCents: 0, taxCents: 0 };

const sumGiven = (all: readonly Given[]): Given => ({
  baseCents: sumCents(all.map(({ baseCents }) => baseCents)),
  taxCents: sumCents(all.map(({ taxCents }) => taxCents)),
});

/**
 * The base and taxes that an entry returns for a class. A sale returns the difference to `whole`, the class's
 * calculation. All taxes of one class are on the same base.
 */
function givenBack({ taxLines }: TaxedEntry, subject: ReversedLine['subject'], whole: Given = NOTHING): Given {
  const own = taxLines.filter(({ taxClass }) => taxClass === subject);
  const bases = own.length === 0 ? [0] : own.map(({ baseCents }) => baseCents);
  const baseCents = Math.max(0, whole.baseCents - Math.min(...bases));
  return { baseCents, taxCents: whole.taxCents - sumCents(own.map(({ cents }) => cents)) };
}
