import { Type } from 'typebox';
import { bool, cents, component, integer, named, orNull, reference, text } from '../../platform/http/api-components.ts';
import { QuoteFailureSchema, QuoteSchema } from '../pricing/quote-schema.ts';
import { WEIGHT_UNITS } from '../pricing/weight.ts';
import { OFFERS } from '../stores/store-element.ts';
import { TAX_CLASSES } from '../stores/tax-class.ts';
import { ALLERGENS, DIETS } from './food.ts';
import { SHELF_UNITS } from './unit-price.ts';

/** The schemas of an inventory answer: categories, products, options and food. */

const grams = (description: string) => orNull(Type.Number(), `${description} In grams. Null if unknown.`);

const NutritionSchema = Type.Object(
  {
    calories: orNull(Type.Number(), 'Kilocalories. Null if unknown.'),
    fat: grams('All fat.'),
    saturated_fat: grams('Included in the total fat.'),
    trans_fat: grams('Included in the total fat.'),
    cholesterol: grams('Nutrition labels show it in milligrams.'),
    sodium: grams('Nutrition labels show it in milligrams. One gram of salt contains 0.4.'),
    carbohydrates: grams('All carbohydrates, including fiber and sugars.'),
    fiber: grams('Included in the carbohydrates.'),
    sugars: grams('Included in the carbohydrates.'),
    added_sugars: grams('Included in the sugars.'),
    protein: grams('All protein.'),
  },
  named('Nutrition', 'Nutrition facts per unit as sold.'),
);

const list = <Word extends string>(words: readonly Word[], description: string) =>
  orNull(Type.Array(Type.Enum([...words])), `${description} Null where unknown; empty where there are none.`);

/** The food schema of products and options. */
export const FoodSchema = Type.Object(
  {
    allergens: list(ALLERGENS, 'The allergens that it contains.'),
    may_contain: list(ALLERGENS, 'Allergens that it may contain as traces, in addition to `allergens`.'),
    diets: list(DIETS, "The diets that it's suitable for."),
    nutrition: orNull(NutritionSchema, 'Null if unknown.'),
    source: orNull(Type.String(), 'The country or region that it comes from, as written in the feed.'),
  },
  named('Food', "The food's ingredients and nutrition facts, as provided by the store. Unknown never means none."),
);

export const FoodOrNullSchema = (description: string) => orNull(FoodSchema, description);

export const OptionSchema = Type.Object(
  {
    name: Type.String(),
    price: cents("The price of one, added to the product's price."),
    formatted_price: text('The price to display, such as `$1.50`.'),
    customizations: Type.Array(reference('Customization'), {
      description: 'Nested customizations, to any depth. They apply if this option is selected.',
    }),
    default_qty: integer('The number of units that a menu preselects.'),
    min_qty: integer("The minimum number of units if it's selected."),
    max_qty: integer('The maximum number of units.'),
    conditional_price: Type.Record(Type.String(), Type.Integer(), {
      description:
        'Prices in cents by the `option_id` of another option. If that option is selected too, this option has that price. The highest applies if several are selected.',
    }),
    option_id: text('Send it in `selected_options` to order the option.'),
    tax_class: Type.Optional(
      Type.Enum([...TAX_CLASSES], { description: "Present only if it differs from the product's." }),
    ),
    food: FoodOrNullSchema("The option's own facts. Null if unknown."),
  },
  named('Option', 'An option that can be selected.'),
);

/** Limits of the units of a group; choices count different options. */
export const UNIT_LIMITS = {
  min_total_units: Type.Optional(
    integer("The minimum number of units, added up over its options. Absent if there's no minimum."),
  ),
  max_total_units: Type.Optional(integer("The maximum number of units. Absent if there's no maximum.")),
};

export const CustomizationSchema = Type.Object(
  {
    name: Type.String(),
    min_choice_options: integer('The minimum number of different options to select.'),
    max_choice_options: integer('The maximum number of different options to select.'),
    ...UNIT_LIMITS,
    options: Type.Array(OptionSchema),
    customization_id: Type.String(),
  },
  named('Customization', 'A customization: a group of options for a product, or nested in an option.'),
);

/** The price for comparing packages on a shelf. */
export const UnitPriceSchema = Type.Object(
  {
    cents: cents('The price of `per` units, rounded once.'),
    per: integer('1, or 100 for `g` and `ml`.'),
    unit: Type.Enum([...SHELF_UNITS]),
  },
  named(
    'UnitPrice',
    "The unit price by weight or volume, as shelf labels in the store's country show it. Present only if `unit_size` and `unit_of_measurement` specify a size, and for prices of at least half a cent.",
  ),
);

const weight = (description: string) => Type.Number({ description });

export const WEIGHT_FIELDS = {
  unit: Type.Enum([...WEIGHT_UNITS]),
  price_per: weight('The number of units that its prices are for.'),
  step: weight('Orders are multiples of this step.'),
  min: weight('The minimum order quantity.'),
  max: weight('The maximum order quantity.'),
  piece_weight: Type.Optional(
    weight("The approximate weight of one piece. Absent if it can't be ordered by the piece."),
  ),
  tolerance_percent: integer('How far the measured weight may exceed the ordered weight.'),
};
export const SOLD_BY = Type.Optional(
  Type.Literal('weight', { description: 'Present only for products sold by weight.' }),
);

