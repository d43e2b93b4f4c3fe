import { cheapestOptionCents } from '../../supply/catalog/min-price.ts';
import type { Customization, Option } from '../../supply/catalog/product.ts';
import type { ChosenCustomization, ChosenOption } from '../../supply/pricing/price-order.ts';

/** An option in the request. A missing quantity means 1; a quantity of 0 means not chosen. */
export type SelectedOption = {
  optionId: string;
  quantity?: number | undefined;
  markedPriceCents?: number | null | undefined;
};

/** A fault of a selection; `optionIds` are the faulty options, or empty if an option is missing. */
export type OptionFault = {
  kind:
    | 'unknown_option'
    | 'repeated_option'
    | 'unreached_option'
    | 'too_few_options'
    | 'too_many_options'
    | 'quantity_out_of_bounds';
  customizationId: string | null;
  optionIds: readonly string[];
  message: string;
};

export type OptionChoice = { chosen: readonly ChosenCustomization[] } | { faults: readonly OptionFault[] };

/** Returns the chosen options by id; of a repeated option, the first counts. */
export function chosenById(selected: readonly SelectedOption[]): Map<string, SelectedOption> {
  const chosen = new Map<string, SelectedOption>();
  for (const entry of selected) {
    if (entry.quantity !== 0 && !chosen.has(entry.optionId)) chosen.set(entry.optionId, entry);
  }
  return chosen;
}

function repetitions(selected: readonly SelectedOption[]): OptionFault[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { optionId, quantity } of selected) {
    if (quantity === 0) continue;
    if (seen.has(optionId)) repeated.add(optionId);
    seen.add(optionId);
  }
  return [...repeated].map((id) => ({
    kind: 'repeated_option',
    customizationId: null,
    optionIds: [id],
    message: `The option "${id}" is listed more than once.`,
  }));
}

function boundFaults(customization: Customization, chosen: readonly Option[]): OptionFault[] {
  const { id, name, minChoiceOptions: min, maxChoiceOptions: max } = customization;
  const count = chosen.length;
  const faults: OptionFault[] = [];
  const plural = (bound: number) => `${bound} chosen option${bound === 1 ? '' : 's'}, not ${count}`;
  if (count < min) {
    const message = `"${name}" needs at least ${plural(min)}.`;
    faults.push({ kind: 'too_few_options', customizationId: id, optionIds: [], message });
  }
  if (count > max) {
    const message = `"${name}" allows at most ${plural(max)}.`;
    const optionIds = chosen.map((option) => option.id);
    faults.push({ kind: 'too_many_options', customizationId: id, optionIds, message });
  }
  return faults;
}

function quantityFaults(customization: Customization, option: Option, quantity: number): OptionFault[] {
  const { minQty, maxQty, name, id } = option;
  if (Number.isInteger(quantity) && quantity >= minQty && quantity <= maxQty) return [];
  const least = Math.max(1, minQty);
  const message =
    maxQty < least
      ? `"${name}" cannot be chosen.`
      : `The quantity of "${name}" must be ${least === maxQty ? least : `from ${least} to ${maxQty}`}, not ${quantity}.`;
  return [{ kind: 'quantity_out_of_bounds', customizationId: customization.id, optionIds: [id], message }];
}

/** Result of the walk from the product's own customizations: ids of reachable options, and faults. */
type ReachableOptions = { ids: Set<string>; faults: OptionFault[] };

type Selection = ReadonlyMap<string, SelectedOption>;

function walkOption(
  customization: Customization,
  option: Option,
  selection: Selection,
  reached: ReachableOptions,
): ChosenOption {
  const { id, name, price, conditionalPrice, defaultQty } = option;
  const quantity = selection.get(id)?.quantity ?? 1;
  const markedPriceCents = selection.get(id)?.markedPriceCents ?? null;
  reached.ids.add(id);
  reached.faults.push(...quantityFaults(customization, option, quantity));
  const customizations = walkReached(option.customizations, selection, reached);
  return {
    id,
    name,
    priceCents: price,
    conditionalPrice,
    defaultQty,
    quantity,
    markedPriceCents,
    ...(option.taxClass ? { taxClass: option.taxClass } : {}),
    customizations,
  };
}

