import { Type } from 'typebox';
import { CHANNELS, WEEKDAYS } from './hours.ts';

const urls = Type.Array(Type.String(), { description: 'URLs; may be empty.' });

const week = Type.Object(
  Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, Type.String()])) as Record<
    string,
    ReturnType<typeof Type.String>
  >,
  { description: '`hh:mmAM - hh:mmPM`, several joined by `, `, or `Closed`, or `Open 24 hours`.' },
);

/** The Store element of search answers, for the API description: the index writes it (interface, Store). */
export const storeElement = Type.Object({
  _id: Type.String({ description: 'The `store_id` of inventory requests.' }),
  name: Type.String(),
  phone_number: Type.Optional(Type.Integer({ description: 'Digits only, country code first; absent where unknown.' })),
  address: Type.Object({
    street_addr: Type.String(),
    city: Type.String(),
    state: Type.String(),
    zipcode: Type.String(),
    country: Type.String(),
    street_addr_2: Type.String({ description: 'May be empty.' }),
    latitude: Type.Number(),
    longitude: Type.Number(),
  }),
  type: Type.Enum(['restaurant', 'grocery']),
  description: Type.String({ description: 'May be empty.' }),
  local_hours: Type.Object(Object.fromEntries(CHANNELS.map((channel) => [channel, week]))),
  cuisines: Type.Array(Type.String(), { description: 'For a grocery store product category names.' }),
  food_photos: urls,
  logo_photos: urls,
  store_photos: urls,
  dollar_signs: Type.Union([Type.Integer(), Type.Null()], { description: 'Price level; null where unknown.' }),
  pickup_enabled: Type.Boolean(),
  delivery_enabled: Type.Boolean(),
  is_open: Type.Boolean({ description: "By the published hours, in the store's own time zone." }),
  offers_first_party_delivery: Type.Boolean(),
  offers_third_party_delivery: Type.Boolean(),
  miles: Type.Number({ description: 'Great-circle distance, two decimals.' }),
  weighted_rating_value: Type.Optional(Type.Number()),
  aggregated_rating_count: Type.Optional(Type.Integer()),
  supports_upc_codes: Type.Boolean({ description: 'Whether some product has one.' }),
});
