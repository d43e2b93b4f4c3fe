import { ALLERGENS, type Allergen, DIETS, type Diet, NUTRIENT_PROPERTIES } from '../catalog/food.ts';

/** Food facts of another format, in its own words; an absent property is an empty text. */
export type SourceFood = {
  /** The format's name. */
  source: string;
  diets: readonly string[];
  allergens: readonly string[];
  /** Reads a property of the nutrition facts; null if there are none. */
  nutrition: ((property: string) => string) | null;
};

/** A line's `food` for a product or option; `lost` lists unreadable properties and the expected form. */
export type ReadFood = { food?: object; lost: readonly { property: string; expected: string }[] };

/** Amounts that labels state in milligrams, so that without a unit they are ambiguous. */
const UNIT_REQUIRED: ReadonlySet<string> = new Set(['cholesterol', 'sodium']);

const GRAMS: Readonly<Record<string, number>> = {
  g: 1,
  gram: 1,
  grams: 1,
  mg: 1000,
  milligram: 1000,
  milligrams: 1000,
};
const KILOCALORIES: Readonly<Record<string, number>> = {
  '': 1,
  cal: 1,
  cals: 1,
  calorie: 1,
  calories: 1,
  kcal: 1,
  kilocalories: 1,
  kj: 4.184,
};
/** Serving sizes that mean the whole unit. Amounts for other servings do not apply to the unit. */
const WHOLE_UNIT = /^(?:1|one|whole|per)?\s*(?:unit|item|each|dish|order|portion)?$/i;
const AMOUNT = /^(\d{1,6}|\d{1,3},\d{3})(?:\.(\d{1,6}))?\s*([a-z]*)\.?$/i;

/** Diets of other vocabularies that have no equivalent here. */
const OTHER_DIETS: ReadonlySet<string> = new Set(
  'diabetic hindu lowcalorie lowfat lowlactose lowsalt organic'.split(' '),
);
/** Allergens of other vocabularies. A group means every allergen in it. */
const OTHER_ALLERGENS: Readonly<Record<string, readonly Allergen[]>> = {
  dairy: ['milk'],
  egg: ['eggs'],
  shellfish: ['crustaceans', 'molluscs'],
  crustacean: ['crustaceans'],
  crustaceanshellfish: ['crustaceans'],
  mollusc: ['molluscs'],
  mollusk: ['molluscs'],
  mollusks: ['molluscs'],
  nuts: ['tree_nuts', 'peanuts'],
  treenut: ['tree_nuts'],
  peanut: ['peanuts'],
  gluten: ['wheat'],
  soy: ['soybeans'],
  soya: ['soybeans'],
  soybean: ['soybeans'],
  sesameseeds: ['sesame'],
  sulfites: ['sulphites'],
  sulphurdioxide: ['sulphites'],
  celery: [],
  lupin: [],
};

/**
 * Parses food facts without guessing: no resulting list is empty, and a list with an unreadable allergen is dropped as
 * a whole.
 */
export function readSourceFood({ source, diets, allergens, nutrition }: SourceFood): ReadFood {
  const lost: { property: string; expected: string }[] = [];
  const lose = (property: string, expected: string) =>
    lost.push({ property, expected: `expected ${expected}; left out` });
  const food = {
    ...nonEmptyList('diets', readDiets(diets, lose)),
    ...nonEmptyList('allergens', readAllergens(allergens, lose)),
    ...(nutrition ? nonEmptyList('nutrition', readAmounts(nutrition, lose)) : {}),
  };
  return Object.keys(food).length === 0 ? { lost } : { food: { ...food, source }, lost };
}

type Lose = (property: string, expected: string) => void;

function nonEmptyList(key: string, found: readonly string[] | Record<string, number>): object {
  return Object.keys(found).length === 0 ? {} : { [key]: found };
}

/** Prefix of a vocabulary's terms. */
const ADDRESS = /^(?:https?:\/\/.*[/#]|schema:)/i;

/**
 * Normalizes `https://schema.org/GlutenFreeDiet`, `GLUTEN_FREE` and `Gluten free` to `glutenfree`. Only signs are
 * removed from other text, so that `no: vegan` does not become a diet.
 */
function plainWord(text: string): string {
  return text
    .trim()
    .replace(ADDRESS, '')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();
}

/** Splits a text with several allergens, such as `milk/eggs`. */
function splitNames(text: string): string[] {
  if (ADDRESS.test(text.trim())) return [text];
  return text.split(/[/,;&]/).filter((name) => name.trim() !== '');
}

function readDiets(texts: readonly string[], lose: Lose): Diet[] {
  return texts.flatMap((text) => {
    const word = plainWord(text).replace(/diet$/, '');
    const diet = DIETS.find((one) => plainWord(one) === word);
    if (diet === undefined && !OTHER_DIETS.has(word)) lose('diet', `one of ${DIETS.join(', ')}`);
    return diet ?? [];
  });
}

function readAllergens(texts: readonly string[], lose: Lose): Allergen[] {
  const found = texts.flatMap(splitNames).map((text) => {
    const word = plainWord(text);
    const allergen = ALLERGENS.find((one) => plainWord(one) === word);
    return allergen ? [allergen] : Object.hasOwn(OTHER_ALLERGENS, word) ? OTHER_ALLERGENS[word] : undefined;
  });
  if (!found.includes(undefined)) return found.flatMap((allergens) => allergens ?? []);
  lose('allergen', `only ${ALLERGENS.join(', ')}`);
  return [];
}

function readAmounts(findText: (property: string) => string, lose: Lose): Record<string, number> {
  if (!WHOLE_UNIT.test(findText('servingSize').trim())) {
    lose('nutrition.servingSize', 'the amounts of one unit, not of another serving');
    return {};
  }
  const found: Record<string, number> = {};
  const take = (name: string, property: string, units: Readonly<Record<string, number>>) => {
    const text = findText(property);
    const amount = parseAmount(text, units);
    if (amount !== undefined) found[name] = amount;
    else if (text !== '') lose(`nutrition.${property}`, 'one amount with its unit');
  };
  take('calories', 'calories', KILOCALORIES);
  for (const [name, property] of Object.entries(NUTRIENT_PROPERTIES)) {
    take(name, property, UNIT_REQUIRED.has(name) ? GRAMS : { ...GRAMS, '': 1 });
  }
  return found;
}

/**
 * Parses an amount such as `1,200 mg` into its unit; undefined for ranges, limits, unknown units and missing required
 * units.
 */
function parseAmount(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, whole = '', fraction = '0', unit = ''] = AMOUNT.exec(text.trim()) ?? [];
  const name = unit.toLowerCase();
  const divisor = Object.hasOwn(units, name) ? units[name] : undefined;
  if (whole === '' || divisor === undefined) return undefined;
  const amount = Number(`${whole.replace(',', '')}.${fraction}`) / divisor;
  return Number(amount.toFixed(6));
}
