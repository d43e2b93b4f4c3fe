import { percentOf, splitInProportion } from '../../platform/lib/money.ts';
import type { NamedTax, StoreAddress } from '../stores/store.ts';
import type { TaxClass } from '../stores/tax-class.ts';

/**
 * Taxes of an order (docs/quotes.md#taxes). A tax is on the lines of its classes and, where it is on a line at all, on
 * the taxable fees: rounded once on that base, and then shared among what it is on. `taxesOn` is the only way from
 * lines and fees to taxes: of quotes, orders, carts, refunds and changes of an order.
 */

/** A line, or the part of a line whose options have another class. Its mark-up is taxed with the account's fees. */
export type TaxableLine = { taxClass: TaxClass; cents: number; markupCents: number };

/** The taxable fees: what is not taxable is zero. */
export type TaxableFees = { deliveryCents: number; serviceCents: number; addedCents: number };

/** A tax as it is charged: on the store's lines and fees, and on mark-up and added fee. */
export type TaxOnOrder = { tax: NamedTax; cents: number; addedCents: number };

export function isTaxed({ classes }: Pick<NamedTax, 'classes'>, taxClass: TaxClass): boolean {
  return taxClass !== 'exempt' && (classes === undefined || classes.includes(taxClass));
}

/** The taxes of these lines and fees; one that is on none of the lines is zero. */
export function taxesOn(
  lines: readonly TaxableLine[],
  fees: TaxableFees,
  taxes: readonly NamedTax[],
): readonly TaxOnOrder[] {
  return taxes.map((tax) => {
    let isOnLine = false;
    let cents = fees.deliveryCents + fees.serviceCents;
    let addedCents = fees.addedCents;
    for (const line of lines) {
      if (!isTaxed(tax, line.taxClass)) continue;
      isOnLine = true;
      cents += line.cents;
      addedCents += line.markupCents;
    }
    if (!isOnLine) return { tax, cents: 0, addedCents: 0 };
    return { tax, cents: percentOf(tax.percent, cents), addedCents: percentOf(tax.percent, addedCents) };
  });
}

/**
 * What each line bears of a tax, then delivery fee, service fee and added fee: in proportion, by largest remainder,
 * ties in this sequence. The shares add up to the tax, and are frozen with the order.
 */
export function sharesOf(
  { tax, cents, addedCents }: TaxOnOrder,
  lines: readonly TaxableLine[],
  fees: TaxableFees,
): readonly number[] {
  const ofLines = lines.map((line) => (isTaxed(tax, line.taxClass) ? line.cents + line.markupCents : 0));
  return splitInProportion(cents + addedCents, [...ofLines, fees.deliveryCents, fees.serviceCents, fees.addedCents]);
}

/** Scale of percentages: those of several taxes have at most six decimals, so that their sum is exact. */
const MILLIONTHS = 1_000_000;

export function isExactPercent(percent: number): boolean {
  return Math.round(percent * MILLIONTHS) / MILLIONTHS === percent;
}

/** All taxes on a class together, in percent. */
export function percentOn(taxes: readonly NamedTax[], taxClass: TaxClass): number {
  const own = taxes.filter((tax) => isTaxed(tax, taxClass));
  if (own.length === 1) return own[0]?.percent ?? 0;
  return own.reduce((sum, { percent }) => sum + Math.round(percent * MILLIONTHS), 0) / MILLIONTHS;
}

const HARMONIZED = /^(on|nb|nl|ns|pe|pei|ontario|new brunswick|newfoundland.*|nova scotia|prince edward island)$/i;

/** The name of a tax that its store states by its rate alone. */
export function customTaxName({ country, state }: Pick<StoreAddress, 'country' | 'state'>): string {
  if (country === 'US') return UNNAMED_TAX;
  return HARMONIZED.test(state.trim()) ? 'HST' : 'Tax';
}

/** The name of taxes in orders and entries of earlier versions, which name none. */
export const UNNAMED_TAX = 'Sales tax';
