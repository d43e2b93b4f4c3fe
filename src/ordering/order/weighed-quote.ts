import { present } from 'doorstep/collections';
import { splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { chargedTaxes } from '../../supply/pricing/price-order.ts';
import type { FulfilledItem } from './fulfilled-items.ts';
import type { FrozenQuote, Order, OrderedWeight, QuotedItem, ScaledWeight } from './order.ts';
import { cutCents, discountsByWeight, isDiscounted } from './order-discounts.ts';
import { type Taxation, taxationOf } from './reprice-order.ts';
import { withWaiver } from './waived.ts';
import { isWeighedOrder, openWeights } from './weighed-order.ts';

/** The quote at the scale's weights, which adds up to the charge; null while a line is open. */
export const weighedQuoteOf = (order: Pick<Order, 'quote' | 'adjustments'>): FrozenQuote | null =>
  openWeights(order).length > 0 ? null : quoteByWeight(order);

/**
 * The quote of an order with goods by weight as it stands: at the weights of the scale, of open lines as ordered, and
 * without missing items. For any other order, as it was agreed.
 */
export function quoteByWeight(order: Pick<Order, 'quote' | 'adjustments'>): FrozenQuote {
  const { quote } = order;
  if (!isWeighedOrder(quote)) return quote;
  const taxation = taxationOf(order);
  const { price, items, taxes, lines } = taxation;
  const { addedFeeCents, addedSalesTaxCents, discountCents: _, waivedCents, ...amounts } = price;
  const kept = items.some(({ quantity }) => quantity > 0) ? quote : { tipCents: 0, miscFees: [] };
  const { subtotalCents, deliveryFeeCents, serviceFeeCents, smallOrderFeeCents, salesTaxCents } = amounts;
  const ofStore = sumCents([subtotalCents, deliveryFeeCents, serviceFeeCents, smallOrderFeeCents, salesTaxCents]);
  const ofAccount = sumCents([amounts.markupCents, addedFeeCents, addedSalesTaxCents]);
  const unchanged = kept.tipCents + sumCents(kept.miscFees.map(({ amountCents }) => amountCents));
  // The bound of the total may take another cent off, which is a discount then.
  const discountCents = ofStore + ofAccount + unchanged - amounts.totalWithTipCents;
  return {
    ...quote,
    ...amounts,
    tipCents: kept.tipCents,
    miscFees: kept.miscFees,
    items: quote.items.map((item, at) => weighedItem(item, items[at])),
    addedFee: {
      ...quote.addedFee,
      totalCents: addedFeeCents,
      salesTaxCents: addedSalesTaxCents,
      taxes: chargedTaxes(taxes, lines).addedTaxes,
    },
    totalWithoutTipsCents: ofStore - discountCents,
    ...present({ discountCents: quote.discountCents === undefined && discountCents === 0 ? undefined : discountCents }),
    ...(isDiscounted(quote) || waivedCents > 0 ? weighedDiscounts(quote, taxation) : {}),
  };
}

function weighedDiscounts(
  quote: FrozenQuote,
  { items, cuts, price }: Taxation,
): Pick<FrozenQuote, 'discounts' | 'menuDiscounts'> {
  const { discounts, menuDiscounts } = discountsByWeight(quote, items);
  const parts = discounts.flatMap((discount) => discount.parts);
  const agreedDelivery = parts.map(({ deliveryCents }) => deliveryCents);
  const ofDelivery = parts.length === 0 ? [] : splitInProportion(cutCents(cuts.delivery), agreedDelivery);
  const withDelivery = discounts.map((discount) => ({
    ...discount,
    parts: discount.parts.map((part) => ({ ...part, deliveryCents: ofDelivery[parts.indexOf(part)] ?? 0 })),
  }));
  return {
    ...withWaiver({ discounts: withDelivery }, price.waivedCents),
    ...(quote.menuDiscounts ? { menuDiscounts } : {}),
  };
}

function weighedItem({ weight: _, listUnitCents: _list, ...item }: QuotedItem, handedOver?: FulfilledItem): QuotedItem {
  if (!handedOver) return item;
  const { productId, externalId, name, image, customizations, unitCents, listUnitCents, markedUnitCents } = handedOver;
  const { quantity, weight, scaled } = handedOver;
  return {
    ...item,
    productId,
    externalId,
    name,
    image,
    customizations,
    quantity,
    unitCents,
    markedUnitCents,
    ...(listUnitCents === unitCents ? {} : { listUnitCents }),
    totalCents: unitCents * quantity,
    markedTotalCents: markedUnitCents * quantity,
    ...(weight ? { weight: scaled ? atScale(weight, scaled) : weight } : {}),
  };
}

const atScale = ({ pieces: _, ...weight }: OrderedWeight, { milli }: ScaledWeight) => ({ ...weight, ordered: milli });
