import { hash } from 'node:crypto';
import { type Food, NUTRIENTS } from './food.ts';
import { countOptions, minPrice } from './min-price.ts';
import { MAX_INLINE_OPTIONS } from './present-menu.ts';
import type { Customization, Option } from './product.ts';

/** Maximum of the column, a 32-bit integer; no order can cost more. */
const MAX_EXTRA_CENTS = 2_000_000_000;

/** Columns of a product that derive from its shown customizations. */
export type ShownChoices = {
  optionCount: number;
  minExtra: number;
  /** The choices' part of the product's view in both modes; 0 without choices. */
  view: bigint;
};

/** Derives the columns. Equal views mean equal choices, in any order of JSON keys. */
export function shownChoices(customizations: readonly Customization[]): ShownChoices {
  const optionCount = countOptions(customizations);
  const minExtra = Math.min(minPrice(0, customizations), MAX_EXTRA_CENTS);
  if (customizations.length === 0) return { optionCount, minExtra, view: 0n };
  const inlined = optionCount <= MAX_INLINE_OPTIONS ? customizations.map(customizationValues) : 'fetched apart';
  return { optionCount, minExtra, view: hash64(JSON.stringify([inlined, minExtra])) };
}

export function hash64(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigInt64BE(0);
}

/** The view of a product, its fields and its choices, as decimal text. */
export function joinViews(own: bigint, choices: bigint): string {
  return (own ^ choices).toString();
}

function customizationValues(customization: Customization): unknown[] {
  const { id, name, minChoiceOptions, maxChoiceOptions, minTotalUnits, maxTotalUnits, options } = customization;
  const limitsUnits = minTotalUnits !== undefined || maxTotalUnits !== undefined;
  const units = limitsUnits ? [[minTotalUnits ?? null, maxTotalUnits ?? null]] : [];
  return [id, name, minChoiceOptions, maxChoiceOptions, options.map(optionValues), ...units];
}

function optionValues(option: Option): unknown[] {
  const { id, name, price, defaultQty, minQty, maxQty, conditionalPrice, food, taxClass, customizations } = option;
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
    ...(taxClass ? [taxClass] : []),
  ];
}

/** The shown facts of a food, independent of the order of JSON keys; empty if nothing is known. */
export function foodValues(food: Food | null | undefined): unknown[] {
  if (!food) return [];
  const { allergens, mayContain, diets, nutrition, source } = food;
  const amounts = nutrition && [nutrition.calories, ...NUTRIENTS.map((nutrient) => nutrition[nutrient])];
  return [[allergens, mayContain, diets, amounts, source]];
}
