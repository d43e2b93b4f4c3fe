import { type RawBuilder, sql as raw } from 'kysely';
import { personNameSql } from '../../access/sessions/sessions.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Food } from '../catalog/food.ts';
import type { Customization } from '../catalog/product.ts';
import type { CategoryEdit, CategoryRow, Edits, ItemEdit, SequenceEdit } from './menu.ts';
import type { EditContext, MenuAction, MenuActor, MenuState } from './menu-edits.ts';
import type { FeedProduct } from './parse-product.ts';

/** Reads and writes menus entity by entity, their edits and their history. Writers hold the change clock. */

/** The categories of a store, each list in order. */
export async function findMenuCategories(sql: Sql, storeId: string): Promise<CategoryRow[]> {
  const { rows } = await raw<CategoryRow>`
    select c.external_id, p.external_id as parent_id, c.name, c.menu_hours, c.tax_classes
    from categories as c left join categories as p on p.store_id = c.store_id and p.category_no = c.parent_no
    where c.store_id = ${storeId} and not c.removed order by c.position, c.category_no`.execute(sql);
  return rows;
}

/** Categories that an import staged, in order. */
export async function findStagedCategories(sql: Sql, storeId: string): Promise<CategoryRow[]> {
  const { rows } = await raw<CategoryRow>`
    select external_id, parent_id, name, menu_hours, tax_classes from staged_categories
    where store_id = ${storeId} order by position, seq`.execute(sql);
  return rows;
}

type FeedColumns = Omit<FeedProduct, 'customizations'> & {
  food: Food | null;
  customizations: readonly Customization[] | null;
};

/** A product with its row's own values: `product` is the feed's or an edit's; `available` is the switch. */
export type ItemRow = {
  externalId: string;
  categoryId: string;
  product: FeedProduct;
  live: {
    available: boolean;
    availableAt: Temporal.Instant | null;
    qtyAvailable: number | null;
    optionsOff: readonly string[];
  };
  removed: boolean;
  stored: { feedHash: string; views: { delivery: string | null; pickup: string | null } };
};

/** Columns in the order of a feed product's members, so that equal products have equal hashes. */
function feedColumns(available: string, qtyAvailable: string): RawBuilder<unknown> {
  return raw.raw(`p.external_id, p.name, p.description, p.price, p.pickup_price, p.original_price, p.image, p.thumbnail_image,
    ${available} as available, ${qtyAvailable} as qty_available, p.unit_size, p.unit_of_measurement, p.weight, p.upc_code,
    p.is_alcoholic, p.tax_class, p.food, p.in_delivery, p.in_pickup, p.hours`);
}

type ItemSelection = {
  ids?: readonly string[];
  categoryIds?: readonly string[];
  page?: { offset: number; limit: number };
};

type StoredColumns = FeedColumns & {
  categoryId: string;
  removed: boolean;
  liveAvailable: boolean;
  availableAt: Temporal.Instant | null;
  liveQtyAvailable: number | null;
  optionsOff: readonly string[];
  feedHash: string;
  deliveryView: string | null;
  pickupView: string | null;
};

/**
 * Products by id, removed ones included, and all products of these categories, in order. `lock` takes their rows, by
 * number as orders do.
 */
export async function findMenuItems(
  sql: Sql,
  storeId: string,
  { ids = [], categoryIds = [], page }: ItemSelection,
  lock = false,
): Promise<ItemRow[]> {
  const chosen = raw`p.store_id = ${storeId} and (p.external_id = any(${ids}::text[])
    or (not p.removed and p.category_no in (select category_no from categories
      where store_id = ${storeId} and external_id = any(${categoryIds}::text[]))))`;
  if (lock) {
    await raw`select count(*) from (
      select 1 from products as p where ${chosen} order by p.product_no for no key update) as locked`.execute(sql);
  }
  const { rows } = await raw<StoredColumns>`
    select ${feedColumns('p.feed_available', 'p.feed_qty_available')},
      coalesce(p.full_customizations, p.customizations) as customizations, c.external_id as category_id, p.removed,
      p.available as live_available, p.available_at, p.qty_available as live_qty_available, p.options_off,
      encode(p.feed_hash, 'hex') as feed_hash, p.delivery_view::text, p.pickup_view::text
    from products as p join categories as c on c.store_id = p.store_id and c.category_no = p.category_no
    where ${chosen} order by p.position, p.product_no
    limit ${page?.limit ?? null}::bigint offset ${page?.offset ?? 0}`.execute(sql);
  return rows.map(({ categoryId, removed, feedHash, deliveryView, pickupView, ...row }) => {
    const { liveAvailable, availableAt, liveQtyAvailable, optionsOff, ...product } = row;
    return {
      externalId: row.externalId,
      categoryId,
      product: productOf(product),
      live: { available: liveAvailable, availableAt, qtyAvailable: liveQtyAvailable, optionsOff },
      removed,
      stored: { feedHash, views: { delivery: deliveryView, pickup: pickupView } },
    };
  });
}

