import { foldText } from '../../src/platform/lib/text/normalize-text.ts';
import type { FoundStore, ShopApi } from './api.ts';
import type { FoundList, Near } from './boot.ts';
import type { ListQuery } from './list-query.ts';

/**
 * The stores of a list: a search finds which, by name and by what they sell, and one look-up reads what a card shows.
 * With the named stores of a shop the look-up alone: there are at most 50.
 */

export type Where = {
  /** The visitor's place, else where the shop shows stores; null for named stores alone. */
  near: Near | null;
  /** Whether the place is the visitor's: then cards have minutes and fees, and only stores that come there are shown. */
  isDoor: boolean;
  pickup: boolean;
  storeIds: readonly string[] | null;
};

/** Stores that are read at a time; the API takes at most 50. */
const BATCH = 24;
/** Nobody drives farther for dinner. */
const MAX_MILES = 30;

const NOTHING: FoundList = { stores: [], more: [], nextPage: null };

export async function findStores(api: ShopApi, where: Where, query: ListQuery): Promise<FoundList> {
  if (where.storeIds !== null) return findNamed(api, where, where.storeIds, query);
  if (where.near === null) return NOTHING;
  const { ids, nextPage } = await searchIds(api, where, where.near, query, 0);
  return readBatch(api, where, { stores: [], more: ids, nextPage });
}

/** The list with its next stores. */
export async function findMore(api: ShopApi, where: Where, query: ListQuery, list: FoundList): Promise<FoundList> {
  if (list.more.length > 0 || list.nextPage === null || where.near === null) return readBatch(api, where, list);
  const { ids, nextPage } = await searchIds(api, where, where.near, query, list.nextPage);
  return readBatch(api, where, { ...list, more: ids, nextPage });
}

export const hasMore = ({ more, nextPage }: FoundList) => more.length > 0 || nextPage !== null;

async function searchIds(api: ShopApi, where: Where, near: Near, query: ListQuery, page: number) {
  const { latitude, longitude } = near;
  const { words, sort, open, type, cuisine, rating } = query;
  const asked = {
    latitude,
    longitude,
    sort,
    page,
    maximum_miles: MAX_MILES,
    projections: '_id',
    ...(where.isDoor && { pickup: where.pickup, ...(!where.pickup && { delivers_here: true }) }),
    ...(open && { accepting: true }),
    ...(type !== null && { store_type: type }),
    ...(cuisine !== '' && { cuisine }),
    ...(rating !== null && { minimum_rating: rating }),
    ...(words !== '' && { query: words }),
  };
  const [byName, byItem] = await Promise.all([
    api.stores.search(asked).first(),
    words === '' ? undefined : api.stores.search({ ...asked, search_focus: 'item' }).first(),
  ]);
  const found = [...byName.stores, ...(byItem?.stores ?? [])].map(({ _id }) => _id);
  return { ids: [...new Set(found)], nextPage: found.length === 0 ? null : byName.next_page };
}

async function readBatch(api: ShopApi, where: Where, { stores, more, nextPage }: FoundList): Promise<FoundList> {
  const shown = new Set(stores.map(({ _id }) => _id));
  const ids = more.filter((id) => !shown.has(id)).slice(0, BATCH);
  const rest = more.slice(more.indexOf(ids.at(-1) ?? '') + 1);
  if (ids.length === 0) return { stores, more: [], nextPage };
  return { stores: [...stores, ...(await readStores(api, where, ids))], more: rest, nextPage };
}

async function readStores(api: ShopApi, { near, isDoor, pickup }: Where, ids: readonly string[]) {
  const door = isDoor && near !== null ? { latitude: near.latitude, longitude: near.longitude, pickup } : {};
  return (await api.stores.get({ store_id: ids.join(','), ...door })).stores;
}

/** The named stores of a shop, narrowed and sorted here. */
async function findNamed(
  api: ShopApi,
  where: Where,
  ids: readonly string[],
  { words, sort, open, type, cuisine, rating }: ListQuery,
): Promise<FoundList> {
  const parts = foldText(words).split(/\s+/);
  const isShown = (store: FoundStore) =>
    parts.every((part) => foldText([store.name, ...store.cuisines].join(' ')).includes(part)) &&
    (!where.isDoor || (where.pickup ? store.pickup_enabled : store.delivers_here !== false)) &&
    (!open || store.accepts_orders) &&
    (type === null || store.type === type) &&
    (cuisine === '' || store.cuisines.some((one) => foldText(one) === foldText(cuisine))) &&
    (rating === null || (store.weighted_rating_value ?? 0) >= rating);
  const stores = (await readStores(api, where, ids)).filter(isShown);
  const by: Readonly<Record<string, (store: FoundStore) => number>> = {
    distance: ({ miles = 0 }) => miles,
    rating: ({ weighted_rating_value: value = 0 }) => -value,
    cheapest: ({ dollar_signs: signs }) => signs ?? 9,
    fastest: ({ time_estimate: estimate }) => estimate?.maximum ?? 999,
  };
  const rank = by[sort];
  return { ...NOTHING, stores: rank ? [...stores].sort((a, b) => rank(a) - rank(b)) : stores };
}
