import { Refusal } from '../../platform/http/refusal.ts';
import { priceForMode } from '../../supply/catalog/availability.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { priceUnit } from '../../supply/pricing/price-order.ts';
import type { Mode } from '../../supply/stores/store.ts';
import { autofillOptions } from '../order/choose-options.ts';
import type { QuotedItem, Substitute } from '../order/order.ts';
import { quotedFoodOf } from '../order/quoted-food.ts';

/**
 * Prepares a product as a substitute for an ordered item. Required options are filled in as for any order: defaults
 * first, then the cheapest. Refuses with `invalid_options` if the menu allows no valid choice.
 */
export function substituteFor(
  item: QuotedItem,
  product: CatalogProduct,
  { mode, productId }: { mode: Mode; productId: string },
): Substitute {
  const choice = autofillOptions(product.customizations, []);
  if ('faults' in choice) {
    const why = choice.faults.map(({ message }) => message).join(' ');
    throw new Refusal('invalid_options', `"${product.name}" cannot be a substitute as it is: ${why}`);
  }
  const line = {
    priceCents: priceForMode(product, mode),
    quantity: 1,
    markedPriceCents: null,
    customizations: choice.chosen,
  };
  const { unitCents, customizations } = priceUnit(line, false);
  const { name, image, isAlcoholic, productNo } = product;
  const food = quotedFoodOf(product, customizations);
  return {
    productId,
    productNo,
    name,
    image,
    isAlcoholic,
    customizations,
    ...(food ? { food } : {}),
    ...substitutePrice(item, unitCents),
  };
}

/**
 * The unit price of a substitute: at most that of the unit it replaces, with the same markup. A markdown ends at zero.
 */
export function substitutePrice(
  replaced: Pick<QuotedItem, 'unitCents' | 'markedUnitCents'>,
  listCents: number,
): Pick<Substitute, 'unitCents' | 'markedUnitCents'> {
  const unitCents = Math.min(listCents, replaced.unitCents);
  const markupCents = replaced.markedUnitCents - replaced.unitCents;
  return { unitCents, markedUnitCents: Math.max(0, unitCents + markupCents) };
}
