import { Refusal } from '../../platform/http/refusal.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { priceUnit } from '../../supply/pricing/price-order.ts';
import { MILLIONTHS, percentOn } from '../../supply/pricing/taxes.ts';
import type { Mode, TaxRate } from '../../supply/stores/store.ts';
import type { TaxClass } from '../../supply/stores/tax-class.ts';
import { autofillOptions } from '../order/choose-options.ts';
import type { QuotedItem, Substitute } from '../order/order.ts';
import { productFacts, productLine } from '../order/product-line.ts';

type SubstituteTerms = {
  mode: Mode;
  productId: string;
  /** The class of the store's products that have none. */
  storeClass: TaxClass;
  /** Absent: the product's. Present where a tax service has computed the item's taxes and no others. */
  taxClass?: TaxClass;
  /** Of the order. */
  taxes: readonly TaxRate[];
};

/**
 * Prepares a product as a substitute for an ordered item. Required options are filled in as for any order: defaults
 * first, then the cheapest. Refuses with `invalid_options` if the menu allows no valid choice.
 */
export function substituteFor(
  item: QuotedItem,
  product: CatalogProduct,
  { mode, productId, storeClass, taxClass, taxes }: SubstituteTerms,
): Substitute {
  const choice = autofillOptions(product.customizations, []);
  if ('faults' in choice) {
    const why = choice.faults.map(({ message }) => message).join(' ');
    throw new Refusal('invalid_options', `"${product.name}" cannot be a substitute as it is: ${why}`);
  }
  const line = productLine(product, { mode, storeClass }, choice.chosen, { quantity: 1, markedPriceCents: null });
  const priced = priceUnit(line, false);
  const taxedAs = taxClass ?? line.taxClass;
  return {
    productId,
    productNo: product.productNo,
    ...productFacts(product, priced),
    taxClass: taxedAs,
    ...substitutePrice(item, priced.unitCents, highestMarkedCents(item, taxedAs, taxes)),
  };
}

/**
 * The highest marked price of a unit of this class that replaces another: with its taxes no more than that one with its
 * own, whatever their rounding.
 */
export function highestMarkedCents(replaced: ReplacedUnit, taxClass: TaxClass, taxes: readonly TaxRate[]): number {
  const { unitCents, markedUnitCents } = replaced;
  const parts = replaced.taxParts ?? [{ taxClass: replaced.taxClass, unitCents, markedUnitCents }];
  const withTaxes = (one: TaxClass) => BigInt(Math.round((100 + percentOn(taxes, one)) * MILLIONTHS));
  const cost = parts.reduce((sum, part) => sum + BigInt(part.markedUnitCents) * withTaxes(part.taxClass), 0n);
  const cents = Number(cost / withTaxes(taxClass));
  return cents >= markedUnitCents ? markedUnitCents : Math.max(0, cents - taxes.length);
}

type ReplacedUnit = Pick<QuotedItem, 'unitCents' | 'markedUnitCents' | 'taxClass' | 'taxParts'>;

/**
 * The unit price of a substitute: at most that of the unit it replaces, with the same markup. A markdown ends at zero.
 */
export function substitutePrice(
  replaced: Pick<QuotedItem, 'unitCents' | 'markedUnitCents'>,
  listCents: number,
  highestCents = replaced.markedUnitCents,
): Pick<Substitute, 'unitCents' | 'markedUnitCents'> {
  const markupCents = replaced.markedUnitCents - replaced.unitCents;
  const unitCents = Math.max(0, Math.min(listCents, replaced.unitCents, highestCents - markupCents));
  return { unitCents, markedUnitCents: Math.max(0, unitCents + markupCents) };
}
