import { Type } from 'typebox';
import { named } from '../http/api-components.ts';
import { CHANNELS, WEEKDAYS } from './hours.ts';

const urls = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description: `URLs of photos. ${description} May be empty.` }));

const week = Type.Object(
  Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, Type.String()])) as Record<
    string,
    ReturnType<typeof Type.String>
  >,
  named(
    'WeekHours',
    'By weekday `hh:mmAM - hh:mmPM`, several joined by `, `, or `Closed`, or `Open 24 hours`. A range whose end is not after its start runs into the next day.',
  ),
);

export const StoreAddress = Type.Object(
  {
    street_addr: Type.String({ description: 'House number and street.' }),
    city: Type.String(),
    state: Type.String({ description: 'State or province, two letters.' }),
    zipcode: Type.String(),
    country: Type.String({ description: '`US` or `CA`.' }),
    street_addr_2: Type.String({ description: 'Suite, unit and the like; may be empty.' }),
    latitude: Type.Number({ description: 'Degrees north.' }),
    longitude: Type.Number({ description: 'Degrees east.' }),
  },
  named('StoreAddress', 'Where a store is.'),
);

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/**
 * The Store element of search answers, for the API description: the index writes it (docs/behaviour.md#store-element).
 */
export const storeElement = Type.Object(
  {
    _id: Type.String({ description: 'The `store_id` of inventory requests.' }),
    name: Type.String(),
    phone_number: Type.Optional(
      Type.Integer({ description: 'Digits only, country code first; absent where unknown.' }),
    ),
    address: StoreAddress,
    type: Type.Enum(['restaurant', 'grocery'], { description: 'What kind of store it is.' }),
    description: Type.Optional(Type.String({ description: 'May be empty.' })),
    local_hours: Type.Optional(
      Type.Object(Object.fromEntries(CHANNELS.map((channel) => [channel, week])), {
        description: "Published hours on the store's own clock; unknown ones read as `Closed`.",
      }),
    ),
    cuisines: Type.Optional(Type.Array(Type.String(), { description: 'For a grocery store product category names.' })),
    food_photos: urls('Of its food.'),
    logo_photos: urls('Of its logo.'),
    store_photos: urls('Of the store.'),
    dollar_signs: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], { description: 'Price level from 1 to 4; null where unknown.' }),
    ),
    pickup_enabled: flag('Whether it offers pickup at all.'),
    delivery_enabled: flag('Whether it offers delivery at all; the quote tells whether it comes to an address.'),
    is_open: Type.Boolean({ description: "By the published hours, in the store's own time zone. The quote decides." }),
    offers_first_party_delivery: flag('Its own drivers deliver.'),
    offers_third_party_delivery: flag('A marketplace or a courier delivers.'),
    miles: Type.Optional(Type.Number({ description: 'Great-circle distance, two decimals.' })),
    weighted_rating_value: Type.Optional(Type.Number({ description: 'Rating; absent where there is none.' })),
    aggregated_rating_count: Type.Optional(Type.Integer({ description: 'Number of ratings; absent where unknown.' })),
    supports_upc_codes: flag('Whether some product has one.'),
  },
  named(
    'Store',
    'A store. All fields are there unless `projections` asks for some only, and but for what is absent where it is unknown.',
  ),
);
