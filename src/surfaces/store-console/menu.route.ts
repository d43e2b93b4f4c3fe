import { type Static, Type } from 'typebox';
import { spendStoreBudget } from '../../access/budgets/spend-store-budget.flow.ts';
import { operation } from '../../access/operations/operation.ts';
import { type Merchant, refuseLink, refuseSandbox } from '../../access/sessions/merchant.ts';
import {
  cents,
  component,
  describedObject,
  optionalWhole,
  orNull,
  reference,
} from '../../platform/http/api-components.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { FoodOrNullSchema, SOLD_BY, UNIT_LIMITS, WEIGHT_FIELDS } from '../../supply/catalog/inventory-schema.ts';
import {
  addCategory,
  addItem,
  asFeedHas,
  categoryNotFound,
  editCategory,
  editItem,
  itemNotFound,
  MAX_MENU_ITEMS,
  MAX_REMOVED_ITEMS,
  removeCategory,
  removeItem,
  sortMenu,
  undoChange,
} from '../../supply/menus/edit-menu.flow.ts';
import {
  countMenuItems,
  findMenuCategories,
  findMenuItems,
  findOrigins,
  type ItemRow,
  listMenuChanges,
  MAX_MENU_CHANGES,
} from '../../supply/menus/menu.db.ts';
import { categoriesOf, listCategories } from '../../supply/menus/menu.ts';
import { type EditContext, MENU_ACTIONS, type MenuState } from '../../supply/menus/menu-edits.ts';
import { itemEntry, parseCategory, parseItem, presentEntry, versionOf } from '../../supply/menus/menu-entry.ts';
import { FEED_LIMITS, faultOf, type Read } from '../../supply/stores/feed-fields.ts';
import { presentMenuWeek } from '../../supply/stores/menu-hours.ts';
import { WeekHoursSchema } from '../../supply/stores/store-element.ts';
import { TAX_CLASSES } from '../../supply/stores/tax-class.ts';
import { changeStore, type StoreDeps } from './change-store.flow.ts';

/** Store API endpoints for reading and editing a store's menu, reading the history of edits, and undoing one. */

const idOf = (description: string) => Type.String({ maxLength: FEED_LIMITS.idCharacters, description });
const CATEGORY_ID = idOf('A category without subcategories.');
const VERSION = Type.String({
  maxLength: 64,
  description: 'The version that was read. If it has changed since, the request returns 409 `menu_changed`.',
});

const TAX_CLASS = Type.Enum([...TAX_CLASSES], { description: "The item's tax category." });
const OptionSchema = component('StoreMenuOption', 'An option as its store edits it.', {
  id: Type.String(),
  name: Type.String(),
  price: cents("The price of one, added to the item's price."),
  default_qty: Type.Integer(),
  min_qty: Type.Integer(),
  max_qty: Type.Integer(),
  conditional_price: Type.Record(Type.String(), Type.Integer(), {
    description: 'Prices in cents by the ID of another selected option.',
  }),
  tax_class: Type.Optional(
    Type.Enum([...TAX_CLASSES], { description: "The option's tax category. Absent if it's the item's." }),
  ),
  food: FoodOrNullSchema("The option's own facts."),
  customizations: Type.Array(reference('StoreMenuGroup'), { description: 'Nested option groups, to any depth.' }),
});
const GroupSchema = component('StoreMenuGroup', 'An option group as its store edits it.', {
  id: Type.String(),
  name: Type.String(),
  min_choice_options: Type.Integer(),
  max_choice_options: Type.Integer(),
  ...UNIT_LIMITS,
  options: Type.Array(OptionSchema),
});

const StoreWeightSchema = component('StoreWeight', 'How a product is sold by weight, as its store edits it.', {
  ...WEIGHT_FIELDS,
  scale_code: Type.Optional(
    Type.String({ description: 'The PLU in price-embedded barcodes, without leading zeros. Absent if there is none.' }),
  ),
});

