import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import type { Context } from '../../platform/db/context.ts';
import { isRefusedStatement } from '../../platform/db/hot-statement.ts';
import { flag } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { sendPieces } from '../../platform/http/json-pieces.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { WITHOUT_SECURITY_HEADERS } from '../../platform/http/security-headers.ts';
import { batchCalls } from '../../platform/lib/batch-calls.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { currentOwner } from '../../platform/load/event-loop-scheduler.ts';
import { type Geocoding, REFUSES_ADDRESS } from '../addresses/geocoding.cache.ts';
import type { Mode, Store } from '../stores/store.ts';
import { isAlcohol } from '../stores/tax-class.ts';
import { isProductAvailable, viewedMode } from './availability.ts';
import { openProduct } from './catalog-tokens.ts';
import { CustomizationsCache } from './customizations.cache.ts';
import type { InventoryCache } from './inventory.cache.ts';
import { ProductDetailsSchema } from './inventory-schema.ts';
import { presentFood, presentPrices } from './present-menu.ts';
import { presentWeighed } from './present-weight.ts';
import type { CatalogProduct } from './product.ts';
import { findProductHeads, type StockedProductRef } from './products.db.ts';
import { QUOTE_QUERY, requireDoor } from './quote-query.ts';
import { quoteMembers } from './slot-list.ts';
import { waitOfSnapshot } from './store-snapshots.cache.ts';
import { unitPriceOf } from './unit-price.ts';

/* The endpoint of one product with its customizations and effective prices. */

const schema = {
  operationId: 'readProduct',
  summary: 'Get a product with all its customizations',
  description: 'A product that was removed from the inventory is still returned, with is_available false.',
  example: { query: { product_id: '{product_id}', pickup: false } },
  querystring: Type.Object({
    product_id: Type.String({ maxLength: 512, description: 'A `product_id` from an inventory.' }),
    pickup: flag('Defaults to delivery, or to pickup for a product sold only for pickup.'),
    ...QUOTE_QUERY,
  }),
  response: { 200: ProductDetailsSchema },
};

const config = {
  scope: 'read',
  publishable: true,
  refuses: ['product_not_found', ...REFUSES_ADDRESS],
  conditional: true,
} as const;

/** Maximum rows per statement. Requests of one turn of the event loop share a statement. */
const MAX_BATCH = 32;

/** Reads the product's row for every request, because its stock decides whether it can be ordered. */
export function productRoute(
  http: Http,
  deps: Context & { tokens: TokenSealer; inventory: InventoryCache; geocoding: Geocoding },
): void {
  const { db, inventory, tokens, clock } = deps;
  const customizations = new CustomizationsCache(deps);
  const findHead = batchCalls({
    maxBatch: MAX_BATCH,
    ownerNow: currentOwner,
    run: (refs: readonly StockedProductRef[]) => findProductHeads(db, refs),
    didNothing: isRefusedStatement,
  });
  http.get('/details/product', { schema, config, ...WITHOUT_SECURITY_HEADERS }, async (request, reply) => {
    const { product_id: productId, pickup, include_quote: includeQuote } = request.query;
    const ref = openProduct(tokens, productId);
    const sandbox = sandboxOf(request.caller);
    const found = ref && (await findHead({ ...ref, sandbox }));
    const snapshot = found && (await inventory.snapshot(found.product.storeId, sandbox));
    if (!found || !snapshot) throw new Refusal('product_not_found', 'There is no product with this product_id.');

    const { product, choicesVersion } = found;
    const { store } = snapshot;
    const mode = viewedMode(pickup, product);
    const now = clock.now();
    const isAvailable = isProductAvailable(product, mode, now, store);
    const body = JSON.stringify(presentDetails(store, product, mode, productId, isAvailable));
    const choices = await customizations.read({ storeId: store.storeId, productNo: product.productNo, choicesVersion });
    const pieces = [`${body.slice(0, -1)},"customizations":`, choices];
    if (!includeQuote) return sendPieces(request, reply, [...pieces, '}']);

    const door = await requireDoor(deps, request.caller, request.query, mode);
    const { quote_preference: preference = 'first_available' } = request.query;
    const wait = waitOfSnapshot(snapshot, now);
    const question = { store, mode, keyMode: request.caller.mode, door, preference, now, wait };
    const quote = quoteMembers(question, await inventory.slots(snapshot, mode, now));
    return sendPieces(request, reply, [...pieces, ',', ...quote, '}']);
  });
}

function presentDetails(
  { storeId, taxClass, address }: Store,
  product: Omit<CatalogProduct, 'customizations'>,
  mode: Mode,
  productId: string,
  isAvailable: boolean,
): Omit<Static<typeof ProductDetailsSchema>, 'customizations' | 'quote'> {
  const prices = presentPrices(product, mode);
  return {
    name: product.name,
    description: product.description,
    ...prices,
    image: product.image,
    thumbnail_image: product.thumbnailImage,
    product_id: productId,
    store_id: storeId,
    qty_available: product.qtyAvailable,
    unit_size: product.unitSize,
    unit_of_measurement: product.unitOfMeasurement,
    ...present({ unit_price: unitPriceOf(product, prices.price, address.country) }),
    ...presentWeighed(product, prices.price),
    food: presentFood(product.food),
    tax_class: product.taxClass ?? taxClass,
    is_alcoholic: isAlcohol(product, [product.taxClass ?? taxClass]),
    upc_code: product.upcCode,
    supports_image_scaling: false,
    is_available: isAvailable,
  };
}
