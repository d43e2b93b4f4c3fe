import { conditionalPriceCents } from '../quotes/conditional-price.ts';
import { decisiveCases } from './price-cases.ts';
import type { Customization, Option } from './product.ts';

/** Options of a product, nested ones counted. */
export function countOptions(customizations: readonly Customization[]): number {
  let count = 0;
  for (const { options } of customizations) {
    count += options.length;
    for (const option of options) count += countOptions(option.customizations);
  }
  return count;
}

/** What is settled before the cheapest choice is looked for. */
type Settled = {
  /** Chosen for certain: conditional prices follow them. Grows and shrinks with the options on the way down. */
  chosenIds: Set<string>;
  /** Options that have to be chosen where they are met, and options that must not be. */
  neededIds: ReadonlySet<string>;
  excludedIds: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();

function optionCents(option: Option, settled: Settled): number {
  const { id, price, minQty, maxQty, customizations } = option;
  const quantity = Math.max(1, minQty);
  if (maxQty < quantity) return Number.POSITIVE_INFINITY;
  const known = settled.chosenIds.has(id);
  settled.chosenIds.add(id);
  const unitCents = conditionalPriceCents(option, settled.chosenIds) ?? price;
  const nestedCents = choicesCents(customizations, settled);
  if (!known) settled.chosenIds.delete(id);
  return quantity * (unitCents + nestedCents);
}

function customizationCents(customization: Customization, settled: Settled): number {
  const { minChoiceOptions, maxChoiceOptions, options } = customization;
  const needed = options.filter((option) => settled.neededIds.has(option.id));
  const missing = Math.max(0, minChoiceOptions - needed.length);
  if (needed.length + missing > maxChoiceOptions) return Number.POSITIVE_INFINITY;
  let cents = 0;
  for (const option of needed) cents += optionCents(option, settled);
  // Options that nobody has to choose are never walked: a large menu of optional toppings costs nothing here.
  if (missing === 0) return cents;
  const others = options.filter(({ id }) => !settled.neededIds.has(id) && !settled.excludedIds.has(id));
  if (others.length < missing) return Number.POSITIVE_INFINITY;
  const costs = others.map((option) => optionCents(option, settled)).sort((a, b) => a - b);
  for (const cost of costs.slice(0, missing)) cents += cost;
  return cents;
}

function choicesCents(customizations: readonly Customization[], settled: Settled): number {
  let cents = 0;
  for (const customization of customizations) cents += customizationCents(customization, settled);
  return cents;
}

/**
 * The least that choosing this option adds, in cents: as few of it as allowed, with the cheapest way to meet the
 * required choices it brings. Conditional prices follow what is given as chosen and what the option is nested in.
 * Infinity when it cannot be chosen at all.
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
 * The lowest price in cents that one unit of a product can have: its price and the cheapest way to meet the required
 * choices (docs/behaviour.md#inventory). Exact, conditional prices too, as long as they make few cases; in a product
 * with more than `MAX_PRICE_CASES`, a conditional price counts only where what the option is nested in brings it about.
 * A product whose required choices cannot be met keeps its price: it cannot be ordered anyway. So does the largest safe
 * integer stand for all beyond it.
 */
export function minPrice(priceCents: number, customizations: readonly Customization[]): number {
  const cents = cheapestChoicesCents(customizations);
  return Number.isFinite(cents) ? Math.min(priceCents + cents, Number.MAX_SAFE_INTEGER) : priceCents;
}
