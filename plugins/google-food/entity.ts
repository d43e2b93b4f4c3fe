import { cleanText, isJsonObject, type JsonObject, memberOf } from 'doorstep/plugin';

/** Entities of Google's relational feed: their types, ids and references, and a feed's limits. */

/** Types of the inventory schema that make up a store. */
const ENTITY_TYPES = [
  'Restaurant',
  'Service',
  'ServiceArea',
  'OperationHours',
  'ServiceHours',
  'Fee',
  'Menu',
  'MenuSection',
  'MenuItem',
  'MenuItemOption',
  'MenuItemOffer',
  'Availability',
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export type EntityKey = { type: EntityType; id: string };
export type Fields = JsonObject;

/** A parent–child reference; either entity may have the property. */
export type Reference = {
  parent: EntityKey;
  child: EntityKey;
  /** Position among the parent's children of this type; null if not stated. */
  position: number | null;
  /** The property of the reference, and whether it is the parent's. */
  property: string;
  byParent: boolean;
};

export type FoodEntity = EntityKey & { fields: Fields; references: readonly Reference[] };
type EntityReading = { ok: true; entity: FoodEntity | null } | { ok: false; path: string; message: string };

/** Types of add-ons, which are read as sections and items. */
const OTHER_NAMES: Readonly<Record<string, EntityType>> = {
  AddOnMenuSection: 'MenuSection',
  AddOnMenuItem: 'MenuItem',
};

type Link = readonly [property: string, type: EntityType];

/** Properties that reference the parent entity. */
const PARENT_LINKS: Readonly<Partial<Record<EntityType, readonly Link[]>>> = {
  Service: [['restaurantId', 'Restaurant']],
  ServiceArea: [['serviceId', 'Service']],
  OperationHours: [['serviceId', 'Service']],
  ServiceHours: [['serviceId', 'Service']],
  Fee: [['serviceId', 'Service']],
  Menu: [['restaurantId', 'Restaurant']],
  MenuSection: [
    ['menuId', 'Menu'],
    ['parentMenuSectionId', 'MenuSection'],
    ['parentMenuItemId', 'MenuItem'],
    ['parentMenuItemOptionId', 'MenuItemOption'],
  ],
  MenuItem: [
    ['menuId', 'Menu'],
    ['parentMenuSectionId', 'MenuSection'],
  ],
  MenuItemOption: [['menuItemId', 'MenuItem']],
  MenuItemOffer: [
    ['menuItemId', 'MenuItem'],
    ['menuItemOptionId', 'MenuItemOption'],
  ],
  Availability: [
    ['menuSectionId', 'MenuSection'],
    ['menuItemId', 'MenuItem'],
    ['menuItemOfferId', 'MenuItemOffer'],
  ],
};

/** Properties that reference child entities. */
const CHILD_LINKS: Readonly<Partial<Record<EntityType, readonly Link[]>>> = {
  Restaurant: [
    ['menuId', 'Menu'],
    ['serviceId', 'Service'],
  ],
  Service: [['menuId', 'Menu']],
  MenuSection: [
    ['menuItemId', 'MenuItem'],
    ['availabilityId', 'Availability'],
  ],
  MenuItem: [
    ['menuItemOptionId', 'MenuItemOption'],
    ['availabilityId', 'Availability'],
  ],
  MenuItemOffer: [['availabilityId', 'Availability']],
};

/** The value of an own property; null counts as absent. */
export const fieldOf = (fields: Fields, key: string): unknown => memberOf(fields, key) ?? undefined;

/** Wraps a single value in a list (the schema's type coercion). */
export function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Cleans a text or number (the schema's type coercion); empty for any other value. */
export function toText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? cleanText(value) : '';
}

/** Parses an entity's JSON value; null for a type that is not part of a store. */
export function readEntity(fields: unknown): EntityReading {
  if (!isJsonObject(fields)) return rejectEntity('', 'expected an entity');
  const named = toText(fieldOf(fields, '@type'));
  if (named === '')
    return rejectEntity('@type', 'expected an entity of the relational inventory schema, such as MenuItem');
  const type = entityType(named);
  if (type === undefined) return { ok: true, entity: null };
  const id = toText(fieldOf(fields, '@id'));
  if (!isId(id))
    return rejectEntity(`${type}: @id`, `expected text of 1 to ${GOOGLE_FOOD_LIMITS.idCharacters} characters`);
  const references = referencesOf({ type, id }, fields);
  if (references.length > GOOGLE_FOOD_LIMITS.references) {
    return rejectEntity(entityLabel({ type, id }), `expected at most ${GOOGLE_FOOD_LIMITS.references} references`);
  }
  return { ok: true, entity: { type, id, fields, references } };
}

export const entityLabel = ({ type, id }: EntityKey): string => `${type} ${id}`;

function entityType(name: string): EntityType | undefined {
  return (
    ENTITY_TYPES.find((type) => type === name) ?? (Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined)
  );
}

function referencesOf(self: EntityKey, fields: Fields): Reference[] {
  const linked = (links: readonly Link[] | undefined, byParent: boolean) =>
    (links ?? []).flatMap(([property, type]) =>
      asList(fieldOf(fields, property)).flatMap((value, at) => {
        const { id, order } = readReference(value);
        const other = { type, id };
        const ends = byParent ? { parent: self, child: other } : { parent: other, child: self };
        return isId(id) ? [{ ...ends, position: order ?? (byParent ? at : null), property, byParent }] : [];
      }),
    );
  return [...linked(PARENT_LINKS[self.type], false), ...linked(CHILD_LINKS[self.type], true)];
}

/** Whether a JSON value is an object or list. */
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

export const referenceId = (value: unknown): string => readReference(value).id;

/** Reads a reference: an id, or `{ "@id", "displayOrder" }`. */
function readReference(value: unknown): { id: string; order: number | null } {
  if (!isFields(value)) return { id: toText(value), order: null };
  const order = Number(toText(fieldOf(value, 'displayOrder')) || Number.NaN);
  return { id: toText(fieldOf(value, '@id')), order: Number.isFinite(order) ? order : null };
}

const isId = (id: string): boolean => id !== '' && id.length <= GOOGLE_FOOD_LIMITS.idCharacters;

const rejectEntity = (path: string, message: string): EntityReading => ({ ok: false, path, message });

/** Limits of one feed, far above real feeds. */
export const GOOGLE_FOOD_LIMITS = {
  /** Maximum characters per entity, as JSON. */
  entityCharacters: 1024 * 1024,
  /** Maximum characters of an `@id`, as defined by the format. */
  idCharacters: 300,
  /** Maximum references per entity. */
  references: 10_000,
  /** Maximum entities per restaurant, and their total characters. */
  entitiesPerStore: 200_000,
  charactersPerStore: 64 * 1024 * 1024,
  /** Maximum menu positions per restaurant; a shared entity counts at each position. */
  positionsPerStore: 500_000,
  /** Maximum delivery areas checked per restaurant; each check may take milliseconds. */
  areasPerStore: 300,
  /** Maximum steps from a restaurant to an entity. */
  steps: 100,
  /** Maximum reported references to unknown ids, and reported repetitions. */
  reportedReferences: 1000,
} as const;
