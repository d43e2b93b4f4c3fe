import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import {
  bool,
  component,
  describedObject,
  flag,
  integer,
  number,
  orNull,
  text,
} from '../../platform/http/api-components.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { formatHours } from './format-hours.ts';
import { HOURS_KINDS, type StoreHours, WEEKDAYS } from './hours.ts';
import type { Opening } from './open-state.ts';
import type { Store } from './store.ts';

/* The Store element of the API: its schema, and its presentation from a store's row. */

const urls = (description: string) =>
  Type.Array(Type.String(), { description: `Photo URLs. ${description} May be empty.` });

const epochOrNull = (description: string) => orNull(Type.Integer(), `Epoch seconds. ${description}`);

export const CLOSED_REASONS = ['hours', 'exception', 'paused', 'unknown_hours', 'no_ordering'] as const;

export const WeekHoursSchema = component(
  'WeekHours',
  "One entry per weekday: `hh:mmAM - hh:mmPM`, with several ranges joined by `, `, or `Closed`, or `Open 24 hours`. A range whose end isn't after its start extends into the next day.",
  recordByName(WEEKDAYS, () => Type.String()),
);

const OfferSchema = component('Offer', 'A promotion that a store lists.', {
  promotion_id: Type.String(),
  text: text('A description for customers: its title, or its terms and conditions in English.'),
  translations: Type.Optional(
    Type.Object(
      { fr: Type.String(), es: Type.String() },
      { description: 'The description in French and Spanish. Absent for a title, which is never translated.' },
    ),
  ),
  code: Type.Optional(text('The promotion code. Absent if the promotion applies automatically.')),
  ends_at: epochOrNull('When the promotion ends. Null if it has no end.'),
});

export const OFFERS = Type.Optional(
  Type.Array(OfferSchema, { description: 'The promotions that the store currently lists. Absent if there are none.' }),
);

const StoreAddressSchema = component('StoreAddress', "The store's address.", {
  street_addr: text('The house number and street.'),
  city: Type.String(),
  state: text('The state or province in two letters.'),
  zipcode: Type.String(),
  country: text('`US` or `CA`.'),
  street_addr_2: text('The suite, unit or similar. May be empty.'),
  latitude: number('The latitude in degrees.'),
  longitude: number('The longitude in degrees.'),
});

/**
 * A store in a response (docs/searching.md#store-element). The only list of its fields: used by `presentStore`, the
 * page writer, the `projections` parameter and the API description.
 */
export const StoreElementSchema = Type.Object({
  _id: text('The `store_id` for inventory requests.'),
  name: text("The store's name."),
  phone_number: Type.Optional(integer('Digits only, with the country code first. Absent if unknown.')),
  phone_extension: Type.Optional(text('Dialed after the call is answered. Absent without an extension.')),
  address: StoreAddressSchema,
  type: Type.Enum(['restaurant', 'grocery'], { description: 'The kind of store.' }),
  description: text('May be empty.'),
  local_hours: describedObject(
    "Published hours in the store's time zone. Unknown hours are shown as `Closed`.",
    recordByName(HOURS_KINDS, () => WeekHoursSchema),
  ),
  cuisines: Type.Array(Type.String(), { description: 'For a grocery store, its product category names.' }),
  food_photos: urls("Shows the store's food."),
  logo_photos: urls("Shows the store's logo."),
  store_photos: urls('Shows the store.'),
  dollar_signs: orNull(Type.Integer(), 'The price level from 0 to 5. Null if unknown.'),
  pickup_enabled: bool('Whether the store offers pickup at all.'),
  delivery_enabled: bool('Whether the store offers delivery at all. The quote says whether it delivers to an address.'),
  is_open: bool('Whether the store is open by its published hours. The quote says whether it accepts orders.'),
  opens_at: epochOrNull(
    "When a closed store next opens, as far as is known. Null if it's open, or if no opening time is known.",
  ),
  closes_at: epochOrNull("When an open store closes. Null if it's closed or never closes."),
  closed_reason: Type.Optional(
    Type.Enum([...CLOSED_REASONS], {
      description:
        "Why the store is closed: `hours` (its weekly hours), `exception` (the hours for this date), `paused` (by the store), `unknown_hours`, or `no_ordering` (its online ordering is off). Absent while it's open.",
    }),
  ),
  offers_first_party_delivery: bool("Whether the store's own drivers deliver."),
  offers_third_party_delivery: bool('Whether a marketplace or a courier delivers.'),
  miles: number('The great-circle distance from the searched coordinate, to two decimals.'),
  accepts_orders: flag(
    'Whether the store accepts an order for as soon as possible, for the requested fulfillment type. Present only with `accepting`, or if `projections` lists it.',
  ),
  weighted_rating_value: Type.Optional(number('The rating. Absent if there is none.')),
  aggregated_rating_count: Type.Optional(integer('The number of ratings. Absent if unknown.')),
  supports_upc_codes: bool("Whether any of the store's products has a UPC."),
  offers: OFFERS,
});

