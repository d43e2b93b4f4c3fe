import { conditionalPriceCents } from '../pricing/price-order.ts';
import type { Customization, Option } from './product.ts';

/** The minimum price of a product with its required choices, even if option prices depend on each other. */

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
};

const NONE: ReadonlySet<string> = new Set();

function optionCents(option: Option, decided: FixedOptions): number {
  const { id, price, minQty, maxQty, customizations } = option;
  const quantity = Math.max(1, minQty);
  if (maxQty < quantity) return Number.POSITIVE_INFINITY;
  const known = decided.chosenIds.has(id);
  decided.chosenIds.add(id);
  const unitCents = conditionalPriceCents(option, decided.chosenIds) ?? price;
  const nestedCents = choicesCents(customizations, decided);
  if (!known) decided.chosenIds.delete(id);
  return quantity * (unitCents + nestedCents);
}

function customizationCents(customization: Customization, decided: FixedOptions): number {
  const { minChoiceOptions, maxChoiceOptions, options } = customization;
  const needed = options.filter((option) => decided.neededIds.has(option.id));
  const missing = Math.max(0, minChoiceOptions - needed.length);
  if (needed.length + missing > maxChoiceOptions) return Number.POSITIVE_INFINITY;
  let cents = 0;
  for (const option of needed) cents += optionCents(option, decided);
  // Optional choices are skipped, so a long list of toppings costs no time.
  if (missing === 0) return cents;
  const others = options.filter(({ id }) => !decided.neededIds.has(id) && !decided.excludedIds.has(id));
  if (others.length < missing) return Number.POSITIVE_INFINITY;
  const costs = others.map((option) => optionCents(option, decided)).sort((a, b) => a - b);
  for (const cost of costs.slice(0, missing)) cents += cost;
  return cents;
}

function choicesCents(customizations: readonly Customization[], decided: FixedOptions): number {
  let cents = 0;
  for (const customization of customizations) cents += customizationCents(customization, decided);
  return cents;
}

/**
 * Minimum cents added by this option: its minimum quantity with its cheapest required choices. Conditional prices
 * depend on `chosenIds` and parent options. Infinity for an option that cannot be chosen.
 */
export function cheapestOptionCents(option: Option, chosenIds: ReadonlySet<string>): number {
  return optionCents(option, { chosenIds: new Set(chosenIds), neededIds: NONE, excludedIds: NONE });
}

function cheapestChoicesCents(customizations: readonly Customization[]): number {
  const cases = decisiveCases(customizations);
  if (!cases) return choicesCents(customizations, { chosenIds: new Set(), neededIds: NONE, excludedIds: NONE });
  let least = Number.POSITIVE_INFINITY;
  for (const { neededIds, excludedIds } of cases) {
    const cents = choicesCents(customizations, { chosenIds: new Set(neededIds), neededIds, excludedIds });
    least = Math.min(least, cents);
  }
  return least;
}

/**
 * The lowest price of one orderable unit: its price plus the cheapest required choices (docs/inventory.md#inventory).
 * Exact up to `MAX_PRICE_CASES` conditional cases. A product whose required choices cannot be made keeps its price.
 * Capped at the largest safe integer.
 */
export function minPrice(priceCents: number, customizations: readonly Customization[]): number {
  const cents = cheapestChoicesCents(customizations);
  return Number.isFinite(cents) ? Math.min(priceCents + cents, Number.MAX_SAFE_INTEGER) : priceCents;
}

/** Maximum combinations of decisive options to search. */
export const MAX_PRICE_CASES = 256;

/** A combination: options that must be chosen, with their parents, and options that must not be. */
type PriceCase = { neededIds: ReadonlySet<string>; excludedIds: ReadonlySet<string> };

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
    for (const { minChoiceOptions, options } of required) {
      if (minChoiceOptions > 0) options.forEach(meet);
    }
  };
  meetRequired(customizations);
  return decisive;
}

/** Groups of which at most one option is chosen, such as sizes; every other decisive option is a group by itself. */
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
function decisiveCases(customizations: readonly Customization[]): PriceCase[] | undefined {
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
