import { DoorstepError } from '../../clients/typescript/src/errors.ts';
import type { ShopVisit } from '../../src/surfaces/shop/shop-visit.ts';
import type { ShopApi } from './api.ts';
import type { ShopPage } from './boot.ts';
import { findStores } from './find-stores.ts';
import { readListQuery } from './list-query.ts';
import { menuQuery } from './use-menu.ts';

/** Reads what a page begins with through the API. Rejects with the refusal of the API. */
export async function readPage(
  api: ShopApi,
  { asked, near, storeIds }: Pick<ShopVisit, 'asked' | 'near' | 'storeIds'>,
): Promise<ShopPage> {
  if (asked.kind === 'orders') return asked;
  if (asked.kind === 'store') {
    return storeIds?.includes(asked.storeId) === false ? { kind: 'missing' } : readStore(api, asked.storeId);
  }
  const query = readListQuery(asked.search);
  const found = await findStores(api, { near, isDoor: false, pickup: false, storeIds }, query);
  return { kind: 'list', near, storeIds, query, found };
}

async function readStore(api: ShopApi, storeId: string): Promise<ShopPage> {
  const [store] = (await api.stores.get({ store_id: storeId })).stores;
  if (!store) return { kind: 'missing' };
  const pickup = !store.delivery_enabled;
  try {
    const menu = await api.stores.inventory(menuQuery(store, pickup));
    return { kind: 'store', storeId, store, menu, pickup };
  } catch (error) {
    if (error instanceof DoorstepError && error.code === 'store_not_found') return { kind: 'missing' };
    throw error;
  }
}
