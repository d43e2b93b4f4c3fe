import type { Category } from '../../clients/typescript/src/api-types.ts';
import { DoorstepError } from '../../clients/typescript/src/errors.ts';
import type { ShopVisit } from '../../src/surfaces/shop/shop-visit.ts';
import type { FoundStore, Menu, ShopApi } from './api.ts';
import type { ShopPage } from './boot.ts';
import { findStores } from './find-stores.ts';
import { readListQuery } from './list-query.ts';
import { leavesOf, menuQuery, readCategory } from './use-menu.ts';

/** Reads a page's initial data through the API. Rejects with the error of the API. */
export async function readPage(
  api: ShopApi,
  { requested, near, storeIds, knowsPlace }: Pick<ShopVisit, 'requested' | 'near' | 'storeIds' | 'knowsPlace'>,
): Promise<ShopPage> {
  if (requested.kind === 'orders') return requested;
  if (requested.kind === 'store') {
    return storeIds?.includes(requested.storeId) === false ? { kind: 'missing' } : readStore(api, requested.storeId);
  }
  const query = readListQuery(requested.search);
  const where = { near, isDoor: false, pickup: false, storeIds };
  const found = knowsPlace ? null : await findStores(api, where, query);
  return { kind: 'list', near, storeIds, query, found };
}

/** A removed store, or one without delivery and pickup. */
const UNAVAILABLE: readonly unknown[] = ['store_not_found', 'pickup_not_supported'];

async function readStore(api: ShopApi, storeId: string): Promise<ShopPage> {
  const [store] = (await api.stores.get({ store_id: storeId })).stores;
  if (!store) return { kind: 'missing' };
  const pickup = !store.delivery_enabled;
  try {
    const menu = await api.stores.inventory(menuQuery(store, pickup));
    if (store.type === 'grocery') await readFirstProducts(api, store, menu, pickup);
    return { kind: 'store', storeId, store, menu, pickup };
  } catch (error) {
    if (error instanceof DoorstepError && UNAVAILABLE.includes(error.code)) return { kind: 'missing' };
    throw error;
  }
}

/** Categories of a grocery whose products are in its first view, for readers without scripts and search engines. */
const FIRST_CATEGORIES = 2;

/** Puts the products of the first categories into a tree that has none. */
async function readFirstProducts(api: ShopApi, store: FoundStore, menu: Menu, pickup: boolean): Promise<void> {
  const leaves = menu.categories.flatMap(leavesOf).filter(({ product_count: count }) => count > 0);
  const read = async (leaf: Category) => {
    leaf.menu_item_list = await readCategory(api, store, pickup, leaf.subcategory_id);
  };
  await Promise.all(leaves.slice(0, FIRST_CATEGORIES).map(read));
}
