import type { Customization } from './product.ts';

/** The cheapest way to meet the limits of an option group, for a product's lowest price and for autofill. */

/** An option's possible units: `from` to `to`. `usual` is the cheapest quantity. */
export type FillOption = {
  from: number;
  to: number;
  usual: number;
  isNeeded: boolean;
  cost: (quantity: number) => number;
};

/** Limits of a group on both axes: different options, and units. */
export type GroupLimits = Omit<Customization, 'id' | 'name' | 'options'>;

/** Whether something must be chosen of a group. */
export function isRequired({ minChoiceOptions, minTotalUnits = 0 }: GroupLimits): boolean {
  return minChoiceOptions > 0 || minTotalUnits > 0;
}

/** Steps that are left for groups with limits on units, which are knapsacks; a product has so many in all. */
export type FillBudget = { steps: number };

/** Twelve doughnuts of forty kinds take 3,000 steps. A group that needs more than are left is not filled. */
export const fillBudget = (): FillBudget => ({ steps: 100_000 });

/**
 * Returns the cheapest quantities, by position, that meet the limits of a group; undefined if nothing does. Of equal
 * ones, those with the fewest options, then the first as listed.
 */
export function fillGroup(
  limits: GroupLimits,
  options: readonly FillOption[],
  budget: FillBudget,
): ReadonlyMap<number, number> | undefined {
  const countsUnits = limits.minTotalUnits !== undefined || limits.maxTotalUnits !== undefined;
  return countsUnits ? fillUnits(limits, options, budget) : fillChoices(limits, options);
}

const isChoosable = ({ from, to, usual, cost }: FillOption): boolean => from <= to && Number.isFinite(cost(usual));

function fillChoices({ minChoiceOptions, maxChoiceOptions }: GroupLimits, options: readonly FillOption[]) {
  const listed = [...options.entries()];
  const needed = listed.filter(([, { isNeeded }]) => isNeeded);
  const missing = Math.max(0, minChoiceOptions - needed.length);
  if (needed.length + missing > maxChoiceOptions) return undefined;
  if (!needed.every(([, option]) => isChoosable(option))) return undefined;
  const others = missing === 0 ? [] : listed.filter(([, option]) => !option.isNeeded && isChoosable(option));
  if (others.length < missing) return undefined;
  const cheapest = others
    .map(([at, option]) => ({ at, option, cost: option.cost(option.usual) }))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, missing);
  const picks = [...needed.map(([at, option]) => ({ at, option })), ...cheapest];
  return new Map(picks.map(({ at, option }) => [at, option.usual]));
}

/** A choice among the options so far; its quantities are a list from the last one back. */
type Mix = { cost: number; count: number; units: number; picks: Picks | undefined };
type Picks = { at: number; quantity: number; before: Picks | undefined };

function fillUnits(limits: GroupLimits, options: readonly FillOption[], budget: FillBudget) {
  const { minChoiceOptions, maxChoiceOptions, minTotalUnits = 0, maxTotalUnits = Number.POSITIVE_INFINITY } = limits;
  // An axis whose maximum cannot be exceeded is counted up to its minimum only.
  const countedOptions = options.length > maxChoiceOptions ? maxChoiceOptions : minChoiceOptions;
  const allUnits = options.reduce((sum, { to }) => sum + to, 0);
  const countedUnits = allUnits > maxTotalUnits ? maxTotalUnits : minTotalUnits;
  const keyOf = ({ count, units }: Mix) =>
    Math.min(count, countedOptions) * (countedUnits + 1) + Math.min(units, countedUnits);
  let mixes = new Map<number, Mix>([[0, { cost: 0, count: 0, units: 0, picks: undefined }]]);
  for (const [at, option] of options.entries()) {
    const next = new Map<number, Mix>(option.isNeeded ? [] : mixes);
    for (const mix of mixes.values()) {
      const useful = Math.max(option.usual, minTotalUnits - mix.units);
      const to = mix.count < maxChoiceOptions ? Math.min(option.to, maxTotalUnits - mix.units, useful) : 0;
      budget.steps -= 1 + Math.max(0, to - option.from);
      if (budget.steps < 0) return undefined;
      for (let quantity = option.from; quantity <= to; quantity += 1) {
        keepCheaper(next, keyOf, mixWith(mix, at, quantity, option.cost(quantity)));
      }
    }
    mixes = next;
  }
  const [filled] = [...mixes.values()]
    .filter(({ cost, count, units }) => Number.isFinite(cost) && count >= minChoiceOptions && units >= minTotalUnits)
    .sort(compareMixes);
  return filled && quantitiesOf(filled);
}

const mixWith = ({ cost, count, units, picks }: Mix, at: number, quantity: number, added: number): Mix => ({
  cost: cost + added,
  count: count + 1,
  units: units + quantity,
  picks: { at, quantity, before: picks },
});

const compareMixes = (a: Mix, b: Mix): number => a.cost - b.cost || a.count - b.count;

function keepCheaper(mixes: Map<number, Mix>, keyOf: (mix: Mix) => number, mix: Mix): void {
  const key = keyOf(mix);
  const known = mixes.get(key);
  if (!known || compareMixes(mix, known) < 0) mixes.set(key, mix);
}

function quantitiesOf({ picks }: Mix): ReadonlyMap<number, number> {
  const quantities = new Map<number, number>();
  for (let pick = picks; pick; pick = pick.before) quantities.set(pick.at, pick.quantity);
  return quantities;
}
