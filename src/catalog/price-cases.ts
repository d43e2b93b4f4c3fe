import type { Customization, Option } from './product.ts';

/** Combinations of decisive options that are searched for the lowest price. */
export const MAX_PRICE_CASES = 256;

/** One combination: the options that must be chosen, with the options above them, and the options that must not be. */
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
 * Ids of the options that conditional prices of possibly required options depend on. A chosen key may itself require
 * options, above it and below it, so the keys of these options are decisive as well.
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

/** Groups of which at most one option can be chosen, such as sizes; every other decisive option is its own group. */
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
 * Every combination of the options that decide a conditional price of a required choice: each combination decides all
 * such prices. Undefined where no price depends on another option, or with more than `MAX_PRICE_CASES` combinations.
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
