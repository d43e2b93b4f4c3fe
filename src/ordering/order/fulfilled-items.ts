import type { TaxPart } from '../../supply/pricing/price-order.ts';
import { goodsCents } from '../../supply/pricing/weight.ts';
import type { FrozenQuote, HandedOverProduct, ItemAdjustment, NamedProduct, Order, QuotedItem } from './order.ts';

/** An item as the store hands it off; `quantity` may be 0. */
export type FulfilledItem = HandedOverProduct &
  Pick<QuotedItem, 'notes' | 'quantity'> &
  Pick<ItemAdjustment, 'scaled'> & {
    /** `unitCents` without a menu price, which a substitute has none of. */
    listUnitCents: number;
    /** Price of one unit by tax class. */
    taxParts: readonly TaxPart[];
    /** The products that the customer named as substitutes. */
    namedSubstitutes: readonly NamedProduct[];
    orderedQuantity: number;
    /** The ordered item that a substitute replaces; null for the ordered product itself. */
    replaces: QuotedItem | null;
  };

type OrderItems = { quote: Pick<FrozenQuote, 'items'> } & Pick<Order, 'adjustments'>;

/** Returns the items as the store hands them off, in the order of the order. */
export function fulfilledItems({ quote, adjustments }: OrderItems): FulfilledItem[] {
  return quote.items.map((item, index) => {
    const {
      quantity = item.quantity,
      substitute = null,
      scaled,
    } = adjustments.find((one) => one.index === index) ?? {};
    const { productId, externalId, name, image, isAlcoholic, taxClass, customizations, food, weight } =
      substitute ?? item;
    return {
      productId,
      externalId,
      name,
      image,
      isAlcoholic,
      taxClass,
      ...(substitute ? pricesOf(substitute) : scaled ? pricesByScale(item, scaled) : pricesOf(item)),
      customizations,
      ...(food ? { food } : {}),
      ...(weight ? { weight } : {}),
      ...(scaled ? { scaled } : {}),
      notes: item.notes,
      quantity,
      namedSubstitutes: item.namedSubstitutes ?? [],
      orderedQuantity: item.quantity,
      replaces: substitute && item,
    };
  });
}

type UnitPrices = Pick<FulfilledItem, 'unitCents' | 'listUnitCents' | 'markedUnitCents' | 'taxParts'>;
type Priced = Pick<QuotedItem, 'unitCents' | 'listUnitCents' | 'markedUnitCents' | 'taxClass' | 'taxParts'>;

function pricesOf({ unitCents, listUnitCents = unitCents, markedUnitCents, taxClass, taxParts }: Priced): UnitPrices {
  return {
    unitCents,
    listUnitCents,
    markedUnitCents,
    taxParts: taxParts ?? [{ taxClass, unitCents, markedUnitCents }],
  };
}

/** Prices at the weight of the scale; a price label is the list price of its goods. Options keep their prices. */
function pricesByScale(item: QuotedItem, scaled: NonNullable<ItemAdjustment['scaled']>): UnitPrices {
  const ordered = pricesOf(item);
  const { weight, basePriceCents, listPriceCents = basePriceCents, markedBasePriceCents } = item;
  if (!weight) return ordered;
  const { unitCents, listUnitCents, markedUnitCents, taxParts } = ordered;
  const goods = (priceCents: number, milli: number) => goodsCents(priceCents, milli, weight.per);
  const ofLabel = scaled.labelCents === undefined ? 0 : scaled.labelCents - goods(listPriceCents, scaled.milli);
  const moreOf = (priceCents: number) =>
    Math.max(0, goods(priceCents, scaled.milli) + ofLabel) - goods(priceCents, weight.ordered);
  const [more, moreMarked] = [moreOf(basePriceCents), moreOf(markedBasePriceCents)];
  return {
    unitCents: unitCents + more,
    listUnitCents: listUnitCents + moreOf(listPriceCents),
    markedUnitCents: markedUnitCents + moreMarked,
    taxParts: taxParts.map((part, at) =>
      at > 0 ? part : { ...part, unitCents: part.unitCents + more, markedUnitCents: part.markedUnitCents + moreMarked },
    ),
  };
}

/** How many units of an item a refund may return: thousandths of goods by weight. */
export const refundUnits = ({ quantity, weight, scaled }: FulfilledItem): number =>
  weight ? quantity * (scaled?.milli ?? weight.ordered) : quantity;

/** Whether the ordered product is handed off in the ordered quantity, and not by a scale's weight. */
export function isAsOrdered(item: Pick<FulfilledItem, 'quantity' | 'orderedQuantity' | 'replaces' | 'scaled'>) {
  return item.quantity === item.orderedQuantity && item.replaces === null && item.scaled === undefined;
}
