import { Type } from 'typebox';
import { component, named, orNull } from '../../platform/http/api-components.ts';
import { FoodOrNullSchema, UnitPriceSchema, WEIGHED_MEMBERS } from '../../supply/catalog/inventory-schema.ts';
import { StoreElementSchema } from '../../supply/stores/store-element.ts';

export const FoundStoreSchema = Type.Pick(
  StoreElementSchema,
  ['name', 'address', 'miles', 'is_open'],
  named('FoundStore', 'Where a product or a cart was found.'),
);

/** A found product with its store and its price in the requested mode. */
export const FoundProductSchema = component(
  'FoundProduct',
  'A product that answers a search. `unit_price` only where its size says it.',
  {
    store_id: Type.String({ description: 'For inventory and quote requests.' }),
    store: FoundStoreSchema,
    name: Type.String({ description: 'What the product is called.' }),
    product_id: Type.String({ description: 'Opaque. Sent to order it, or to read its details.' }),
    price: Type.Integer({
      description:
        'Cents for one, without options, in the requested mode; else for delivery, or for pickup where it is not delivered.',
    }),
    original_price: Type.Integer({ description: 'Cents when it is not on sale; else equal to the price.' }),
    formatted_price: Type.String({ description: 'The price to be shown, such as `$12.34`.' }),
    image: orNull(Type.String(), 'A URL.'),
    unit_size: orNull(Type.Number(), 'How much one is, in `unit_of_measurement`.'),
    unit_of_measurement: Type.String({ description: 'Such as `lb`, `oz` or `ct`; may be empty.' }),
    unit_price: Type.Optional(UnitPriceSchema),
    ...WEIGHED_MEMBERS,
    upc_code: orNull(Type.String(), "As the store's feed has it; null where it has none."),
    food: FoodOrNullSchema('Of the product with its default options. Null where nothing is known.'),
    category: Type.String({ description: "Name of the store's category that it stands in." }),
  },
);
