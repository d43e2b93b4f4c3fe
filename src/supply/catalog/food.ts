/**
 * Allergens that must be declared in the US (21 U.S.C. 321(qq)) or in Canada (Food and Drug Regulations, B.01.010.1).
 */
export const ALLERGENS = [
  'milk',
  'eggs',
  'fish',
  'crustaceans',
  'tree_nuts',
  'peanuts',
  'wheat',
  'soybeans',
  'sesame',
  'mustard',
  'molluscs',
  'sulphites',
] as const;
export type Allergen = (typeof ALLERGENS)[number];

export const DIETS = ['vegan', 'vegetarian', 'gluten_free', 'halal', 'kosher'] as const;
export type Diet = (typeof DIETS)[number];

/** Nutrients by weight on US (21 CFR 101.9) and Canadian labels. */
export const NUTRIENTS = [
  'fat',
  'saturated_fat',
  'trans_fat',
  'cholesterol',
  'sodium',
  'carbohydrates',
  'fiber',
  'sugars',
  'added_sugars',
  'protein',
] as const;
export type Nutrient = (typeof NUTRIENTS)[number];

/** Properties of schema.org's NutritionInformation, which other formats use too; `added_sugars` has none. */
export const NUTRIENT_PROPERTIES: Readonly<Record<Exclude<Nutrient, 'added_sugars'>, string>> = {
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

/**
 * Nutrition per unit as sold: kilocalories, and grams of each nutrient, sodium and cholesterol included. Null means
 * unknown.
 */
export type Nutrition = Readonly<Record<'calories' | Nutrient, number | null>>;

/**
 * Food facts of a product with its default options, or of an option. Null means unknown; an empty list means none.
 * Lists are in the order of `ALLERGENS` and `DIETS`.
 */
export type Food = {
  allergens: readonly Allergen[] | null;
  /** Allergens that it may contain traces of. */
  mayContain: readonly Allergen[] | null;
  diets: readonly Diet[] | null;
  nutrition: Nutrition | null;
  /** The source of all these facts. */
  source: string | null;
};

/**
 * Allergens that each diet excludes. Wheat is not among gluten-free's, because its gluten can be removed (21 CFR
 * 101.91).
 */
const EXCLUDED_ALLERGENS: Readonly<Record<Diet, readonly Allergen[]>> = {
  vegan: ['milk', 'eggs', 'fish', 'crustaceans', 'molluscs'],
  vegetarian: ['fish', 'crustaceans', 'molluscs'],
  gluten_free: [],
  halal: [],
  kosher: ['crustaceans', 'molluscs'],
};

/** The diets that the stated allergens contradict. */
export function contradictedDiets(diets: readonly Diet[], allergens: readonly Allergen[]): Diet[] {
  return diets.filter((diet) => EXCLUDED_ALLERGENS[diet].some((allergen) => allergens.includes(allergen)));
}

/** Required food claims: a product has all of these diets, and none of these allergens, including traces. */
export type FoodNeeds = { diets: readonly Diet[]; without: readonly Allergen[] };

export const NO_CLAIMS = 0;

/**
 * Stated food facts as bits: diets, then absent allergens. An allergen counts as absent only if `allergens` and
 * `mayContain` are both known and do not include it.
 */
export function foodClaims(food: Food | null): number {
  if (food === null) return NO_CLAIMS;
  const { allergens, mayContain, diets } = food;
  const named = allergens === null || mayContain === null ? ALLERGENS : [...allergens, ...mayContain];
  return claimsOf({ diets: diets ?? [], without: ALLERGENS.filter((allergen) => !named.includes(allergen)) });
}

export function claimsOf({ diets, without }: FoodNeeds): number {
  const bits = [
    ...diets.map((diet) => 1 << DIETS.indexOf(diet)),
    ...without.map((allergen) => 1 << (DIETS.length + ALLERGENS.indexOf(allergen))),
  ];
  return bits.reduce((all, bit) => all | bit, NO_CLAIMS);
}

/** Whether a food states all of these claims. */
export function hasClaims(stated: number, claims: number): boolean {
  return (stated & claims) === claims;
}
