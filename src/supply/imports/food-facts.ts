import { ALLERGENS, type Allergen, DIETS, type Diet } from '../catalog/food.ts';

/** What another format states of a food, in its own words; empty text for a property that it lacks. */
export type SourceFood = {
  /** The name of the format. */
  source: string;
  diets: readonly string[];
  allergens: readonly string[];
  /** Null where it states no nutrition. */
  nutrition: ((property: string) => string) | null;
};

/** The `food` of a product or option of a line; `lost` names the properties that could not be read, with what was expected. */
export type ReadFood = { food?: object; lost: readonly { property: string; expected: string }[] };

/** The properties of schema.org's NutritionInformation, of which other formats use the same. */
const MASSES: Readonly<Record<string, string>> = {
  fat: 'fatContent',
  saturated_fat: 'saturatedFatContent',
  trans_fat: 'transFatContent',
  cholesterol: 'cholesterolContent',
  sodium: 'sodiumContent',
  carbohydrates: 'carbohydrateContent',
  fiber: 'fiberContent',
  sugars: 'sugarContent',
  protein: 'proteinContent',
};
/** Labels have them in milligrams: without a unit they may be either. */
const NEED_UNIT: ReadonlySet<string> = new Set(['cholesterol', 'sodium']);

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
/** The size of a serving that is the whole unit; amounts of any other serving are not those of the unit. */
const WHOLE = /^(?:1|one|whole|per)?\s*(?:unit|item|each|dish|order|portion)?$/i;
const AMOUNT = /^(\d{1,6}|\d{1,3},\d{3})(?:\.(\d{1,6}))?\s*([a-z]*)\.?$/i;

/** Diets of other vocabularies that this service has no word for. */
const OTHER_DIETS: ReadonlySet<string> = new Set(
  'diabetic hindu lowcalorie lowfat lowlactose lowsalt organic'.split(' '),
);
/** Words of other vocabularies. A group of allergens stands for every allergen in it. */
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

/** Unknown stays unknown: no list of a result is empty, and a list with an unreadable allergen is left out whole. */
export function readSourceFood({ source, diets, allergens, nutrition }: SourceFood): ReadFood {
  const lost: { property: string; expected: string }[] = [];
  const lose = (property: string, expected: string) =>
    lost.push({ property, expected: `expected ${expected}; left out` });
  const food = {
    ...listed('diets', dietsIn(diets, lose)),
    ...listed('allergens', allergensIn(allergens, lose)),
    ...(nutrition ? listed('nutrition', amountsIn(nutrition, lose)) : {}),
  };
  return Object.keys(food).length === 0 ? { lost } : { food: { ...food, source }, lost };
}

type Lose = (property: string, expected: string) => void;

function listed(key: string, found: readonly string[] | Record<string, number>): object {
  return Object.keys(found).length === 0 ? {} : { [key]: found };
}

/** The part of an address of a vocabulary before its word. */
const ADDRESS = /^(?:https?:\/\/.*[/#]|schema:)/i;

/**
 * `https://schema.org/GlutenFreeDiet`, `GLUTEN_FREE` and `Gluten free` as `glutenfree`. Of any other text nothing is left
 * out but signs: `no: vegan` is no word for a diet.
 */
function plainWord(text: string): string {
  return text
    .trim()
    .replace(ADDRESS, '')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();
}

/** A text may name several allergens: `milk/eggs`. */
function namesIn(text: string): string[] {
  if (ADDRESS.test(text.trim())) return [text];
  return text.split(/[/,;&]/).filter((name) => name.trim() !== '');
}

function dietsIn(texts: readonly string[], lose: Lose): Diet[] {
  return texts.flatMap((text) => {
    const word = plainWord(text).replace(/diet$/, '');
    const diet = DIETS.find((one) => plainWord(one) === word);
    if (diet === undefined && !OTHER_DIETS.has(word)) lose('diet', `one of ${DIETS.join(', ')}`);
    return diet ?? [];
  });
}

function allergensIn(texts: readonly string[], lose: Lose): Allergen[] {
  const found = texts.flatMap(namesIn).map((text) => {
    const word = plainWord(text);
    const allergen = ALLERGENS.find((one) => plainWord(one) === word);
    return allergen ? [allergen] : Object.hasOwn(OTHER_ALLERGENS, word) ? OTHER_ALLERGENS[word] : undefined;
  });
  if (!found.includes(undefined)) return found.flatMap((allergens) => allergens ?? []);
  lose('allergen', `only ${ALLERGENS.join(', ')}`);
  return [];
}

function amountsIn(findText: (property: string) => string, lose: Lose): Record<string, number> {
  if (!WHOLE.test(findText('servingSize').trim())) {
    lose('nutrition.servingSize', 'the amounts of one unit, not of another serving');
    return {};
  }
  const found: Record<string, number> = {};
  const take = (name: string, property: string, units: Readonly<Record<string, number>>) => {
    const text = findText(property);
    const amount = amountIn(text, units);
    if (amount !== undefined) found[name] = amount;
    else if (text !== '') lose(`nutrition.${property}`, 'one amount with its unit');
  };
  take('calories', 'calories', KILOCALORIES);
  for (const [name, property] of Object.entries(MASSES)) {
    take(name, property, NEED_UNIT.has(name) ? GRAMS : { ...GRAMS, '': 1 });
  }
  return found;
}

/** `1,200 mg` by its unit; undefined for a range, a bound, an unknown unit and a missing unit that is needed. */
function amountIn(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, whole = '', fraction = '0', unit = ''] = AMOUNT.exec(text.trim()) ?? [];
  const name = unit.toLowerCase();
  const divisor = Object.hasOwn(units, name) ? units[name] : undefined;
  if (whole === '' || divisor === undefined) return undefined;
  const amount = Number(`${whole.replace(',', '')}.${fraction}`) / divisor;
  return Number(amount.toFixed(6));
}
