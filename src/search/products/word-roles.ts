import { singularOf } from 'doorstep/search-engine/text';
import { isMeasure, isStopWord, stemOf } from './product-words.ts';

/**
 * A word's role in a product name. The English head noun is last (chocolate milk is a milk), except after a plural
 * ("Potatoes Russet"). A noun before the head is a flavor. If later words are unknown, the category decides.
 */
export const ITSELF = 0;
/** The product is a variety of the named one: chocolate milk, canned milk. */
export const VARIANT = 1;
/** The product is made of the named one, or tastes of it: milk chocolate, potato chips, mac and cheese. */
export const INGREDIENT = 2;
/** The word is mentioned after a comma, a dash or "with": rice with milk. */
export const MENTION = 3;

/** Kind of a word that is in none of the lists below. */
export const OTHER = 0;
const STOP = 1;
export const BASIC = 2;
export const FORM = 3;
const PRESERVED = 4;
const PLAIN = 5;

/** Foods that are sold as such, and are also flavors and ingredients of others. */
const BASICS =
  'almond apple apricot asparagus avocado bacon banana barley bean beef beet berry blackberry blueberry broccoli butter ' +
  'cabbage cantaloupe caramel carrot cashew cauliflower celery cheese cherry chestnut chicken chickpea chocolate cinnamon cocoa ' +
  'coconut corn crab cranberry cream cucumber date duck egg eggplant fig fish fruit garlic ginger grape grapefruit ham ' +
  'hazelnut honey ice kale kiwi lamb lemon lentil lettuce lime lobster mango maple matcha meat melon milk mint mushroom ' +
  'mustard nut oat olive onion orange papaya pea peach peanut pear pecan pepper pepperoni pineapple pistachio plum ' +
  'pomegranate pork potato prawn pumpkin quinoa radish raisin raspberry rice salmon salt sausage seaweed sesame shrimp ' +
  'soy spinach squash strawberry sugar tofu tomato tuna turkey vanilla veal vegetable walnut watermelon wheat yogurt zucchini';

/** Dishes and goods that are named after an ingredient. */
const FORMS =
  'ale bagel baklava bar batter beer beverage biryani biscuit bisque bouillon bowl bread breading broth brownie bun ' +
  'burger burrito cake calzone candy casserole cereal chaat cheeseburger cheesecake chili chip chop chow chowder chutney ' +
  'cider cobbler cocktail coffee condiment conditioner cone cooky cracker creamer crepe crouton crumb crust curry custard ' +
  'detergent dinner dip donut doughnut dressing drink dumpling enchilada entree extract fettuccini filling flake flavoring ' +
  'food formula frosting fry fun gelatin glaze granola gravy gum gyro hamburger hummus icing jam jelly juice ketchup kulfi ' +
  'lasagna lassi latte lemonade linguini liquor litter loaf lotion macaroni margarine marinade mayonnaise meal mein melt ' +
  'milkshake mix momo mousse muffin naan noodle nugget oil omelet pakora pancake paratha pasta paste pastry pesto pickle ' +
  'pie pita pizza popcorn powder pretzel pudding puff puree quesadilla ramen ravioli relish roll salad salsa samosa ' +
  'sandwich sauce seasoning shake shampoo shell sherbet shortening slush smoothie snack soap soda sorbet soup spaghetti ' +
  'spray spread starch stew strudel stuffing sub substitute suey sushi sweetener syrup taco tart tea tempura toast topping ' +
  'tortilla treat udon vinegar waffle water wine wonton wrap yong young';

/** Preparations that make a different kind of product. */
const PRESERVES =
  'breaded brown canned condensed dehydrated dried dry evaporated fried frozen frzn imitation instant malted pickled powdered ' +
  'smoked sour stewed sweet sweetened';

/** Modifiers after a noun: cuts, colors, sizes. */
const PLAINS =
  'baby bag black bone boneless breast bulk chopped classic cut diced drum drumstick extra fat fillet filet free ' +
  'fresh gold golden green ground half homemade jumbo large lean leg light loin low medium mini natural nonfat only organic ' +
  'original part peeled plain premium raw red reduced regular ripe russet skim skinless sliced slice small special ' +
  'tender thigh unsalted unsweetened white whole wing yellow';

/** The words that have a kind of their own. */
export const ROLE_WORDS: readonly string[] = [BASICS, FORMS, PRESERVES, PLAINS].flatMap((words) => words.split(' '));

const KIND_OF: ReadonlyMap<string, number> = new Map(
  (
    [
      [PLAINS, PLAIN],
      [PRESERVES, PRESERVED],
      [BASICS, BASIC],
      [FORMS, FORM],
    ] as const
  ).flatMap(([words, kind]) => words.split(' ').map((word): [string, number] => [stemOf(word), kind])),
);

/** Categories that are too broad to name the product itself. */
const WIDE_CATEGORIES: ReadonlySet<string> = new Set('beverage condiment drink food meal snack treat'.split(' '));

/** A word prepared for the role rules, once per word of an index. */
export type NameWord = { stem: string; kind: number; isPlural: boolean };

export function nameWordOf(word: string): NameWord {
  const stem = stemOf(word);
  const kind = isStopWord(word) || isMeasure(word) ? STOP : (KIND_OF.get(stem) ?? OTHER);
  return { stem, kind, isPlural: stem === singularOf(word) && stem !== word };
}