const ORIGIN = Type.Enum(['feed', 'edited', 'added'], {
  description: 'Whether it comes from the feed, was edited by the store, or was added by the store.',
});
const FEED_CHANGED = Type.Boolean({ description: 'Whether the feed has changed a field since the store set it.' });
const OWN_TAX_CLASS = orNull(
  TAX_CLASS,
  "The item's own tax category. Null for alcohol's, the category's or the store's, in this order.",
);
const HOURS = orNull(WeekHoursSchema, 'The menu hours. Null for all hours.');

const ItemSchema = component(
  'StoreMenuItem',
  'An item as its store edits it: a product with its position and availability.',
  {
    item_id: Type.String({ description: "The feed's ID, or the service's ID for an item that the store added." }),
    category_id: Type.String(),
    version: Type.String({ description: 'Send it with an edit.' }),
    origin: ORIGIN,
    feed_changed: FEED_CHANGED,
    available: Type.Boolean({ description: "Whether it's on sale. Set with `PATCH /store/products/{external_id}`." }),
    available_at: orNull(Type.Integer(), 'When it automatically returns to sale, in epoch seconds.'),
    qty_available: orNull(Type.Integer(), 'The units in stock. Null if not counted.'),
    options_off: Type.Array(Type.String(), { description: 'The IDs of its options that are off sale.' }),
    name: Type.String(),
    description: orNull(Type.String(), 'Null if there is none.'),
    price: cents('For delivery.'),
    pickup_price: orNull(Type.Integer(), 'Approximate weight per piece, if also sold by the piece'),
    original_price: orNull(Type.Integer(), "The regular price in cents. Null if it's the same price."),
    image: orNull(Type.String(), 'A URL.'),
    thumbnail_image: orNull(Type.String(), 'A URL.'),
    unit_size: orNull(Type.Number(), 'The size of one.'),
    unit_of_measurement: Type.String(),
    sold_by: SOLD_BY,
    weight: Type.Optional(StoreWeightSchema),
    upc_code: orNull(Type.String(), 'The barcode.'),
    is_alcoholic: Type.Boolean(),
    tax_class: OWN_TAX_CLASS,
    food: FoodOrNullSchema('Null if unknown.'),
    modes: Type.Array(Type.Enum(['delivery', 'pickup'])),
    hours: HOURS,
    customizations: Type.Array(GroupSchema),
  },
);
export type StoreMenuItem = Static<typeof ItemSchema>;

const CategorySchema = component('StoreMenuCategory', 'A category as its store edits it.', {
  category_id: Type.String(),
  parent_id: orNull(Type.String(), 'Null at the top level.'),
  version: Type.String({ description: 'Send it with an edit.' }),
  origin: ORIGIN,
  feed_changed: FEED_CHANGED,
  name: Type.String(),
  hours: HOURS,
  tax_class: OWN_TAX_CLASS,
  item_count: Type.Integer({ description: 'The number of items directly in the category.' }),
});
export type StoreMenuCategory = Static<typeof CategorySchema>;

type Origin = { origin: Static<typeof ORIGIN>; feed_changed: boolean };

function presentItem(row: ItemRow, origin: Origin): Static<typeof ItemSchema> {
  const { externalId, categoryId, live } = row;
  const entry = itemEntry(row.product);
  return {
    item_id: externalId,
    category_id: categoryId,
    version: versionOf({ categoryId, entry }),
    ...origin,
    available: live.available,
    available_at: live.availableAt && epochSeconds(live.availableAt),
    qty_available: live.qtyAvailable,
    options_off: [...live.optionsOff],
    ...presentEntry(entry),
  };
}

type Reader = Pick<StoreDeps, 'db'>;

async function listOrigins(db: StoreDeps['db'], storeId: string, kind: 'item' | 'category') {
  const origins = await findOrigins(db, storeId, kind);
  return (id: string): Origin => {
    const { isAdded = false, feedChanged = false } = origins.get(id) ?? {};
    return { origin: isAdded ? 'added' : origins.has(id) ? 'edited' : 'feed', feed_changed: feedChanged };
  };
}

async function readItem({ db }: Reader, storeId: string, itemId: string): Promise<Static<typeof ItemSchema>> {
  const [row] = await findMenuItems(db, storeId, { ids: [itemId] });
  if (!row || row.removed) throw itemNotFound();
  return presentItem(row, (await listOrigins(db, storeId, 'item'))(itemId));
}

