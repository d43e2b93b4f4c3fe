import { present } from 'doorstep/collections';
import { menuPriceForMode, priceForMode } from '../../supply/catalog/availability.ts';
import type { CatalogProduct, Customization, Option } from '../../supply/catalog/product.ts';
import {
  type ChosenCustomization,
  type OrderLine,
  type PricedUnit,
  priceUnit,
  withinOrderLimit,
} from '../../supply/pricing/price-order.ts';
import { maxMilli } from '../../supply/pricing/weight.ts';
import type { Mode } from '../../supply/stores/store.ts';
import { isAlcohol, type TaxClass } from '../../supply/stores/tax-class.ts';
import { chooseOptions, chosenById } from './choose-options.ts';
import type { OrderedWeight, QuotedItem, RequestedAmount, RequestedItem } from './order.ts';
import { quotedFoodOf } from './quoted-food.ts';

/* A product as a line of an order: its price, tax class and facts, by the menu and the chosen options. */

/** How a product is sold: by delivery or pickup, and the tax class of the store's products that have none. */
type SaleTerms = { mode: Mode; storeClass: TaxClass };

/** A line before it is priced. */
export function productLine(
  product: CatalogProduct,
  { mode, storeClass }: SaleTerms,
  customizations: readonly ChosenCustomization[],
  { quantity, markedPriceCents, amount }: Pick<RequestedItem, 'quantity' | 'markedPriceCents' | 'amount'>,
): OrderLine {
  const taxClass = product.taxClass ?? storeClass;
  const weight = orderedWeight(product, amount);
  return {
    priceCents: priceForMode(product, mode),
    quantity,
    markedPriceCents,
    taxClass,
    customizations,
    ...(weight ? { weight: { milli: weight.ordered, per: weight.per, max: weight.max } } : {}),
  };
}

/** The ordered weight of an item sold by weight; pieces by the weight of one. */
export function orderedWeight(
  { weight }: Pick<CatalogProduct, 'weight'>,
  { milli, pieces }: RequestedAmount = {},
): OrderedWeight | undefined {
  if (!weight) return undefined;
  const { unit, per, piece, scaleCode, tolerancePercent } = weight;
  const ordered = milli ?? (pieces ?? 1) * (piece ?? per);
  const max = maxMilli(ordered, tolerancePercent);
  return { unit, per, ordered, max, ...present({ pieces, scaleCode: scaleCode ?? undefined }) };
}

/** The data an ordered item keeps of its product and chosen options. */
export function productFacts(product: CatalogProduct, { customizations, taxParts }: PricedUnit) {
  const { externalId, name, image } = product;
  const classes = taxParts.map(({ taxClass }) => taxClass);
  const food = quotedFoodOf(product, customizations);
  const isAlcoholic = isAlcohol(product, classes);
  return { externalId, name, image, isAlcoholic, customizations, ...(food ? { food } : {}) };
}

/** The facts of an item in a cart that has no quote. */
export type UnquotedItem = Pick<
  QuotedItem,
  'productId' | 'name' | 'basePriceCents' | 'quantity' | 'totalCents' | 'image' | 'notes' | 'customizations' | 'food'
>;

/**
 * An item at the menu's prices: priced as in an order where its options are allowed, otherwise option by option. A
 * product that the store does not have has its ID as its name, and no price.
 */
export function unquotedItem(
  { productId, quantity, notes, selectedOptions, amount }: RequestedItem,
  product: CatalogProduct | undefined,
  terms: SaleTerms,
): UnquotedItem {
  const requested = { productId, quantity, notes };
  if (!product)
    return { ...requested, name: productId, basePriceCents: 0, totalCents: 0, image: null, customizations: [] };
  const selected = selectedOptions.map((option) => ({ ...option, quantity: option.quantity ?? undefined }));
  const choice = chooseOptions(product.customizations, selected);
  const chosen = 'chosen' in choice ? choice.chosen : [{ id: '', name: '', options: looseOptions(product, selected) }];
  const requestedLine = { quantity, markedPriceCents: null, ...present({ amount }) };
  const atList = productLine(product, terms, chosen, requestedLine);
  const line = { ...atList, priceCents: menuPriceForMode(product, terms.mode) };
  const priced = priceUnit(line, false);
  const totalCents = withinOrderLimit(priced.unitCents * quantity);
  return { ...requested, ...productFacts(product, priced), basePriceCents: line.priceCents, totalCents };
}

/** The chosen options without their nesting; an unknown option has its ID and no price. */
function looseOptions({ customizations }: CatalogProduct, selected: Parameters<typeof chosenById>[0]) {
  const known = new Map(optionsOf(customizations).map((option) => [option.id, option]));
  return [...chosenById(selected)].map(([id, { quantity = 1 }]) => {
    const { name = id, price = 0, conditionalPrice = {}, defaultQty = 0 } = known.get(id) ?? {};
    const priced = { priceCents: price, markedPriceCents: null, conditionalPrice };
    return { id, name, ...priced, defaultQty, quantity, customizations: [] };
  });
}

function optionsOf(customizations: readonly Customization[]): Option[] {
  return customizations.flatMap(({ options }) =>
    options.flatMap((option) => [option, ...optionsOf(option.customizations)]),
  );
}
