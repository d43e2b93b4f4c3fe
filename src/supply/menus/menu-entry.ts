import { hash } from 'node:crypto';
import { present } from 'doorstep/collections';
import { presentFood, presentLimits } from '../catalog/present-menu.ts';
import { presentWeight } from '../catalog/present-weight.ts';
import type { Customization, Option } from '../catalog/product.ts';
import type { SoldByWeight } from '../pricing/weight.ts';
import { FEED_LIMITS, type Read, readOwnFields } from '../stores/feed-fields.ts';
import { type MenuWeek, presentMenuWeek } from '../stores/menu-hours.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import { readMenuHours } from './feed-hours.ts';
import { type FeedProduct, readProduct } from './parse-product.ts';

/** Items and categories of a menu that its store edits: the feed's entries, without the switches of sale and stock. */

/** An item as an edit writes it. Sale and stock have their own switches (docs/inventory.md#settings-that-stores-can-change). */
export type ItemEntry = Omit<FeedProduct, 'externalId' | 'available' | 'qtyAvailable'>;

/** An edit's changes to a category. */
export type CategoryFields = {
  name: string;
  hours: MenuWeek | null;
  /** Absent: it stays as it is. */
  taxClass?: TaxClass | null;
};

/** Reads an item in the feed's format. An empty `tax_class` is none of its own. */
export function parseItem(fields: object): Read<ItemEntry> {
  const { tax_class, ...others } = withIds(fields) as Record<string, unknown>;
  const isInherited = tax_class === '' || tax_class === null;
  return readOwnFields({ ...others, ...(isInherited ? {} : { tax_class }), id: 'item' }, (from) => ({
    ...itemEntry(readProduct(from)),
    ...(isInherited ? { taxClass: null } : {}),
  }));
}

export function itemEntry(product: FeedProduct): ItemEntry {
  const { externalId: _, available: __, qtyAvailable: ___, ...entry } = product;
  return entry;
}

export function parseCategory(fields: object): Read<CategoryFields> {
  return readOwnFields({ ...fields }, (from) => ({
    name: from.requireText('name', FEED_LIMITS.nameCharacters),
    hours: readMenuHours(from),
    ...(from.fields.tax_class === undefined ? {} : { taxClass: from.taxClass() ?? null }),
  }));
}

/** Gives option groups and options without an id a new one within the item. */
function withIds(fields: object): object {
  const used = new Set<unknown>();
  visitObjects(fields, 0, (one) => used.add(one.id));
  let next = 0;
  const newId = () => {
    do next += 1;
    while (used.has(`own-${next}`));
    return `own-${next}`;
  };
  const copy: object = structuredClone(fields);
  visitObjects(copy, 0, (one) => {
    if (one.id === undefined || one.id === null || one.id === '') one.id = newId();
  });
  return copy;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Visits option groups and options down to the depth that the parser refuses. */
function visitObjects(from: object, depth: number, visit: (one: Fields) => void): void {
  if (depth > FEED_LIMITS.customizationDepth) return;
  for (const group of membersOf(from, 'customizations')) {
    visit(group);
    for (const option of membersOf(group, 'options')) {
      visit(option);
      visitObjects(option, depth + 1, visit);
    }
  }
}

function membersOf(from: object, key: string): Fields[] {
  const list: unknown = Object.hasOwn(from, key) ? Reflect.get(from, key) : undefined;
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** The item in the feed's format, as `parseItem` reads it. Prices that follow the price are null. */
export function presentEntry(entry: ItemEntry) {
  const { inDelivery, inPickup } = entry;
  return {
    name: entry.name,
    description: entry.description,
    price: entry.price,
    pickup_price: entry.pickupPrice === entry.price ? null : entry.pickupPrice,
    original_price: entry.originalPrice === entry.price ? null : entry.originalPrice,
    image: entry.image,
    thumbnail_image: entry.thumbnailImage,
    unit_size: entry.unitSize,
    unit_of_measurement: entry.unitOfMeasurement,
    ...(entry.weight ? { sold_by: 'weight' as const, weight: presentOwnWeight(entry.weight) } : {}),
    upc_code: entry.upcCode,
    is_alcoholic: entry.isAlcoholic,
    tax_class: entry.taxClass ?? null,
    food: presentFood(entry.food),
    modes: [inDelivery ? ('delivery' as const) : null, inPickup ? ('pickup' as const) : null].filter((m) => m !== null),
    hours: presentMenuWeek(entry.hours),
    customizations: entry.customizations.map(presentGroup),
  };
}

const presentOwnWeight = (weight: SoldByWeight) => ({
  ...presentWeight(weight),
  ...present({ scale_code: weight.scaleCode ?? undefined }),
});

export type PresentedGroup = ReturnType<typeof presentLimits> & {
  id: string;
  name: string;
  options: PresentedOption[];
};
export type PresentedOption = {
  id: string;
  name: string;
  price: number;
  default_qty: number;
  min_qty: number;
  max_qty: number;
  conditional_price: Readonly<Record<string, number>>;
  tax_class?: TaxClass;
  food: ReturnType<typeof presentFood>;
  customizations: PresentedGroup[];
};

function presentGroup(group: Customization): PresentedGroup {
  const { id, name, options } = group;
  return { id, name, ...presentLimits(group), options: options.map(presentOption) };
}

function presentOption(option: Option): PresentedOption {
  return {
    id: option.id,
    name: option.name,
    price: option.price,
    default_qty: option.defaultQty,
    min_qty: option.minQty,
    max_qty: option.maxQty,
    conditional_price: option.conditionalPrice,
    ...(option.taxClass ? { tax_class: option.taxClass } : {}),
    food: presentFood(option.food ?? null),
    customizations: option.customizations.map(presentGroup),
  };
}

/** An item's or category's version: a hash of its editable fields. An edit based on another version is refused. */
export function versionOf(
  state: { categoryId: string; entry: ItemEntry } | (CategoryFields & { parentId: string | null }),
): string {
  return hash('sha256', JSON.stringify(sorted(versionedContent(state)))).slice(0, 16);
}

/** Without an unset class, so that versions equal those from before classes existed. */
function versionedContent(state: Parameters<typeof versionOf>[0]) {
  if (!('entry' in state)) {
    const { taxClass, ...rest } = state;
    return taxClass ? state : rest;
  }
  const { tax_class: own, ...rest } = presentEntry(state.entry);
  return { categoryId: state.categoryId, entry: own === null ? rest : { ...rest, tax_class: own } };
}

/** Equal values have equal texts for any key order: PostgreSQL sorts the keys of JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

/** Whether two values are the same JSON, in any key order. */
export function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}
