import { Type } from 'typebox';
import { ownerOf, sandboxOf } from '../../access/accounts/account.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
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
import type { Location, Message } from './contract.ts';
import {
  IN_STORE_PICKUP,
  LookupRequest,
  matches,
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

export type LocationDeps = StoreSearchDeps & { db: Db; clock: Clock; tokens: TokenSealer; knownStores: KnownStores };

type LocationPage = {
  locations: Location[];
  pagination: { has_next_page: boolean; cursor?: string };
};

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
/** Pages of store search read for one answer, which then ends early and names the next. */
const MAX_PAGES_READ = 10;
const MAX_IDS = 100;

type Found = { stores: Store[]; next: PagePosition | undefined };

const READS = { method: 'POST', hints: READ_ONLY, bodyName: 'location' } as const;

export const LOCATION_OPERATIONS: readonly Operation<LocationDeps>[] = [
  {
    ...READS,
    paths: ['/ucp/locations/search'],
    tool: 'search_locations',
    title: 'Search locations',
    description: 'Search for physical locations by text, distance, service and filters.',
    capability: LOCATION_SEARCH,
    input: Type.Object({ location: SearchRequest }),
    run: (deps, { body, asking }) => searchLocations(deps, readSearch(body), asking),
  },
  {
    ...READS,
    paths: ['/ucp/locations/lookup'],
    tool: 'lookup_locations',
    title: 'Look up locations',
    description: 'Look up physical locations by identifier.',
    capability: LOCATION_LOOKUP,
    input: Type.Object({ location: LookupRequest }),
    run: (deps, { body, asking }) => lookUpLocations(deps, readLookup(body), asking),
  },
];

/** Searches locations (docs/ucp.md#locations). */
async function searchLocations(deps: LocationDeps, request: SearchRequest, asking: Asking): Promise<LocationPage> {
  const predicates = predicatesOf(request);
  const position = cursorPosition(request.pagination?.cursor, 'pagination.cursor');
  const limit = Math.min(request.pagination?.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const { stores, next } = await findMatches(deps, { predicates, query: request.query ?? '', position, limit }, asking);
  const isPaged = request.distance !== undefined || request.serves !== undefined || request.query !== undefined;
  return {
    locations: await presentAll(deps, stores, asking),
    pagination: next && isPaged ? { has_next_page: true, cursor: positionCursor(next) } : { has_next_page: false },
  };
}

/** Looks up locations by their ids, the first hundred different ones. */
async function lookUpLocations(
  deps: LocationDeps,
  request: LookupRequest,
  asking: Asking,
): Promise<{ locations: (Location & { inputs: { id: string }[] })[]; messages?: Message[] }> {
  const predicates = predicatesOf(request);
  const ids = [...new Set(request.ids)];
  const read = ids.slice(0, MAX_IDS);
  const stores = await matching(deps, read, predicates, asking);
  const locations = (await presentAll(deps, stores, asking)).map((location) => ({
    ...location,
    inputs: [{ id: location.id }],
  }));
  const left = ids.length - read.length;
  if (left === 0) return { locations };
  const content = `Processed the first ${MAX_IDS} of ${ids.length} distinct identifiers; ${left} were not processed.`;
  return { locations, messages: [{ type: 'info', code: 'batch_limit_applied', content }] };
}

async function presentAll(
  { clock }: LocationDeps,
  stores: readonly Store[],
  { language }: Asking,
): Promise<Location[]> {
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
  if (!store || query === '') return { stores: store ? [store] : [], next: undefined };
  // At its own place, so that stores of the same name elsewhere do not fill the page.
  const there = { distance: { center: store, maxMeters: 0 }, amenities: [], items: [] };
  const ids = await storePage(deps, { predicates: there, query }, 0, asking);
  return { stores: ids.includes(store.storeId) ? [store] : [], next: undefined };
}

/** Returns a page of store search, which narrows by the predicates that it knows. */
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

/** Returns the stores that pass every predicate, in the sequence of their ids. */
async function matching(
  deps: LocationDeps,
  storeIds: readonly string[],
  predicates: Predicates,
  { caller }: Asking,
): Promise<Store[]> {
  const sandbox = caller ? sandboxOf(caller) : null;
  const known = await deps.knownStores.of(storeIds);
  const stores: Store[] = [];
  for (const storeId of storeIds) {
    if (isSliceOver()) await nextSlice();
    const store = known.get(storeId);
    if (store && matches(store, predicates, sandbox)) stores.push(store);
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