/** Fields only of items sold by weight. */
export const WEIGHED_MEMBERS = {
  sold_by: SOLD_BY,
  weight: Type.Optional(
    component('Weight', 'How a product is sold by weight. Decimals have up to three places.', WEIGHT_FIELDS),
  ),
  formatted_unit_price: Type.Optional(text('For items sold by weight, the price per unit, such as `$8.99/lb`.')),
  estimated_piece_price: Type.Optional(
    cents('The approximate price of one piece, for items sold by weight that can be ordered by the piece.'),
  ),
};

const SHARED = {
  name: Type.String(),
  price: cents('The price of one without options, for the requested fulfillment type.'),
  min_price: cents('The price with the cheapest selection of required options.'),
  original_price: cents('The regular price if the product is on sale. Otherwise, the price.'),
  formatted_price: text('The price to display, such as `$12.34`.'),
  qty_available: orNull(Type.Integer(), "The number of units left. Null if stock isn't counted."),
  unit_size: orNull(Type.Number(), 'The size of one, in `unit_of_measurement`.'),
  unit_of_measurement: text('The unit, such as `lb`, `oz` or `ct`. May be empty.'),
  unit_price: Type.Optional(UnitPriceSchema),
  ...WEIGHED_MEMBERS,
  product_id: text('An opaque ID. Send it to order the product or to get its details.'),
  tax_class: Type.Enum([...TAX_CLASSES], { description: "The product's tax category." }),
  food: FoodOrNullSchema(
    'The facts for the product with its default options. Each option provides its own. Null if unknown.',
  ),
  supports_image_scaling: bool('Always false: images are served unchanged.'),
};

export const MenuItemSchema = Type.Object(
  {
    ...SHARED,
    description: text('May be empty.'),
    image: Type.Optional(text('A URL. Absent if there is none.')),
    thumbnail_image: Type.Optional(text('A URL. Absent if there is none.')),
    customizations: Type.Array(CustomizationSchema, {
      description: 'Empty if there are none, or if they must be retrieved separately.',
    }),
    should_fetch_customizations: bool(
      '`true` if there are too many customizations to list here. Get them from the product details.',
    ),
    is_available: bool('Whether the product can be ordered now: in stock and within its menu hours.'),
    available_at: Type.Optional(
      orNull(
        Type.Integer(),
        'When its menu hours next begin, in epoch seconds. Null if they never do. Absent within its menu hours.',
      ),
    ),
  },
  named('MenuItem', 'A product in an inventory. `unit_price` is present only if its size allows it.'),
);

const CategorySchema = Type.Object(
  {
    name: Type.String(),
    subcategory_id: text('An opaque ID. Send it to get the next level of this category.'),
    has_subcategories: bool('Whether the category contains subcategories. Otherwise, it contains the products.'),
    product_count: integer(
      'The number of products on sale for the fulfillment type, in this category and its subcategories.',
    ),
    menu_item_list: Type.Array(MenuItemSchema, {
      description: 'Empty for a grocery store, unless a category without subcategories is requested.',
    }),
    subcategories: Type.Optional(
      Type.Array(reference('Category'), { description: 'The subcategories. Present only with `category_tree`.' }),
    ),
  },
  named('Category', 'An inventory category.'),
);

/** The schema of a response that is assembled from cached bytes. */
export const InventorySchema = Type.Object(
  {
    quote: Type.Optional(QuoteSchema),
    quote_error: Type.Optional(QuoteFailureSchema),
    offers: OFFERS,
    menu_id: text('Changes exactly when the returned inventory changes.'),
    categories: Type.Array(CategorySchema),
  },
  named(
    'Inventory',
    "A store's inventory for one fulfillment type, or one level of it. `quote` is present only with `include_quote`, and `quote_error` only if the quote contains an `error`.",
  ),
);

export const ProductDetailsSchema = Type.Object(
  {
    ...SHARED,
    store_id: text('The store that sells the product.'),
    description: orNull(Type.String(), 'Null if there is none.'),
    image: orNull(Type.String(), 'A URL.'),
    thumbnail_image: orNull(Type.String(), 'A URL.'),
    customizations: Type.Array(CustomizationSchema, { description: 'All images.' }),
    is_alcoholic: Type.Boolean(),
    upc_code: orNull(Type.String(), 'Null if there is none.'),
    is_available: bool(
      'Whether the product can be ordered now: on sale for the fulfillment type, in stock and within its menu hours.',
    ),
    quote: Type.Optional(QuoteSchema),
    quote_error: Type.Optional(QuoteFailureSchema),
  },
  named(
    'Product',
    "A product's details. `unit_price` is present only if its size allows it, `quote` only with `include_quote`, and `quote_error` only if the quote contains an `error`.",
  ),
);
