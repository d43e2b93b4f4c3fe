import { Type } from 'typebox';
import { sandboxOf } from '../../access/accounts/account.ts';
import { bool, flag } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { sendPieces } from '../../platform/http/json-pieces.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { WITHOUT_SECURITY_HEADERS } from '../../platform/http/security-headers.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { type Geocoding, REFUSES_ADDRESS } from '../addresses/geocoding.cache.ts';
import { withSharedOffers } from '../promotions/shared-offers.ts';
import { EXAMPLE_STORE_ID, EXAMPLE_USER } from '../stores/example-store.ts';
import type { Mode, Store } from '../stores/store.ts';
import { presentOffers } from '../stores/store-element.ts';
import { requirePickup } from './availability.ts';
import { openCategory } from './catalog-tokens.ts';
import type { InventoryCache } from './inventory.cache.ts';
import { InventorySchema } from './inventory-schema.ts';
import { QUOTE_QUERY, requireDoor } from './quote-query.ts';
import { quoteMembers } from './slot-list.ts';
import { waitOfSnapshot } from './store-snapshots.cache.ts';

const schema = {
  operationId: 'readInventory',
  summary: "Get a store's inventory and quote",
  description:
    "Returns a restaurant's categories with their products, without categories that have nothing on sale for the fulfillment type. For a grocery store, returns the top-level categories: send a category's subcategory_id to get the next level or its products. Add include_quote to get a quote. The ETag covers the full response.",
  example: { query: { store_id: EXAMPLE_STORE_ID, pickup: false, include_quote: true, ...EXAMPLE_USER } },
  querystring: Type.Object({
    store_id: Type.String({ description: "A store's _id.", maxLength: 64 }),
    pickup: bool('Inventory, prices and quotes differ between delivery and pickup.'),
    subcategory_id: Type.Optional(Type.String({ description: 'A category from an earlier response.', maxLength: 512 })),
    category_tree: flag('Returns all levels of categories, without products. Limited to 2,000 categories.'),
    ...QUOTE_QUERY,
  }),
  response: { 200: InventorySchema },
};

const config = {
  scope: 'read',
  publishable: true,
  refuses: ['store_not_found', 'subcategory_not_found', 'pickup_not_supported', ...REFUSES_ADDRESS],
  conditional: true,
} as const;

type InventoryDeps = { clock: Clock; tokens: TokenSealer; inventory: InventoryCache; geocoding: Geocoding };

export function inventoryRoute(http: Http, { inventory, tokens, clock, geocoding }: InventoryDeps): void {
  http.get('/details/inventory', { schema, config, ...WITHOUT_SECURITY_HEADERS }, async (request, reply) => {
    const { store_id: storeId, pickup, include_quote: includeQuote, category_tree: isTree } = request.query;
    const { subcategory_id: subcategoryId } = request.query;
    const mode: Mode = pickup ? 'pickup' : 'delivery';
    const door = includeQuote ? await requireDoor({ geocoding }, request.caller, request.query, mode) : null;

    const snapshot = await inventory.snapshot(storeId, sandboxOf(request.caller));
    if (!snapshot) throw new Refusal('store_not_found', 'There is no store with this store_id.');
    const { store } = snapshot;
    if (pickup) requirePickup(store);
    const category = subcategoryId === undefined ? null : openCategory(tokens, subcategoryId);
    const known = category !== undefined && (category === null || category.storeId === storeId);
    const now = clock.now();
    const menu = known ? await inventory.menu(snapshot, mode, category?.categoryNo ?? null, now, isTree) : undefined;
    if (!menu) throw new Refusal('subcategory_not_found', 'This store has no category with this subcategory_id.');

    const head = `${offersMember(withSharedOffers(store, request.caller))}${menu.head}`;
    if (!includeQuote) return sendPieces(request, reply, [`{${head}`, menu.categories]);
    const { quote_preference: preference = 'first_available' } = request.query;
    const wait = waitOfSnapshot(snapshot, now);
    const question = { store, mode, keyMode: request.caller.mode, door, preference, now, wait };
    const quote = quoteMembers(question, await inventory.slots(snapshot, mode, now));
    return sendPieces(request, reply, ['{', ...quote, `,${head}`, menu.categories]);
  });
}

/** The offers of a store as JSON text before the next member; empty without one. */
function offersMember(store: Store): string {
  const offers = presentOffers(store);
  return offers ? `"offers":${JSON.stringify(offers)},` : '';
}
