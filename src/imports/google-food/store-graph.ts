import { type EntityKey, type EntityType, type Fields, fieldOf, labelOf } from './entity.ts';

/** An entity that a restaurant reaches. */
export type GraphEntity = EntityKey & { label: string; fields: Fields };

/** All entities that a restaurant reaches, each with its sorted children. */
export type StoreGraph = {
  restaurant: GraphEntity;
  below(entity: GraphEntity, type: EntityType): readonly GraphEntity[];
};

/** A reference whose two ends are there, in the order of the feed where it has no position. */
export type GraphLink = { parent: EntityKey; child: EntityKey; position: number | null };

/** Joins entities by their references; the first of several references between the same two counts. */
export function joinStores(
  entities: readonly (EntityKey & { fields: Fields })[],
  links: readonly GraphLink[],
): (restaurant: EntityKey) => StoreGraph {
  const known = new Map(entities.map((entity) => [labelOf(entity), { ...entity, label: labelOf(entity) }]));
  const children = new Map<string, Map<string, { entity: GraphEntity; position: number }>>();
  for (const { parent, child, position } of links) {
    const entity = known.get(labelOf(child));
    if (!entity) continue;
    const place = `${labelOf(parent)}\n${child.type}`;
    const siblings = children.get(place) ?? new Map<string, { entity: GraphEntity; position: number }>();
    children.set(place, siblings);
    const before = siblings.get(child.id);
    // A stated position wins over a missing position.
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
    const label = labelOf(restaurant);
    return { restaurant: known.get(label) ?? { ...restaurant, label, fields: {} }, below };
  };
}

/** Sorts by position; entities without a position follow, in the sequence of the feed. */
function byPosition(a: { position: number }, b: { position: number }): number {
  return a.position === b.position ? 0 : a.position - b.position;
}

/** A field of an entity; null counts as absent. */
export function given(entity: GraphEntity, key: string): unknown {
  return fieldOf(entity.fields, key);
}
