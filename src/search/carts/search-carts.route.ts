import { present } from 'doorstep/collections';
import { MAX_TEXT_LENGTH } from 'doorstep/search-engine/text';
import { type Static, Type } from 'typebox';
import { ownerOf, sandboxOf } from '../../access/accounts/account.ts';
import { cents, component, describedObject, flag, optionalText } from '../../platform/http/api-components.ts';
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
    query: Type.String({
      description: `A JSON object of product query to quantity, such as \`{"milk":2,"salmon":"1.5 lb"}\`. A number is 1 to ${MAX_LINE_UNITS} pieces or packages, or units of goods by weight without a weight a piece; a text is an amount, up to the next step or package. 1 to ${MAX_CART_LINES} lines, a line of at most ${MAX_TEXT_LENGTH} characters, all at most ${MAX_CART_QUERY_LENGTH}. No two lines may ask for the same. A line of 8, 12, 13 or 14 digits whose check digit is right is a UPC.`,
    }),
    store_id: optionalText(64, 'Only this store, however far it is from the place.'),
    ...SELLER_PARAMETERS,
    ...FOOD_PARAMETERS,
    pickup: flag(
      '`true` prices carts for pickup, `false` for delivery, and then only stores that deliver to the place take part. Omitted: delivery from stores that deliver to the place, pickup from the others.',
    ),
    full_carts_only: Type.Optional(
      Type.Boolean({ default: true, description: '`false` adds carts that lack some of the lines, after all others.' }),
    ),
  },
  SELLER_LOCATION,
);

const CartProductSchema = component(
  'CartProduct',
  'A product that answers a line of a cart. `unit_price` only where its size says it.',
  {
    ...FoundProductSchema.properties,
    quantity: Type.Number({
      description:
        'How many of it the line orders; of goods by weight how much, in their unit: a decimal of at most three places.',
    }),
    pieces: Type.Optional(Type.Integer({ description: 'Of goods by weight that the line orders by the piece.' })),
    estimated_price: Type.Optional(cents('Of goods by weight: the whole line, until it is weighed.')),
    min_price: cents('For one, with the cheapest way to meet its required choices; carts are priced by it.'),
  },
);

const CartSchema = component('Cart', 'What one store has of a cart, and what that costs.', {
  store_id: Type.String({ description: 'For inventory and quote requests.' }),
  store: FoundStoreSchema,
  products: Type.Record(Type.String(), Type.Array(CartProductSchema), {
    description: `By each line of the query: first the product that the cart is priced with, then up to ${MAX_ALTERNATIVES} others. Lines that the cart lacks are left out.`,
  }),
  pickup: Type.Boolean({ description: 'Whether the cart is priced for pickup; else for delivery.' }),
  subtotal: cents('All products of the cart.'),
  delivery_fee_cents: cents('For the whole cart.'),
  service_fee_cents: cents('For the whole cart.'),
  small_order_fee_cents: cents('Zero unless the subtotal is under what the store calls a small order.'),
  sales_tax_cents: cents('Of the cart and its taxable fees.'),
  taxes: TaxesByName,
  discount_cents: Type.Optional(
    cents('Promotions that apply by themselves to any cart; absent without one. The total is after them.'),
  ),
  grand_total: cents('What the cart costs in all before a tip: what an order of it would be charged.'),
  is_full_cart: Type.Boolean({ description: 'Whether it has every line.' }),
  missing: Type.Array(Type.String(), { description: 'The lines that are not in this cart.' }),
  order_minimum: cents('The subtotal from which the store takes orders.'),
  meets_order_minimum: Type.Boolean({ description: 'Whether the subtotal is no less.' }),
});

const CartSearchSchema = describedObject('Whole carts of stores near the place.', {
  carts: Type.Array(CartSchema, {
    description: `At most ${MAX_CARTS}: full carts that meet the store's order minimum, cheapest first; then full carts under it; then, if requested, carts that lack lines, the fewest first. Of equal ones the nearest come first.`,
  }),
});

/** Maximum waiting and running cart searches per account and process, so that the last one waits only a few seconds. */
const MAX_SEARCHES_PER_ACCOUNT = 32;

const schema = {
  operationId: 'searchCarts',
  summary: 'What a whole cart costs at the stores near a coordinate',
  description:
    'Looks at the nearest 500 stores with a catalog that meet the conditions and take orders, now or for a slot to come. In each store every line gets the product that matches it best, of equal products the cheapest; `grand_total` is what an order of the cart would come to before a tip. A cart of many lines that thousands of products match is searched at fewer stores, the nearest; 429 `rate_limited` with `Retry-After` says that too many cart searches of the account are running.',
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

/** Inputs for all carts of an answer: the lines of the request, and the stores that are still in search, by id. */
type PresentInputs = { tokens: TokenSealer; lines: readonly CartLine[]; stores: ReadonlyMap<string, PresentedStore> };

/**
 * Writes the answer of cart search, without carts of stores that have left search. Yields after each cart, because an
 * answer may have a thousand products.
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
