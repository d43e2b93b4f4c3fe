import { Type } from 'typebox';
import { cents, component, named, orNull, reference } from '../../platform/http/api-components.ts';
import { QuoteFailureSchema, QuoteSchema } from '../pricing/quote-schema.ts';
import { WEIGHT_UNITS } from '../pricing/weight.ts';
import { OFFERS } from '../stores/store-element.ts';
import { TAX_CLASSES } from '../stores/tax-class.ts';
import { ALLERGENS, DIETS } from './food.ts';
import { SHELF_UNITS } from './unit-price.ts';

/** The schemas of an inventory answer: categories, products, options and food. */

const grams = (description: string) => orNull(Type.Number(), `Grams. ${description} Null where unknown.`);

const NutritionSchema = Type.Object(
  {
    calories: orNull(Type.Number(), 'Kilocalories. Null where unknown.'),
    fat: grams('All fat.'),
    saturated_fat: grams('Of the fat.'),
    trans_fat: grams('Of the fat.'),
    cholesterol: grams('Labels have milligrams.'),
    sodium: grams('Labels have milligrams. One gram of salt has 0.4.'),
    carbohydrates: grams('All carbohydrate, fiber and sugars included.'),
    fiber: grams('Of the carbohydrates.'),
    sugars: grams('Of the carbohydrates.'),
    added_sugars: grams('Of the sugars.'),
    protein: grams('All protein.'),
  },
  named('Nutrition', 'Of one unit as it is sold.'),
);

const list = <Word extends string>(words: readonly Word[], description: string) =>
  orNull(Type.Array(Type.Enum([...words])), `${description} Null where unknown; empty where there are none.`);

/** The food schema of products and options. */
export const FoodSchema = Type.Object(
  {
    allergens: list(ALLERGENS, 'What it contains.'),
    may_contain: list(ALLERGENS, 'Traces that it may contain beside `allergens`.'),
    diets: list(DIETS, 'Diets that it is made for.'),
    nutrition: orNull(NutritionSchema, 'Null where unknown.'),
    source: orNull(Type.String(), 'Where all of it comes from, in words of the feed.'),
  },
  named('Food', 'What is in the food, as far as the store tells. Unknown is never none.'),
);

export const FoodOrNullSchema = (description: string) => orNull(FoodSchema, description);

export const OptionSchema = Type.Object(
  {
    name: Type.String(),
    price: cents('For one of it, on top of the product.'),
    formatted_price: Type.String({ description: 'The price to be shown, such as `$1.50`.' }),
    customizations: Type.Array(reference('Customization'), {
      description: 'What is to be chosen once this option is, to any depth.',
    }),
    default_qty: Type.Integer({ description: 'How many a menu shows as chosen from the start.' }),
    min_qty: Type.Integer({ description: 'The fewest of it, where it is chosen.' }),
    max_qty: Type.Integer({ description: 'The most of it.' }),
    conditional_price: Type.Record(Type.String(), Type.Integer(), {
      description:
        'Prices in cents by `option_id` of another option: what this one costs where that one is chosen too; the highest if several are.',
    }),
    option_id: Type.String({ description: 'Sent in `selected_options` to order it.' }),
    tax_class: Type.Optional(Type.Enum([...TAX_CLASSES], { description: "Where it is another than the product's." })),
    food: FoodOrNullSchema('Of the option by itself; null where nothing is known.'),
  },
  named('Option', 'Something that can be chosen.'),
);

/** Limits of the units of a group; choices count different options. */
export const UNIT_LIMITS = {
  min_total_units: Type.Optional(
    Type.Integer({ description: 'The fewest units, which are the quantities of its options added up; absent: any.' }),
  ),
  max_total_units: Type.Optional(Type.Integer({ description: 'The most units; absent: any.' })),
};

export const CustomizationSchema = Type.Object(
  {
    name: Type.String(),
    min_choice_options: Type.Integer({ description: 'The fewest different options to choose.' }),
    max_choice_options: Type.Integer({ description: 'The most different options to choose.' }),
    ...UNIT_LIMITS,
    options: Type.Array(OptionSchema),
    customization_id: Type.String(),
  },
  named('Customization', 'A choice that a product, or an option of one, offers.'),
);

/** The price by which a shelf compares packages. */
export const UnitPriceSchema = Type.Object(
  {
    cents: cents('For `per` units, rounded once.'),
    per: Type.Integer({ description: '1, or 100 of `g` and `ml`.' }),
    unit: Type.Enum([...SHELF_UNITS]),
  },
  named(
    'UnitPrice',
    'The price of a weight or a volume, as shelves of the country show it: where `unit_size` and `unit_of_measurement` say it, from half a cent.',
  ),
);

const weight = (description: string) => Type.Number({ description });

export const WEIGHT_FIELDS = {
  unit: Type.Enum([...WEIGHT_UNITS]),
  price_per: weight('How much of the unit its prices are for.'),
  step: weight('Orders are multiples of it.'),
  min: weight('The least of an order.'),
  max: weight('The most of an order.'),
  piece_weight: Type.Optional(weight('About what one piece weighs; absent where it is not sold by the piece.')),
  tolerance_percent: Type.Integer({ description: 'By how much more than ordered the store may hand over.' }),
};
export const SOLD_BY = Type.Optional(
  Type.Literal('weight', { description: 'Absent of a product that is sold by the piece.' }),
);