export type StagedItem = { externalId: string; categoryId: string; product: FeedProduct };

/** Products that an import staged: by id, and all of these categories, in order. */
export async function findStagedItems(sql: Sql, storeId: string, { ids = [], categoryIds = [] }: ItemSelection) {
  const { rows } = await raw<FeedColumns & { categoryId: string }>`
    select ${feedColumns('p.available', 'p.qty_available')}, p.customizations, p.category_id
    from staged_products as p
    where p.store_id = ${storeId}
      and (p.external_id = any(${ids}::text[]) or p.category_id = any(${categoryIds}::text[]))
    order by p.position, p.seq`.execute(sql);
  return rows.map(({ categoryId, ...row }) => {
    return { externalId: row.externalId, categoryId, product: productOf(row) };
  });
}

/** Without the class and the weight that it does not have, as the feed reads it. */
function productOf(row: FeedColumns): FeedProduct {
  const product: FeedProduct = { ...row, customizations: row.customizations ?? [] };
  for (const member of ['taxClass', 'weight'] as const) if (product[member] === null) delete product[member];
  return product;
}

/** Takes the staged categories, and these products, out of an import's pending writes. */
export async function unstageMenu(sql: Sql, storeId: string, { ids = [], categoryIds = [] }: ItemSelection) {
  await raw`delete from staged_categories where store_id = ${storeId}`.execute(sql);
  await raw`delete from staged_products where store_id = ${storeId}
    and (external_id = any(${ids}::text[]) or category_id = any(${categoryIds}::text[]))`.execute(sql);
}

export async function countMenuItems(sql: Sql, storeId: string): Promise<Map<string, number>> {
  const { rows } = await raw<{ categoryId: string; items: number }>`
    select c.external_id as category_id, count(*)::integer as items from products as p
    join categories as c on c.store_id = p.store_id and c.category_no = p.category_no
    where p.store_id = ${storeId} and not p.removed group by 1`.execute(sql);
  return new Map(rows.map(({ categoryId, items }) => [categoryId, items]));
}

/** Takes categories and products out of the menu, or puts products back with the switches that they had. */
export async function markRemoved(
  sql: Sql,
  storeId: string,
  table: 'categories' | 'products',
  ids: readonly string[],
  removed: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await raw`update ${raw.table(table)} set removed = ${removed}
    where store_id = ${storeId} and external_id = any(${ids}::text[]) and removed <> ${removed}`.execute(sql);
}

/** Derives a store row's catalog columns. */
export async function refreshCatalogFlags(sql: Sql, storeId: string): Promise<void> {
  await raw`
    update stores as s set has_catalog = found.has_catalog, supports_upc_codes = found.has_upc
    from (select exists (select from products where store_id = ${storeId} and not removed) as has_catalog,
      exists (select from products where store_id = ${storeId} and not removed and upc_code is not null) as has_upc
    ) as found
    where s.store_id = ${storeId}
      and (s.has_catalog, s.supports_upc_codes) <> (found.has_catalog, found.has_upc)`.execute(sql);
}

/** Items of a menu, counted up to `limit`. */
export async function countItems(sql: Sql, storeId: string, limit: number): Promise<number> {
  const { rows } = await raw<{ count: number }>`select count(*)::int as count
    from (select from products where store_id = ${storeId} and not removed limit ${limit}) as p`.execute(sql);
  return rows[0]?.count ?? 0;
}

/** An edit as its row contains it. */
export type StoredEdit = { externalId: string } & (
  | ({ kind: 'category' } & CategoryEdit)
  | ({ kind: 'item' } & ItemEdit)
  | ({ kind: 'sequence' } & SequenceEdit)
);

export async function findMenuEdits(sql: Sql, storeId: string): Promise<StoredEdit[]> {
  const { rows } = await raw<StoredEdit>`select kind, external_id, feed, patch, feed_changed
    from menu_edits where store_id = ${storeId} order by kind, external_id`.execute(sql);
  return rows;
}

/** Where the items and categories that the store has edited come from, and whether the feed has changed them since. */
export async function findOrigins(sql: Sql, storeId: string, kind: 'category' | 'item') {
  const { rows } = await raw<{ externalId: string; isAdded: boolean; feedChanged: boolean }>`
    select external_id, coalesce((patch->>'added')::boolean, feed is null) as is_added, feed_changed
    from menu_edits where store_id = ${storeId} and kind = ${kind}`.execute(sql);
  return new Map(rows.map(({ externalId, ...origin }) => [externalId, origin]));
}

export async function findEditedStores(sql: Sql, storeIds: readonly string[]): Promise<string[]> {
  const { rows } = await raw<{ storeId: string }>`
    select distinct store_id from menu_edits where store_id = any(${storeIds}::text[]) order by store_id`.execute(sql);
  return rows.map(({ storeId }) => storeId);
}