async function readCategories({ db }: Reader, storeId: string): Promise<Static<typeof CategorySchema>[]> {
  const [rows, counts, originOf] = await Promise.all([
    findMenuCategories(db, storeId),
    countMenuItems(db, storeId),
    listOrigins(db, storeId, 'category'),
  ]);
  return listCategories(categoriesOf(rows)).map(({ externalId, parentId, name, hours, taxClass }) => ({
    category_id: externalId,
    parent_id: parentId,
    version: versionOf({ parentId, name, hours, taxClass }),
    ...originOf(externalId),
    name,
    hours: presentMenuWeek(hours),
    tax_class: taxClass,
    item_count: counts.get(externalId) ?? 0,
  }));
}

async function readCategory(deps: Reader, storeId: string, categoryId: string) {
  const category = (await readCategories(deps, storeId)).find((one) => one.category_id === categoryId);
  if (!category) throw categoryNotFound();
  return category;
}

/** Maximum categories, items and options per page. */
const PAGE_CATEGORIES = 1000;
const PAGE_ITEMS = 50;
const PAGE_OPTIONS = 2000;
const MAX_OFFSET = 1_000_000;
const after = optionalWhole(0, MAX_OFFSET, "The previous page's `next_after`.");
const nextAfter = orNull(Type.Integer(), 'Null on the last page.');

const READ = { on: { store: { admit: refuseLink, refuses: ['live_only'] } } } as const;

const itemParams = Type.Object({ item_id: idOf('The ID from `GET /store/menu/items`.') });
const READ_MENU = [
  operation({
    ...READ,
    name: 'readStoreMenu',
    endpoint: 'GET /menu',
    summary: "List the menu's categories",
    description:
      "Lists each category before its subcategories, up to 1,000 per page. `GET /store/menu/items` returns a category's items.",
    query: Type.Object({ after }),
    answer: describedObject('A page of categories.', { categories: Type.Array(CategorySchema), next_after: nextAfter }),
  }).run(async (deps: StoreDeps, { by: { merchant }, query }) => {
    const from = query.after ?? 0;
    const all = await readCategories(deps, merchant.storeId);
    const end = from + PAGE_CATEGORIES;
    return { categories: all.slice(from, end), next_after: end < all.length ? end : null };
  }),
  operation({
    ...READ,
    name: 'listStoreMenuItems',
    endpoint: 'GET /menu/items',
    summary: "List a category's items as the store edits them",
    description:
      'Lists up to 50 items per page in menu order. A page ends early after the item whose options exceed 2,000.',
    example: { query: { category_id: '{category_id}' } },
    query: Type.Object({ category_id: idOf('The ID from `GET /store/menu`.'), after }),
    answer: Type.Object({ items: Type.Array(ItemSchema), next_after: nextAfter }, { description: 'A page of items.' }),
  }).run(async (deps: StoreDeps, { by: { merchant }, query }) => {
    const offset = query.after ?? 0;
    const page = { offset, limit: PAGE_ITEMS + 1 };
    const { storeId } = merchant;
    const rows = await findMenuItems(deps.db, storeId, { categoryIds: [query.category_id], page });
    const origin = await listOrigins(deps.db, storeId, 'item');
    const items: Static<typeof ItemSchema>[] = [];
    let options = 0;
    for (const row of rows.slice(0, PAGE_ITEMS)) {
      if (options > PAGE_OPTIONS) break;
      options += optionCount(row.product.customizations);
      items.push(presentItem(row, origin(row.externalId)));
    }
    return { items, next_after: items.length < rows.length ? offset + items.length : null };
  }),
  operation({
    ...READ,
    name: 'readStoreMenuItem',
    endpoint: 'GET /menu/items/:item_id',
    summary: 'Get an item as the store edits it',
    description: "Returns the item with its options, food facts and hours, even if it isn't on sale.",
    params: itemParams,
    answer: ItemSchema,
    refuses: ['product_not_found'],
  }).run((deps: StoreDeps, { by: { merchant }, params }) => {
    return readItem(deps, merchant.storeId, params.item_id);
  }),
];

type Groups = readonly { options: readonly { customizations: Groups }[] }[];

