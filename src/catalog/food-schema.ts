import { type TSchema, Type } from 'typebox';
import { named } from '../http/api-components.ts';
import { ALLERGENS, DIETS } from './food.ts';

const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });
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

/** One shape for products and options, in the feed and in answers. */
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
