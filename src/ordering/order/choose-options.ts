import { type FillBudget, fillBudget, fillGroup } from '../../supply/catalog/fill-group.ts';
import { cheapestUnitCents, countOptions, decisiveCases, type PriceCase } from '../../supply/catalog/min-price.ts';
import type { Customization, Option } from '../../supply/catalog/product.ts';
import { type ChosenCustomization, priceUnit } from '../../supply/pricing/price-order.ts';

/** An option in the request. A missing quantity means 1; a quantity of 0 means not chosen. */
export type SelectedOption = {
  optionId: string;
  quantity?: number | undefined;
  markedPriceCents?: number | null | undefined;
};

/** An error of a selection; `optionIds` are the faulty options, or empty if an option is missing. */
export type OptionFault = {
  kind:
    | 'unknown_option'
    | 'repeated_option'
    | 'unreached_option'
    | 'too_few_options'
    | 'too_many_options'
    | 'too_few_units'
    | 'too_many_units'
    | 'quantity_out_of_bounds';
  customizationId: string | null;
  optionIds: readonly string[];
  message: string;
};

export type OptionChoice = { chosen: readonly ChosenCustomization[] } | { faults: readonly OptionFault[] };

/** Returns the chosen options by id. The first of a repeated option is used. */
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

/** Errors of both axes of a group; `options` are those chosen of it. */
function limitFaults(customization: Customization, options: readonly Option[], selection: Selection): OptionFault[] {
  const { minChoiceOptions, maxChoiceOptions, minTotalUnits, maxTotalUnits } = customization;
  const units = options.reduce((sum, { id }) => sum + quantityOf(id, selection), 0);
  const axes = [
    { axis: 'options', noun: 'chosen option', count: options.length, min: minChoiceOptions, max: maxChoiceOptions },
    { axis: 'units', noun: 'unit', count: units, min: minTotalUnits ?? units, max: maxTotalUnits ?? units },
  ] as const;
  const fault = (kind: OptionFault['kind'], optionIds: readonly string[], rule: string): OptionFault => ({
    kind,
    customizationId: customization.id,
    optionIds,
    message: `"${customization.name}" ${rule}.`,
  });
  const ids = options.map(({ id }) => id);
  return axes.flatMap(({ axis, noun, count, min, max }) => {
    const counted = (bound: number) => `${bound} ${noun}${bound === 1 ? '' : 's'}, not ${count}`;
    return [
      ...(count < min ? [fault(`too_few_${axis}`, [], `needs at least ${counted(min)}`)] : []),
      ...(count > max ? [fault(`too_many_${axis}`, ids, `allows at most ${counted(max)}`)] : []),
    ];
  });
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

/** Result of the walk from the product's own customizations: ids of reachable options, and errors. */
type ReachableOptions = { ids: Set<string>; faults: OptionFault[] };

type Selection = ReadonlyMap<string, SelectedOption>;

const quantityOf = (optionId: string, selection: Selection): number => selection.get(optionId)?.quantity ?? 1;

function walkOption(customization: Customization, option: Option, selection: Selection, reached: ReachableOptions) {
  const { id, name, price, conditionalPrice, defaultQty } = option;
  const quantity = quantityOf(id, selection);
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

function walkReached(customizations: readonly Customization[], selection: Selection, reached: ReachableOptions) {
  const tree: ChosenCustomization[] = [];
  for (const customization of customizations) {
    const named = customization.options.filter((option) => selection.has(option.id));
    reached.faults.push(...limitFaults(customization, named, selection));
    const options = named.map((option) => walkOption(customization, option, selection, reached));
    if (options.length > 0) tree.push({ id: customization.id, name: customization.name, options });
  }
  return tree;
}

/** Returns the errors of chosen options that the product has but the walk did not reach, in menu order. */
function unreachedFaults(customizations: readonly Customization[], unreachedIds: ReadonlySet<string>, parent?: Option) {
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
 * Returns the chosen options as a tree in menu order, or every error of the selection (docs/inventory.md#options). A
 * nested customization applies once its parent option is chosen; quantity limits apply to chosen options only. Ids are
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

/**
 * An option as a candidate of autofill, with its cost by quantity: a default is free in its own, others cost their
 * cents. Half a cent breaks ties.
 */
function fillOption(option: Option, chosen: Selection, { needed, excluded, budget }: FillCase, takesNeeded: boolean) {
  const { id, minQty, maxQty, defaultQty } = option;
  if (chosen.has(id)) {
    const given = quantityOf(id, chosen);
    return { from: given, to: given, usual: given, isNeeded: true, cost: () => 0 };
  }
  const from = Math.max(1, minQty);
  const usual = Math.min(Math.max(from, defaultQty), maxQty);
  const cents = excluded.has(id)
    ? Number.POSITIVE_INFINITY
    : cheapestUnitCents(option, new Set([...chosen.keys(), ...needed]), excluded, budget);
  const overUsual = (quantity: number) => (quantity < usual ? 0.5 * (usual - quantity) : (quantity - usual) * cents);
  const cost = defaultQty > 0 ? overUsual : (quantity: number) => 0.5 + quantity * cents;
  return { from, to: Number.isFinite(cents) ? maxQty : 0, usual, isNeeded: takesNeeded && needed.has(id), cost };
}

/** Options that are expected to be chosen, and options that are not to be added. */
type FillCase = { needed: ReadonlySet<string>; excluded: ReadonlySet<string>; budget: FillBudget };
const NONE: ReadonlySet<string> = new Set();

/** Adds missing options and their nested ones; nothing to a group that has enough, or that cannot be filled. */
function fill(customizations: readonly Customization[], chosen: Map<string, SelectedOption>, tried: FillCase): void {
  for (const customization of customizations) {
    const { options, minChoiceOptions, minTotalUnits } = customization;
    const named = options.filter(({ id }) => chosen.has(id));
    const isMet = limitFaults(customization, named, chosen).length === 0;
    const needed = options.filter(({ id }) => tried.needed.has(id) && !chosen.has(id)).length;
    const takesNeeded = minTotalUnits === undefined && named.length + needed <= minChoiceOptions;
    const candidates = isMet ? [] : options.map((option) => fillOption(option, chosen, tried, takesNeeded));
    const filled = isMet ? undefined : fillGroup(customization, candidates, tried.budget);
    for (const [at, quantity] of filled ?? []) {
      const id = options[at]?.id;
      if (id !== undefined && !chosen.has(id)) chosen.set(id, { optionId: id, quantity });
    }
    for (const option of options) {
      if (chosen.has(option.id)) fill(option.customizations, chosen, tried);
    }
  }
}

/**
 * Chooses as `chooseOptions` does, and fills in required options: the defaults as listed, then the cheapest (ties as
 * listed), up to each minimum. The customer's options stay. Any selection that is part of a valid choice becomes valid,
 * within `fillBudget`. Where prices depend on other options, the cheapest of all combinations of those is taken.
 */
export function autofillOptions(
  customizations: readonly Customization[],
  selected: readonly SelectedOption[],
): OptionChoice {
  const given = chosenById(selected);
  const filled = (tried: FillCase): OptionChoice => {
    const chosen = new Map(given);
    fill(customizations, chosen, tried);
    return chooseOptions(customizations, [...selected, ...[...chosen.values()].slice(given.size)]);
  };
  const first = filled({ needed: NONE, excluded: NONE, budget: fillBudget() });
  if ('faults' in first) return first;
  const budget = fillBudget();
  const others = fillCases(customizations).map(({ neededIds: needed, excludedIds: excluded }) =>
    filled({ needed, excluded, budget }),
  );
  return others.reduce<OptionChoice>((best, one) => (unitCentsOf(one) < unitCentsOf(best) ? one : best), first);
}

/** Maximum options times combinations, so that one item cannot take a node's time. */
const MAX_FILL_STEPS = 20_000;

/** The combinations of options that prices depend on; none where a default would be left out, because it comes first. */
function fillCases(customizations: readonly Customization[]): readonly PriceCase[] {
  const count = countOptions(customizations);
  if (count > MAX_FILL_STEPS / 2) return [];
  const cases = decisiveCases(customizations) ?? [];
  const defaults = new Set(defaultIds(customizations));
  return count * cases.length > MAX_FILL_STEPS
    ? []
    : cases.filter(({ excludedIds }) => defaults.isDisjointFrom(excludedIds));
}

function defaultIds(customizations: readonly Customization[]): string[] {
  return customizations.flatMap(({ options }) =>
    options.flatMap((option) => [...(option.defaultQty > 0 ? [option.id] : []), ...defaultIds(option.customizations)]),
  );
}

/** Cents that a choice adds to a product; infinite for none. */
function unitCentsOf(choice: OptionChoice): number {
  if ('faults' in choice) return Number.POSITIVE_INFINITY;
  const line = { priceCents: 0, quantity: 1, markedPriceCents: null, taxClass: 'general' } as const;
  return priceUnit({ ...line, customizations: choice.chosen }, false).unitCents;
}