/** Saves the edits of a store that are others than before. */
export async function saveMenuEdits(sql: Sql, storeId: string, before: Edits, after: Edits): Promise<void> {
  const differing = (kind: StoredEdit['kind'], from: ReadonlyMap<string, object>, to: ReadonlyMap<string, object>) =>
    [...new Set([...from.keys(), ...to.keys()])]
      .filter((id) => from.get(id) !== to.get(id))
      .map((id) => ({ kind, external_id: id, is_made: to.has(id), ...to.get(id) }));
  const rows = [
    differing('category', before.categories, after.categories),
    differing('item', before.items, after.items),
    differing('sequence', before.sequences, after.sequences),
  ].flat();
  if (rows.length === 0) return;
  await raw`
    with edits as materialized (
      select kind, external_id, is_made, feed, coalesce(patch, 'null') as patch, "feedChanged" as feed_changed
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(kind text, external_id text, is_made boolean, feed jsonb, patch jsonb, "feedChanged" boolean)
    ), ended as (
      delete from menu_edits as e using edits as n
      where e.store_id = ${storeId} and (e.kind, e.external_id) = (n.kind, n.external_id) and not n.is_made
    )
    insert into menu_edits as e (store_id, kind, external_id, feed, patch, feed_changed)
    select ${storeId}, kind, external_id, feed, patch, feed_changed from edits where is_made
    on conflict (store_id, kind, external_id) do update
      set feed = excluded.feed, patch = excluded.patch, feed_changed = excluded.feed_changed
      where (e.feed, e.patch, e.feed_changed) is distinct from (excluded.feed, excluded.patch, excluded.feed_changed)
  `.execute(sql);
}

/**
 * Maximum edits kept per store, and as many switches alongside them, so that a POS that sets stock all day leaves the
 * edits. Older ones are dropped and cannot be undone.
 */
export const MAX_MENU_CHANGES = 500;

export type MenuChange = {
  changeNo: number;
  at: Temporal.Instant;
  actor: MenuActor['source'];
  actorId: string | null;
  action: MenuAction;
  /** The item's or category's id and name. */
  target: string;
  name: string;
  before: MenuState;
  after: MenuState;
  undoneBy: number | null;
};

export async function recordMenuChange(
  sql: Sql,
  { storeId, actor, at }: EditContext,
  change: Pick<MenuChange, 'action' | 'target' | 'name' | 'before' | 'after'>,
): Promise<number> {
  const { rows } = await raw<{ changeNo: number }>`
    insert into menu_changes (store_id, change_no, at, actor, actor_id, action, target, name, before, after)
    select ${storeId}, coalesce(max(change_no), 0) + 1, ${at.toString()}::timestamptz, ${actor.source},
      ${actor.id}, ${change.action}, ${change.target}, ${change.name}, ${JSON.stringify(change.before)}::jsonb,
      ${JSON.stringify(change.after)}::jsonb
    from menu_changes where store_id = ${storeId} returning change_no`.execute(sql);
  const changeNo = rows[0]?.changeNo ?? 0;
  const alike = raw`store_id = ${storeId} and (action = 'switched') = ${change.action === 'switched'}`;
  await raw`delete from menu_changes where ${alike} and change_no <= (
    select change_no from menu_changes where ${alike} order by change_no desc offset ${MAX_MENU_CHANGES} limit 1)`.execute(
    sql,
  );
  return changeNo;
}

const changesOf = (sql: Sql, storeId: string) =>
  sql
    .selectFrom('menuChanges')
    .select(['changeNo', 'at', 'actor', 'actorId', 'action', 'target', 'name', 'before', 'after', 'undoneBy'])
    .where('storeId', '=', storeId);

export async function findMenuChange(sql: Sql, storeId: string, changeNo: number): Promise<MenuChange | undefined> {
  return changesOf(sql, storeId).where('changeNo', '=', changeNo).executeTakeFirst();
}

/** The newest changes before a number, up to `limit`. */
export async function listMenuChanges(
  sql: Sql,
  storeId: string,
  { beforeNo, limit }: { beforeNo: number; limit: number },
): Promise<(MenuChange & { actorName: string | null })[]> {
  return changesOf(sql, storeId)
    .select(personNameSql('menuChanges.actorId').as('actorName'))
    .where('changeNo', '<', beforeNo)
    .orderBy('changeNo', 'desc')
    .limit(limit)
    .execute();
}

export async function markUndone(sql: Sql, storeId: string, changeNo: number, undoneBy: number): Promise<void> {
  await sql
    .updateTable('menuChanges')
    .set({ undoneBy })
    .where('storeId', '=', storeId)
    .where('changeNo', '=', changeNo)
    .execute();
}
