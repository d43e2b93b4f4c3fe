import { conditionalPriceCents } from '../pricing/price-order.ts';
import { type FillBudget, fillBudget, fillGroup, isRequired } from './fill-group.ts';
import type { Customization, Option } from './product.ts';

/** A product's minimum price with its required choices, even if option prices depend on each other. */

/** Counts a product's options, nested ones included. */
export function countOptions(customizations: readonly Customization[]): number {
  let count = 0;
  for (const { options } of customizations) {
    count += options.length;
    for (const option of options) count += countOptions(option.customizations);
  }
  return count;
}

/** Options that are fixed before the search for the cheapest choice. */
type FixedOptions = {
  /**
   * Options that are certainly chosen, including parents of the current option, because conditional prices depend on
   * them.
   */
  chosenIds: Set<string>;
  /** Options that must be chosen in their customization, and options that must not. */
  neededIds: ReadonlySet<string>;
  excludedIds: ReadonlySet<string>;
  budget: FillBudget;
};

const NONE: ReadonlySet<string> = new Set();

/** Cents for one unit of an option with its cheapest required choices. */
function unitCents(option: Option, decided: FixedOptions): number {
  const { id, price, customizations } = option;
  const known = decided.chosenIds.has(id);
  decided.chosenIds.add(id);
  const ownCents = conditionalPriceCents(option, decided.chosenIds) ?? price;
  const nestedCents = choicesCents(customizations, decided);
  if (!known) decided.chosenIds.delete(id);
  return ownCents + nestedCents;
}

function customizationCents(customization: Customization, decided: FixedOptions): number {
  const { neededIds, excludedIds } = decided;
  const isOptional = !isRequired(customization);
  const options = customization.options.flatMap((option) => {
    const isNeeded = neededIds.has(option.id);
    // Optional choices are skipped, so a long list of toppings costs no time.
    if (!isNeeded && (isOptional || excludedIds.has(option.id))) return [];
    const cents = unitCents(option, decided);
    const from = Math.max(1, option.minQty);
    return [{ from, to: option.maxQty, usual: from, isNeeded, cost: (quantity: number) => quantity * cents }];
  });
  const filled = fillGroup(customization, options, decided.budget);
  if (!filled) return Number.POSITIVE_INFINITY;
  let cents = 0;
  for (const [at, quantity] of filled) cents += options[at]?.cost(quantity) ?? 0;
  return cents;
}

function choicesCents(customizations: readonly Customization[], decided: FixedOptions): number {
  let cents = 0;
  for (const customization of customizations) cents += customizationCents(customization, decided);
  return cents;
}

/**
 * Minimum cents added by one unit of this option with its cheapest required choices. Conditional prices depend on
 * `chosenIds` and parent options. Infinity if its required choices cannot be made.
 */
export function cheapestUnitCents(
  option: Option,
  chosenIds: ReadonlySet<string>,
  excludedIds: ReadonlySet<string>,
  budget: FillBudget,
): number {
  return unitCents(option, { chosenIds: new Set(chosenIds), neededIds: NONE, excludedIds, budget });
}

function cheapestChoicesCents(customizations: readonly Customization[]): number {
  const cases = decisiveCases(customizations) ?? [{ neededIds: NONE, excludedIds: NONE }];
  const budget = fillBudget();
  let least = Number.POSITIVE_INFINITY;
  for (const { neededIds, excludedIds } of cases) {
    const cents = choicesCents(customizations, { chosenIds: new Set(neededIds), neededIds, excludedIds, budget });
    least = Math.min(least, cents);
  }
  return least;
}

/**
 * The lowest price of one orderable unit: its price plus the cheapest required choices (docs/inventory.md#inventory).
 * Exact up to `MAX_PRICE_CASES` conditional cases. A product whose required choices cannot be made, or take more steps
 * than `fillBudget`, keeps its price. Capped at the largest safe integer.
 */
