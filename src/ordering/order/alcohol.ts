import { readRegion } from '../../supply/stores/region.ts';
import type { Country } from '../../supply/stores/store.ts';
import { fulfilledItems } from './fulfilled-items.ts';
import type { Order } from './order.ts';

/** Alcohol is handed off only to a person whose ID was seen and who is old enough at the store's place. */

/** Provinces with a drinking age of 18. It is 19 in the rest of Canada and 21 in the US. */
const AGE_18: ReadonlySet<string | null> = new Set(['AB', 'MB', 'QC']);

export function minAgeAt(country: Country, state: string): number {
  if (country !== 'CA') return 21;
  return AGE_18.has(readRegion(state, country)) ? 18 : 19;
}

/** Whether anything alcoholic is handed off. */
export function needsIdCheck(order: Pick<Order, 'quote' | 'adjustments'>): boolean {
  return fulfilledItems(order).some(({ isAlcoholic, quantity }) => isAlcoholic && quantity > 0);
}

/** Returns the recipient's minimum age; null without alcohol. */
export function minAgeOf({ quote, adjustments }: Pick<Order, 'quote' | 'adjustments'>): number | null {
  return needsIdCheck({ quote, adjustments }) ? minAgeAt(quote.store.country, quote.store.state) : null;
}
