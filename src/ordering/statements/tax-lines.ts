import { shareOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { isTaxed } from '../../supply/pricing/taxes.ts';
import type { TaxClass } from '../../supply/stores/tax-class.ts';
import type { RefundedItem } from '../money/refund.ts';
import type { Order } from '../order/order.ts';
import { taxationOf } from '../order/reprice-order.ts';

/*
 * The taxes of an order's entries by name and class (docs/quotes.md#taxes): what each is on, and its cents. What an
 * entry takes back is of the lines that it gives back; taxes of fees have the class `fee`.
 */

/** A tax on one class. Class and base are absent in entries of earlier versions. */
export type TaxLine = { name: string; cents: number; taxClass?: TaxClass | 'fee'; baseCents?: number };

type OrderPart = Pick<Order, 'quote' | 'adjustments'>;

const isSame = (one: TaxLine, other: TaxLine) => one.name === other.name && one.taxClass === other.taxClass;
const centsOf = (lines: readonly TaxLine[]) => lines.map(({ cents }) => cents);
/** Adds up lines of the same name and class, `sign` times those of `more`, which may have lines of its own. */
export function addTaxes(lines: readonly TaxLine[], more: readonly TaxLine[], sign: 1 | -1 = 1): TaxLine[] {
  const sums = lines.map((line) => ({ ...line }));
  for (const { cents, baseCents = 0, ...key } of more) {
    const known = sums.find((one) => isSame(one, { ...key, cents }));
    const line = known ?? { ...key, cents: 0 };
    if (!known) sums.push(line);
    line.cents += sign * cents;
    line.baseCents = (line.baseCents ?? 0) + sign * baseCents;
  }
  return sums;
}

/** The taxes of an order as it is handed over. */
export function orderTaxes(order: OrderPart): TaxLine[] {
  const { taxes, lines, fees, shares } = taxationOf(order);
  const feeCents = fees.deliveryCents + fees.serviceCents + fees.addedCents;
  return taxes.reduce<TaxLine[]>((all, { tax }, at) => {
    const { name } = tax;
    const ofTax = shares[at] ?? [];
    const own = lines.flatMap(({ taxClass, cents, markupCents }, line): TaxLine[] =>
      isTaxed(tax, taxClass) ? [{ name, taxClass, baseCents: cents + markupCents, cents: ofTax[line] ?? 0 }] : [],
    );
    const onFees = sumCents(ofTax.slice(lines.length));
    const fee: TaxLine[] =
      (own.length > 0 || onFees > 0) && feeCents > 0
        ? [{ name, taxClass: 'fee', baseCents: feeCents, cents: onFees }]
        : [];
    return addTaxes(all, [...own, ...fee]);
  }, []);
}

/** The taxes of refunded units. */
export function refundedTaxes(items: readonly RefundedItem[], order: OrderPart): TaxLine[] {
  const { taxes, items: handedOver, itemShares } = taxationOf(order);
  return items.reduce<TaxLine[]>((all, { index, quantity, taxCents, taxes: given }) => {
    const parts = handedOver[index]?.taxParts ?? [];
    const weights = itemShares[index] ?? [];
    const shares = given ?? (weights.length === 0 ? [taxCents] : splitInProportion(taxCents, weights));
    const own = taxes.flatMap(({ tax }, at) =>
      parts.flatMap(({ taxClass, markedUnitCents }, part): TaxLine[] =>
        isTaxed(tax, taxClass)
          ? [
              {
                name: tax.name,
                taxClass,
                baseCents: markedUnitCents * quantity,
                cents: shares[at * parts.length + part] ?? 0,
              },
            ]
          : [],
      ),
    );
    return addTaxes(all, own);
  }, []);
}

/**
 * What a refund of these cents of taxes takes back: exactly what is wanted, where that is it and is left; else as much
 * of it as is left, and the rest in proportion to what is left.
 */
export function takeTaxes(left: readonly TaxLine[], wanted: readonly TaxLine[] | null, cents: number): TaxLine[] {
  const asked = wanted
    ? addTaxes(
        left.map((line) => ({ ...line, cents: 0, baseCents: 0 })),
        wanted,
      )
    : null;
  if (asked && sumCents(centsOf(asked)) === cents && addTaxes(left, asked, -1).every((line) => line.cents >= 0))
    return asked;
  const taken = left.map((line, at) => Math.min(Math.max(asked?.[at]?.cents ?? 0, 0), line.cents));
  const rest = cents - sumCents(taken);
  const open = rest < 0 ? taken : left.map((line, at) => line.cents - (taken[at] ?? 0));
  const more = open.length === 0 ? [] : splitInProportion(rest < 0 ? cents : rest, open);
  return left.map((line, at) => {
    const back = (rest < 0 ? 0 : (taken[at] ?? 0)) + (more[at] ?? 0);
    const baseCents = line.cents > 0 ? shareOf(line.baseCents ?? 0, back, line.cents) : 0;
    return { ...line, cents: back, baseCents };
  });
}

/** What is left of taxes; in the state of an earlier version, in proportion to what was agreed. */
export function taxesLeft(
  { taxesLeft: left, left: { taxesCents } }: { taxesLeft?: readonly TaxLine[]; left: { taxesCents: number } },
  agreed: readonly TaxLine[],
): readonly TaxLine[] {
  if (left?.every(({ taxClass }) => taxClass !== undefined)) return left;
  return takeTaxes(agreed, null, taxesCents);
}
