import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { priceForMode } from '../../supply/catalog/availability.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import type { ScalePrice } from '../../supply/catalog/scale-price.flow.ts';
import { lineCents, priceUnit } from '../../supply/pricing/price-order.ts';
import { MILLIONTHS, percentOn } from '../../supply/pricing/taxes.ts';
import type { Mode, TaxRate } from '../../supply/stores/store.ts';
import type { TaxClass } from '../../supply/stores/tax-class.ts';
import { autofillOptions } from '../order/choose-options.ts';
import type { QuotedItem, ScaledWeight, Substitute } from '../order/order.ts';
import { orderedWeight, productFacts, productLine } from '../order/product-line.ts';
import { readScale, type Weighing } from './weigh-item.ts';

/** The price and weight of a product handed off for an ordered item. */

type SubstituteTerms = {
  /** Only for items sold by weight. */
  scaled?: ScaledWeight | undefined;
  mode: Mode;
  productId: string;
  /** The class of the store's products that have none. */
  storeClass: TaxClass;
  /** Absent: the product's. Present where a tax service has computed the item's taxes and no others. */
  taxClass?: TaxClass;
  /** The order's taxes. */
  taxes: readonly TaxRate[];
};

/**
 * Prepares a product as a substitute for an ordered item. Required options are filled in as for any order: defaults
 * first, then the cheapest. Refuses with `invalid_options` if the menu allows no valid choice.
 */
export function substituteFor(
  item: ReplacedUnit,
  product: CatalogProduct,
  { mode, productId, storeClass, taxClass, taxes, scaled }: SubstituteTerms,
): Substitute {
  const choice = autofillOptions(product.customizations, []);
  if ('faults' in choice) {
    const why = choice.faults.map(({ message }) => message).join(' ');
    throw new Refusal('invalid_options', `"${product.name}" cannot be a substitute as it is: ${why}`);
  }
  const amount = scaled && { milli: scaled.milli };
  const wanted = { quantity: 1, markedPriceCents: null, ...(amount && { amount }) };
  const line = productLine(product, { mode, storeClass }, choice.chosen, wanted);
  const priced = priceUnit(line, false);
  const ofLabel = scaled?.labelCents === undefined ? 0 : scaled.labelCents - lineCents(line, line.priceCents);
  const weight = amount && orderedWeight(product, amount);
  const taxedAs = taxClass ?? line.taxClass;
  return {
    productId,
    productNo: product.productNo,
    ...productFacts(product, priced),
    ...(weight && { weight }),
    taxClass: taxedAs,
    ...substitutePrice(item, priced.unitCents + ofLabel, highestMarkedCents(item, taxedAs, taxes)),
  };
}

/** The scale's reading of a substitute by weight, which only replaces goods by weight; undefined for others. */
export function weighSubstitute(
  item: Pick<QuotedItem, 'name' | 'weight'>,
  { weight, name, ...product }: CatalogProduct,
  {
    mode,
    weighing,
    scaleLabels,
    scale,
  }: { mode: Mode; weighing: Weighing | undefined; scaleLabels: readonly string[] | null; scale: ScalePrice | null },
): ScaledWeight | undefined {
  const refuse = (message: string) => invalidRequest([{ in: 'body', name: 'weight', message }]);
  if (!weight) {
    if (weighing) throw refuse(`is for goods by weight, and "${name}" is sold by the piece`);
    return undefined;
  }
  if (!item.weight) {
    throw new Refusal('transition_not_allowed', `"${name}" is sold by weight, and "${item.name}" is not.`);
  }
  if (!weighing) throw refuse(`is required: "${name}" is sold by weight`);
  const { unit, per, scaleCode } = weight;
  const goods = { name, unit, per, max: null, listPriceCents: priceForMode(product, mode), scale };
  return readScale(weighing, { ...goods, ...(scaleCode !== null && { scaleCode }) }, scaleLabels);
}

/**
 * The highest marked price of a unit of this class that replaces another: with its taxes, it never costs more than the
 * replaced unit, even after rounding.
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

/** A substitute's unit price: up to the replaced unit's, with the same markup. A markdown ends at zero. */
export function substitutePrice(
  replaced: Pick<QuotedItem, 'unitCents' | 'markedUnitCents'>,
  listCents: number,
  highestCents = replaced.markedUnitCents,
): Pick<Substitute, 'unitCents' | 'markedUnitCents'> {
  const markupCents = replaced.markedUnitCents - replaced.unitCents;
  const unitCents = Math.max(0, Math.min(listCents, replaced.unitCents, highestCents - markupCents));
  return { unitCents, markedUnitCents: Math.max(0, unitCents + markupCents) };
}