function optionCount(groups: Groups): number {
  return groups.reduce(
    (sum, { options }) => sum + options.reduce((all, option) => all + 1 + optionCount(option.customizations), 0),
    0,
  );
}

const EDIT = {
  refuses: ['product_not_found', 'subcategory_not_found', 'menu_changed'],
  on: { store: { admit: refuseSandbox, refuses: ['live_only'] } },
} as const;

export const CHANGE_ID = orNull(Type.String(), "The change's ID in the history, for an undo. Null if nothing changed.");
const ItemBody = Type.Unsafe<object>({
  type: 'object',
  description:
    "A product in the feed's format, without `id`, `available` and `qty_available`. An omitted field takes the feed's default, except that `tax_class` is kept. An empty `tax_class` takes the category's. Option groups and options without an `id` get one.",
});
const itemAnswer = Type.Object(
  { change_id: CHANGE_ID, item: ItemSchema },
  { description: "The item's current state." },
);

/** Refuses before it reads the body, because a sandbox can never change the store. */
export function edit<T>(
  deps: StoreDeps,
  merchant: Merchant,
  work: (context: EditContext, tx: Parameters<Parameters<typeof changeStore>[2]>[0]) => Promise<T>,
): Promise<T> {
  refuseSandbox(merchant);
  const { source, id } = merchant;
  if (source === 'link') throw itemNotFound();
  return changeStore(deps, merchant, (tx, storeId, at) => work({ storeId, actor: { source, id }, at }, tx));
}

/** An edit of the menu itself, which counts in the store's daily budget. */
const editMenu: typeof edit = (deps, merchant, work) =>
  edit(deps, merchant, async (context, tx) => {
    await spendStoreBudget(tx, 'menu_edits', context.storeId, context.at);
    return work(context, tx);
  });

function parsed<T>(read: Read<T>): T {
  if (!read.ok) throw invalidRequest(read.faults.map(faultOf));
  return read.value;
}

export const changeId = ({ changeNo }: { changeNo: number | null }) => (changeNo === null ? null : String(changeNo));

const EXAMPLE_ITEM = {
  name: 'Lemonade',
  description: 'Squeezed to order',
  price: 450,
  customizations: [
    {
      name: 'Size',
      min_choice_options: 1,
      max_choice_options: 1,
      options: [{ name: 'Small' }, { name: 'Large', price: 150 }],
    },
  ],
};

const removed = Type.Object({ change_id: CHANGE_ID }, { description: 'The item was removed from the menu.' });
const ITEM_EDITS = [
  operation({
    ...EDIT,
    name: 'addStoreMenuItem',
    endpoint: 'POST /menu/items',
    summary: 'Add an item to the menu',
    description: `Customers see it within two seconds. The change is in the history and can be undone. A menu can contain up to ${MAX_MENU_ITEMS} items, or more from a feed.`,
    example: { body: { category_id: '{category_id}', item: EXAMPLE_ITEM } },
    body: Type.Object({
      category_id: CATEGORY_ID,
      item: ItemBody,
      position: optionalWhole(0, MAX_OFFSET, 'The position, starting at 0. Defaults to the end.'),
    }),
    answer: itemAnswer,
  }).run(async (deps: StoreDeps, { by: { merchant }, body }) => {
    const entry = parsed(parseItem(body.item));
    const { category_id: categoryId, position } = body;
    const { storeId } = merchant;
    const added = await editMenu(deps, merchant, (context, tx) =>
      addItem(tx, context, { categoryId, entry, position }),
    );
    return { change_id: changeId(added), item: await readItem(deps, storeId, added.itemId) };
  }),
  operation({
    ...EDIT,
    name: 'editStoreMenuItem',
    endpoint: 'PUT /menu/items/:item_id',
    summary: 'Replace a menu item',
    description:
      "Replaces all of its fields. Another `category_id` moves it to the end of that category. A field that differs from the feed's keeps the store's value through imports, until the store sends the feed's value or ends the edit. Other fields follow the feed.",
    example: {
      path: { item_id: '{item_id}' },
      body: { category_id: '{category_id}', version: '{version}', item: { ...EXAMPLE_ITEM, price: 495 } },
    },
    params: itemParams,
    body: Type.Object({ category_id: CATEGORY_ID, version: VERSION, item: ItemBody }),
    answer: itemAnswer,
  }).run(async (deps: StoreDeps, { by: { merchant }, params: { item_id: itemId }, body }) => {
    const entry = parsed(parseItem(body.item));
    const { category_id: categoryId, version } = body;
    const { storeId } = merchant;
    const change = { itemId, version, categoryId, entry };
    const edited = await editMenu(deps, merchant, (context, tx) => editItem(tx, context, change));
    return { change_id: changeId(edited), item: await readItem(deps, storeId, itemId) };
  }),
  operation({
    ...EDIT,
    name: 'removeStoreMenuItem',
    endpoint: 'POST /menu/items/:item_id/remove',
    summary: 'Remove an item from the menu',
    description: 'It stays removed, whatever the feed brings, until the store undoes it or ends the edit.',
    example: { path: { item_id: '{item_id}' }, body: { version: '{version}' } },
    params: itemParams,
    body: Type.Object({ version: VERSION }),
    answer: removed,
  }).run(async (deps: StoreDeps, { by: { merchant }, params: { item_id: itemId }, body: { version } }) => ({
    change_id: changeId(await editMenu(deps, merchant, (context, tx) => removeItem(tx, context, { itemId, version }))),
  })),
];

