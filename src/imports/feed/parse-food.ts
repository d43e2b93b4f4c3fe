import {
  ALLERGENS,
  type Allergen,
  DIETS,
  type Diet,
  dietsRuledOut,
  type Food,
  NUTRIENTS,
  type Nutrition,
} from '../../catalog/food.ts';
import { cleanText } from '../../lib/clean-text.ts';
import {
  addFault,
  type FeedObject,
  faultAt,
  given,
  readList,
  readNumber,
  readObject,
  readText,
  warnAt,
} from './feed-fields.ts';
import { FEED_LIMITS } from './feed-limits.ts';

const FOOD_FIELDS: ReadonlySet<string> = new Set(['allergens', 'may_contain', 'diets', 'nutrition', 'source']);
const NUTRITION_FIELDS: ReadonlySet<string> = new Set(['calories', ...NUTRIENTS]);
const GRAMS = { min: 0, max: FEED_LIMITS.grams };

/** What an entry states of its food; null where it states nothing. An unknown field is a fault: a lost allergen harms. */
export function readFood(from: FeedObject): Food | null {
  if (given(from, 'food') === undefined) return null;
  const entry = readObject(from, 'food');
  if (!entry) return null;
  refuseOthers(entry, FOOD_FIELDS);
  const allergens = readWords(entry, 'allergens', ALLERGENS);
  const food: Food = {
    allergens,
    mayContain: readWords(entry, 'may_contain', ALLERGENS),
    diets: readDiets(entry, allergens ?? []),
    nutrition: readNutrition(entry),
    source: readText(entry, 'source', FEED_LIMITS.sourceCharacters) || null,
  };
  const { source: _, ...facts } = food;
  return Object.values(facts).every((fact) => fact === null) ? null : food;
}

/** The words of a list in the order of `words`, each once; null where the entry has no list. */
function readWords<Word extends string>(from: FeedObject, key: string, words: readonly Word[]): Word[] | null {
  if (given(from, key) === undefined) return null;
  const met = new Set<unknown>();
  for (const { value, path } of readList(from, key, FEED_LIMITS.foodWords)) {
    const word = words.find((one) => one === (typeof value === 'string' ? cleanText(value) : value));
    if (word === undefined) addFault(from.report, path, `expected one of ${words.join(', ')}`);
    else met.add(word);
  }
  return words.filter((word) => met.has(word));
}

/** A diet that the allergens rule out is left out: one of the two statements is wrong. */
function readDiets(from: FeedObject, allergens: readonly Allergen[]): Diet[] | null {
  const diets = readWords(from, 'diets', DIETS);
  const wrong = dietsRuledOut(diets ?? [], allergens);
  if (diets === null || wrong.length === 0) return diets;
  warnAt(from, 'diets', `expected no ${wrong.join(', ')} beside these allergens; left out`);
  const left = diets.filter((diet) => !wrong.includes(diet));
  return left.length === 0 ? null : left;
}

function readNutrition(from: FeedObject): Nutrition | null {
  const entry = readObject(from, 'nutrition');
  if (!entry) return null;
  refuseOthers(entry, NUTRITION_FIELDS);
  const grams = (key: string) => readNumber(entry, key, GRAMS) ?? null;
  const nutrition: Nutrition = {
    calories: readNumber(entry, 'calories', { min: 0, max: FEED_LIMITS.calories }) ?? null,
    fat: grams('fat'),
    saturated_fat: grams('saturated_fat'),
    trans_fat: grams('trans_fat'),
    cholesterol: grams('cholesterol'),
    sodium: grams('sodium'),
    carbohydrates: grams('carbohydrates'),
    fiber: grams('fiber'),
    sugars: grams('sugars'),
    added_sugars: grams('added_sugars'),
    protein: grams('protein'),
  };
  return Object.values(nutrition).every((amount) => amount === null) ? null : nutrition;
}

function refuseOthers(entry: FeedObject, known: ReadonlySet<string>): void {
  for (const key of Object.keys(entry.fields)) {
    if (!known.has(key)) faultAt(entry, key, `expected no field but ${[...known].join(', ')}`);
  }
}
