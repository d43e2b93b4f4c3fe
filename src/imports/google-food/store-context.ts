import { countryNamed } from '../../stores/country-name.ts';
import type { Country } from '../../stores/store.ts';
import { zoneOfSpot } from '../dated-specs.ts';
import type { SourceNotes } from '../source-notes.ts';
import { fieldOf, listOf, textOf } from './entity.ts';
import { GOOGLE_FOOD_LIMITS } from './limits.ts';
import type { GraphEntity, StoreGraph } from './store-graph.ts';

/** The state that the readers of one restaurant share. */
export type StoreContext = {
  graph: StoreGraph;
  notes: SourceNotes;
  country: Country;
  /** The store's own zone; UTC where its coordinate cannot be read, which rejects the store. */
  timeZone: string;
  /** Counts a position in the menus; false beyond the limit, which is reported once. */
  takePlace(entity: GraphEntity): boolean;
};

export function createStoreContext(graph: StoreGraph, notes: SourceNotes): StoreContext {
  const { restaurant } = graph;
  const country = countryNamed(textOf(fieldOf(restaurant.fields, 'addressCountry'))) ?? 'US';
  let places = 0;
  return {
    graph,
    notes,
    country,
    timeZone: zoneOfSpot(numberOf(restaurant, 'latitude'), numberOf(restaurant, 'longitude'), country),
    takePlace(entity) {
      places += 1;
      const full = GOOGLE_FOOD_LIMITS.positionsPerStore + 1;
      if (places === full) {
        notes.fault(
          entity.label,
          '',
          `expected at most ${GOOGLE_FOOD_LIMITS.positionsPerStore} places in a store's menus`,
        );
      }
      return places < full;
    },
  };
}

/** The first of several values, as text. */
export function firstText(entity: GraphEntity, key: string): string {
  return textOf(listOf(fieldOf(entity.fields, key))[0]);
}

/** A whole number of 0 or more among properties that mean the same; undefined when absent; a fault otherwise. */
export function wholeOf(context: StoreContext, entity: GraphEntity, keys: readonly string[]): number | undefined {
  const key = keys.find((one) => firstText(entity, one) !== '');
  if (key === undefined) return undefined;
  const text = firstText(entity, key);
  if (/^\d{1,9}(?:\.0+)?$/.test(text)) return Number(text);
  context.notes.fault(entity.label, key, 'expected a whole number of at least 0');
  return undefined;
}

/** A property as a decimal number; any other value stays as it is, so that the line's reader refuses it. */
export function numberOf(entity: GraphEntity, key: string): unknown {
  const text = firstText(entity, key);
  return /^-?\d{1,4}(?:\.\d{1,20})?$/.test(text) ? Number(text) : fieldOf(entity.fields, key);
}

export function isTrue(entity: GraphEntity, key: string): boolean {
  return firstText(entity, key).toLowerCase() === 'true';
}
