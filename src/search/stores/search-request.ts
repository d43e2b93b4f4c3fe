import type { Coordinate } from 'doorstep/search-engine/geography';
import { type Static, Type } from 'typebox';
import { type Caller, sandboxOf } from '../../access/accounts/account.ts';
import { flag, optionalWhole } from '../../platform/http/api-components.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { ADDRESS_PARAMETER, coordinateOrAddress } from '../../supply/addresses/address-parameter.ts';
import type { GivenLocation } from '../../supply/addresses/geocoding.cache.ts';
import { offerScope } from '../../supply/promotions/shared-offers.ts';
import { ALWAYS_PROJECTED, STORE_FIELDS } from '../../supply/stores/store-element.ts';
import { SORTS, type StoreQuery } from './store-query.ts';

/** Maximum page number; all stores on earth would fill fewer pages. */
const MAX_PAGE = 1_000_000_000;

const text = (description: string) => Type.Optional(Type.String({ description }));
export const latitudeOf = (description: string, more: object = {}) =>
  Type.Number({ minimum: -90, maximum: 90, description, ...more });
export const longitudeOf = (description: string, more: object = {}) =>
  Type.Number({ minimum: -180, maximum: 180, description, ...more });
const addressPart = text("Part of the user's address. Accepted, but doesn't narrow the results.");

/** Parameters of store, product and cart search. */
export const STORE_TYPE = Type.Optional(Type.Enum(['restaurant', 'grocery'], { description: 'Defaults to both.' }));
export const OPEN = flag('`true` returns only stores that are open now.');
export const MAXIMUM_MILES = Type.Optional(
  Type.Number({ minimum: 0, description: 'The great-circle radius. Unlimited by default.' }),
);
export const ACCEPTING = flag(
  '`true` returns only stores whose quotes accept an order for as soon as possible: for the fulfillment type in `pickup`, for delivery with `delivers_here`, or otherwise for either.',
);

const VIEWPORT = ['min_lat', 'max_lat', 'min_lon', 'max_lon'] as const;

export const searchParameters = Type.Object(
  {
    latitude: Type.Optional(latitudeOf('The latitude to search near. Required without `address`.')),
    longitude: Type.Optional(longitudeOf('The longitude to search near. Required without `address`.')),
    address: ADDRESS_PARAMETER,
    query: text(
      "Words from a store's name, kind (`coffee`) or location (`houston`). Case, accents and punctuation are ignored, as are one typo in a word with 4 to 7 letters and two in a longer word. If no nearby store matches every word, stores that match some words follow. With a query, a page contains up to 20 stores instead of 100.",
    ),
    store_type: STORE_TYPE,
    user_street_num: addressPart,
    user_street_name: addressPart,
    user_city: addressPart,
    user_state: addressPart,
    user_zipcode: addressPart,
    user_country: addressPart,
    pickup: flag('`true` returns stores that offer pickup, and `false` stores that offer delivery.'),
    sort: Type.Optional(
      Type.Enum([...SORTS], {
        default: 'relevance',
        description:
          '`relevance` sorts better matches of `query` first, then nearer stores. Stores with an unknown rating, price level or time come last. Ties are sorted by distance.',
      }),
    ),
    open: OPEN,
    delivers_here: flag(
      "`true` returns only stores with a provider that delivers to `latitude` and `longitude`, even if they aren't accepting orders now.",
    ),
    accepting: ACCEPTING,
    has_offer: flag('`true` returns only stores that list an offer.'),
    has_menu: flag('`true` returns only stores with a menu or an inventory.'),
    maximum_miles: MAXIMUM_MILES,
    search_focus: Type.Optional(
      Type.Enum(['store', 'item'], {
        default: 'store',
        description:
          '`store` searches store names for `query`. `item` returns stores with a product whose name contains all words of `query`. Sorted by relevance, exact words come first.',
      }),
    ),
    autocomplete: flag('`true` allows the last word of `query` to be incomplete.'),
    page: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_PAGE,
        default: 0,
        description: "The previous page's `next_page`. A page after the last store is empty.",
      }),
    ),
    cuisine: text("One of the store's `cuisines`, ignoring case and accents."),
    dollar_signs: optionalWhole(0, 5, 'Returns only stores at exactly this price level.'),
    minimum_rating: Type.Optional(Type.Number({ minimum: 0, description: 'Excludes unrated stores, too.' })),
    min_lat: Type.Optional(latitudeOf("The southern edge of a map's viewport. Send all four edges or none.")),
    max_lat: Type.Optional(latitudeOf("The viewport's northern edge.")),
    min_lon: Type.Optional(
      longitudeOf("The viewport's western edge. If it's above `max_lon`, the viewport crosses the antimeridian."),
    ),
    max_lon: Type.Optional(longitudeOf("The viewport's eastern edge.")),
    projections: Type.Optional(
      Type.Refine(
        Type.String({
          description: `The store fields to return, separated by commas: ${STORE_FIELDS.join(', ')}. Always included: ${[...ALWAYS_PROJECTED].join(', ')}.`,
        }),
        (list) => unknownFields(list).length === 0,
        (list) => `names no field of a store: ${unknownFields(String(list)).join(', ').slice(0, 200).toWellFormed()}`,
      ),
    ),
  },
  {
    ...coordinateOrAddress('latitude', 'longitude'),
    dependentRequired: Object.fromEntries(
      VIEWPORT.map((bound) => [bound, VIEWPORT.filter((other) => other !== bound)]),
    ),
  },
);

