import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { component, describedObject, flag, orNull } from '../../platform/http/api-components.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { formatHours } from './format-hours.ts';
import { HOURS_KINDS, type StoreHours, WEEKDAYS } from './hours.ts';
import type { Opening } from './open-state.ts';
import type { Store } from './store.ts';

/* The Store element of the API: its schema, and its presentation from a store's row. */

const urls = (description: string) =>
  Type.Array(Type.String(), { description: `URLs of photos. ${description} May be empty.` });

const epochOrNull = (description: string) => orNull(Type.Integer(), `Epoch seconds. ${description}`);

export const CLOSED_REASONS = ['hours', 'exception', 'paused', 'unknown_hours', 'no_ordering'] as const;

export const WeekHoursSchema = component(
  'WeekHours',
  'By weekday `hh:mmAM - hh:mmPM`, several joined by `, `, or `Closed`, or `Open 24 hours`. A range whose end is not after its start runs into the next day.',
  recordByName(WEEKDAYS, () => Type.String()),
);

const OfferSchema = component('Offer', 'A promotion that a store lists.', {
  promotion_id: Type.String(),
  text: Type.String({ description: 'What it offers, for people: its title, or its terms and conditions in English.' }),
  translations: Type.Optional(
    Type.Object(
      { fr: Type.String(), es: Type.String() },
      { description: 'The text in French and Spanish; absent for a title, which is never translated.' },
    ),
  ),
  code: Type.Optional(Type.String({ description: 'To be entered; absent where it applies by itself.' })),
  ends_at: epochOrNull('When it ends; null where that is open.'),
});

export const OFFERS = Type.Optional(
  Type.Array(OfferSchema, { description: 'Promotions that the store lists now; absent without one.' }),
);

const StoreAddressSchema = component('StoreAddress', 'Where a store is.', {
  street_addr: Type.String({ description: 'House number and street.' }),
  city: Type.String(),
  state: Type.String({ description: 'State or province, two letters.' }),
  zipcode: Type.String(),
  country: Type.String({ description: '`US` or `CA`.' }),
  street_addr_2: Type.String({ description: 'Suite, unit and the like; may be empty.' }),
  latitude: Type.Number({ description: 'Degrees north.' }),
  longitude: Type.Number({ description: 'Degrees east.' }),
});

/**
 * A store in an answer (docs/searching.md#store-element). The only list of its fields: used by `presentStore`, the page
 * writer, the `projections` parameter and the API description.
 */
export const StoreElementSchema = Type.Object({
  _id: Type.String({ description: 'The `store_id` of inventory requests.' }),
  name: Type.String({ description: 'What it is called.' }),
  phone_number: Type.Optional(Type.Integer({ description: 'Digits only, country code first; absent where unknown.' })),
  phone_extension: Type.Optional(
    Type.String({ description: 'Dialed after the call is answered; absent without one.' }),
  ),
  address: StoreAddressSchema,
  type: Type.Enum(['restaurant', 'grocery'], { description: 'What kind of store it is.' }),
  description: Type.String({ description: 'May be empty.' }),
  local_hours: describedObject(
    "Published hours on the store's own clock; unknown ones read as `Closed`.",
    recordByName(HOURS_KINDS, () => WeekHoursSchema),
  ),
  cuisines: Type.Array(Type.String(), { description: 'For a grocery store product category names.' }),
  food_photos: urls('Of its food.'),
  logo_photos: urls('Of its logo.'),
  store_photos: urls('Of the store.'),
  dollar_signs: orNull(Type.Integer(), 'Price level from 0 to 5; null where unknown.'),
  pickup_enabled: Type.Boolean({ description: 'Whether it offers pickup at all.' }),
  delivery_enabled: Type.Boolean({
    description: 'Whether it offers delivery at all; the quote tells whether it comes to an address.',
  }),
  is_open: Type.Boolean({ description: "By the published hours, in the store's own time zone. The quote decides." }),
  opens_at: epochOrNull(
    'While it is closed: when it is next open, by what is known now. Null while it is open, and for never.',
  ),
  closes_at: epochOrNull('While it is open: when it closes. Null while it is closed, and for never.'),
  closed_reason: Type.Optional(
    Type.Enum([...CLOSED_REASONS], {
      description:
        'While it is closed: `hours` its weekly hours, `exception` the hours of this date, `paused` by the store, `unknown_hours`, or `no_ordering` because its online ordering is off. Absent while it is open.',
    }),
  ),
  offers_first_party_delivery: Type.Boolean({ description: 'Its own drivers deliver.' }),
  offers_third_party_delivery: Type.Boolean({ description: 'A marketplace or a courier delivers.' }),
  miles: Type.Number({ description: 'Great-circle distance from the place that was searched near, two decimals.' }),
  accepts_orders: flag(
    'Whether it takes an order now, as soon as possible, in the requested mode. There with `accepting` and where `projections` names it.',
  ),
  weighted_rating_value: Type.Optional(Type.Number({ description: 'Rating; absent where there is none.' })),
  aggregated_rating_count: Type.Optional(Type.Integer({ description: 'Number of ratings; absent where unknown.' })),
  supports_upc_codes: Type.Boolean({ description: 'Whether some product has one.' }),
  offers: OFFERS,
});

export type StoreElement = Static<typeof StoreElementSchema>;
export type StoreField = keyof StoreElement;

export const STORE_FIELDS: readonly string[] = Object.keys(StoreElementSchema.properties);

/** Fields that every answer has, whatever `projections` selects (docs/searching.md#store-search). */
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
  'A store. All fields are there unless `projections` asks for some only, and but for what is absent where it is unknown.',
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

/** Presents a store's hours as a member of its element. Written once for the many stores that share them. */
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