const CATEGORY_FIELDS = {
  name: Type.String({ minLength: 1, maxLength: FEED_LIMITS.nameCharacters, description: 'As customers read it.' }),
  hours: Type.Optional(
    Type.Unsafe<unknown>({
      type: ['object', 'string', 'null'],
      description: 'Menu hours as a feed has them: by weekday, or in the `opening_hours` syntax; null: all hours.',
    }),
  ),
  tax_class: Type.Optional(
    orNull(TAX_CLASS, 'The tax category of its items. Null for the category above. Omit it to keep it unchanged.'),
  ),
};
const categoryParams = Type.Object({ category_id: idOf('The ID from `GET /store/menu`.') });
const categoryAnswer = describedObject("The category's current state.", {
  change_id: CHANGE_ID,
  category: CategorySchema,
});

const CATEGORY_EDITS = [
  operation({
    ...EDIT,
    name: 'addStoreMenuCategory',
    endpoint: 'POST /menu/categories',
    summary: 'Add a category to the menu',
    description: 'Customers see it once one of its items is on sale.',
    example: { body: { name: 'Cold drinks' } },
    body: Type.Object({
      ...CATEGORY_FIELDS,
      parent_id: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          maxLength: FEED_LIMITS.idCharacters,
          description: 'A category without items. Null or absent for the top level.',
        }),
      ),
    }),
    answer: categoryAnswer,
  }).run(async (deps: StoreDeps, { by: { merchant }, body }) => {
    const entry = parsed(parseCategory(body));
    const parentId = body.parent_id ?? null;
    const added = await editMenu(deps, merchant, (context, tx) => addCategory(tx, context, { parentId, entry }));
    const { storeId } = merchant;
    return { change_id: changeId(added), category: await readCategory(deps, storeId, added.categoryId) };
  }),
  operation({
    ...EDIT,
    name: 'editStoreMenuCategory',
    endpoint: 'PUT /menu/categories/:category_id',
    summary: "Update a category's name, hours and tax category",
    description:
      "The change is in the history and can be undone. If the version isn't current, returns 409 `menu_changed`.",
    example: { path: { category_id: '{category_id}' }, body: { name: 'Drinks', version: '{version}' } },
    params: categoryParams,
    body: Type.Object({ ...CATEGORY_FIELDS, version: VERSION }),
    answer: categoryAnswer,
  }).run(async (deps: StoreDeps, { by: { merchant }, params: { category_id: categoryId }, body }) => {
    const entry = parsed(parseCategory(body));
    const change = { categoryId, version: body.version, entry };
    const edited = await editMenu(deps, merchant, (context, tx) => editCategory(tx, context, change));
    return { change_id: changeId(edited), category: await readCategory(deps, merchant.storeId, categoryId) };
  }),
  operation({
    ...EDIT,
    name: 'removeStoreMenuCategory',
    endpoint: 'POST /menu/categories/:category_id/remove',
    summary: 'Remove a category and its contents',
    description: `Removes up to ${MAX_REMOVED_ITEMS} items and subcategories at a time.`,
    example: { path: { category_id: '{category_id}' }, body: { version: '{version}' } },
    params: categoryParams,
    body: Type.Object({ version: VERSION }),
    answer: removed,
  }).run(async (deps: StoreDeps, { by: { merchant }, params: { category_id: categoryId }, body: { version } }) => ({
    change_id: changeId(
      await editMenu(deps, merchant, (context, tx) => removeCategory(tx, context, { categoryId, version })),
    ),
  })),
  operation({
    ...EDIT,
    name: 'sortStoreMenu',
    endpoint: 'PUT /menu/sequence',
    summary: "Sort a category's items or subcategories",
    description: 'If the order no longer matches `from`, returns 409 `menu_changed`.',
    example: { body: { category_id: '{category_id}', from: ['{item_id}'], to: ['{item_id}'] } },
    body: Type.Object({
      category_id: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: FEED_LIMITS.idCharacters,
        description: 'Null for the top-level categories.',
      }),
      from: Type.Array(Type.String({ maxLength: FEED_LIMITS.idCharacters }), {
        maxItems: FEED_LIMITS.categoriesPerStore,
        description: 'All IDs in the order that was read.',
      }),
      to: Type.Array(Type.String({ maxLength: FEED_LIMITS.idCharacters }), {
        maxItems: FEED_LIMITS.categoriesPerStore,
        description: 'The same IDs in their new order.',
      }),
    }),
    answer: Type.Object({ change_id: CHANGE_ID }, { description: 'The new order was saved.' }),
  }).run(async (deps: StoreDeps, { by: { merchant }, body }) => {
    const { category_id: categoryId, from, to } = body;
    const sorted = await editMenu(deps, merchant, (context, tx) => sortMenu(tx, context, { categoryId, from, to }));
    return { change_id: changeId(sorted) };
  }),
  operation({
    ...EDIT,
    name: 'endStoreMenuEdit',
    endpoint: 'POST /menu/as_feed',
    summary: 'Reset an item, category or sort order to the feed',
    description:
      "Ends the store's edit, including a removal, so that the feed's values apply again. The change can be undone.",
    example: { body: { target: 'sequence', target_id: '{category_id}' } },
    body: Type.Object({
      target: Type.Enum(['item', 'category', 'sequence']),
      target_id: idOf(
        'The item or category. For a sort order, the category that contains the list, or empty for the top level.',
      ),
    }),
    answer: Type.Object({ change_id: CHANGE_ID }, { description: 'It matches the feed again.' }),
  }).run(async (deps: StoreDeps, { by: { merchant }, body }) => {
    const target = { kind: body.target, id: body.target_id };
    return { change_id: changeId(await editMenu(deps, merchant, (context, tx) => asFeedHas(tx, context, target))) };
  }),
];

