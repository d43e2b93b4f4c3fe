import { Type } from 'typebox';
import { ownerOf, sandboxOf } from '../../access/accounts/account.ts';
import type { Context } from '../../platform/db/context.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { findStorePage, type StoreSearchDeps } from '../../search/stores/find-store-page.flow.ts';
import { ANY_STORE, pageSizeOf, type StoreQuery } from '../../search/stores/store-query.ts';
import { openProduct } from '../../supply/catalog/catalog-tokens.ts';
import { findCatalogProducts } from '../../supply/catalog/products.db.ts';
import type { KnownStores } from '../../supply/stores/known-stores.cache.ts';
import type { Store } from '../../supply/stores/store.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { cursorPosition, type PagePosition, positionCursor, READ_ONLY } from '../agents/tool.ts';
import type { Asking, Operation } from './admit-platform.flow.ts';
import { FOUND_LOCATIONS, LOCATIONS, type Location, type Message } from './contract.ts';
import {
  IN_STORE_PICKUP,
  LookupRequest,
  matches,
  metersOf,
  type Predicates,
  predicatesOf,
  presentLocation,
  readLookup,
  readSearch,
  SearchRequest,
  sphereMiles,
} from './locations.ts';
import { LOCATION_LOOKUP, LOCATION_SEARCH } from './profile.ts';

/* UCP operations that find locations: by coordinate, words and opening, and one by its ID with its menu. */

export type LocationDeps = StoreSearchDeps & Context & { tokens: TokenSealer; knownStores: KnownStores };

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
/** Pages of store search read for one response, which then ends early and names the next. */
const MAX_PAGES_READ = 10;
const MAX_IDS = 100;

type Found = { stores: Store[]; next: PagePosition | undefined };

const READS = { method: 'POST', hints: READ_ONLY, bodyName: 'location' } as const;

export const LOCATION_OPERATIONS: readonly Operation<LocationDeps>[] = [
  {
    ...READS,
    paths: ['/locations/search'],
    tool: 'search_locations',
    title: 'Search locations',
    description: 'Search for physical locations by text, distance, service and filters.',
    capability: LOCATION_SEARCH,
    input: Type.Object({ location: SearchRequest }),
    output: LOCATIONS,
    run: (deps, { body, asking }) => searchLocations(deps, readSearch(body), asking),
  },
  {
    ...READS,
    paths: ['/locations/lookup'],
    tool: 'lookup_locations',
    title: 'Look up locations',
    description: 'Look up physical locations by identifier.',
    capability: LOCATION_LOOKUP,
    input: Type.Object({ location: LookupRequest }),
    output: FOUND_LOCATIONS,
    run: (deps, { body, asking }) => lookUpLocations(deps, readLookup(body), asking),
  },
];