/** Of goods by weight alone. */
export const WEIGHED_MEMBERS = {
  sold_by: SOLD_BY,
  weight: Type.Optional(
    component('Weight', 'How a product is sold by weight: decimals of at most three places.', WEIGHT_FIELDS),
  ),
  formatted_unit_price: Type.Optional(
    Type.String({ description: 'Of goods by weight: the price with what it is for, such as `$8.99/lb`.' }),
  ),
  estimated_piece_price: Type.Optional(cents('Of goods by weight that are sold by the piece: about what one costs.')),
};

const SHARED = {
  name: Type.String(),
  price: cents('For one, without options, in the requested mode.'),
  min_price: cents('The price with the cheapest way to meet the required choices.'),
  original_price: cents('What it costs when it is not on sale; else equal to the price.'),
  formatted_price: Type.String({ description: 'The price to be shown, such as `$12.34`.' }),
  qty_available: orNull(Type.Integer(), 'How many are left; null where stock is not counted.'),
  unit_size: orNull(Type.Number(), 'How much one is, in `unit_of_measurement`.'),
  unit_of_measurement: Type.String({ description: 'Such as `lb`, `oz` or `ct`; may be empty.' }),
  unit_price: Type.Optional(UnitPriceSchema),
  ...WEIGHED_MEMBERS,
  product_id: Type.String({ description: 'Opaque. Sent to order it, or to read its details.' }),
  tax_class: Type.Enum([...TAX_CLASSES], { description: 'What it is for taxes.' }),
  food: FoodOrNullSchema(
    'Of the product with its default options; each option has facts of its own. Null where nothing is known.',
  ),
  supports_image_scaling: Type.Boolean({ description: 'Always false: images come as they are.' }),
};

export const MenuItemSchema = Type.Object(
  {
    ...SHARED,
    description: Type.String({ description: 'May be empty.' }),
    image: Type.Optional(Type.String({ description: 'A URL; absent where there is none.' })),
    thumbnail_image: Type.Optional(Type.String({ description: 'A URL; absent where there is none.' })),
    customizations: Type.Array(CustomizationSchema, {
      description: 'Empty where there are none, and where they must be fetched.',
    }),
    should_fetch_customizations: Type.Boolean({
      description: 'True where there are too many to list here: product details have them.',
    }),
    is_available: Type.Boolean({ description: 'Whether one can be ordered now: in stock and within its menu hours.' }),
    available_at: Type.Optional(
      orNull(
        Type.Integer(),
        'Outside its menu hours: when they next begin, in epoch seconds; null for never. Absent otherwise.',
      ),
    ),
  },
  named('MenuItem', 'A product as the inventory lists it. `unit_price` only where its size says it.'),
);

const CategorySchema = Type.Object(
  {
    name: Type.String(),
    subcategory_id: Type.String({ description: 'Opaque. Sent to read the next level of this category.' }),
    has_subcategories: Type.Boolean({ description: 'Whether it has levels below; otherwise it has the products.' }),
    product_count: Type.Integer({ description: 'Products on sale in the mode, in it and in all below it.' }),
    menu_item_list: Type.Array(MenuItemSchema, {
      description: 'Empty in a grocery unless a category without subcategories is requested.',
    }),
    subcategories: Type.Optional(
      Type.Array(reference('Category'), { description: 'The level below; with `category_tree` alone.' }),
    ),
  },
  named('Category', 'A category of an inventory.'),
);

/** The schema of an answer that is assembled from cached bytes. */
export const InventorySchema = Type.Object(
  {
    quote: Type.Optional(QuoteSchema),
    quote_error: Type.Optional(QuoteFailureSchema),
    offers: OFFERS,
    menu_id: Type.String({ description: 'Changes when, and only when, what the inventory shows changes.' }),
    categories: Type.Array(CategorySchema),
  },
  named(
    'Inventory',
    'What a store sells in one mode, or one level of it. `quote` only with `include_quote`; `quote_error` only beside a quote that has an `error`.',
  ),
);

export const ProductDetailsSchema = Type.Object(
  {
    ...SHARED,
    store_id: Type.String({ description: 'The store that sells it.' }),
    description: orNull(Type.String(), 'Null where there is none.'),
    image: orNull(Type.String(), 'A URL.'),
    thumbnail_image: orNull(Type.String(), 'A URL.'),
    customizations: Type.Array(CustomizationSchema, { description: 'All of them.' }),
    is_alcoholic: Type.Boolean(),
    upc_code: orNull(Type.String(), 'Null where it has none.'),
    is_available: Type.Boolean({
      description: 'Whether one can be ordered now: on sale, in stock, within its menu hours and sold in the mode.',
    }),
    quote: Type.Optional(QuoteSchema),
    quote_error: Type.Optional(QuoteFailureSchema),
  },
  named(
    'Product',
    'All of a product. `unit_price` only where its size says it. `quote` only with `include_quote`; `quote_error` only beside a quote that has an `error`.',
  ),
);
