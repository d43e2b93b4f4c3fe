import type { Customization, Option, QuotedItem } from '../../clients/typescript/src/api-types.ts';

/*
 * A customer's choices for an item, and their price (docs/inventory.md#options). The service checks and prices
 * every order itself; these rules say the same while the customer is choosing.
 */

/** Quantities of the chosen options by `option_id`. Options below an unchosen one don't count. */
export type Choices = ReadonlyMap<string, number>;

/** A chosen option of a cart line, flat as the service takes it. */
export type ChosenOption = { optionId: string; quantity: number; name: string };

type Dish = { price: number; customizations: readonly Customization[] };

/** The choices before the customer's first one: the defaults, and options without an alternative. */
export function firstChoices(customizations: readonly Customization[]): Choices {
  const choices = new Map<string, number>();
  addFirst(customizations, choices);
  return choices;
}

function addFirst(customizations: readonly Customization[], choices: Map<string, number>): void {
  for (const customization of customizations) {
    const { options, min_choice_options: min, max_choice_options: max } = customization;
    const isForced = options.length === min;
    const first = options.filter(({ default_qty }) => isForced || default_qty > 0).slice(0, max);
    for (const option of first) {
      const quantity = clamp(option.default_qty, option);
      if (quantity > unitsLeft(customization, choices)) continue;
      choices.set(option.option_id, quantity);
      addFirst(option.customizations, choices);
    }
  }
}

const clamp = (quantity: number, { min_qty: min, max_qty: max }: Option) =>
  Math.min(Math.max(1, min, quantity), Math.max(1, max));

/** The choices after the customer has set an option of a customization to a quantity; 0 removes it. */
export function choose(customization: Customization, option: Option, quantity: number, choices: Choices): Choices {
  const { options, max_choice_options: max } = customization;
  const next = new Map(choices);
  if (quantity < Math.max(1, option.min_qty)) {
    next.delete(option.option_id);
    return next;
  }
  if (max === 1) for (const { option_id: id } of options) next.delete(id);
  const left = unitsLeft(customization, next) + (next.get(option.option_id) ?? 0);
  if (left < clamp(0, option)) return choices;
  if (!choices.has(option.option_id)) addFirst(option.customizations, next);
  next.set(option.option_id, clamp(Math.min(quantity, left), option));
  return next;
}

/** The chosen options that count, in the order of the menu. */
export function chosenOptions(customizations: readonly Customization[], choices: Choices): ChosenOption[] {
  return customizations.flatMap(({ options }) =>
    options.flatMap((option) => {
      const quantity = choices.get(option.option_id);
      if (quantity === undefined) return [];
      const own = { optionId: option.option_id, quantity, name: option.name };
      return [own, ...chosenOptions(option.customizations, choices)];
    }),
  );
}

/** How many different options of the customization are chosen. */
export const chosenCount = ({ options }: Customization, choices: Choices): number =>
  options.filter(({ option_id: id }) => choices.has(id)).length;

/** How many units of the customization are chosen: the quantities of its options. */
export const chosenUnits = ({ options }: Customization, choices: Choices): number =>
  options.reduce((sum, { option_id: id }) => sum + (choices.get(id) ?? 0), 0);

/** How many more units the customization allows. */
export const unitsLeft = (customization: Customization, choices: Choices): number =>
  (customization.max_total_units ?? Number.POSITIVE_INFINITY) - chosenUnits(customization, choices);

/** Whether something must be chosen of the customization. */
export const isRequired = ({ min_choice_options: min, min_total_units: units = 0 }: Customization): boolean =>
  min > 0 || units > 0;

/** Whether the limits of the customization are met on both axes: different options, and units. */
export function isMet(customization: Customization, choices: Choices): boolean {
  const { min_choice_options: min, max_choice_options: max, min_total_units: minUnits = 0 } = customization;
  const count = chosenCount(customization, choices);
  if (count < min || count > max) return false;
  return chosenUnits(customization, choices) >= minUnits && unitsLeft(customization, choices) >= 0;
}

/** Customizations in reach that have too few or too many options or units, in the order of the menu. */
export function unmet(customizations: readonly Customization[], choices: Choices): Customization[] {
  return customizations.flatMap((customization) => {
    const nested = customization.options
      .filter(({ option_id: id }) => choices.has(id))
      .flatMap((option) => unmet(option.customizations, choices));
    return isMet(customization, choices) ? nested : [customization, ...nested];
  });
}

/** Cents for one of an option: the highest of its conditional prices that apply, otherwise its own. */
export function optionCents({ price, conditional_price: conditional }: Option, choices: Choices): number {
  const applying = Object.entries(conditional).flatMap(([id, cents]) => (choices.has(id) ? [cents] : []));
  return applying.length > 0 ? Math.max(...applying) : price;
}

/** Cents for one of the item with its options. */
export function unitCents({ price, customizations }: Dish, choices: Choices): number {
  const reached = new Map(chosenOptions(customizations, choices).map(({ optionId, quantity }) => [optionId, quantity]));
  return price + optionsCents(customizations, reached);
}

function optionsCents(customizations: readonly Customization[], reached: Choices): number {
  const options = customizations.flatMap((customization) => customization.options);
  return options.reduce((sum, option) => {
    const quantity = reached.get(option.option_id) ?? 0;
    if (quantity === 0) return sum;
    return sum + quantity * (optionCents(option, reached) + optionsCents(option.customizations, reached));
  }, 0);
}

/** Cents for one of an item as the service has quoted it. */
export function quotedUnitCents({ base_price: base, customizations }: QuotedItem): number {
  return base + quotedOptionsCents(customizations);
}

function quotedOptionsCents(customizations: QuotedItem['customizations']): number {
  return customizations
    .flatMap(({ selected_options: options }) => options)
    .reduce(
      (sum, { price, quantity, customizations: nested }) => sum + quantity * (price + quotedOptionsCents(nested)),
      0,
    );
}
