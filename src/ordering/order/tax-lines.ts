import { type Static, Type } from 'typebox';
import { shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { isTaxed, taxedFeeCents } from '../../supply/pricing/taxes.ts';
import { TAX_CLASSES } from '../../supply/stores/tax-class.ts';
import { refundUnits } from './fulfilled-items.ts';
import type { Order } from './order.ts';
import { type Taxation, taxationOf } from './reprice-order.ts';

/*
 * The taxes of an order's entries by name and class (docs/quotes.md#taxes), each with its base and its cents. A refund
 * of lines takes back the taxes of those lines; taxes of fees have the class `fee`.
 */

/** A tax on one class. */
export type TaxLine = Static<typeof TaxLineSchema>;
export const TaxLineSchema = Type.Object({
  name: Type.String(),
  cents: Type.Integer(),
  taxClass: Type.Enum([...TAX_CLASSES, 'fee']),
  baseCents: Type.Integer(),
});

type OrderPart = Pick<Order, 'quote' | 'adjustments'>;
type Units = { index: number; quantity: number; taxes: readonly number[] };

/** Adds up lines of the same name and class, plus `sign` times the lines of `more`, which may add lines of its own. */
export function addTaxes(lines: readonly TaxLine[], more: readonly TaxLine[], sign: 1 | -1 = 1): TaxLine[] {
  const sums = lines.map((line) => ({ ...line }));
  for (const { name, taxClass, cents, baseCents } of more) {
    const known = sums.find((one) => one.name === name && one.taxClass === taxClass);
    const line = known ?? { name, taxClass, cents: 0, baseCents: 0 };
    if (!known) sums.push(line);
    line.cents += sign * cents;
    line.baseCents += sign * baseCents;
  }
  return sums;
}

/** An order's taxes as it is handed off. */
export const orderTaxes = (taxation: Taxation): TaxLine[] => linesOfTaxes(taxation);

/** The taxes on the store's own prices, and on the delivery fee where that is the store's. */
export function storeTaxes(order: OrderPart, hasDeliveryFee: boolean): TaxLine[] {
  const { taxes, lines, fees, storeShares } = taxationOf(order);
  return linesOfTaxes({
    taxes,
    lines: lines.map((line) => ({ ...line, markupCents: 0 })),
    fees: { ...fees, deliveryCents: hasDeliveryFee ? fees.deliveryCents : 0, serviceCents: 0, addedCents: 0 },
    shares: storeShares.map((ofTax) => ofTax.slice(0, lines.length + (hasDeliveryFee ? 1 : 0))),
  });
}

function linesOfTaxes({ taxes, lines, fees, shares }: Pick<Taxation, 'taxes' | 'lines' | 'fees' | 'shares'>) {
  return taxes.reduce<TaxLine[]>((all, { tax }, at) => {
    const { name } = tax;
    const ofTax = shares[at] ?? [];
    const own = lines.flatMap(({ taxClass, cents, markupCents }, line): TaxLine[] =>
      isTaxed(tax, taxClass) ? [{ name, taxClass, baseCents: cents + markupCents, cents: ofTax[line] ?? 0 }] : [],
    );
    const onFees = sumCents(ofTax.slice(lines.length));
    const feeCents = taxedFeeCents(tax, fees);
    const fee: TaxLine[] = feeCents > 0 ? [{ name, taxClass: 'fee', baseCents: feeCents, cents: onFees }] : [];
    return addTaxes(all, [...own, ...fee]);
  }, []);
}

/**
 * The taxes on units of an item with `before` units already refunded; `taxes` are their cents as in
 * `Taxation.itemShares`. For the store's price: without its markup.
 */
export function unitTaxes(
  { taxes, items, itemLines }: Taxation,
  { index, quantity, taxes: shares }: Units,
  { before, ofStore = false }: { before: number; ofStore?: boolean },
): TaxLine[] {
  const parts = itemLines[index] ?? [];
  const item = items[index];
  const all = item ? refundUnits(item) : 0;
  const own = taxes.flatMap(({ tax }, at) =>
    parts.flatMap(({ taxClass, cents, markupCents }, part): TaxLine[] => {
      const upTo = (count: number) => shareOf(cents + (ofStore ? 0 : markupCents), count, all);
      const line = { name: tax.name, taxClass, cents: shares[at * parts.length + part] ?? 0 };
      return isTaxed(tax, taxClass) ? [{ ...line, baseCents: upTo(before + quantity) - upTo(before) }] : [];
    }),
  );
  return addTaxes([], own);
}

/** Splits the cents over the taxes in proportion to each tax's rest, by largest remainder. */
export function takeTaxes(left: readonly TaxLine[], cents: number): TaxLine[] {
  const shares = splitInProportion(
    cents,
    left.map((line) => line.cents),
  );
  return left.map((line, at) => {
    const back = shares[at] ?? 0;
    const baseCents = line.cents > 0 ? shareOf(line.baseCents, back, line.cents) : 0;
    return { ...line, cents: back, baseCents };
  });
}
