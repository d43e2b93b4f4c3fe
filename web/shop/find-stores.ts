import { milesBetween } from '../../packages/search-engine/geography/sphere.ts';
import { foldText } from '../../packages/search-engine/text/normalize-text.ts';
import type { FoundStore, ShopApi } from './api.ts';
import type { FoundList, Near } from './boot.ts';
import type { ListQuery, Sort } from './list-query.ts';

/**
 * The stores of a list: a search finds which, by name and by products, and one look-up reads the facts on their cards.
 * For a shop's named stores, the look-up is enough: there are no more than 50.
 */

export type Where = {
  /** The visitor's place, otherwise where the shop shows stores; null for only named stores. */
  near: Near | null;
  /** Whether the place is the visitor's: then cards have minutes and fees, and only stores that come there are shown. */
  isDoor: boolean;
  pickup: boolean;
  storeIds: readonly string[] | null;
};

/** Stores that are read at a time; the API takes up to 50. Of typed words, a page of names and one of dishes. */
const BATCH = 24;
const TYPED_BATCH = 40;
/** Stores of a page of the search by name that is not the last; one by dishes may be short. */
const PAGE = 100;
const TYPED_PAGE = 20;
/** Pages that are read of each search while none has another store. */
const MAX_PAGES = 3;
/** No one drives farther for dinner. */
const MAX_MILES = 30;

export async function findStores(api: ShopApi, where: Where, query: ListQuery): Promise<FoundList> {
  if (where.storeIds !== null) return findNamed(api, where, where.storeIds, query);
  const start = { stores: [], more: [], next: { store: 0, item: query.words === '' ? null : 0 } };
  return findMore(api, where, query, start);
}

/** The list with its next stores. */
export async function findMore(api: ShopApi, where: Where, query: ListQuery, list: FoundList): Promise<FoundList> {
  let { more, next } = list;
  const size = query.words === '' ? BATCH : TYPED_BATCH;
  const shown = new Set(list.stores.map(({ _id }) => _id));
  for (let pages = 0; where.near !== null && more.length === 0 && hasPages(next) && pages < MAX_PAGES; pages += 1) {
    const found = await searchPages(api, where, where.near, query, next);
    more = [...new Set([...more, ...found.ids])].filter((id) => !shown.has(id));
    next = found.next;
  }
  const batch = more.length > 0 ? await readStores(api, where, more.slice(0, size)) : [];
  const stores = [...list.stores, ...batch];
  // Each of two searches is sorted; their combined results so far are sorted as one.
  return { stores: query.words === '' ? stores : sorted(stores, query.sort, where), more: more.slice(size), next };
}

export const hasMore = ({ more, next }: FoundList) => more.length > 0 || hasPages(next);
const hasPages = ({ store, item }: FoundList['next']) => store !== null || item !== null;

/** The next page's IDs by name, then by dishes. */
async function searchPages(api: ShopApi, where: Where, near: Near, query: ListQuery, next: FoundList['next']) {
  const { latitude, longitude } = near;
  const { words, sort, open, type, cuisine, dollars, rating, offers } = query;
  const common = {
    latitude,
    longitude,
    sort,
    maximum_miles: MAX_MILES,
    projections: '_id',
    has_menu: true,
    ...(where.isDoor && { pickup: where.pickup, ...(!where.pickup && { delivers_here: true }) }),
    ...(open && { accepting: true }),
    ...(type !== null && { store_type: type }),
    ...(cuisine !== '' && { cuisine }),
    ...(dollars !== null && { dollar_signs: dollars }),
    ...(rating !== null && { minimum_rating: rating }),
    ...(offers && { has_offer: true }),
    ...(words !== '' && { query: words }),
  };
  const read = async (search_focus: 'store' | 'item', page: number | null) => {
    if (page === null) return { ids: [], next: null };
    const { stores, next_page } = await api.stores.search({ ...common, search_focus, page }).first();
    const fewest = search_focus === 'item' ? 1 : words === '' ? PAGE : TYPED_PAGE;
    return { ids: stores.map(({ _id }) => _id), next: stores.length < fewest ? null : next_page };
  };
  const [byName, byItem] = await Promise.all([read('store', next.store), read('item', next.item)]);
  return { ids: [...byName.ids, ...byItem.ids], next: { store: byName.next, item: byItem.next } };
}

async function readStores(api: ShopApi, { near, isDoor, pickup }: Where, ids: readonly string[]) {
  const door = isDoor && near !== null ? { latitude: near.latitude, longitude: near.longitude, pickup } : {};
  return (await api.stores.get({ store_id: ids.join(','), has_menu: true, ...door })).stores;
}

/** The named stores of a shop, narrowed and sorted here. */
async function findNamed(
  api: ShopApi,
  where: Where,
  ids: readonly string[],
  { words, sort, open, type, cuisine, dollars, rating, offers }: ListQuery,
): Promise<FoundList> {
  const parts = foldText(words).split(/\s+/);
  const isShown = (store: FoundStore) =>
    parts.every((part) => foldText([store.name, ...store.cuisines].join(' ')).includes(part)) &&
    (!where.isDoor || (where.pickup ? store.pickup_enabled : store.delivers_here !== false)) &&
    (!open || store.accepts_orders) &&
    (!offers || store.offers !== undefined) &&
    (type === null || store.type === type) &&
    (cuisine === '' || store.cuisines.some((one) => foldText(one) === foldText(cuisine))) &&
    (dollars === null || store.dollar_signs === dollars) &&
    (rating === null || (store.weighted_rating_value ?? 0) >= rating);
  const stores = (await readStores(api, where, ids)).filter(isShown);
  return { stores: sorted(stores, sort, where), more: [], next: { store: null, item: null } };
}

/** The stores by a sort, ties by distance; by relevance as they are. */
function sorted(stores: readonly FoundStore[], sort: Sort, { near }: Where): readonly FoundStore[] {
  if (sort === 'relevance') return stores;
  const milesTo = ({ address }: FoundStore) => (near === null ? 0 : milesBetween(address, near));
  const rankOf = (store: FoundStore): number =>
    ({
      distance: 0,
      rating: -(store.weighted_rating_value ?? 0),
      cheapest: store.dollar_signs ?? 9,
      fastest: store.time_estimate?.minimum ?? 999,
    })[sort];
  return [...stores].sort((one, other) => rankOf(one) - rankOf(other) || milesTo(one) - milesTo(other));
}
