import type { ContinentStore } from './continent-stores.ts';
import { type Chance, chanceOf, pick, wholeBetween } from './seeded.ts';

const SECTIONS = ['Popular', 'Starters', 'Mains', 'Sides', 'Lunch', 'Desserts', 'Drinks', 'Specials'];
const MANNERS =
  'Grilled Crispy Spicy Smoked Roasted Classic House Loaded Garlic Honey Lemon Cajun BBQ Buffalo Fresh Sweet Hot Iced Double Jumbo Mini Vegan Jalapeño Rosé Flambé Sautéed'.split(
    ' ',
  );
const DISHES =
  'Chicken Burger,Cheeseburger,Margherita Pizza,Pepperoni Pizza,Caesar Salad,Fries,Onion Rings,Tacos,Burrito,Quesadilla,Pad Thai,Fried Rice,Spring Rolls,Phở Bò,Bánh Mì,Ramen,Sushi Roll,Salmon,Steak,Ribs,Wings,Club Sandwich,Wrap,Soup of the Day,Lasagne,Spaghetti,Penne alla Vodka,Gnocchi,Tiramisù,Crème Brûlée,Brownie,Cheesecake,Ice Cream,Espresso,Latte,Cappuccino,Lemonade,Iced Tea,Smoothie,Cola,Curry,Naan,Biryani,Samosa,Falafel,Hummus,Gyro,Shawarma,Poutine,Pancakes,Waffles,Omelette,Bagel,Croissant,Muffin,Nachos,Chili,Mac & Cheese,Meatballs,Dumplings'.split(
    ',',
  );
const WITH = [
  'cheddar',
  'bacon',
  'avocado',
  'mushrooms',
  'jalapeños',
  'basil',
  'feta',
  'peppers',
  'spinach',
  'mozzarella',
];

/** Invented words join three of these syllables, which yields thousands of rare words. */
const SYLLABLES =
  'ba be bo ca ci co da de di fa fe fi ga go gu ka ki la le lo ma mi mo na ni no pa po ra ri ro sa si so ta ti to va vi zu'.split(
    ' ',
  );

/** Dietary facts of food; most products have none. */
const FOOD = [
  { diets: ['vegan', 'vegetarian'], allergens: [], may_contain: [] },
  { diets: ['vegetarian'], allergens: ['milk'], may_contain: ['peanuts'] },
  { diets: ['halal'], allergens: ['wheat'], may_contain: [] },
  { allergens: ['milk', 'eggs', 'wheat'], may_contain: [] },
] as const;

/** A product as a feed has it (docs/feed-format.md#products). */
export type MenuProduct = {
  id: string;
  name: string;
  description: string;
  /** Cents. */
  price: number;
  image?: string;
  customizations?: object[];
  food?: (typeof FOOD)[number];
};
export type MenuSection = { id: string; name: string; products: MenuProduct[] };

/** The categories of a store's feed line: sections with their products. Every fourth product has modifiers. */
export function categoriesOf({ number, products }: Pick<ContinentStore, 'number' | 'products'>): MenuSection[] {
  const chance = chanceOf(number ^ 0x5eed);
  const perSection = Math.ceil(products / SECTIONS.length);
  return SECTIONS.map((name, section) => {
    const count = Math.min(perSection, products - section * perSection);
    const made = Array.from({ length: Math.max(0, count) }, (_, nth) => productOf(`${section}-${nth}`, chance));
    return { id: `s${section}`, name, products: made };
  }).filter(({ products: made }) => made.length > 0);
}

function productOf(id: string, chance: Chance): MenuProduct {
  const plain = `${pick(MANNERS, chance)} ${pick(DISHES, chance)}`;
  const name = chance() < 0.15 ? `${inventedWord(chance)} ${plain}` : plain;
  const extra = pick(WITH, chance);
  return {
    id,
    name: chance() < 0.4 ? `${name} with ${extra}` : name,
    description: chance() < 0.6 ? `${name}, made to order with ${extra} and ${pick(WITH, chance)}.` : '',
    price: 50 * wholeBetween(5, 60, chance),
    ...(chance() < 0.3 ? { image: `https://cdn.example/dishes/${wholeBetween(1, 5000, chance)}.jpg` } : {}),
    ...(chance() < 0.25 ? { customizations: [sizes()] } : {}),
    ...(chance() < 0.2 ? { food: pick(FOOD, chance) } : {}),
  };
}

function inventedWord(chance: Chance): string {
  const word = pick(SYLLABLES, chance) + pick(SYLLABLES, chance) + pick(SYLLABLES, chance);
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function sizes(): object {
  const options = ['Small', 'Medium', 'Large'].map((name, nth) => ({ id: `o${nth}`, name, price: nth * 150 }));
  return { id: 'size', name: 'Size', min_choice_options: 1, max_choice_options: 1, options };
}
