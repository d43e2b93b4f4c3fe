import { present } from 'doorstep/collections';
import { MAX_TEXT_LENGTH } from 'doorstep/search-engine/text';
import { type Static, Type } from 'typebox';
import { ownerOf, sandboxOf } from '../../access/accounts/account.ts';
import {
  bool,
  cents,
  component,
  describedObject,
  flag,
  integer,
  number,
  optionalFilter,
  text,
} from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { nextSlice, runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import { REFUSES_ADDRESS } from '../../supply/addresses/geocoding.cache.ts';
import { menuPriceForMode } from '../../supply/catalog/availability.ts';
import { presentTaxes, TaxesByName } from '../../supply/pricing/quote-schema.ts';
import { decimalOfMilli } from '../../supply/pricing/weight.ts';
import { EXAMPLE_USER } from '../../supply/stores/example-store.ts';
import { FoundProductSchema, FoundStoreSchema } from '../products/found-schema.ts';
import { type PresentedStore, presentFound, presentStores } from '../products/present-found.ts';
import {
  FOOD_PARAMETERS,
  parseClaims,
  SELLER_LOCATION,
  SELLER_PARAMETERS,
  sellerLocation,
} from '../products/product-search-request.ts';
import { createSearchLimit, requireLoaded } from '../products/search-limits.ts';
import type { ProductSearchDeps } from '../products/search-products.flow.ts';
import { storeFiltersOf } from '../stores/search-request.ts';
import { type CartCandidate, MAX_ALTERNATIVES, MAX_CARTS } from './cart-candidates.ts';
import { MAX_LINE_UNITS, type Ordered } from './line-amount.ts';
import { type CartLine, MAX_CART_LINES, MAX_CART_QUERY_LENGTH, parseCartQuery } from './parse-cart-query.ts';
import type { ReadProducts } from './read-products.ts';
import { type FoundCarts, searchCarts } from './search-carts.flow.ts';
import type { PricedCart } from './sort-carts.ts';

/* The endpoint of cart search: a list of products to the nearest stores that have them, each with a priced cart. */

const cartSearchParameters = Type.Object(
  {
    query: text(
      `A JSON object from product query to quantity, such as \`{"milk":2,"salmon":"1.5 lb"}\`. A number is 1 to ${MAX_LINE_UNITS} pieces or packages, or units of an item sold by weight without a piece weight. A string is an amount, rounded up to the next step or package. The query takes 1 to ${MAX_CART_LINES} lines, each with up to ${MAX_TEXT_LENGTH} characters, and up to ${MAX_CART_QUERY_LENGTH} in total. Two lines can't request the same product. A line with 8, 12, 13 or 14 digits and a valid check digit is a UPC.`,
    ),
    store_id: optionalFilter(64, 'Searches only this store, at any distance.'),
    ...SELLER_PARAMETERS,
    ...FOOD_PARAMETERS,
    pickup: flag(
      '`true` prices carts for pickup. `false` prices carts for delivery and includes only stores that deliver to the coordinate. Defaults to delivery from stores that deliver to the coordinate, and pickup from the others.',
    ),
    full_carts_only: Type.Optional(
      Type.Boolean({ default: true, description: '`false` adds carts that lack some of the lines, after all others.' }),
    ),
  },
  SELLER_LOCATION,
);

const CartProductSchema = component(
  'CartProduct',
  'A product that matches a line. `unit_price` is present only if its size allows it.',
  {
    ...FoundProductSchema.properties,
    quantity: number('The quantity. For items sold by weight, a decimal of their unit with up to three places.'),
    pieces: Type.Optional(integer('Only for items sold by weight and ordered by the piece.')),
    estimated_price: Type.Optional(cents('The estimated price of the line, for items sold by weight.')),
    min_price: cents('The price of one with the cheapest required options, used for the cart.'),
  },
);

const CartSchema = component('Cart', "A store's cart: its products and prices.", {
  store_id: text('The ID for inventory and quote requests.'),
  store: FoundStoreSchema,
  products: Type.Record(Type.String(), Type.Array(CartProductSchema), {
    description: `The products by query line: first the product that the cart is priced with, then up to ${MAX_ALTERNATIVES} alternatives. Lines without a match are omitted.`,
  }),
  pickup: bool('Whether the cart is priced for pickup instead of delivery.'),
  subtotal: cents('All products in the cart.'),
  delivery_fee_cents: cents('The fee for the whole cart.'),
  service_fee_cents: cents('The fee for the whole cart.'),
  small_order_fee_cents: cents("Zero unless the subtotal is below the store's small-order threshold."),
  sales_tax_cents: cents('The tax on the cart and its taxable fees.'),
  taxes: TaxesByName,
  discount_cents: Type.Optional(cents('Automatic promotions, included in the total. Absent if none.')),
  grand_total: cents("The cart's total before a tip, which an order would be charged."),
  is_full_cart: bool('Whether the cart contains every line.'),
  missing: Type.Array(Type.String(), { description: 'The lines that this cart lacks.' }),
  order_minimum: cents("The store's minimum subtotal."),
  meets_order_minimum: bool('Whether the subtotal reaches the minimum.'),
});

const CartSearchSchema = describedObject('Whole carts from stores near the coordinate.', {
  carts: Type.Array(CartSchema, {
    description: `Up to ${MAX_CARTS} carts. Full carts that meet the store's order minimum come first, then full carts below it, each cheapest first. Carts that lack lines come last, if requested, starting with the fewest missing lines. Equal carts are sorted by distance.`,
  }),
});

/** Maximum waiting and running cart searches per account and process, so that the last one waits only a few seconds. */
const MAX_SEARCHES_PER_ACCOUNT = 32;

const schema = {
  operationId: 'searchCarts',
  summary: 'Compare cart prices at stores near a coordinate',
  description:
    "Searches the nearest 500 stores with a catalog that meet the conditions and take orders, now or for a later slot. At each store, each line gets its best matching product, or the cheapest of equal matches. `grand_total` is the order's total before a tip. Carts with many common products are searched at fewer stores. Too many concurrent cart searches from an account return 429 `rate_limited` with `Retry-After`.",
  example: { query: { query: '{"coffee":2}', ...EXAMPLE_USER } },
  querystring: cartSearchParameters,
  response: { 200: CartSearchSchema },
};

/** GET /search/cart (docs/searching.md#cart-search). */
export function searchCartsRoute(http: Http, deps: ProductSearchDeps): void {
  const { clock, storeFeed, tokens } = deps;
  const limiter = createSearchLimit(MAX_SEARCHES_PER_ACCOUNT);
  http.get(
    '/search/cart',
    { schema, config: { scope: 'read', publishable: true, refuses: ['store_not_found', ...REFUSES_ADDRESS] } },
    async (request) => {
      const given = request.query;
      const lines = parseCartQuery(given.query);
      requireLoaded(storeFeed);
      const near = await deps.geocoding.locate(request.caller, sellerLocation(given, 'query'));
      const now = clock.now();
      const query = {
        lines,
        keyMode: request.caller.mode,
        accountId: request.caller.accountId,
        sandbox: sandboxOf(request.caller),
        ...near,
        storeId: given.store_id ?? null,
        ...storeFiltersOf(given),
        claims: parseClaims(given),
        fullOnly: given.full_carts_only ?? true,
      };
      const owner = ownerOf(request.caller);
      const found = await limiter.run(owner, () => searchCarts({ ...deps, owner }, query, now));
      const stores = await presentStores(deps, new Set(found.carts), epochSeconds(now));
      await nextSlice();
      return runInSlices(presentCarts(found, { tokens, lines, stores }));
    },
  );
}

type Answer = Static<typeof CartSearchSchema>;
type PresentedCart = Answer['carts'][number];

/** Inputs for all carts of a response: the lines of the request, and the stores that are still in search, by id. */
type PresentInputs = { tokens: TokenSealer; lines: readonly CartLine[]; stores: ReadonlyMap<string, PresentedStore> };

/**
 * Writes the response of cart search, without carts of stores that have left search. Yields after each cart, because a
 * response may contain a thousand products.
 */
function* presentCarts({ carts: candidates, read }: FoundCarts, inputs: PresentInputs): Generator<void, Answer> {
  const carts: PresentedCart[] = [];
  for (const candidate of candidates) {
    if (candidate.cart) carts.push(...presentCart(candidate, candidate.cart, read, inputs));
    yield;
  }
  return { carts };
}

function presentOrdered({ quantity, lineCents, milli, pieces }: Ordered) {
  if (milli === undefined) return { quantity };
  return { quantity: decimalOfMilli(milli), ...present({ pieces }), estimated_price: lineCents };
}

function presentCart(
  { terms, choices }: CartCandidate,
  { storeId, price, missing, meetsMinimum }: PricedCart,
  read: ReadProducts,
  { tokens, lines, stores }: PresentInputs,
): PresentedCart[] {
  const store = stores.get(storeId);
  if (!store) return [];
  const { mode, orderMinimumCents } = terms;
  const products = lines.flatMap(({ query }, line) => {
    if (missing.includes(line)) return [];
    const shown = (choices[line] ?? []).flatMap(({ productNo, ...ordered }) => {
      const product = read.get(storeId)?.get(productNo);
      if (!product?.found) return [];
      const { found } = product;
      const minPrice = menuPriceForMode(found, mode) + found.minExtra;
      return [{ ...presentFound(tokens, found, store, mode), ...presentOrdered(ordered), min_price: minPrice }];
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
      taxes: presentTaxes(price.taxes),
      ...present({ discount_cents: price.discountCents }),
      grand_total: price.totalWithoutTipsCents,
      is_full_cart: missing.length === 0,
      missing: missing.map((line) => lines[line]?.query ?? ''),
      order_minimum: orderMinimumCents,
      meets_order_minimum: meetsMinimum,
    },
  ];
}
