import { type Country, createPlaceCounter, localityOfLine, type SourceNotes } from 'doorstep/plugin';
import {
  asList,
  type EntityKey,
  type EntityType,
  entityLabel,
  type Fields,
  fieldOf,
  GOOGLE_FOOD_LIMITS,
  toText,
} from './entity.ts';
import type { StagedLink } from './staged-entities.db.ts';

/**
 * The entities of Google's feed that one restaurant reaches, joined by their references, and the state that its readers
 * share.
 */

export type GraphEntity = EntityKey & { label: string; fields: Fields };

/** All entities that a restaurant reaches, each with its sorted children. */
export type StoreGraph = {
  restaurant: GraphEntity;
  below(entity: GraphEntity, type: EntityType): readonly GraphEntity[];
};

/** Joins entities by reference; of several references between the same two, the first is used. */
export function joinStores(
  entities: readonly (EntityKey & { fields: Fields })[],
  links: readonly StagedLink[],
): (restaurant: EntityKey) => StoreGraph {
  const known = new Map(entities.map((entity) => [entityLabel(entity), { ...entity, label: entityLabel(entity) }]));
  const children = new Map<string, Map<string, { entity: GraphEntity; position: number }>>();
  for (const { parent, child, position } of links) {
    const entity = known.get(entityLabel(child));
    if (!entity) continue;
    const place = `${entityLabel(parent)}\n${child.type}`;
    const siblings = children.get(place) ?? new Map<string, { entity: GraphEntity; position: number }>();
    children.set(place, siblings);
    const before = siblings.get(child.id);
    // A stated position takes precedence over a missing one.
    if (!before || (before.position === Number.POSITIVE_INFINITY && position !== null)) {
      siblings.set(child.id, { entity, position: position ?? Number.POSITIVE_INFINITY });
    }
  }
  const ordered = new Map(
    [...children].map(([place, siblings]) => [
      place,
      [...siblings.values()].sort(byPosition).map(({ entity }) => entity),
    ]),
  );
  const below = (entity: GraphEntity, type: EntityType) => ordered.get(`${entity.label}\n${type}`) ?? [];
  return (restaurant) => {
    const label = entityLabel(restaurant);
    return { restaurant: known.get(label) ?? { ...restaurant, label, fields: {} }, below };
  };
}

/** Sorts by position; entities without one follow in feed order. */
const byPosition = (a: { position: number }, b: { position: number }): number =>
  a.position === b.position ? 0 : a.position - b.position;

/** A field of an entity; null counts as absent. */
export const entityValue = (entity: GraphEntity, key: string): unknown => fieldOf(entity.fields, key);

/** The state shared by the readers of one restaurant. */
export type RestaurantContext = {
  graph: StoreGraph;
  notes: SourceNotes;
  country: Country;
  /** The store's time zone; UTC if its coordinate is unreadable; the store is then rejected. */
  timeZone: string;
  /** Counts a menu position; returns false beyond the limit, which is reported once. */
  takePlace(entity: GraphEntity): boolean;
};

export function createRestaurantContext(graph: StoreGraph, notes: SourceNotes): RestaurantContext {
  const { restaurant } = graph;
  const [latitude, longitude] = [decimalProperty(restaurant, 'latitude'), decimalProperty(restaurant, 'longitude')];
  const address = { country: firstText(restaurant, 'addressCountry'), state: firstText(restaurant, 'addressRegion') };
  const { country, timeZone } = localityOfLine(address, latitude, longitude);
  const takePlace = createPlaceCounter(notes, GOOGLE_FOOD_LIMITS.positionsPerStore);
  return { graph, notes, country, timeZone, takePlace: ({ label }) => takePlace(() => label) };
}

/** The first of several values, as text. */
export const firstText = (entity: GraphEntity, key: string): string => toText(asList(fieldOf(entity.fields, key))[0]);

/** Reads a whole number from 0 from any of these equivalent properties; undefined if absent, otherwise an error. */
export function wholeProperty(
  context: RestaurantContext,
  entity: GraphEntity,
  keys: readonly string[],
): number | undefined {
  const key = keys.find((one) => firstText(entity, one) !== '');
  if (key === undefined) return undefined;
  const text = firstText(entity, key);
  if (/^\d{1,9}(?:\.0+)?$/.test(text)) return Number(text);
  context.notes.fault(entity.label, key, 'expected a whole number of at least 0');
  return undefined;
}

/** Reads a property as a decimal number. Any other value is kept, so that the line's parser refuses it. */
export function decimalProperty(entity: GraphEntity, key: string): unknown {
  const text = firstText(entity, key);
  return /^-?\d{1,4}(?:\.\d{1,20})?$/.test(text) ? Number(text) : fieldOf(entity.fields, key);
}

export const isTrue = (entity: GraphEntity, key: string): boolean => firstText(entity, key).toLowerCase() === 'true';
