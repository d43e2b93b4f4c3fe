import { cheapestOptionCents } from '../../catalog/min-price.ts';
import type { Customization, Option } from '../../catalog/product.ts';
import { chooseOptions, chosenById, type OptionChoice, type SelectedOption } from './choose-options.ts';

function filledIn(option: Option): SelectedOption {
  const quantity = Math.min(Math.max(1, option.minQty, option.defaultQty), option.maxQty);
  return { optionId: option.id, quantity };
}

/** Options to add to a customization; empty when it has enough options, or the menu has too few. */
function missingOptions(customization: Customization, chosenIds: ReadonlySet<string>): Option[] {
  const { options, minChoiceOptions, maxChoiceOptions } = customization;
  const missing = minChoiceOptions - options.filter(({ id }) => chosenIds.has(id)).length;
  if (missing <= 0 || minChoiceOptions > maxChoiceOptions) return [];
  const candidates = options
    .filter(({ id }) => !chosenIds.has(id))
    .map((option) => ({ option, cents: cheapestOptionCents(option, chosenIds) }))
    .filter(({ cents }) => Number.isFinite(cents));
  if (candidates.length < missing) return [];
  const defaults = candidates.filter(({ option }) => option.defaultQty > 0);
  const others = candidates.filter(({ option }) => option.defaultQty <= 0).sort((a, b) => a.cents - b.cents);
  return [...defaults, ...others].slice(0, missing).map(({ option }) => option);
}

function fill(customizations: readonly Customization[], chosenIds: Set<string>, filled: SelectedOption[]): void {
  for (const customization of customizations) {
    for (const option of missingOptions(customization, chosenIds)) {
      chosenIds.add(option.id);
      filled.push(filledIn(option));
    }
    for (const option of customization.options) {
      if (chosenIds.has(option.id)) fill(option.customizations, chosenIds, filled);
    }
  }
}

/**
 * `chooseOptions` with missing options filled in. A reached customization with too few options gets its defaults as
 * listed, then the cheapest options (ties as listed), up to its minimum; so do the customizations of added options. The
 * customer's own options stay, and only required options are added. A selection whose only faults are missing options
 * becomes valid whenever the menu allows a valid choice that contains it.
 */
export function autofillOptions(
  customizations: readonly Customization[],
  selected: readonly SelectedOption[],
): OptionChoice {
  const filled: SelectedOption[] = [];
  fill(customizations, new Set(chosenById(selected).keys()), filled);
  return chooseOptions(customizations, [...selected, ...filled]);
}
