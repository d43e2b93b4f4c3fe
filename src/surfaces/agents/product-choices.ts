import { present } from 'doorstep/collections';
import { formatPrice } from '../../platform/lib/money.ts';
import type { Food } from '../../supply/catalog/food.ts';
import type { WeighedMembers } from '../../supply/catalog/present-weight.ts';
import type { Customization, Option } from '../../supply/catalog/product.ts';
import { clip, MAX_NAME, money, takeFitting } from './tool.ts';

/** Maximum bytes of options per entry; a longer list takes several entries. */
const MAX_OPTIONS_BYTES = 2 * 1024;
/** Maximum conditional prices listed per option; an option with more is only marked as varying in price. */
const MAX_CONDITIONAL_PRICES = 5;

/** A modifier group of a product in a response. Nested groups follow their parent. */
export type ShownChoice = {
  customization_id: string;
  name: string;
  choose_at_least: number;
  choose_at_most: number;
  /** Limits of the quantities added up, where the group has them. */
  units_at_least?: number;
  units_at_most?: number;
  /** Set if the choice exists only when this option is chosen too. */
  only_with_option_id?: string;
  options: ShownOption[];
};

type ShownOption = { option_id: string; name: string } & Readonly<Record<string, unknown>>;

/** Lists all choices of a product as one list, depth first. A long list of options is split into several entries. */
export function listChoices(customizations: readonly Customization[], parent?: Option): ShownChoice[] {
  return customizations.flatMap((customization) => [
    ...choiceEntries(customization, parent),
    ...customization.options.flatMap((option) => listChoices(option.customizations, option)),
  ]);
}

/** Returns the entries of one modifier group, split if it has many options. */
export function choiceEntries(customization: Customization, parent?: Option): ShownChoice[] {
  const { id, name, minChoiceOptions, maxChoiceOptions, minTotalUnits, maxTotalUnits, options } = customization;
  const head = {
    customization_id: id,
    name: clip(name, MAX_NAME),
    choose_at_least: minChoiceOptions,
    choose_at_most: maxChoiceOptions,
    ...present({ units_at_least: minTotalUnits, units_at_most: maxTotalUnits, only_with_option_id: parent?.id }),
  };
  return chunked(options.map(showOption)).map((chunk) => ({ ...head, options: chunk }));
}

/** Finds the choice with an id, and its parent option; undefined if there is none. */
export function findChoice(
  customizations: readonly Customization[],
  id: string,
  parent?: Option,
): { customization: Customization; parent: Option | undefined } | undefined {
  for (const customization of customizations) {
    if (customization.id === id) return { customization, parent };
    for (const option of customization.options) {
      const found = findChoice(option.customizations, id, option);
      if (found) return found;
    }
  }
  return undefined;
}

/** Shows the prices and the order steps of items sold by weight. */
export function showWeight({ weight, formatted_unit_price, estimated_piece_price }: WeighedMembers) {
  if (!weight) return {};
  const { unit, step, min, max, piece_weight } = weight;
  return {
    ...present({ unit_price: formatted_unit_price }),
    quantities: `${min} to ${max} ${unit}, in steps of ${step}`,
    ...(piece_weight === undefined || estimated_piece_price === undefined
      ? {}
      : { one_piece: `about ${piece_weight} ${unit}, ${formatPrice(estimated_piece_price)}` }),
  };
}

function showOption(option: Option): ShownOption {
  const { id, name, price, minQty, maxQty, defaultQty, conditionalPrice, customizations, food } = option;
  const prices = Object.entries(conditionalPrice ?? {});
  return {
    option_id: id,
    name: clip(name, MAX_NAME),
    ...money('price', price),
    ...(maxQty > 1 ? { quantity_from: Math.max(1, minQty), quantity_to: maxQty } : {}),
    ...(defaultQty > 0 ? { default: true } : {}),
    ...(prices.length === 0 ? {} : pricesBeside(prices)),
    ...(customizations.length > 0 ? { has_choices: true } : {}),
    ...showFood(food),
  };
}

function pricesBeside(prices: readonly (readonly [string, number])[]) {
  if (prices.length > MAX_CONDITIONAL_PRICES) return { price_varies: 'with other chosen options: quote_order tells' };
  return { price_cents_with_option: Object.fromEntries(prices) };
}

function chunked(options: readonly ShownOption[]): ShownOption[][] {
  const chunk = takeFitting(options, MAX_OPTIONS_BYTES);
  const rest = options.slice(chunk.length);
  return rest.length === 0 ? [chunk] : [chunk, ...chunked(rest)];
}

/** Shows known calories, allergens, traces and diets of a food; unknown ones are absent. */
export function showFood(food: Food | null | undefined) {
  if (!food) return {};
  const { allergens, mayContain, diets, nutrition } = food;
  return {
    ...(nutrition && nutrition.calories !== null ? { calories: nutrition.calories } : {}),
    ...(allergens ? { allergens: [...allergens] } : {}),
    ...(mayContain ? { may_contain: [...mayContain] } : {}),
    ...(diets ? { diets: [...diets] } : {}),
  };
}