const VALUE = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const ChangeSchema = component('StoreMenuChange', 'A menu change.', {
  change_id: Type.String(),
  at: Type.Integer({ description: 'Epoch seconds.' }),
  by: Type.Enum(['key', 'session', 'operator', 'feed']),
  by_name: orNull(Type.String(), 'The staff member. Null for the owner, a key, a feed, and in the sandbox.'),
  by_id: orNull(Type.String(), "The key, session or feed. Null for an operator's command, and in the sandbox."),
  action: Type.Enum([...MENU_ACTIONS], { description: '`switched`: availability or stock was set.' }),
  target: Type.Enum(['item', 'category', 'sequence']),
  target_id: Type.String(),
  name: Type.String({ description: "The item's or category's name. An option's follows its item's name." }),
  fields: Type.Array(Type.Object({ field: Type.String(), before: VALUE, after: VALUE }), {
    description: 'The changed fields by their feed names. Lists and objects are null.',
  }),
  undone_by: orNull(Type.String(), 'The change that undid this one.'),
});
export type StoreMenuChange = Static<typeof ChangeSchema>;

const CHANGES_PER_PAGE = 50;

const MENU_HISTORY = [
  operation({
    ...READ,
    name: 'listStoreMenuChanges',
    endpoint: 'GET /menu/changes',
    summary: "List the menu's history",
    description: `Newest first, 50 per page. Keeps the newest ${MAX_MENU_CHANGES} edits, and as many changes of availability and stock.`,
    query: Type.Object({ before: optionalWhole(1, Number.MAX_SAFE_INTEGER, "The previous page's `next_before`.") }),
    answer: describedObject('A page of changes.', {
      changes: Type.Array(ChangeSchema),
      next_before: orNull(Type.Integer(), 'Null on the last page.'),
    }),
  }).run(async (deps: StoreDeps, { by: { merchant }, query }) => {
    const beforeNo = query.before ?? Number.MAX_SAFE_INTEGER;
    const changes = await listMenuChanges(deps.db, merchant.storeId, { beforeNo, limit: CHANGES_PER_PAGE + 1 });
    const page = changes.slice(0, CHANGES_PER_PAGE);
    return {
      changes: page.map((change) => presentChange(change, merchant)),
      next_before: changes.length > page.length ? (page.at(-1)?.changeNo ?? null) : null,
    };
  }),
  operation({
    ...EDIT,
    name: 'undoStoreMenuChange',
    endpoint: 'POST /menu/changes/:change_id/undo',
    summary: 'Undo a menu change',
    description: 'An undo is itself a change. If a later change affects the same fields, returns 409 `menu_changed`.',
    example: { path: { change_id: '{change_id}' } },
    params: Type.Object({ change_id: Type.String({ maxLength: 32, description: 'The ID from the history.' }) }),
    body: Type.Object({}),
    answer: Type.Object({ change_id: CHANGE_ID }, { description: 'The change that undid this one.' }),
    refuses: ['not_found', ...EDIT.refuses],
  }).run(async (deps: StoreDeps, { by: { merchant }, params }) => {
    const undone = await editMenu(deps, merchant, (context, tx) =>
      undoChange(tx, context, changeNoOf(params.change_id)),
    );
    return { change_id: changeId(undone) };
  }),
];

