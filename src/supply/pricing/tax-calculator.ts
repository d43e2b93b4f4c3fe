import { shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import type { Country, TaxRate } from '../stores/store.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import { type TaxableFees, type TaxableLine, type TaxOnOrder, taxOfRate } from './taxes.ts';

/*
 * The port of an outside service that computes taxes by address (docs/taxes.md#stripe-tax), of orders that are quoted
 * to be placed. Searches, carts and quotes of stores have the store's own taxes (`taxesOn`), without a call. A
 * calculation is frozen with its order: its taxes for each class and the fees are charged.
 */

/** Lines of a class, or the taxable fees: taxed alike. */
export type TaxSubject = TaxClass | 'fee';

/** An order about to be placed, with nothing of its customer but the address. */
export type OrderToTax = {
  address: { street: string; city: string; state: string; zipcode: string; country: Country };
  /** The price of each subject for the customer, in cents above zero; nothing that is exempt. */
  lines: readonly { subject: TaxSubject; cents: number }[];
};

/** An order's taxes by subject; `cents` are of each tax, in the order of `taxes`. */
export type TaxCalculation = {
  id: string;
  taxes: readonly TaxRate[];
  lines: readonly { subject: TaxSubject; baseCents: number; cents: readonly number[] }[];
};

/** A returned part of a record. */
export type ReversedLine = { subject: TaxSubject; baseCents: number; taxCents: number };

/**
 * An outside tax service. Throws OutsideError: with `retryable: true` the effect is unknown, so repeat the call; with
 * `retryable: false` it was refused. `record` and `reverse` have one effect and one response for each reference.
 */
export interface TaxCalculator {
  /** Has no effect at the service. */
  calculate(order: OrderToTax): Promise<TaxCalculation>;
  /** Records that the taxes of a calculation were charged; returns the record's id. */
  record(sale: { calculationId: string; reference: string }): Promise<string>;
  /** Reverses parts of a record, up to each line's rest; returns the reversal's ID. */
  reverse(reversal: { recordId: string; reference: string; lines: readonly ReversedLine[] }): Promise<string>;
}

/** Lines with their mark-up, then delivery fee, service fee and added fee. */
const basesOf = (lines: readonly TaxableLine[], fees: TaxableFees): OrderToTax['lines'] => [
  ...lines.map(({ taxClass, cents, markupCents }) => ({ subject: taxClass, cents: cents + markupCents })),
  ...[fees.deliveryCents, fees.serviceCents, fees.addedCents].map((cents) => ({ subject: 'fee' as const, cents })),
];

/** The taxable amounts of an order by subject. */
export function subjectsOf(lines: readonly TaxableLine[], fees: TaxableFees): OrderToTax['lines'] {
  const bySubject = Map.groupBy(basesOf(lines, fees), ({ subject }) => subject);
  const sums = [...bySubject].map(([subject, bases]) => ({
    subject,
    cents: sumCents(bases.map(({ cents }) => cents)),
  }));
  return sums.filter(({ subject, cents }) => subject !== 'exempt' && cents > 0);
}

/**
 * The taxes of lines and fees by the calculation of the order that they are left of, and their shares (`sharesOf`).
 * Where less is left of a subject it bears less in proportion, so fewer or cheaper units never raise a tax; where goods
 * by weight make it more, it bears more.
 */
export function calculatedTaxes(
  calculation: Pick<TaxCalculation, 'taxes' | 'lines'>,
  lines: readonly TaxableLine[],
  fees: TaxableFees,
  isByWeight = false,
): { taxes: readonly TaxOnOrder[]; shares: readonly (readonly number[])[] } {
  const bases = basesOf(lines, fees);
  const shares = calculation.taxes.map((_, at) => {
    const ofTax = bases.map(() => 0);
    for (const { subject, baseCents, cents } of calculation.lines) {
      const weights = bases.map((base) => (base.subject === subject ? base.cents : 0));
      const left = Math.min(isByWeight ? Infinity : baseCents, sumCents(weights));
      const split = left > 0 ? splitInProportion(shareOf(cents[at] ?? 0, left, baseCents), weights) : [];
      for (const [index, share] of split.entries()) ofTax[index] = (ofTax[index] ?? 0) + share;
    }
    return ofTax;
  });
  const taxes = calculation.taxes.map((tax, at) => {
    const ofTax = shares[at] ?? [];
    const onMarkup = lines.map(({ cents, markupCents }, line) =>
      cents + markupCents > 0 ? shareOf(ofTax[line] ?? 0, markupCents, cents + markupCents) : 0,
    );
    const addedCents = sumCents(onMarkup) + (ofTax.at(-1) ?? 0);
    return { tax: taxOfRate(tax), cents: sumCents(ofTax) - addedCents, addedCents };
  });
  return { taxes, shares };
}