/** Whether a query word is a flavor or ingredient; then flavored products rank like the product itself. */
export function namesFlavor(word: string): boolean {
  const { kind } = nameWordOf(word);
  return kind === BASIC || kind === FORM || kind === PRESERVED;
}

/**
 * A name prepared for the role rules. `end` is the number of words before the first comma, bracket, slash, dash or
 * preposition. `listEnd` ignores slashes ("Potato/Tortilla Chips" are chips). `andEnd` is the number of words before
 * the first "and".
 */
export type NamePhrase = { words: readonly NameWord[]; end: number; listEnd: number; andEnd: number };

/** A product's category: the stems that name its goods, and whether its goods are made of others (candy, cereals). */
export type NamedCategory = { stems: readonly string[]; isForm: boolean };

export const NO_CATEGORY: NamedCategory = { stems: [], isForm: false };

/** Returns the role of the word at a position of a product's name. */
export function roleOf(name: NamePhrase, at: number, category: NamedCategory): number {
  return at < name.end && isJoined(name, at) ? INGREDIENT : roleWithoutAnd(name, at, category);
}

function roleWithoutAnd(name: NamePhrase, at: number, category: NamedCategory): number {
  const own = name.words[at] as NameWord;
  if (at >= name.end) return MENTION;
  const follower = followerOf(name, at);
  if (follower === NEW_HEAD || followsPlural(name, at) || isAfterOf(name, at)) return INGREDIENT;
  if (follower === UNKNOWN && !own.isPlural && !category.stems.includes(own.stem)) {
    return category.isForm ? INGREDIENT : VARIANT;
  }
  return own.kind !== FORM && isFlavored(name, at) ? VARIANT : ITSELF;
}

/** Returns the role of a word in a category name. In a list of goods ("Soups & Salads"), no word names each product. */
export function roleInCategory(name: NamePhrase, at: number): number {
  const role = roleWithoutAnd(name, at, NO_CATEGORY);
  const isList = name.andEnd < name.words.length || name.words.filter(isNoun).length > 1;
  return isList ? Math.max(role, VARIANT) : role;
}

export function namedCategoryOf(name: NamePhrase): NamedCategory {
  const named = name.words.filter((_, at) => roleWithoutAnd(name, at, NO_CATEGORY) === ITSELF);
  const last = name.words.slice(0, name.end).findLast(({ kind }) => kind !== STOP);
  return { stems: named.map(({ stem }) => stem), isForm: last?.kind === FORM && !WIDE_CATEGORIES.has(last.stem) };
}

/** The part after a word: nothing that changes its role, an unknown word, or a noun that becomes the head. */
const NOTHING = 0;
const UNKNOWN = 1;
const NEW_HEAD = 2;

function followerOf({ words, end, listEnd }: NamePhrase, at: number): number {
  const own = words[at] as NameWord;
  let found = NOTHING;
  for (let next = at + 1; next < end; next += 1) {
    const { kind } = words[next] as NameWord;
    if (kind === FORM) return NEW_HEAD;
    // "Tomatoes Grape" and "Grape Tomatoes" are both tomatoes, but "Mango Chicken" is not a mango.
    if (kind === BASIC && !(own.isPlural && next === at + 1)) return NEW_HEAD;
    if (kind === OTHER) found = UNKNOWN;
  }
  if (own.kind !== BASIC) return found;
  for (let next = end; next < listEnd; next += 1) if ((words[next] as NameWord).kind === FORM) return NEW_HEAD;
  return found;
}

/**
 * Whether the word is right after "and", and another noun before it: both are in the product, and neither is it ("Mac
 * and Cheese", "Fish & Chips"). "Salt and Vinegar Chips" are chips, "Sweet and Sour Chicken" is chicken.
 */
function isJoined({ words, andEnd }: NamePhrase, at: number): boolean {
  if (!(at >= andEnd)) return false;
  const isBetween = words.slice(andEnd, at).every(({ kind, stem }) => kind === STOP || stem === 'n');
  return isBetween && words.slice(0, andEnd).some((word) => word.kind === OTHER || isNoun(word));
}

/** Whether a preceding plural names the product: "Tomatoes Grape", "Noodles Rice". */
function followsPlural({ words }: NamePhrase, at: number): boolean {
  const before = words[at - 1];
  return before !== undefined && isNoun(before) && before.isPlural && !(words[at] as NameWord).isPlural;
}

/** Whether a dish made of the word precedes "of": "Cream of Mushroom", but not "Side of Rice". */
function isAfterOf({ words }: NamePhrase, at: number): boolean {
  if ((words[at] as NameWord).kind === FORM) return false;
  for (let of = 1; of < at; of += 1) {
    if ((words[of] as NameWord).stem === 'of' && isNoun(words[of - 1])) return true;
  }
  return false;
}

function isFlavored({ words, end }: NamePhrase, at: number): boolean {
  for (let other = 0; other < words.length; other += 1) {
    const word = words[other] as NameWord;
    if (other < at && isNoun(word)) return true;
    // "Peas, Frozen" are frozen. In "Chicken with Fried Rice", only the rice is fried.
    if (word.kind === PRESERVED && (other < end || !isNoun(words[other + 1]))) return true;
  }
  return false;
}

const isNoun = (word: NameWord | undefined): boolean => word?.kind === BASIC || word?.kind === FORM;
