import { sumCents } from '../../platform/lib/money.ts';
import type { ReversedLine, TaxCalculation } from '../../supply/pricing/tax-calculator.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { PART_NAMES } from './split-order.ts';
import type { TaxLine } from './tax-lines.ts';

/** Everything of an entry but the tip. */
export const TAXABLE_PARTS = PART_NAMES.filter((name) => name !== 'tipCents');

export type TaxedEntry = Pick<LedgerEntry, (typeof TAXABLE_PARTS)[number]> & { taxLines: readonly TaxLine[] | null };

/**
 * What each later entry of an order gives back of the calculation that its sale was recorded by: so the records of the
 * service add up to the taxes of the ledger, to the cent. The entry that leaves nothing gives back the rest.
 */
export function taxReversals(
  { lines }: Pick<TaxCalculation, 'lines'>,
  sale: TaxedEntry,
  later: readonly TaxedEntry[],
): (readonly ReversedLine[])[] {
  const reversed = lines.map(() => ({ baseCents: 0, taxCents: 0 }));
  return later.map((_, nth) => {
    const until = later.slice(0, nth + 1);
    const isOver = TAXABLE_PARTS.every((name) => sumCents([sale, ...until].map((one) => one[name])) === 0);
    return lines.flatMap(({ subject, baseCents, cents }, at) => {
      const given = until.map((one) => givenBack(one, subject));
      const before = reversed[at] ?? { baseCents: 0, taxCents: 0 };
      const upTo = (whole: number, name: 'baseCents' | 'taxCents') =>
        Math.max(before[name], isOver ? whole : Math.min(whole, sumCents(given.map((one) => one[name]))));
      const after = { baseCents: upTo(baseCents, 'baseCents'), taxCents: upTo(sumCents(cents), 'taxCents') };
      reversed[at] = after;
      const now = { baseCents: after.baseCents - before.baseCents, taxCents: after.taxCents - before.taxCents };
      return now.baseCents > 0 || now.taxCents > 0 ? [{ subject, ...now }] : [];
    });
  });
}

/** What an entry gives back of a class; every tax of a class is on the same base. */
function givenBack({ taxLines }: TaxedEntry, subject: ReversedLine['subject']): Omit<ReversedLine, 'subject'> {
  const own = (taxLines ?? []).filter(({ taxClass }) => taxClass === subject);
  const baseCents = Math.max(0, ...own.map((line) => 0 - (line.baseCents ?? 0)));
  return { baseCents, taxCents: 0 - sumCents(own.map(({ cents }) => cents)) };
}
