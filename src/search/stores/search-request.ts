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
const addressPart = text("Part of the address of the user's door; accepted, and narrows nothing by itself.");

/** Parameters of store, product and cart search. */
export const STORE_TYPE = Type.Optional(Type.Enum(['restaurant', 'grocery'], { description: 'Both when omitted.' }));
export const OPEN = flag('`true` keeps the stores that are open now.');
export const MAXIMUM_MILES = Type.Optional(
  Type.Number({ minimum: 0, description: 'Great-circle radius; none when omitted.' }),
);
export const ACCEPTING = flag(
  '`true` keeps the stores that take orders now, as soon as possible, as their quotes say: of the mode of `pickup`, of delivery with `delivers_here`, else of either.',
);

const VIEWPORT = ['min_lat', 'max_lat', 'min_lon', 'max_lon'] as const;

export const searchParameters = Type.Object(
  {
    latitude: Type.Optional(latitudeOf('Degrees north of the place to search near. Required without `address`.')),
    longitude: Type.Optional(longitudeOf('Degrees east of the place to search near. Required without `address`.')),
    address: ADDRESS_PARAMETER,
    query: text(
      'Words of a store name, of what the store is (`coffee`) or where (`houston`). Case, accents and punctuation do not matter; one typo is forgiven in a word of 4 to 7 letters, two in a longer one. Where no store near matches every word, stores that match some follow. A page then holds at most 20 stores, without it 100.',
    ),
    store_type: STORE_TYPE,
    user_street_num: addressPart,
    user_street_name: addressPart,
    user_city: addressPart,
    user_state: addressPart,
    user_zipcode: addressPart,
    user_country: addressPart,
    pickup: flag('`true` for stores that offer pickup, `false` for stores that offer delivery.'),
    sort: Type.Optional(
      Type.Enum([...SORTS], {
        default: 'relevance',
        description:
          'By relevance better matches of `query` come first, then nearer stores. Unknown ratings, price levels and times come last; ties go by distance.',
      }),
    ),
    open: OPEN,
    delivers_here: flag(
      '`true` keeps the stores that deliver to `latitude` and `longitude`, by any party, whether or not they accept orders now.',
    ),
    accepting: ACCEPTING,
    has_offer: flag('`true` keeps the stores that list an offer.'),
    has_menu: flag('`true` keeps the stores that have a menu or an assortment.'),
    maximum_miles: MAXIMUM_MILES,
    search_focus: Type.Optional(
      Type.Enum(['store', 'item'], {
        default: 'store',
        description:
          '`store` looks for `query` in store names; `item` finds stores that sell a product with all words of `query` in its name, by relevance the exact words first.',
      }),
    ),
    autocomplete: flag('`true` lets the last word of `query` be unfinished.'),
    page: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_PAGE,
        default: 0,
        description: '`next_page` of the page before. Past the last store the page is empty.',
      }),
    ),
    cuisine: text("One of the store's `cuisines`, whatever its case and accents."),
    dollar_signs: optionalWhole(0, 5, 'Exactly this price level.'),
    minimum_rating: Type.Optional(Type.Number({ minimum: 0, description: 'Leaves out unrated stores too.' })),
    min_lat: Type.Optional(latitudeOf("South of a map's viewport; give all four of its bounds or none.")),
    max_lat: Type.Optional(latitudeOf('North of the viewport.')),
    min_lon: Type.Optional(longitudeOf('West of the viewport; over `max_lon` it crosses the antimeridian.')),
    max_lon: Type.Optional(longitudeOf('East of the viewport.')),
    projections: Type.Optional(
      Type.Refine(
        Type.String({
          description: `Comma-separated fields of a store to answer with: ${STORE_FIELDS.join(', ')}. Always there: ${[...ALWAYS_PROJECTED].join(', ')}.`,
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
