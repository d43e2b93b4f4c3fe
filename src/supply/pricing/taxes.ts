import { divideRounded, percentOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { readRegion } from '../stores/region.ts';
import type { StoreAddress, TaxRate } from '../stores/store.ts';
import { TAX_CLASSES, type TaxClass } from '../stores/tax-class.ts';

/**
 * An order's taxes (docs/quotes.md#taxes). Rates with one name are one tax, which is rounded once over the lines and
 * the taxable fees, each at its class's rate, and then shared among them. A fee has the classes of the order's goods.
 * `taxesOn` is the only way from lines and fees to taxes: for quotes, orders, carts, refunds and changes of an order.
 */

type ClassCents = { taxClass: TaxClass; cents: number };

/** A line, or the part of a line whose options have another class. Its mark-up is taxed with the account's fees. */
export type TaxableLine = ClassCents & { markupCents: number };

/** The taxable fees, zero for an untaxed fee, and the classes in whose proportions they are taxed. */
export type TaxableFees = {
  deliveryCents: number;
  serviceCents: number;
  addedCents: number;
  classes: readonly ClassCents[];
};

/** A tax: its rates are on different classes. */
export type Tax = { name: string; rates: readonly TaxRate[] };

/** A tax as it is charged: on the store's lines and fees, and on mark-up and added fee. */
export type TaxOnOrder = { tax: Tax; cents: number; addedCents: number };

export function isOnClass({ classes }: Pick<TaxRate, 'classes'>, taxClass: TaxClass): boolean {
  return taxClass !== 'exempt' && (classes === undefined || classes.includes(taxClass));
}

export function isTaxed({ rates }: Tax, taxClass: TaxClass): boolean {
  return rates.some((rate) => isOnClass(rate, taxClass));
}

/** A tax from a tax service, which has one rate. */
export const taxOfRate = (rate: TaxRate): Tax => ({ name: rate.name, rates: [rate] });

/** Rates of one name, in any letter case, as one tax. */
export function taxesByName(rates: readonly TaxRate[]): readonly Tax[] {
  const byName = Map.groupBy(rates, ({ name }) => name.toLowerCase());
  return [...byName.values()].map((own) => ({ name: own[0]?.name ?? '', rates: own }));
}

/** The classes of fees: the items' classes; `general` where there are none, or all are exempt. */
export function classesOf(lines: readonly ClassCents[]): readonly ClassCents[] {
  const byClass = new Map<TaxClass, number>();
  for (const { taxClass, cents } of lines) byClass.set(taxClass, (byClass.get(taxClass) ?? 0) + cents);
  const sums = TAX_CLASSES.map((taxClass) => ({ taxClass, cents: byClass.get(taxClass) ?? 0 }));
  const taxed = sums.filter(({ taxClass, cents }) => cents > 0 && taxClass !== 'exempt');
  return taxed.length > 0 ? sums.filter(({ cents }) => cents > 0) : [{ taxClass: 'general', cents: 1 }];
}

/** A fee by class, by largest remainder. */
function feeByClass(feeCents: number, { classes }: TaxableFees): readonly ClassCents[] {
  if (feeCents === 0) return [];
  const parts = splitInProportion(
    feeCents,
    classes.map(({ cents }) => cents),
  );
  return classes.map(({ taxClass }, at) => ({ taxClass, cents: parts[at] ?? 0 }));
}

/** Cents of the fees that a tax is on. */
export function taxedFeeCents(tax: Tax, fees: TaxableFees): number {
  const parts = [fees.deliveryCents, fees.serviceCents, fees.addedCents].flatMap((fee) => feeByClass(fee, fees));
  return sumCents(parts.filter(({ taxClass }) => isTaxed(tax, taxClass)).map(({ cents }) => cents));
}

/** The taxes of these lines and fees. The store's lines and fees are rounded apart from markup and added fee. */
export function taxesOn(
  lines: readonly TaxableLine[],
  fees: TaxableFees,
  rates: readonly TaxRate[],
): readonly TaxOnOrder[] {
  const ofStore = [...lines, ...feeByClass(fees.deliveryCents, fees), ...feeByClass(fees.serviceCents, fees)];
  const markup = lines.map(({ taxClass, markupCents }) => ({ taxClass, cents: markupCents }));
  const added = [...markup, ...feeByClass(fees.addedCents, fees)];
  return taxesByName(rates).map((tax) => ({
    tax,
    cents: taxCents(tax, ofStore),
    addedCents: taxCents(tax, added),
  }));
}

function taxCents(tax: Tax, parts: readonly ClassCents[]): number {
  const [first] = tax.rates;
  if (tax.rates.length === 1) return percentOf(first?.percent ?? 0, Number(taxedAmount(tax, parts)));
  return divideRounded(taxedAmount(tax, parts), BigInt(100 * MILLIONTHS));
}

/** The cents that a tax of one rate is on; of a tax of several rates, each part times the millionths of its rate. */
function taxedAmount({ rates }: Tax, parts: readonly ClassCents[]): bigint {
  return rates.reduce((sum, rate) => {
    const own = parts.filter(({ taxClass }) => isOnClass(rate, taxClass));
    const factor = rates.length === 1 ? 1 : Math.round(rate.percent * MILLIONTHS);
    return sum + BigInt(factor) * BigInt(sumCents(own.map(({ cents }) => cents)));
  }, 0n);
}

/**
 * Shares of a tax: each line's, then the shares of delivery fee, service fee and added fee. In proportion to amount
 * times rate, by largest remainder, ties in this order. The shares add up to the tax, and are frozen with the order.
 */
export function sharesOf(
  { tax, cents, addedCents }: TaxOnOrder,
  lines: readonly TaxableLine[],
  fees: TaxableFees,
): readonly number[] {
  const ofLines = lines.map((line) => [{ taxClass: line.taxClass, cents: line.cents + line.markupCents }]);
  const ofFees = [fees.deliveryCents, fees.serviceCents, fees.addedCents].map((fee) => feeByClass(fee, fees));
  return splitInProportion(
    cents + addedCents,
    [...ofLines, ...ofFees].map((parts) => taxedAmount(tax, parts)),
  );
}

/** Scale of percentages: several taxes have up to six decimals, so that their sum is exact. */
export const MILLIONTHS = 1_000_000;

export function isExactPercent(percent: number): boolean {
  return Math.round(percent * MILLIONTHS) / MILLIONTHS === percent;
}

/** All taxes on a class together, in percent. */
export function percentOn(taxes: readonly TaxRate[], taxClass: TaxClass): number {
  const own = taxes.filter((rate) => isOnClass(rate, taxClass));
  if (own.length === 1) return own[0]?.percent ?? 0;
  return own.reduce((sum, { percent }) => sum + Math.round(percent * MILLIONTHS), 0) / MILLIONTHS;
}

const HARMONIZED: ReadonlySet<string | null> = new Set(['ON', 'NB', 'NL', 'NS', 'PE']);

/** The name for a tax that its store gives only a rate for. */
export function customTaxName({ country, state }: Pick<StoreAddress, 'country' | 'state'>): string {
  if (country === 'US') return UNNAMED_TAX;
  return HARMONIZED.has(readRegion(state, country)) ? 'HST' : 'Tax';
}

/** The name for a US tax with only a known rate. */
export const UNNAMED_TAX = 'Sales tax';
