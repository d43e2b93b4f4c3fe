import { type Coordinate, METERS_PER_MILE, milesBetween } from 'doorstep/search-engine/geography';
import geodesic from 'geographiclib-geodesic';
import { type Static, type TObject, Type } from 'typebox';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { isStoreOpenAt } from '../../supply/stores/open-state.ts';
import { isVisibleTo, type Store } from '../../supply/stores/store.ts';
import { zoneAtDoor } from '../../supply/stores/zone-at-door.ts';
import { readerOf } from './catalog-request.ts';
import {
  LOCATION_DISTANCE,
  LOCATION_FILTER,
  LOCATION_SERVES,
  type Location,
  PAGINATION,
  type TypeOf,
} from './contract.ts';
import { exceptionHours, weeklyHours } from './location-hours.ts';

/**
 * Stores as the protocol's locations: a request's predicates, the matching stores, and how one reads. Every predicate
 * must hold; if it cannot be evaluated, it is refused, never ignored.
 */

const CLOSED = { additionalProperties: false };
const closed = <Schema extends object>(schema: Schema) => Type.Unsafe<TypeOf<Schema>>({ ...schema, ...CLOSED });
/** A member that is safe to ignore. */
const ANY = Type.Optional(Type.Object({}, { additionalProperties: true }));

const RELATIONS = {
  distance: Type.Optional(closed(LOCATION_DISTANCE)),
  serves: Type.Optional(closed(LOCATION_SERVES)),
  filters: Type.Optional(closed(LOCATION_FILTER)),
  context: Type.Optional(Type.Object({ language: Type.Optional(Type.String()) }, { additionalProperties: true })),
  signals: ANY,
  ucp: ANY,
};

const MAX_QUERY = 1000;
export const SearchRequest = Type.Object(
  {
    ...RELATIONS,
    query: Type.Optional(Type.String({ maxLength: MAX_QUERY })),
    pagination: Type.Optional(closed(PAGINATION)),
  },
  CLOSED,
);
export const LookupRequest = Type.Object({ ...RELATIONS, ids: Type.Array(Type.String(), { minItems: 1 }) }, CLOSED);
export type SearchRequest = Static<typeof SearchRequest>;
export type LookupRequest = Static<typeof LookupRequest>;

/** The predicates of a request; absent ones hold. */
export type Predicates = {
  distance?: { center: Coordinate; maxMeters: number };
  serves?: Coordinate;
  openAt?: Temporal.Instant;
  amenities: readonly string[];
  /** Ids of products, which the store must have now. */
  items: readonly string[];
};

/** Parses a request; refuses a missing predicate or an invalid value with `invalid_request`. */
function reader<Schema extends TObject>(schema: Schema): (body: unknown) => Static<Schema> {
  const read = readerOf(schema);
  return (body) => {
    // A predicate of null would count as absent, and the response would be broader.
    const empty = nullsIn(body, '').map((name) => fault(name, 'must not be null'));
    if (empty.length > 0) throw invalidRequest(empty);
    return read(body);
  };
}
export const readSearch = reader(SearchRequest);
export const readLookup = reader(LookupRequest);

const MAX_DEPTH = 8;

function nullsIn(value: unknown, path: string, depth = 0): string[] {
  if (value === null) return [path || 'body'];
  if (typeof value !== 'object' || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([key, one]) => nullsIn(one, path === '' ? key : `${path}.${key}`, depth + 1));
}

const fault = (name: string, message: string): Fault => ({ in: 'body', name: name.slice(0, 100), message });

export function predicatesOf({ distance, serves, filters = {} }: SearchRequest | LookupRequest): Predicates {
  if (serves && !serves.point) {
    throw invalidRequest([fault('serves', 'must be a `point`: where stores deliver is not known by postal code')]);
  }
  const { hours, amenities = [], items = [] } = filters;
  return {
    ...(distance && { distance: { center: distance.center, maxMeters: distance.max } }),
    ...(serves?.point && { serves: serves.point }),
    ...(hours && { openAt: instantOf(hours.open_at) }),
    amenities,
    items,
  };
}

function instantOf(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw invalidRequest([fault('filters.hours.open_at', 'must be a moment of RFC 3339 with `Z` or an offset')]);
  }
}

/** Whether a store exists for the caller and passes every predicate except the items. */
export function matches(store: Store, { distance, serves, openAt, amenities }: Predicates, sandbox: Sandbox): boolean {
  if (!store.listed || !isVisibleTo(store, sandbox)) return false;
  if (distance && metersOf(distance.center, store) > distance.maxMeters) return false;
  if (serves && !doesServe(store, serves)) return false;
  if (openAt && !isStoreOpenAt(store, 'operational', openAt)) return false;
  return amenities.every((amenity) => amenitiesOf(store).includes(amenity));
}

/** The length of the shortest line on the WGS 84 ellipsoid. */
export function metersOf(one: Coordinate, other: Coordinate): number {
  const { s12 } = geodesic.Geodesic.WGS84.Inverse(one.latitude, one.longitude, other.latitude, other.longitude);
  return s12 ?? Number.NaN;
}

/** A radius on the sphere that has every store within the distance on the ellipsoid. */
export const sphereMiles = (maxMeters: number): number => (maxMeters / METERS_PER_MILE) * 1.01 + 0.001;

/** Whether a party that takes orders delivers there. */
function doesServe(store: Store, door: Coordinate): boolean {
  const { enabled, accepting, parties } = store.delivery;
  const miles = milesBetween(store, door);
  const delivers = parties.some((party) => party.accepting && zoneAtDoor(party, door, miles) !== undefined);
  return enabled && accepting && delivers;
}

export const IN_STORE_PICKUP = 'dev.ucp.amenity.shopping.in_store_pickup';
const amenitiesOf = ({ pickup }: Store): string[] => (pickup.enabled ? [IN_STORE_PICKUP] : []);

export function presentAddress(address: Store['address']): NonNullable<Location['address']> {
  return {
    street_address: address.streetAddr,
    ...(address.streetAddr2 === '' ? {} : { extended_address: address.streetAddr2 }),
    address_locality: address.city,
    address_region: address.state,
    address_country: address.country,
    postal_code: address.zipcode,
  };
}

/** Shows a store. `words` describes its amenities. */
export function presentLocation(store: Store, words: { pickup: string }, now: Temporal.Instant): Location {
  const { storeId, name, address, latitude, longitude, timeZone } = store;
  const hours = weeklyHours(store);
  const exceptions = exceptionHours(store, now);
  return {
    id: storeId,
    name,
    address: presentAddress(address),
    geo: { latitude, longitude },
    amenities: Object.fromEntries(amenitiesOf(store).map((amenity) => [amenity, { description: words.pickup }])),
    timezone: timeZone,
    ...(hours && { hours }),
    ...(exceptions.length > 0 && { exception_hours: exceptions }),
  };
}