export function minPrice(priceCents: number, customizations: readonly Customization[]): number {
  const cents = cheapestChoicesCents(customizations);
  return Number.isFinite(cents) ? Math.min(priceCents + cents, Number.MAX_SAFE_INTEGER) : priceCents;
}

/** Maximum combinations of decisive options to search. */
export const MAX_PRICE_CASES = 256;

/** A combination: options that must be chosen, with their parents, and options that must not be. */
export type PriceCase = { neededIds: ReadonlySet<string>; excludedIds: ReadonlySet<string> };

type Home = { option: Option; customization: Customization; parentId: string | null };
type Homes = ReadonlyMap<string, Home>;

function collectHomes(
  customizations: readonly Customization[],
  parentId: string | null,
  homes: Map<string, Home>,
): Homes {
  for (const customization of customizations) {
    for (const option of customization.options) {
      homes.set(option.id, { option, customization, parentId });
      collectHomes(option.customizations, option.id, homes);
    }
  }
  return homes;
}

function withAncestors(id: string, homes: Homes): Home[] {
  const path: Home[] = [];
  for (let home = homes.get(id); home; home = home.parentId === null ? undefined : homes.get(home.parentId)) {
    path.push(home);
  }
  return path;
}

/**
 * Ids of options that conditional prices of possibly required options depend on. To choose one may require parent and
 * child options, so their conditions are decisive too.
 */
function decisiveIds(customizations: readonly Customization[], homes: () => Homes): Set<string> {
  const decisive = new Set<string>();
  const met = new Set<string>();
  const meet = (option: Option): void => {
    if (met.has(option.id)) return;
    met.add(option.id);
    for (const key of Object.keys(option.conditionalPrice)) {
      if (key === option.id || decisive.has(key) || !homes().has(key)) continue;
      decisive.add(key);
      for (const home of withAncestors(key, homes())) meet(home.option);
    }
    meetRequired(option.customizations);
  };
  const meetRequired = (required: readonly Customization[]): void => {
    for (const customization of required) {
      if (isRequired(customization)) customization.options.forEach(meet);
    }
  };
  meetRequired(customizations);
  return decisive;
}

/** Groups with up to one chosen option, such as sizes; every other decisive option is a group by itself. */
function exclusiveGroups(decisive: ReadonlySet<string>, homes: Homes): string[][] {
  const groups = new Map<string, string[]>();
  for (const id of decisive) {
    const customization = homes.get(id)?.customization;
    const name = customization?.maxChoiceOptions === 1 ? `one of ${customization.id}` : `option ${id}`;
    groups.set(name, [...(groups.get(name) ?? []), id]);
  }
  return [...groups.values()];
}

/**
 * All combinations of options that decide conditional prices of required choices. Undefined if no price depends on
 * another option, or if there are more than `MAX_PRICE_CASES`.
 */
export function decisiveCases(customizations: readonly Customization[]): PriceCase[] | undefined {
  let found: Homes | undefined;
  const homes = (): Homes => {
    found ??= collectHomes(customizations, null, new Map());
    return found;
  };
  const decisive = decisiveIds(customizations, homes);
  if (decisive.size === 0) return undefined;
  const groups = exclusiveGroups(decisive, homes());
  if (groups.reduce((cases, group) => cases * (group.length + 1), 1) > MAX_PRICE_CASES) return undefined;
  let combinations: string[][] = [[]];
  for (const group of groups) {
    combinations = combinations.flatMap((chosen) => [chosen, ...group.map((id) => [...chosen, id])]);
  }
  return combinations
    .map((chosen) => ({
      neededIds: new Set(chosen.flatMap((id) => withAncestors(id, homes()).map(({ option }) => option.id))),
      excludedIds: new Set([...decisive].filter((id) => !chosen.includes(id))),
    }))
    .filter(({ neededIds, excludedIds }) => neededIds.isDisjointFrom(excludedIds));
}