/** The number of a change; 0, which no change has, for any other text. */
const changeNoOf = (changeId: string): number => (/^[1-9]\d{0,14}$/.test(changeId) ? Number(changeId) : 0);

function presentChange(
  change: Awaited<ReturnType<typeof listMenuChanges>>[number],
  { mode }: Merchant,
): Static<typeof ChangeSchema> {
  const { before, after } = change;
  const isIn = (states: object = {}) => Object.hasOwn(states, change.target);
  const target = isIn({ ...before.items, ...before.switches })
    ? 'item'
    : isIn(before.categories)
      ? 'category'
      : 'sequence';
  const [was, is] = [before, after].map((state) => presentState(state, change.target));
  return {
    change_id: String(change.changeNo),
    at: epochSeconds(change.at),
    by: change.actor,
    by_name: mode === 'live' ? change.actorName : null,
    by_id: mode === 'live' ? change.actorId : null,
    action: change.action,
    target,
    target_id: change.target,
    name: change.name,
    fields: was && is ? differences(was, is) : [],
    undone_by: change.undoneBy === null ? null : String(change.undoneBy),
  };
}

function presentState({ items, categories, switches }: MenuState, id: string): Record<string, unknown> | undefined {
  const [item, category, set] = [items[id], categories[id], switches?.[id]];
  if (item) return { category_id: item.categoryId, ...presentEntry(item.entry) };
  if (category) {
    const { name, hours, taxClass: tax_class = null } = category;
    return { name, hours: presentMenuWeek(hours), tax_class };
  }
  return (
    set && {
      available: set.available ?? Object.values(set.options ?? {})[0],
      available_at: set.availableAtS,
      qty_available: set.qtyAvailable,
    }
  );
}

function differences(was: Record<string, unknown>, is: Record<string, unknown>) {
  return Object.keys({ ...was, ...is })
    .filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
    .map((field) => ({ field, before: plainValue(was[field]), after: plainValue(is[field]) }));
}

function plainValue(value: unknown): Static<typeof VALUE> {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

export const MENU_OPERATIONS = [...READ_MENU, ...ITEM_EDITS, ...CATEGORY_EDITS, ...MENU_HISTORY];