function walkReached(
  customizations: readonly Customization[],
  selection: Selection,
  reached: ReachableOptions,
): ChosenCustomization[] {
  const tree: ChosenCustomization[] = [];
  for (const customization of customizations) {
    const named = customization.options.filter((option) => selection.has(option.id));
    reached.faults.push(...boundFaults(customization, named));
    const options = named.map((option) => walkOption(customization, option, selection, reached));
    if (options.length > 0) tree.push({ id: customization.id, name: customization.name, options });
  }
  return tree;
}

/** Returns the faults of chosen options that the product has but the walk did not reach, in menu order. */
function unreachedFaults(
  customizations: readonly Customization[],
  unreachedIds: ReadonlySet<string>,
  parent?: Option,
): Map<string, OptionFault> {
  const faults = new Map<string, OptionFault>();
  for (const customization of customizations) {
    for (const option of customization.options) {
      if (parent && unreachedIds.has(option.id)) {
        const message = `"${option.name}" can only be chosen together with "${parent.name}".`;
        const found = { customizationId: customization.id, optionIds: [option.id], message };
        faults.set(option.id, { kind: 'unreached_option', ...found });
      }
      for (const [id, fault] of unreachedFaults(option.customizations, unreachedIds, option)) faults.set(id, fault);
    }
  }
  return faults;
}

function faultsOutsideOf(customizations: readonly Customization[], unreachedIds: ReadonlySet<string>): OptionFault[] {
  if (unreachedIds.size === 0) return [];
  const unreached = unreachedFaults(customizations, unreachedIds);
  const unknown = [...unreachedIds].filter((id) => !unreached.has(id));
  return [
    ...unreached.values(),
    ...unknown.map((id): OptionFault => {
      const message = `This product has no option "${id}".`;
      return { kind: 'unknown_option', customizationId: null, optionIds: [id], message };
    }),
  ];
}

/**
 * Returns the chosen options as a tree in menu order, or every fault of the selection (docs/inventory.md#options). A
 * nested customization applies once its parent option is chosen; quantity bounds apply to chosen options only. Ids are
 * unique within the product.
 */
export function chooseOptions(
  customizations: readonly Customization[],
  selected: readonly SelectedOption[],
): OptionChoice {
  const selection = chosenById(selected);
  const reached: ReachableOptions = { ids: new Set(), faults: repetitions(selected) };
  const chosen = walkReached(customizations, selection, reached);
  const unreachedIds = new Set([...selection.keys()].filter((id) => !reached.ids.has(id)));
  const faults = [...reached.faults, ...faultsOutsideOf(customizations, unreachedIds)];
  return faults.length === 0 ? { chosen } : { faults };
}

function defaultSelection(option: Option): SelectedOption {
  const quantity = Math.min(Math.max(1, option.minQty, option.defaultQty), option.maxQty);
  return { optionId: option.id, quantity };
}

/** Returns the options to add to a customization; empty if it has enough, or the menu has too few. */
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
      filled.push(defaultSelection(option));
    }
    for (const option of customization.options) {
      if (chosenIds.has(option.id)) fill(option.customizations, chosenIds, filled);
    }
  }
}

/**
 * Chooses as `chooseOptions` does, and fills in required options: the defaults as listed, then the cheapest (ties as
 * listed), up to each minimum. The customer's options stay. Any selection that is part of a valid choice becomes valid.
 */
export function autofillOptions(
  customizations: readonly Customization[],
  selected: readonly SelectedOption[],
): OptionChoice {
  const filled: SelectedOption[] = [];
  fill(customizations, new Set(chosenById(selected).keys()), filled);
  return chooseOptions(customizations, [...selected, ...filled]);
}