/** Searches locations (docs/ucp.md#locations). */
async function searchLocations(deps: LocationDeps, request: SearchRequest, asking: Asking): Promise<object> {
  const predicates = predicatesOf(request);
  const wanted = { predicates, query: request.query ?? '' };
  const position = cursorPosition(request.pagination?.cursor, wanted, 'pagination.cursor');
  const limit = Math.min(request.pagination?.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const { stores, next } = await findMatches(deps, { ...wanted, position, limit }, asking);
  const isPaged = request.distance !== undefined || request.serves !== undefined || request.query !== undefined;
  return {
    locations: await presentAll(deps, stores, asking),
    pagination:
      next && isPaged ? { has_next_page: true, cursor: positionCursor(next, wanted) } : { has_next_page: false },
  };
}

/** Looks up locations by their ids, the first hundred different ones. */
async function lookUpLocations(deps: LocationDeps, request: LookupRequest, asking: Asking): Promise<object> {
  const predicates = predicatesOf(request);
  const ids = [...new Set(request.ids)];
  const read = ids.slice(0, MAX_IDS);
  const stores = await matching(deps, read, predicates, asking);
  const locations = (await presentAll(deps, stores, asking)).map((location) => ({
    ...location,
    inputs: [{ id: location.id }],
  }));
  if (read.length === ids.length) return { locations };
  const { words, format } = localeOf(asking.language, 'US');
  const content = words.agent.place.tooMany({ read: format.number(MAX_IDS), of: format.number(ids.length) });
  const messages: Message[] = [{ type: 'info', code: 'batch_limit_applied', content }];
  return { locations, messages };
}

async function presentAll({ clock }: LocationDeps, stores: readonly Store[], { language }: Asking) {
  const now = clock.now();
  const locations: Location[] = [];
  for (const store of stores) {
    if (isSliceOver()) await nextSlice();
    const { pickup } = localeOf(language, store.address.country).words.shop.list;
    locations.push(presentLocation(store, { pickup }, now));
  }
  return locations;
}

type Search = { predicates: Predicates; query: string; position: PagePosition; limit: number };

async function findMatches(deps: LocationDeps, search: Search, asking: Asking): Promise<Found> {
  const { predicates, position, limit } = search;
  const none = { stores: [], next: undefined };
  if (predicates.amenities.some((amenity) => amenity !== IN_STORE_PICKUP)) return none;
  if (predicates.items.length > 0) return findSellers(deps, search, asking);
  if (asking.storeIds !== null) return findOfShop(deps, search, asking.storeIds, asking);
  const stores: Store[] = [];
  let { page, skipped } = position;
  for (let read = 0; read < MAX_PAGES_READ; read += 1) {
    if (read > 0) await nextSlice();
    const ids = await storePage(deps, search, page, asking);
    const isLast = ids.length < pageSizeOf(search.query);
    const shown = await matching(deps, ids.slice(skipped), predicates, asking);
    const taken = shown.slice(0, limit - stores.length);
    stores.push(...taken);
    if (taken.length < shown.length) {
      return { stores, next: { page, skipped: ids.indexOf(shown[taken.length]?.storeId ?? '') } };
    }
    if (isLast) return { stores, next: undefined };
    [page, skipped] = [page + 1, 0];
    if (stores.length >= limit) break;
  }
  return { stores, next: { page, skipped } };
}

/** All items of one store, or no store has them all. */
async function findSellers(deps: LocationDeps, { predicates, query }: Search, asking: Asking): Promise<Found> {
  const storeId = openProduct(deps.tokens, predicates.items[0] ?? '')?.storeId;
  const [store] = storeId === undefined ? [] : await matching(deps, [storeId], predicates, asking);
  return { stores: store && (await isNamed(deps, store, query, asking)) ? [store] : [], next: undefined };
}

/** Pages through the few stores of a shop. */
async function findOfShop(
  deps: LocationDeps,
  { predicates, query, position: { skipped }, limit }: Search,
  storeIds: readonly string[],
  asking: Asking,
): Promise<Found> {
  const named: Store[] = [];
  for (const store of await matching(deps, storeIds, predicates, asking)) {
    if (await isNamed(deps, store, query, asking)) named.push(store);
  }
  const center = predicates.distance?.center ?? predicates.serves;
  if (center) named.sort((one, other) => metersOf(center, one) - metersOf(center, other));
  const stores = named.slice(skipped, skipped + limit);
  const next = skipped + limit < named.length ? { page: 0, skipped: skipped + limit } : undefined;
  return { stores, next };
}

/** Whether store search finds a store by these words. */
async function isNamed(deps: LocationDeps, store: Store, query: string, asking: Asking): Promise<boolean> {
  if (query === '') return true;
  // At its own place, so that stores of the same name elsewhere do not fill the page.
  const there = { distance: { center: store, maxMeters: 0 }, amenities: [], items: [] };
  return (await storePage(deps, { predicates: there, query }, 0, asking)).includes(store.storeId);
}

/** Returns a page of store search, which applies the predicates that it supports. */
async function storePage(
  deps: LocationDeps,
  { predicates, query }: Pick<Search, 'predicates' | 'query'>,
  page: number,
  { caller, client }: Asking,
): Promise<string[]> {
  const { serves, distance, openAt, amenities } = predicates;
  const near = serves ?? distance?.center ?? { latitude: 0, longitude: 0 };
  const storeQuery: StoreQuery = {
    ...ANY_STORE,
    ...near,
    sandbox: caller ? sandboxOf(caller) : null,
    text: query,
    deliversHere: serves !== undefined,
    maximumMiles: distance && !serves ? sphereMiles(distance.maxMeters) : null,
    open: openAt !== undefined,
    pickup: amenities.length > 0 ? true : null,
    page,
  };
  const owner = caller ? ownerOf(caller) : client;
  const at = epochSeconds(openAt ?? deps.clock.now());
  const { stores } = await findStorePage(deps, { query: storeQuery, focus: 'store', owner }, at);
  return stores.map(({ segment, slot }) => segment.ids.at(slot));
}

/** Returns the stores that pass every predicate, in the order of their ids. */
async function matching(
  deps: LocationDeps,
  storeIds: readonly string[],
  predicates: Predicates,
  { caller, storeIds: own }: Asking,
): Promise<Store[]> {
  const sandbox = caller ? sandboxOf(caller) : null;
  const known = await deps.knownStores.of(storeIds);
  const stores: Store[] = [];
  for (const storeId of storeIds) {
    if (isSliceOver()) await nextSlice();
    const store = known.get(storeId);
    const isOwn = own === null || own.includes(storeId);
    if (store && isOwn && matches(store, predicates, sandbox)) stores.push(store);
  }
  if (predicates.items.length === 0) return stores;
  const seller = await findSeller(deps, predicates.items, sandbox);
  return stores.filter(({ storeId }) => storeId === seller);
}

/** Returns the store that has every item now, in stock and on sale. */
async function findSeller(
  { db, tokens }: LocationDeps,
  items: readonly string[],
  sandbox: string | null,
): Promise<string | undefined> {
  const refs = items.map((item) => openProduct(tokens, item));
  const [storeId, ...others] = new Set(refs.map((ref) => ref?.storeId));
  if (storeId === undefined || others.length > 0) return undefined;
  const productNos = [...new Set(refs.flatMap((ref) => ref?.productNo ?? []))];
  const products = await findCatalogProducts(db, storeId, productNos, sandbox);
  const isSold = products.filter(({ available, removed, qtyAvailable }) => available && !removed && qtyAvailable !== 0);
  return isSold.length === productNos.length ? storeId : undefined;
}
