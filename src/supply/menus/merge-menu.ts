import type { Customization, Option } from '../catalog/product.ts';
import { type CategoryState, type ItemEntry, isEqual } from './menu-entry.ts';

/**
 * What an import leaves of a store's edits: of each field, the store's value while the feed's value is the one that the
 * feed had at its previous import, else the feed's new value (docs/feeds.md#menus-that-a-store-edits).
 */

/** The feed's previous value, the store's, and the feed's new value. */
type Three<T> = { before: T; own: T; now: T };

/** An item apart from its position; `categoryId` is a field like the others. */
export type PlacedEntry = { categoryId: string; entry: ItemEntry };

function mergeValue<T>({ before, own, now }: Three<T>): T {
  return isEqual(before, now) ? own : now;
}

/** Merges each of the fields by itself. */
function mergeFields<T extends object>({ before, own, now }: Three<T>, fields: readonly (keyof T)[]): T {
  const merged = { ...own };
  for (const field of fields) {
    merged[field] = mergeValue({ before: before[field], own: own[field], now: now[field] });
  }
  return merged;
}

const ENTRY_FIELDS = [
  ...(['name', 'description', 'price', 'pickupPrice', 'originalPrice', 'image', 'thumbnailImage'] as const),
  ...(['unitSize', 'unitOfMeasurement', 'upcCode', 'isAlcoholic', 'food', 'inDelivery', 'inPickup', 'hours'] as const),
] satisfies readonly (keyof ItemEntry)[];

export function mergeItem({ before, own, now }: Three<PlacedEntry>): PlacedEntry {
  const entries = { before: before.entry, own: own.entry, now: now.entry };
  const merged = mergeFields(entries, ENTRY_FIELDS);
  const groups = mergeGroups({
    before: before.entry.customizations,
    own: own.entry.customizations,
    now: now.entry.customizations,
  });
  return {
    categoryId: mergeValue({ before: before.categoryId, own: own.categoryId, now: now.categoryId }),
    entry: {
      ...merged,
      // Fields that come from two sides may contradict each other where each side's own did not.
      originalPrice: Math.max(merged.originalPrice, merged.price),
      customizations: withUniqueIds(groups, { groups: new Set(), options: new Set() }),
    },
  };
}

/** Menu hours and names; feeds decide the parents of their categories, stores those of their own. */
export function mergeCategory(three: Three<CategoryState>): CategoryState {
  const merged = mergeFields(three, ['name', 'hours']);
  return { ...merged, parentId: three.now.parentId, position: three.now.position };
}

type Groups = readonly Customization[];

function mergeGroups(three: Three<Groups>): Groups {
  return mergeMembers(three, (group) => {
    const merged = mergeFields(group, ['name', 'minChoiceOptions', 'maxChoiceOptions']);
    const options = mergeOptions({ before: group.before.options, own: group.own.options, now: group.now.options });
    return { ...merged, maxChoiceOptions: Math.max(merged.maxChoiceOptions, merged.minChoiceOptions), options };
  });
}

const OPTION_FIELDS = ['name', 'price', 'defaultQty', 'minQty', 'maxQty', 'conditionalPrice'] as const;

function mergeOptions(three: Three<readonly Option[]>): readonly Option[] {
  return mergeMembers(three, (option) => {
    const { before, own, now } = option;
    const merged = mergeFields(option, OPTION_FIELDS);
    const { food: _, ...plain } = merged;
    const food = mergeValue({ before: before.food ?? null, own: own.food ?? null, now: now.food ?? null });
    const maxQty = Math.max(merged.maxQty, merged.minQty);
    return {
      ...plain,
      maxQty,
      defaultQty: Math.min(merged.defaultQty, maxQty),
      ...(food === null ? {} : { food }),
      customizations: mergeGroups({
        before: before.customizations,
        own: own.customizations,
        now: now.customizations,
      }),
    };
  });
}

/** Merges lists whose members have ids: the presence of a member is a value too, and so is their sequence. */
function mergeMembers<T extends { id: string }>(three: Three<readonly T[]>, merge: (three: Three<T>) => T): T[] {
  const [before, own, now] = [byId(three.before), byId(three.own), byId(three.now)];
  const members = new Map<string, T>();
  for (const id of new Set([...own.keys(), ...now.keys()])) {
    const [was, mine, is] = [before.get(id), own.get(id), now.get(id)];
    const merged = mergeMember(was, mine, is, merge);
    if (merged) members.set(id, merged);
  }
  const sequence = mergeSequence({
    before: [...before.keys()],
    own: [...own.keys()],
    now: [...now.keys()],
    present: new Set(members.keys()),
  });
  return sequence.map((id) => members.get(id)).filter((member) => member !== undefined);
}

function mergeMember<T>(was: T | undefined, mine: T | undefined, is: T | undefined, merge: (three: Three<T>) => T) {
  if (!is) return was ? undefined : mine;
  if (!was) return is;
  if (!mine) return isEqual(was, is) ? undefined : is;
  return merge({ before: was, own: mine, now: is });
}

function byId<T extends { id: string }>(list: readonly T[]): Map<string, T> {
  return new Map(list.map((one) => [one.id, one]));
}

/** Sequences of one list's ids; `before` is null if the store has not sorted the list. */
export type Sequences = {
  before: readonly string[] | null;
  own: readonly string[];
  now: readonly string[];
  present: ReadonlySet<string>;
};

/** Whether the feed has left the ids that it had before, and still has, in their sequence. */
export function isSameSequence(before: readonly string[], now: readonly string[]): boolean {
  const [known, left] = [new Set(before), new Set(now)];
  return isEqual(
    before.filter((id) => left.has(id)),
    now.filter((id) => known.has(id)),
  );
}

/**
 * The store's sequence while the feed leaves its own as it was, else the feed's. Ids of the other side come after the
 * one that they follow there.
 */
export function mergeSequence({ before, own, now, present }: Sequences): string[] {
  const isOwn = before !== null && isSameSequence(before, now);
  const [base, other] = isOwn ? [own, now] : [now, own];
  const sequence = base.filter((id) => present.has(id));
  const placed = new Set(sequence);
  let previous: string | undefined;
  for (const id of other.filter((one) => present.has(one))) {
    if (!placed.has(id)) {
      sequence.splice(previous === undefined ? 0 : sequence.indexOf(previous) + 1, 0, id);
      placed.add(id);
    }
    previous = id;
  }
  return sequence;
}

/** Drops a repeated id, which a store's move of an option beside a feed's change of it can bring. */
function withUniqueIds(groups: Groups, seen: { groups: Set<string>; options: Set<string> }): Groups {
  const isNew = (ids: Set<string>, id: string) => !ids.has(id) && ids.add(id).size > 0;
  return groups
    .filter(({ id }) => isNew(seen.groups, id))
    .map((group) => ({
      ...group,
      options: group.options
        .filter(({ id }) => isNew(seen.options, id))
        .map((option) => ({ ...option, customizations: withUniqueIds(option.customizations, seen) })),
    }));
}
