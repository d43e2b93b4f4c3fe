import { hash } from 'node:crypto';
import { type Food, NUTRIENTS } from './food.ts';
import { countOptions, minPrice } from './min-price.ts';
import { MAX_INLINE_OPTIONS } from './present-menu.ts';
import type { Customization, Option } from './product.ts';

/** The column is a 32-bit integer; more than this no order could cost. */
const MAX_EXTRA_CENTS = 2_000_000_000;

/** The columns of a product that follow from the customizations that are shown. */
export type ShownChoices = {
  optionCount: number;
  minExtra: number;
  /** Part of the product's views in both modes: what an inventory shows of the choices. 0 without choices. */
  view: bigint;
};

/** What an inventory shows of these customizations; equal views are equal choices, whatever the sequence of JSON keys. */
export function shownChoices(customizations: readonly Customization[]): ShownChoices {
  const optionCount = countOptions(customizations);
  const minExtra = Math.min(minPrice(0, customizations), MAX_EXTRA_CENTS);
  if (customizations.length === 0) return { optionCount, minExtra, view: 0n };
  const inlined = optionCount <= MAX_INLINE_OPTIONS ? customizations.map(customizationValues) : 'fetched apart';
  return { optionCount, minExtra, view: hash64(JSON.stringify([inlined, minExtra])) };
}

/** A signed 64-bit number of a text, in the range of a bigint of PostgreSQL. */
export function hash64(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigInt64BE(0);
}

/** The view of a product as decimal text: its fields without choices, and its choices. */
export function joinViews(own: bigint, choices: bigint): string {
  return (own ^ choices).toString();
}

function customizationValues({ id, name, minChoiceOptions, maxChoiceOptions, options }: Customization): unknown[] {
  return [id, name, minChoiceOptions, maxChoiceOptions, options.map(optionValues)];
}

function optionValues(option: Option): unknown[] {
  const { id, name, price, defaultQty, minQty, maxQty, conditionalPrice, food, customizations } = option;
  const conditional = Object.entries(conditionalPrice).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    id,
    name,
    price,
    defaultQty,
    minQty,
    maxQty,
    conditional,
    customizations.map(customizationValues),
    ...foodValues(food),
  ];
}

/** What an answer shows of a food, whatever the sequence of JSON keys; nothing where nothing is known. */
export function foodValues(food: Food | null | undefined): unknown[] {
  if (!food) return [];
  const { allergens, mayContain, diets, nutrition, source } = food;
  const amounts = nutrition && [nutrition.calories, ...NUTRIENTS.map((nutrient) => nutrition[nutrient])];
  return [[allergens, mayContain, diets, amounts, source]];
}
