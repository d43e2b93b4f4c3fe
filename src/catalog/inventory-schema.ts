import { Type } from 'typebox';
import { QuoteSchema } from '../quotes/quote-schema.ts';

const Cents = Type.Integer();

const NestedCustomizations = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'Customizations of the same shape, to any depth.',
});

const OptionSchema = Type.Object({
  name: Type.String(),
  price: Cents,
  formatted_price: Type.String(),
  customizations: NestedCustomizations,
  default_qty: Type.Integer(),
  min_qty: Type.Integer(),
  max_qty: Type.Integer(),
  conditional_price: Type.Record(Type.String(), Cents, {
    description: 'The price where the option named by the key is chosen too; the highest if several are.',
  }),
  option_id: Type.String(),
});

const CustomizationSchema = Type.Object({
  name: Type.String(),
  min_choice_options: Type.Integer(),
  max_choice_options: Type.Integer(),
  options: Type.Array(OptionSchema),
  customization_id: Type.String(),
});

const OrNull = <T extends ReturnType<typeof Type.String | typeof Type.Number | typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const SHARED = {
  name: Type.String(),
  price: Cents,
  min_price: Type.Integer({ description: 'The price with the cheapest way to meet the required choices.' }),
  original_price: Type.Integer({ description: 'Equal to the price when not on sale.' }),
  formatted_price: Type.String(),
  qty_available: OrNull(Type.Integer({ description: 'Null where stock is not counted.' })),
  unit_size: OrNull(Type.Number()),
  unit_of_measurement: Type.String(),
  product_id: Type.String(),
  customizations: Type.Array(CustomizationSchema),
  supports_image_scaling: Type.Boolean(),
};

/** For the API's description: answers are put together from kept bytes, not written by these schemas. */
export const InventorySchema = Type.Object({
  quote: Type.Optional(QuoteSchema),
  menu_id: Type.String({ description: 'Changes when, and only when, what the inventory shows changes.' }),
  categories: Type.Array(
    Type.Object({
      name: Type.String(),
      subcategory_id: Type.String(),
      menu_item_list: Type.Array(
        Type.Object({
          ...SHARED,
          description: Type.String(),
          image: Type.Optional(Type.String()),
          thumbnail_image: Type.Optional(Type.String()),
          should_fetch_customizations: Type.Boolean(),
        }),
      ),
    }),
  ),
});

export const ProductDetailsSchema = Type.Object({
  ...SHARED,
  description: OrNull(Type.String()),
  image: OrNull(Type.String()),
  thumbnail_image: OrNull(Type.String()),
  is_alcoholic: Type.Boolean(),
  upc_code: OrNull(Type.String()),
  is_available: Type.Boolean(),
  quote: Type.Optional(QuoteSchema),
});
