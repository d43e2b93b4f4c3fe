import type { FeedCategory, FeedCustomization, FeedFood, FeedProduct } from './feed-line.ts';

/**
 * Invented food facts by name: contents | traces | diets | kilocalories, then grams of fat, carbohydrates, protein and
 * sodium. `-` is unknown, an empty field means none. Other food of the demo is unknown.
 */
const FACTS = [
  'Two-egg plate|eggs milk wheat soybeans||',
  'Buttermilk pancakes|eggs milk wheat||vegetarian|640 22 92 17 1.1',
  'Oatmeal|milk|tree_nuts|vegetarian|310 7 54 11 0.1',
  'Grilled cheese|milk wheat|sesame|vegetarian|530 31 41 22 0.98',
  'Apple pie|wheat milk|tree_nuts eggs|vegetarian|410 19 58 3 0.33',
  'Garden burger|wheat soybeans sesame|milk eggs|vegetarian|520 21 62 19 0.88',
  'House burger|wheat milk sesame|eggs|-|760 44 42 43 1.1',
  'Fries|||vegan vegetarian gluten_free|380 18 50 4 0.42',
  'Side salad|||vegan vegetarian gluten_free|90 5 10 2 0.15',
  'Harvest bowl|tree_nuts|peanuts sesame|vegan vegetarian gluten_free|540 24 71 14 0.6',
  'Miso bowl|wheat soybeans|sesame|vegan vegetarian|510 15 76 21 1.3',
  'Falafel bowl|sesame|-|vegan vegetarian|620 28 74 20 0.95',
  'Lentil soup|wheat||vegan vegetarian|330 6 52 18 0.8',
  'Green juice|||vegan vegetarian gluten_free|120 0.5 28 3 0.09',
  'Margherita|milk wheat|soybeans|vegetarian',
  'Pepperoni|milk wheat|soybeans|',
  'Market vegetable|milk wheat|soybeans|vegetarian',
  'Caesar salad|milk eggs fish wheat mustard||',
  'Chana masala||tree_nuts|vegan vegetarian gluten_free halal|360 12 49 14 0.9',
  'Vegetable samosas|wheat|milk tree_nuts|vegan vegetarian',
  'Garlic naan|milk wheat|sesame|vegetarian halal',
  'Mango lassi|milk||vegetarian gluten_free halal|240 6 40 7 0.09',
  'Pad thai|eggs fish crustaceans peanuts soybeans|sesame tree_nuts|',
  'Vegetable pho|soybeans|wheat fish|vegan vegetarian|430 6 82 14 1.6',
  'Garden roll|soybeans sesame|fish crustaceans|vegan vegetarian',
  'Miso soup|soybeans fish|crustaceans|gluten_free|60 2 6 4 0.77',
  'Chips and guacamole|||vegan vegetarian gluten_free|560 34 60 8 0.5',
  'Oatfield oat milk|||vegan vegetarian gluten_free kosher|960 40 128 24 0.8',
  'Grovehill almond milk|tree_nuts||vegan vegetarian gluten_free kosher|240 20 8 8 1.2',
  'Grovehill soy milk|soybeans||vegan vegetarian gluten_free kosher|640 32 24 56 0.7',
  'Meadowlark whole milk|milk||vegetarian gluten_free kosher',
  'Meadowlark chocolate milk|milk|-|vegetarian gluten_free',
  'Henhouse large eggs|eggs||vegetarian gluten_free kosher',
  'Grovehill firm tofu|soybeans||vegan vegetarian gluten_free|400 24 10 42 0.05',
  'Grovehill plant burgers|soybeans|wheat|vegan vegetarian|460 28 18 40 0.78',
  'Campo gluten-free fusilli||-|vegan vegetarian gluten_free',
  'Campo spaghetti|wheat|eggs|vegan vegetarian',
  'Roasted almonds|tree_nuts|peanuts|vegan vegetarian gluten_free',
  'Salted peanuts|peanuts|tree_nuts|vegan vegetarian gluten_free',
  'Hummus|sesame||vegan vegetarian gluten_free kosher',
  'Cocoa Row milk chocolate|milk soybeans|tree_nuts peanuts wheat|vegetarian',
  'Cocoa Row dark chocolate|soybeans|milk tree_nuts peanuts|vegan vegetarian',
  'Marinated tofu|soybeans sesame||vegan vegetarian',
  'Seeds|sesame|tree_nuts|vegan vegetarian gluten_free',
  'Paneer|milk||vegetarian gluten_free halal',
  'Prawns|crustaceans||gluten_free',
];

const SOURCE = 'Invented for the demo';
const BY_NAME: ReadonlyMap<string, FeedFood> = new Map(FACTS.map(readFacts));

export const NAMES_WITH_FACTS: readonly string[] = [...BY_NAME.keys()];

function readFacts(line: string): [string, FeedFood] {
  const [name = '', contents = '-', traces = '-', diets = '-', measured] = line.split('|');
  const words = (text: string) => (text === '-' ? null : text.split(' ').filter((word) => word !== ''));
  const [calories, fat, carbohydrates, protein, sodium] = measured?.split(' ').map(Number) ?? [];
  return [
    name,
    {
      allergens: words(contents),
      may_contain: words(traces),
      diets: words(diets),
      nutrition: measured === undefined ? null : { calories, fat, carbohydrates, protein, sodium },
      source: SOURCE,
    },
  ];
}

/** The categories with the facts that are known of their products and options. */
export function withFoodFacts(categories: readonly FeedCategory[]): FeedCategory[] {
  return categories.map((category) => ({
    ...category,
    ...(category.categories ? { categories: withFoodFacts(category.categories) } : {}),
    ...(category.products ? { products: category.products.map(stated) } : {}),
  }));
}

function stated<Entry extends Pick<FeedProduct, 'name' | 'customizations'>>(entry: Entry): Entry {
  const food = BY_NAME.get(entry.name);
  const customizations = entry.customizations?.map(
    (choice): FeedCustomization => ({ ...choice, options: choice.options.map(stated) }),
  );
  return { ...entry, ...(food ? { food } : {}), ...(customizations ? { customizations } : {}) };
}
