import { taxLines } from '../../ordering/money/receipt.ts';
import { chooseOptions } from '../../ordering/order/choose-options.ts';
import type { FrozenQuote, QuotedItem } from '../../ordering/order/order.ts';
import { allergensOf, foodSentences, quotedFoodOf } from '../../ordering/order/quoted-food.ts';
import { priceForMode } from '../../supply/catalog/availability.ts';
import type { CatalogProduct, Customization, Option } from '../../supply/catalog/product.ts';
import { type PricedCustomization, priceUnit, withinOrderLimit } from '../../supply/pricing/price-order.ts';
import type { Mode, Store } from '../../supply/stores/store.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { AskedCheckout, ShownLine, Total } from './checkout.ts';
import type { Message } from './contract.ts';

/**
 * Dishes and totals of a checkout. Those of a cart that was quoted are its quote's. A cart that cannot be quoted shows
 * its dishes at the menu's prices.
 */

type AskedLine = AskedCheckout['line_items'][number];

/** What is shown of an item: the part of a quote's item that a cart without a quote has too. */
type Item = Pick<
  QuotedItem,
  'productId' | 'name' | 'basePriceCents' | 'quantity' | 'totalCents' | 'image' | 'notes' | 'customizations' | 'food'
>;

/** A dish that the store does not have. */
export function unknownItem({ dish, quantity }: AskedLine): Item {
  const { id, note = '' } = dish;
  const price = { basePriceCents: 0, totalCents: 0, image: null, customizations: [] };
  return { productId: id, name: id, quantity, notes: note, ...price };
}

/** Lines keep the IDs that the platform gave them. */
export function linesOf({ line_items: asked }: AskedCheckout, items: readonly Item[]): ShownLine[] {
  const used = new Set<string>();
  return items.map((item, index) => {
    const { id: given } = asked[index] ?? {};
    const id = given && !used.has(given) ? given : `li_${index + 1}`;
    used.add(id);
    return {
      id,
      quantity: item.quantity,
      dish: showDish(item),
      totals: [
        { type: 'subtotal', amount: item.totalCents },
        { type: 'total', amount: item.totalCents },
      ],
    };
  });
}

function showDish({ productId, name, basePriceCents, image, notes, customizations }: Item): object {
  const modifications = flatModifications(customizations);
  return {
    id: productId,
    title: name,
    price: basePriceCents,
    ...(image ? { media: [{ type: 'image', url: image }] } : {}),
    ...(modifications.length > 0 ? { modifications } : {}),
    ...(notes === '' ? {} : { note: notes }),
  };
}

/**
 * Options as a flat list, so that the price of a dish is the sum of prices times quantities: the price of a nested
 * option counts its parents' quantities.
 */
function flatModifications(from: readonly PricedCustomization[], times = 1): Modification[] {
  return from.flatMap(({ options }) =>
    options.flatMap(({ id, name, priceCents, quantity, customizations }) => [
      { id, title: name, price: priceCents * times, quantity },
      ...flatModifications(customizations, times * quantity),
    ]),
  );
}
type Modification = { id: string; title: string; price: number; quantity: number };

/** The dish of a cart without a quote: priced as in an order where its options are allowed, else option by option. */
export function priceLine(
  { dish, quantity }: AskedLine,
  product: CatalogProduct,
  { store, mode }: { store: Pick<Store, 'taxClass'>; mode: Mode },
): Item {
  const { name, image, taxClass, customizations } = product;
  const priceCents = priceForMode(product, mode);
  const selected = (dish.modifications ?? []).map((one) => ({ optionId: one.id, quantity: one.quantity ?? 1 }));
  const choice = chooseOptions(customizations, selected);
  const chosen = 'chosen' in choice ? choice.chosen : [{ id: '', name: '', options: looseOptions(product, selected) }];
  const line = {
    priceCents,
    quantity,
    markedPriceCents: null,
    taxClass: taxClass ?? store.taxClass,
    customizations: chosen,
  };
  const priced = priceUnit(line, false);
  const food = quotedFoodOf(product, priced.customizations);
  return {
    productId: dish.id,
    name,
    image,
    quantity,
    notes: dish.note ?? '',
    basePriceCents: priceCents,
    customizations: priced.customizations,
    totalCents: withinOrderLimit(priced.unitCents * quantity),
    ...(food ? { food } : {}),
  };
}

/** The chosen options without their nesting; one that the product lacks has its ID and no price. */
function looseOptions({ customizations }: CatalogProduct, selected: readonly { optionId: string; quantity: number }[]) {
  const known = new Map(optionsOf(customizations).map((option) => [option.id, option]));
  const quantities = new Map(selected.map(({ optionId, quantity }) => [optionId, quantity]));
  return [...quantities].map(([id, quantity]) => {
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

/** States what is known of each dish as food; of what is not known nothing is said. */
export function disclosures(items: readonly Pick<QuotedItem, 'food'>[], locale: Locale): Message[] {
  return items.flatMap((item, index): Message[] => {
    const sentences = foodSentences(item, locale);
    if (sentences.length === 0) return [];
    const { contains, mayContain } = allergensOf(item);
    const code = contains || mayContain ? 'allergens' : 'calories';
    const path = `$.line_items[${index}]`;
    return [{ type: 'warning', code, path, presentation: 'disclosure', content: sentences.join(' ') }];
  });
}

/** The totals of a quote: those between the subtotal and the total add up to their difference. */
export function totalsOf(quote: FrozenQuote, locale: Locale): Total[] {
  const { receipt, places } = locale.words.customer;
  const { total, otherFees } = locale.words.checkout.amounts;
  const isDelivery = quote.terms.mode === 'delivery';
  const misc = quote.miscFees.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const fees = [
    { display_text: receipt.serviceFee, amount: quote.serviceFeeCents },
    { display_text: receipt.smallOrderFee, amount: quote.smallOrderFeeCents },
    { display_text: otherFees, amount: quote.addedFee.totalCents + misc },
  ].filter(({ amount }) => amount !== 0);
  const feeTotal: Total = {
    type: 'fee',
    display_text: locale.format.list(fees.map((fee) => fee.display_text)),
    amount: fees.reduce((sum, { amount }) => sum + amount, 0),
    lines: fees,
  };
  return [
    { type: 'subtotal', display_text: receipt.subtotal, amount: quote.subtotalCents + quote.markupCents },
    {
      type: 'fulfillment',
      display_text: isDelivery ? receipt.deliveryFee : places.pickup,
      amount: quote.deliveryFeeCents,
    },
    ...(fees.length > 0 ? [feeTotal] : []),
    ...taxLines(quote, locale).map(({ label, cents }) => ({ type: 'tax', display_text: label, amount: cents })),
    ...(quote.tipCents > 0 ? [{ type: 'tip', display_text: receipt.tip, amount: quote.tipCents }] : []),
    { type: 'total', display_text: total, amount: quote.totalWithTipCents },
  ];
}

/** The totals of a cart that was not quoted: its dishes. */
export function dishTotals(lines: readonly ShownLine[], { words }: Locale): Total[] {
  const amount = lines.reduce((sum, { totals }) => sum + (totals[0]?.amount ?? 0), 0);
  return [
    { type: 'subtotal', display_text: words.customer.receipt.subtotal, amount },
    { type: 'total', display_text: words.checkout.amounts.total, amount },
  ];
}
