import type { TaxPart } from '../../supply/pricing/price-order.ts';
import type { TaxClass } from '../../supply/stores/tax-class.ts';
import type { FrozenQuote, NamedProduct, Order, QuotedItem } from './order.ts';

/** An item as the store hands it over; `quantity` may be 0. */
export type FulfilledItem = Pick<
  QuotedItem,
  'productId' | 'name' | 'image' | 'notes' | 'quantity' | 'unitCents' | 'markedUnitCents' | 'customizations' | 'food'
> & {
  /** Undefined in orders of earlier versions. */
  externalId: string | undefined;
  isAlcoholic: boolean;
  /** Undefined in orders of earlier versions. */
  taxClass: TaxClass | undefined;
  /** Price of one unit by tax class. */
  taxParts: readonly TaxPart[];
  /** The products that the customer named as substitutes. */
  namedSubstitutes: readonly NamedProduct[];
  orderedQuantity: number;
  /** The ordered item that a substitute replaces; null for the ordered product itself. */
  replaces: QuotedItem | null;
};

type OrderItems = { quote: Pick<FrozenQuote, 'items'> } & Pick<Order, 'adjustments'>;

/** Returns the items as the store hands them over, in the sequence of the order. */
export function fulfilledItems({ quote, adjustments }: OrderItems): FulfilledItem[] {
  return quote.items.map((item, index) => {
    const adjustment = adjustments.find((one) => one.index === index);
    const substitute = adjustment?.substitute ?? null;
    const { productId, name, image, unitCents, markedUnitCents, customizations, food } = substitute ?? item;
    const { taxClass, externalId } = substitute ?? item;
    // Taxes of earlier versions apply to every class.
    const ofUnit = { taxClass: taxClass ?? 'general', unitCents, markedUnitCents };
    return {
      productId,
      externalId,
      name,
      image,
      unitCents,
      markedUnitCents,
      customizations,
      ...(food ? { food } : {}),
      notes: item.notes,
      quantity: adjustment?.quantity ?? item.quantity,
      isAlcoholic: (substitute ?? item).isAlcoholic,
      taxClass,
      taxParts: (substitute ? undefined : item.taxParts) ?? [ofUnit],
      namedSubstitutes: item.namedSubstitutes ?? [],
      orderedQuantity: item.quantity,
      replaces: substitute && item,
    };
  });
}
