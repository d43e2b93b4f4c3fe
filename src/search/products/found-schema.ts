import { Type } from 'typebox';
import { component, integer, named, orNull, text } from '../../platform/http/api-components.ts';
import { FoodOrNullSchema, UnitPriceSchema, WEIGHED_MEMBERS } from '../../supply/catalog/inventory-schema.ts';
import { StoreElementSchema } from '../../supply/stores/store-element.ts';

export const FoundStoreSchema = Type.Pick(
  StoreElementSchema,
  ['name', 'address', 'miles', 'is_open'],
  named('FoundStore', 'The store that sells a product or a cart.'),
);

/** A found product with its store and its price in the requested mode. */
export const FoundProductSchema = component(
  'FoundProduct',
  'A product found by a search. `unit_price` is present only if its size allows it.',
  {
    store_id: text('The ID for inventory and quote requests.'),
    store: FoundStoreSchema,
    name: text("The product's name."),
    product_id: text('An opaque ID. Send it to order the product or to get its details.'),
    price: integer(
      "The price of one without options in cents, for the requested fulfillment type. Otherwise for delivery, or for pickup if it isn't delivered.",
    ),
    original_price: integer('The regular price in cents if the product is on sale. Otherwise, the price.'),
    formatted_price: text('The price to display, such as `$12.34`.'),
    image: orNull(Type.String(), 'A URL.'),
    unit_size: orNull(Type.Number(), 'The size of one, in `unit_of_measurement`.'),
    unit_of_measurement: text('The unit, such as `lb`, `oz` or `ct`. May be empty.'),
    unit_price: Type.Optional(UnitPriceSchema),
    ...WEIGHED_MEMBERS,
    upc_code: orNull(Type.String(), "The value from the store's feed. Null if there is none."),
    food: FoodOrNullSchema('The facts for the product with its default options. Null if unknown.'),
    category: text("The store's category that contains it."),
  },
);
