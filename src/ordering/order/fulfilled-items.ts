import type { TaxPart } from '../../supply/pricing/price-order.ts';
import type { FrozenQuote, HandedOverProduct, NamedProduct, Order, QuotedItem } from './order.ts';

/** An item as the store hands it over; `quantity` may be 0. */
export type FulfilledItem = HandedOverProduct &
  Pick<QuotedItem, 'notes' | 'quantity'> & {
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
    const { productId, externalId, name, image, isAlcoholic, taxClass } = substitute ?? item;
    const { unitCents, markedUnitCents, customizations, food } = substitute ?? item;
    return {
      productId,
      externalId,
      name,
      image,
      isAlcoholic,
      taxClass,
      unitCents,
      markedUnitCents,
      customizations,
      ...(food ? { food } : {}),
      notes: item.notes,
      quantity: adjustment?.quantity ?? item.quantity,
      taxParts: (substitute ? undefined : item.taxParts) ?? [{ taxClass, unitCents, markedUnitCents }],
      namedSubstitutes: item.namedSubstitutes ?? [],
      orderedQuantity: item.quantity,
      replaces: substitute && item,
    };
  });
}

/** Whether the ordered product is handed over in the ordered quantity. */
export function isAsOrdered(item: Pick<FulfilledItem, 'quantity' | 'orderedQuantity' | 'replaces'>): boolean {
  return item.quantity === item.orderedQuantity && item.replaces === null;
}
