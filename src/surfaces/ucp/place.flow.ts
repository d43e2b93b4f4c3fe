import { present } from 'doorstep/collections';
import { type Caller, sandboxOf } from '../../access/accounts/account.ts';
import type { Shop } from '../../access/accounts/shops.db.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import type { StoreSnapshot } from '../../supply/catalog/store-snapshots.cache.ts';
import { isVisibleTo } from '../../supply/stores/store.ts';
import type { Context, Filters } from './catalog-request.ts';

/** Where the customer of a request is, and which of the shop's stores that means. */

/** A store, or an address near which stores are looked for; `unknown`: a store that the shop lacks; `none`: any. */
export type Place =
  | { kind: 'store'; snapshot: StoreSnapshot }
  | { kind: 'near'; address: string; isRequired: boolean }
  | { kind: 'unknown' | 'none' };

export type PlaceDeps = { inventory: Pick<InventoryCache, 'snapshot'> };

/** The shop's store of an ID; undefined for any other one. */
export async function findOwnStore(
  { inventory }: PlaceDeps,
  shop: Pick<Shop, 'storeIds'>,
  caller: Caller,
  storeId: string,
): Promise<StoreSnapshot | undefined> {
  if (shop.storeIds !== null && !shop.storeIds.includes(storeId)) return undefined;
  const sandbox = sandboxOf(caller);
  const snapshot = await inventory.snapshot(storeId, sandbox);
  return snapshot?.store.listed && isVisibleTo(snapshot.store, sandbox) ? snapshot : undefined;
}

/** The filter precedes the context, and the context precedes the only store. */
export async function findPlace(
  deps: PlaceDeps,
  shop: Pick<Shop, 'storeIds'>,
  caller: Caller,
  { context = {}, filters: { fulfills_to: to = {} } = {} }: { context?: Context; filters?: Filters },
): Promise<Place> {
  const asStore = async (storeId: string): Promise<Place> => {
    const snapshot = await findOwnStore(deps, shop, caller, storeId);
    return snapshot ? { kind: 'store', snapshot } : { kind: 'unknown' };
  };
  if (to.location !== undefined) return asStore(to.location);
  if (to.postal_code !== undefined) return { kind: 'near', address: addressOf(to), isRequired: true };
  if (Object.keys(to).length > 0) return { kind: 'none' };
  const { storeId, address } = placeOf(context);
  if (storeId !== undefined) return asStore(storeId);
  const [only, ...others] = shop.storeIds ?? [];
  if (only !== undefined && others.length === 0) return asStore(only);
  return address === undefined ? { kind: 'none' } : { kind: 'near', address, isRequired: false };
}

/**
 * The store or the address that a context names; a region is too wide. Members that single platforms add, such as
 * `buyer_address_location`, are no place as long as their shape is not known.
 */
function placeOf({ location, ...context }: Context): { storeId?: string; address?: string } {
  const { postal_code: code, address_country: country } = context;
  const isNear = code !== undefined && country !== undefined;
  return present({ storeId: location, address: isNear ? addressOf(context) : undefined });
}

const addressOf = ({ postal_code: code, address_region: region, address_country: country }: Context) =>
  [code, region, country].filter(Boolean).join(', ');
