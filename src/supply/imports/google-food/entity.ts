import { cleanText } from '../../../platform/lib/clean-text.ts';
import { isJsonObject, type JsonObject, memberOf } from '../../../platform/lib/json-object.ts';

/**
 * One entity of Google's relational feed: its type, its id, its references to other entities, and the limits of a
 * feed.
 */

/** The types of the relational inventory schema that a store is made of. */
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

/** The link of a parent entity and a child entity; either of them may name the other. */
export type Reference = {
  parent: EntityKey;
  child: EntityKey;
  /** The place among the parent's children of this type; null where the feed does not say. */
  position: number | null;
  /** The property with the link, and whether it is the parent's property. */
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

/** The properties that name the entity above. */
const ABOVE: Readonly<Partial<Record<EntityType, readonly Link[]>>> = {
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

/** The properties that name entities below. */
const BELOW: Readonly<Partial<Record<EntityType, readonly Link[]>>> = {
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
export function fieldOf(fields: Fields, key: string): unknown {
  return memberOf(fields, key) ?? undefined;
}

/** A value as a list: a single value counts as a list of one (the schema's type coercion). */
export function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** A text or number as clean text (the schema's type coercion); empty for any other value. */
export function toText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? cleanText(value) : '';
}

/** Reads the JSON value of one entity; null for a type that is no part of a store. */
export function readEntity(fields: unknown): EntityReading {
  if (!isJsonObject(fields)) return no('', 'expected an entity');
  const named = toText(fieldOf(fields, '@type'));
  if (named === '') return no('@type', 'expected an entity of the relational inventory schema, such as MenuItem');
  const type = entityType(named);
  if (type === undefined) return { ok: true, entity: null };
  const id = toText(fieldOf(fields, '@id'));
  if (!isId(id)) return no(`${type}: @id`, `expected text of 1 to ${GOOGLE_FOOD_LIMITS.idCharacters} characters`);
  const references = referencesOf({ type, id }, fields);
  if (references.length > GOOGLE_FOOD_LIMITS.references) {
    return no(entityLabel({ type, id }), `expected at most ${GOOGLE_FOOD_LIMITS.references} references`);
  }
  return { ok: true, entity: { type, id, fields, references } };
}

/** How faults and warnings name an entity. */
export function entityLabel({ type, id }: EntityKey): string {
  return `${type} ${id}`;
}

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
  return [...linked(ABOVE[self.type], false), ...linked(BELOW[self.type], true)];
}

/** Whether a JSON value is an object or a list, whose members may be read. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** The id of a reference. */
export function referenceId(value: unknown): string {
  return readReference(value).id;
}

/** An id, or `{ "@id", "displayOrder" }`. */
function readReference(value: unknown): { id: string; order: number | null } {
  if (!isFields(value)) return { id: toText(value), order: null };
  const order = Number(toText(fieldOf(value, 'displayOrder')) || Number.NaN);
  return { id: toText(fieldOf(value, '@id')), order: Number.isFinite(order) ? order : null };
}

function isId(id: string): boolean {
  return id !== '' && id.length <= GOOGLE_FOOD_LIMITS.idCharacters;
}

function no(path: string, message: string): EntityReading {
  return { ok: false, path, message };
}

/** Limits of one feed, far above real feeds. */
export const GOOGLE_FOOD_LIMITS = {
  /** Characters of one entity as JSON. */
  entityCharacters: 1024 * 1024,
  /** The format's own bound on an `@id`. */
  idCharacters: 300,
  /** Ids that one entity may refer to. */
  references: 10_000,
  /** Entities that one restaurant may reach, and the sum of their characters. */
  entitiesPerStore: 200_000,
  charactersPerStore: 64 * 1024 * 1024,
  /** Positions in the menus of one restaurant: a shared entity counts at each of its positions. */
  positionsPerStore: 500_000,
  /** Areas of the delivery services of one restaurant that are checked: each check may take some milliseconds. */
  areasPerStore: 300,
  /** Steps from a restaurant to an entity. */
  steps: 100,
  /** References to unknown ids, and repeated entities, that are reported. */
  reportedReferences: 1000,
} as const;