export type StoreElement = Static<typeof StoreElementSchema>;
export type StoreField = keyof StoreElement;

export const STORE_FIELDS: readonly string[] = Object.keys(StoreElementSchema.properties);

/** Fields of every response, also without being selected by `projections` (docs/searching.md#store-search). */
export const ALWAYS_PROJECTED: ReadonlySet<string> = new Set([
  '_id',
  'name',
  'address',
  'type',
  'is_open',
] satisfies StoreField[]);

/** A store in a search answer, where `projections` may omit fields. */
export const ProjectedStoreSchema = component(
  'Store',
  'A store. All fields are present unless `projections` selects some of them or their values are unknown.',
  Object.fromEntries(
    Object.entries(StoreElementSchema.properties).map(([field, schema]) => [
      field,
      ALWAYS_PROJECTED.has(field) ? schema : Type.Optional(schema),
    ]),
  ),
);

/** Fields that depend on the time of the request, or on its location. */
type MomentField = 'is_open' | 'opens_at' | 'closes_at' | 'closed_reason';
type RequestField = MomentField | 'miles' | 'accepts_orders';

/** A store's own fields. Optional fields are required keys, so that `presentStore` cannot omit one by mistake. */
type OwnFields = { [Field in Exclude<StoreField, RequestField | 'local_hours'>]: StoreElement[Field] };

/** Presents a store element without its hours and request-dependent fields; undefined values are absent. */
export function presentStore(store: Store): OwnFields {
  const { delivery, photos, rating } = store;
  return {
    _id: store.storeId,
    name: store.name,
    phone_number: store.phoneNumber ?? undefined,
    phone_extension: store.phoneExtension,
    address: presentAddress(store),
    type: store.type,
    description: store.description,
    cuisines: [...store.cuisines],
    food_photos: [...photos.food],
    logo_photos: [...photos.logo],
    store_photos: [...photos.store],
    dollar_signs: store.dollarSigns,
    pickup_enabled: store.pickup.enabled,
    delivery_enabled: delivery.enabled,
    offers_first_party_delivery: delivery.enabled && delivery.parties.some(({ party }) => party === 'first'),
    offers_third_party_delivery: delivery.enabled && delivery.parties.some(({ party }) => party !== 'first'),
    weighted_rating_value: rating?.value,
    aggregated_rating_count: rating?.count ?? undefined,
    supports_upc_codes: store.supportsUpcCodes,
    // The last, because a page of search may add to it.
    offers: presentOffers(store),
  };
}

/** Presents the offers of a store; undefined without one. */
export function presentOffers({ offers }: Pick<Store, 'offers'>): StoreElement['offers'] {
  return offers?.map(({ promotionId, text, translations, code, endsEpochS }) => ({
    promotion_id: promotionId,
    text,
    ...present({ translations, code }),
    ends_at: endsEpochS ?? null,
  }));
}

/** Presents a store's opening state, and when it changes. `ordering` is the store's main switch. */
export function presentOpening(
  { open, changesAtS, because }: Opening,
  ordering: boolean,
): { [Field in MomentField]: StoreElement[Field] } {
  const at = changesAtS === Infinity ? null : changesAtS;
  if (open || because === null) return { is_open: true, opens_at: null, closes_at: at, closed_reason: undefined };
  return { is_open: false, opens_at: at, closes_at: null, closed_reason: ordering ? because : 'no_ordering' };
}

/** Presents a store's hours as a field of its element. Written once for the many stores that share them. */
export function presentHours(hours: StoreHours): Pick<StoreElement, 'local_hours'> {
  return { local_hours: recordByName(HOURS_KINDS, (channel) => formatHours(hours[channel])) };
}

export function presentAddress({ address, latitude, longitude }: Store): StoreElement['address'] {
  return {
    street_addr: address.streetAddr,
    city: address.city,
    state: address.state,
    zipcode: address.zipcode,
    country: address.country,
    street_addr_2: address.streetAddr2,
    latitude,
    longitude,
  };
}