export type SearchParameters = Static<typeof searchParameters>;
/** Search parameters with a coordinate, either given or geocoded from the address. */
export type LocatedSearch = SearchParameters & Coordinate;

/** Returns the coordinate to search near. */
export function searchedLocation(
  { latitude, longitude, address }: SearchParameters,
  place: Fault['in'],
): GivenLocation {
  return { latitude, longitude, address, prefix: '', in: place };
}

type StoreFilters = Pick<
  SearchParameters,
  'store_type' | 'pickup' | 'open' | 'delivers_here' | 'accepting' | 'maximum_miles'
>;

/** Returns the filters that store, product and cart search share. */
export function storeFiltersOf(given: StoreFilters) {
  return {
    storeType: given.store_type ?? null,
    pickup: given.pickup ?? null,
    open: given.open ?? false,
    deliversHere: given.delivers_here ?? false,
    accepting: given.accepting ?? false,
    maximumMiles: given.maximum_miles ?? null,
  };
}

/** Refuses a viewport whose south is north of its north with `invalid_request`. */
export function storeQueryOf(given: LocatedSearch, caller: Pick<Caller, 'accountId' | 'mode' | 'offers'>): StoreQuery {
  return {
    sandbox: sandboxOf(caller),
    latitude: given.latitude,
    longitude: given.longitude,
    text: given.query ?? '',
    autocomplete: given.autocomplete ?? false,
    ...storeFiltersOf(given),
    hasOffer: given.has_offer ? offerScope(caller) : false,
    cuisine: given.cuisine ?? null,
    dollarSigns: given.dollar_signs ?? null,
    minimumRating: given.minimum_rating ?? null,
    viewport: viewportOf(given),
    sellersOnly: given.has_menu ?? false,
    sort: given.sort ?? 'relevance',
    page: given.page ?? 0,
  };
}

/** Returns the requested fields; undefined for all fields. */
export function projectionsOf({ projections }: SearchParameters): string[] | undefined {
  const fields = projections === undefined ? [] : splitList(projections);
  return fields.length === 0 ? undefined : fields;
}

function viewportOf({ min_lat, max_lat, min_lon, max_lon }: SearchParameters): StoreQuery['viewport'] {
  if (min_lat === undefined || max_lat === undefined || min_lon === undefined || max_lon === undefined) return null;
  if (min_lat > max_lat) {
    throw invalidRequest([
      { in: 'query', name: 'min_lat', message: 'must not be over max_lat' },
      { in: 'query', name: 'max_lat', message: 'must not be under min_lat' },
    ]);
  }
  return { south: min_lat, north: max_lat, west: min_lon, east: max_lon };
}

/** Returns the members of a comma-separated list. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

const unknownFields = (list: string): string[] => splitList(list).filter((field) => !STORE_FIELDS.includes(field));
