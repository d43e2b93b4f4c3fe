import { present } from 'doorstep/collections';
import { Type } from 'typebox';
import { ownerOf } from '../../../access/accounts/account.ts';
import { flag, optionalText } from '../../../platform/http/api-components.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import { epochSeconds } from '../../../platform/lib/time.ts';
import { findStorePage, type StoreSearchDeps } from '../../../search/stores/find-store-page.flow.ts';
import { searchedLocation, searchParameters, storeQueryOf } from '../../../search/stores/search-request.ts';
import { pageSizeOf } from '../../../search/stores/store-query.ts';
import type { StorePage } from '../../../search/stores/store-search.index.ts';
import type { Geocoding } from '../../../supply/addresses/geocoding.cache.ts';
import type { KnownStores } from '../../../supply/stores/known-stores.cache.ts';
import type { Store } from '../../../supply/stores/store.ts';
import {
  addressLine,
  CURSOR,
  clip,
  cursorPosition,
  defineTool,
  MAX_LIST_BYTES,
  MAX_NAME,
  type PagePosition,
  positionCursor,
  READ_ONLY,
  resolvedAddress,
  type Tool,
  takeFitting,
} from '../tool.ts';

/* Tool `search_stores`: stores near an address or coordinate, a line each; an empty answer says what to widen. */

const MAX_STORES = 20;
const MAX_CUISINES = 6;
const MAX_TEXT = 300;
/** Default radius. Customers order nearby, so a larger one must be explicit. */
const DEFAULT_MILES = 10;

const nothingFound = (miles: number) =>
  `No store within ${miles} miles matches. \`query\` matches names, kinds and places: try fewer words, cuisine, search_focus item or search_products, a larger maximum_miles, or fewer filters.`;

const P = searchParameters.properties;
const input = {
  latitude: P.latitude,
  longitude: P.longitude,
  address: P.address,
  query: optionalText(MAX_TEXT, 'Words'),
  search_focus: P.search_focus,
  store_type: P.store_type,
  cuisine: optionalText(100, 'One, such as pizza'),
  pickup: flag('true: offers pickup; false: delivery'),
  open: P.open,
  delivers_here: P.delivers_here,
  accepting: P.accepting,
  maximum_miles: Type.Optional(
    Type.Number({ minimum: 0, description: `A radius in miles. Defaults to ${DEFAULT_MILES}.` }),
  ),
  dollar_signs: P.dollar_signs,
  minimum_rating: P.minimum_rating,
  sort: P.sort,
  cursor: CURSOR,
};

type Deps = StoreSearchDeps & { clock: Clock; geocoding: Geocoding; knownStores: KnownStores };

/** Defines the tool that searches stores (docs/searching.md#store-search). */
export function searchStoresTool(deps: Deps): Tool {
  return defineTool({
    name: 'search_stores',
    description:
      'Finds restaurants and groceries within 10 miles of a place, or maximum_miles, by words of name, kind or location. accepting, with delivers_here for a delivery, returns only stores that take orders now.',
    annotations: READ_ONLY,
    input,
    async run(caller, { cursor, ...given }) {
      const { page: number, skipped } = cursorPosition(cursor, given);
      const nowEpochS = epochSeconds(deps.clock.now());
      const { maximum_miles = DEFAULT_MILES } = given;
      const place = await deps.geocoding.locate(caller, searchedLocation(given, 'body'));
      const query = storeQueryOf({ ...given, ...place, maximum_miles, page: number }, caller);
      const question = { query, focus: given.search_focus, owner: ownerOf(caller) };
      const page = await findStorePage(deps, question, nowEpochS);
      const near = page.stores.slice(skipped, skipped + MAX_STORES).map(({ segment, slot, miles }) => ({
        storeId: segment.ids.at(slot),
        miles,
        isOpen: deps.search.isOpenAt({ segment, slot }, nowEpochS),
      }));
      const known = await deps.knownStores.of(near.map(({ storeId }) => storeId));
      const shown = near.map(({ storeId, ...at }) => ({ store: known.get(storeId), ...at }));
      const entries = takeFitting(
        shown.map(({ store, ...at }) => (store ? showStore(store, at) : null)),
        MAX_LIST_BYTES,
      );
      const isShort = given.search_focus !== 'item' && page.stores.length < pageSizeOf(query.text);
      const next = nextPosition(page, { page: number, skipped: skipped + entries.length }, isShort);
      return {
        stores: entries.filter((entry) => entry !== null),
        ...(next ? { next_cursor: positionCursor(next, given) } : {}),
        ...resolvedAddress(place),
        ...(entries.length === 0 && skipped === 0 && number === 0 ? { hint: nothingFound(maximum_miles) } : {}),
      };
    },
  });
}

/** Returns the start of the next answer; undefined after the last store. */
function nextPosition(page: StorePage, { page: number, skipped }: PagePosition, isLast: boolean) {
  if (page.stores.length > skipped) return { page: number, skipped };
  return isLast || page.stores.length === 0 ? undefined : { page: page.nextPage, skipped: 0 };
}

function showStore(store: Store, { miles, isOpen }: { miles: number; isOpen: boolean }) {
  const { storeId, name, type, cuisines, dollarSigns, rating, pickup, delivery } = store;
  return {
    store_id: storeId,
    name: clip(name, MAX_NAME),
    type,
    address: addressLine(store),
    miles,
    is_open: isOpen,
    offers_delivery: delivery.enabled,
    offers_pickup: pickup.enabled,
    has_menu: store.hasCatalog,
    cuisines: cuisines.slice(0, MAX_CUISINES).map((cuisine) => clip(cuisine, 40)),
    ...present({ dollar_signs: dollarSigns ?? undefined, rating: rating?.value }),
  };
}
