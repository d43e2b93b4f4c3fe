import type { Static } from 'typebox';
import { priceIn } from '../catalog/availability.ts';
import { type PresentedStore, presentFound } from '../catalog/search/present-found.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import type { CartOffer } from './cart-offers.ts';
import type { CartSearchSchema } from './cart-schema.ts';
import type { CartLine } from './parse-cart-query.ts';
import type { ReadProducts } from './read-products.ts';
import type { FoundCarts } from './search-carts.flow.ts';
import { type PricedCart, priceLines } from './sort-carts.ts';

type Answer = Static<typeof CartSearchSchema>;
type PresentedCart = Answer['carts'][number];

/** Inputs of all carts of an answer: the lines of the request, and the stores that are still in search, by their ids. */
export type PresentInputs = {
  tokens: TokenSealer;
  lines: readonly CartLine[];
  stores: ReadonlyMap<string, PresentedStore>;
  withSplits: boolean;
};

/**
 * The answer of cart search; a cart whose store has left search meanwhile is left out. Yields after each cart: an answer
 * may have a thousand products.
 */
export function* presentCarts({ view, read }: FoundCarts, inputs: PresentInputs): Generator<void, Answer> {
  const carts: PresentedCart[] = [];
  for (const offer of view.carts) {
    if (offer.cart) carts.push(...presentCart(offer, offer.cart, read, inputs));
    yield;
  }
  if (!inputs.withSplits) return { carts };
  const splits: NonNullable<Answer['split_carts']> = [];
  for (const { first, second, linesOfFirst, totalCents } of view.splits) {
    const parts = [
      presentPart(first, (line) => linesOfFirst[line] === true, read, inputs),
      presentPart(second, (line) => linesOfFirst[line] === false, read, inputs),
    ].flat();
    if (parts.length === 2) splits.push({ carts: parts, grand_total: totalCents });
    yield;
  }
  return { carts, split_carts: splits, split_is_exhaustive: view.isExhaustive };
}

/** A store's part of a split is a cart that lacks the other lines. */
function presentPart(
  offer: CartOffer,
  isOfPart: (line: number) => boolean,
  read: ReadProducts,
  inputs: PresentInputs,
): PresentedCart[] {
  const lineCents = offer.lineCents.map((cents, line) => (isOfPart(line) ? cents : Infinity));
  const cart = priceLines(offer.seller, lineCents);
  return cart ? presentCart(offer, cart, read, inputs) : [];
}

function presentCart(
  { seller, choices }: CartOffer,
  { storeId, price, missing, meetsMinimum }: PricedCart,
  read: ReadProducts,
  { tokens, lines, stores }: PresentInputs,
): PresentedCart[] {
  const store = stores.get(storeId);
  if (!store) return [];
  const { mode, orderMinimumCents } = seller.terms;
  const products = lines.flatMap(({ query, quantity }, line) => {
    if (missing.includes(line)) return [];
    const shown = (choices[line] ?? []).flatMap(({ productNo }) => {
      const product = read.get(storeId)?.get(productNo);
      if (!product?.found) return [];
      const { found } = product;
      const minPrice = priceIn(found, mode) + found.minExtra;
      return [{ ...presentFound(tokens, found, store, mode), quantity, min_price: minPrice }];
    });
    return [[query, shown] as const];
  });
  return [
    {
      store_id: storeId,
      store,
      products: Object.fromEntries(products),
      pickup: mode === 'pickup',
      subtotal: price.subtotalCents,
      delivery_fee_cents: price.deliveryFeeCents,
      service_fee_cents: price.serviceFeeCents,
      small_order_fee_cents: price.smallOrderFeeCents,
      sales_tax_cents: price.salesTaxCents,
      grand_total: price.totalWithoutTipsCents,
      is_full_cart: missing.length === 0,
      missing: missing.map((line) => lines[line]?.query ?? ''),
      order_minimum: orderMinimumCents,
      meets_order_minimum: meetsMinimum,
    },
  ];
}
