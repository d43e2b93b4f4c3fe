import { type RawBuilder, sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { recountSandboxes } from '../catalog/stock.db.ts';

/** Writes categories and products where they differ: rows of menu-rows.ts, staged in temporary tables. */

const STAGED_PRODUCT = `
  seq integer, store_id text, category_id text, external_id text, position integer, name text, search_words text,
  description text, price integer, pickup_price integer, original_price integer, image text, thumbnail_image text,
  unit_size double precision, unit_of_measurement text, weight jsonb, upc_code text, is_alcoholic boolean, tax_class text, food jsonb,
  in_delivery boolean, in_pickup boolean, hours jsonb, customizations jsonb, option_count integer, min_extra integer,
  available boolean, qty_available integer, feed_hash text, delivery_view bigint, pickup_view bigint, food_claims integer`;
const STAGED_CATEGORY = `
  seq integer, store_id text, external_id text, parent_id text, position integer, name text, menu_hours jsonb,
  is_leaf boolean, tax_classes text[]`;

/** Temporary tables of catalogs, and their columns. */
export const STAGED_CATALOGS = { staged_products: `(${STAGED_PRODUCT})`, staged_categories: `(${STAGED_CATEGORY})` };

/** Expands JSON texts of rows to these columns. */
export function recordset(rows: readonly string[], columns: string): RawBuilder<unknown> {
  return raw`json_to_recordset(${`[${rows.join(',')}]`}::json) as r(${raw.raw(columns)})`;
}

export async function stageProducts(sql: Sql, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await raw`insert into staged_products select * from ${recordset(rows, STAGED_PRODUCT)}`.execute(sql);
}

export async function stageCategories(sql: Sql, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await raw`insert into staged_categories select * from ${recordset(rows, STAGED_CATEGORY)}`.execute(sql);
}

/** Positions (`seq`) where a product ID or PLU is staged again, with its path. */
export async function findRepeatedProducts(sql: Sql, limit: number): Promise<{ seq: number; path: string }[]> {
  const code = raw`weight->>'scaleCode'`;
  const { rows } = await raw<{ seq: number; path: string }>`
    select seq, path from (
      select seq, 'id' as path, row_number() over (partition by store_id, external_id order by seq) as nth
      from staged_products
      union all
      select seq, 'weight.scale_code', row_number() over (partition by store_id, ${code} order by seq)
      from staged_products where ${code} is not null
    ) as numbered
    where nth > 1 order by seq limit ${limit}`.execute(sql);
  return rows;
}

/** Whether a store has one of these codes of its scale twice. */
export async function hasRepeatedScaleCode(sql: Sql, storeId: string, codes: readonly string[]): Promise<boolean> {
  const { rows } = await raw`
    select 1 from products where store_id = ${storeId} and not removed and weight->>'scaleCode' = any(${codes}::text[])
    group by weight->>'scaleCode' having count(*) > 1 limit 1`.execute(sql);
  return rows.length > 0;
}

/**
 * Locks the products that `upsertProducts` and `removeMissing` will write, by store and number as orders do, so that
 * imports and orders never deadlock. Unchanged products are not locked, because a lock writes the row.
 */
export async function lockProducts(sql: Sql, storeIds: readonly string[]): Promise<void> {
  await raw`
    select count(*) from (
      select 1 from products as p
      join categories as c on c.store_id = p.store_id and c.category_no = p.category_no
      left join staged_products as g on g.store_id = p.store_id and g.external_id = p.external_id
      where p.store_id = any(${storeIds}) and not p.removed
        and (p.feed_hash, c.external_id, p.position, p.delivery_view, p.pickup_view)
          is distinct from (decode(g.feed_hash, 'hex'), g.category_id, g.position, g.delivery_view, g.pickup_view)
      order by p.store_id, p.product_no for no key update of p
    ) as locked`.execute(sql);
}

/** Writes changed categories, those staged or these; category numbers are permanent. */
export async function upsertCategories(sql: Sql, storeIds: readonly string[], rows?: readonly string[]): Promise<void> {
  const staged = rows ? raw`(select * from ${recordset(rows, STAGED_CATEGORY)})` : raw`staged_categories`;
  await raw`
    with tops as (
      select store_id, max(category_no) as top from categories where store_id = any(${storeIds}) group by store_id
    ), numbered as (
      select g.*, coalesce(c.category_no, coalesce(t.top, 0)
        + row_number() over (partition by g.store_id, c.category_no is null order by g.seq)) as category_no
      from ${staged} as g
      left join categories as c on c.store_id = g.store_id and c.external_id = g.external_id
      left join tops as t on t.store_id = g.store_id
      where g.store_id = any(${storeIds})
    )
    insert into categories as c (store_id, category_no, external_id, parent_no, position, name, menu_hours, is_leaf,
      tax_classes)
    select n.store_id, n.category_no, n.external_id, p.category_no, n.position, n.name, n.menu_hours, n.is_leaf,
      n.tax_classes
    from numbered as n
    left join numbered as p on p.store_id = n.store_id and p.external_id = n.parent_id
    on conflict (store_id, category_no) do update set
      parent_no = excluded.parent_no, position = excluded.position, name = excluded.name, menu_hours = excluded.menu_hours,
      is_leaf = excluded.is_leaf, tax_classes = excluded.tax_classes, removed = false
    where (c.parent_no, c.position, c.name, c.menu_hours, c.is_leaf, c.tax_classes, c.removed)
      is distinct from (excluded.parent_no, excluded.position, excluded.name, excluded.menu_hours, excluded.is_leaf,
        excluded.tax_classes, false)
  `.execute(sql);
}

/**
 * Writes changed products, those staged or these; numbers are permanent. Sale and stock follow the feed only if its
 * value changed or the product returns. Feeds count the units on the shelf, so units held by active orders are
 * subtracted. `pruneOptions` runs in the same transaction.
 */
export async function upsertProducts(sql: Sql, storeIds: readonly string[], rows?: readonly string[]): Promise<void> {
  const staged = rows ? raw`(select * from ${recordset(rows, STAGED_PRODUCT)})` : raw`staged_products`;
  await raw`
    with tops as (
      select store_id, max(product_no) as top from products where store_id = any(${storeIds}) group by store_id
    ), differing as (
      select g.*, decode(g.feed_hash, 'hex') as entry_hash, c.category_no, p.product_no as known_no
      from ${staged} as g
      join categories as c on c.store_id = g.store_id and c.external_id = g.category_id
      left join products as p on p.store_id = g.store_id and p.external_id = g.external_id
      where g.store_id = any(${storeIds}) and (p.product_no is null or p.removed
        or (p.feed_hash, p.category_no, p.position, p.delivery_view, p.pickup_view)
          is distinct from (decode(g.feed_hash, 'hex'), c.category_no, g.position, g.delivery_view, g.pickup_view))
    ), held as (
      select o.store_id, (h->>'productNo')::integer as product_no, sum((h->>'quantity')::integer)::integer as quantity
      from orders as o, jsonb_array_elements(o.stock_held) as h
      where o.store_id = any(${storeIds}) and o.mode = 'live' and o.status in ('unplaced', 'awaiting_confirmation', 'in_progress')
        and o.stock_held <> '[]'
      group by 1, 2
    )
    insert into products as p (store_id, product_no, external_id, category_no, position, name, search_words,
      description, price, pickup_price, original_price, image, thumbnail_image, unit_size, unit_of_measurement,
      weight, upc_code, is_alcoholic, tax_class, in_delivery, in_pickup, hours, customizations, option_count, min_extra, available,
      qty_available, feed_available, feed_qty_available, feed_hash, delivery_view, pickup_view, food,
      food_claims)
    select d.store_id, coalesce(d.known_no, coalesce(t.top, 0)
        + row_number() over (partition by d.store_id, d.known_no is null order by d.seq)),
      d.external_id, d.category_no, d.position, d.name, d.search_words, d.description, d.price, d.pickup_price,
      d.original_price, d.image, d.thumbnail_image, d.unit_size, d.unit_of_measurement, d.weight, d.upc_code, d.is_alcoholic, d.tax_class,
      d.in_delivery, d.in_pickup, d.hours, d.customizations, d.option_count, d.min_extra, d.available,
      case when h.quantity is null then d.qty_available
        when d.qty_available is not null then greatest(d.qty_available - h.quantity, 0) end,
      d.available, d.qty_available, d.entry_hash, d.delivery_view, d.pickup_view, d.food, coalesce(d.food_claims, 0)
    from differing as d left join tops as t on t.store_id = d.store_id
    left join held as h on h.store_id = d.store_id and h.product_no = d.known_no
    on conflict (store_id, product_no) do update set
      category_no = excluded.category_no, position = excluded.position, name = excluded.name,
      search_words = excluded.search_words, description = excluded.description,
      price = excluded.price, pickup_price = excluded.pickup_price,
      original_price = excluded.original_price, image = excluded.image, thumbnail_image = excluded.thumbnail_image,
      unit_size = excluded.unit_size, unit_of_measurement = excluded.unit_of_measurement,
      weight = excluded.weight,
      upc_code = excluded.upc_code, is_alcoholic = excluded.is_alcoholic, tax_class = excluded.tax_class,
      in_delivery = excluded.in_delivery,
      in_pickup = excluded.in_pickup, hours = excluded.hours, customizations = excluded.customizations,
      option_count = excluded.option_count, min_extra = excluded.min_extra, feed_hash = excluded.feed_hash,
      delivery_view = excluded.delivery_view, pickup_view = excluded.pickup_view, removed = false,
      feed_available = excluded.feed_available, feed_qty_available = excluded.feed_qty_available,
      food = excluded.food, food_claims = excluded.food_claims, full_customizations = null,
      (available, available_at) = (select case when is_same then p.available else excluded.available end,
          case when is_same then p.available_at end
        from (values (not p.removed and (p.feed_hash = excluded.feed_hash
          or p.feed_available = excluded.feed_available))) as sale (is_same)),
      qty_available = case when excluded.weight is not null then null when not p.removed and (p.feed_hash = excluded.feed_hash
          or p.feed_qty_available is not distinct from excluded.feed_qty_available)
        then p.qty_available else excluded.qty_available end
  `.execute(sql);
}

/**
 * Marks rows of these stores that the staged catalog lacks. Rows and numbers stay, because tokens and old orders refer
 * to them.
 */
export async function removeMissing(sql: Sql, storeIds: readonly string[]): Promise<void> {
  await raw`
    update products as p set removed = true where p.store_id = any(${storeIds}) and not p.removed and not exists (
      select 1 from staged_products as g where g.store_id = p.store_id and g.external_id = p.external_id)`.execute(sql);
  await raw`
    update categories as c set removed = true where c.store_id = any(${storeIds}) and not c.removed and not exists (
      select 1 from staged_categories as g where g.store_id = c.store_id and g.external_id = c.external_id)`.execute(
    sql,
  );
}

/**
 * Recounts sandbox holds of products whose stock the staged catalog replaces, by the rule of `upsertProducts`. Runs
 * after `lockProducts` and before `upsertProducts`, which overwrites the feed's previous values.
 */
export async function resetSandboxStock(sql: Sql, storeIds: readonly string[]): Promise<void> {
  const { rows } = await raw<{ storeId: string; productNo: number }>`
    select distinct own.store_id, own.product_no
    from sandbox_stock as own
    join products as p on p.store_id = own.store_id and p.product_no = own.product_no
    join staged_products as g on g.store_id = p.store_id and g.external_id = p.external_id
    where own.store_id = any(${storeIds}) and (p.removed or (p.feed_hash <> decode(g.feed_hash, 'hex')
      and p.feed_qty_available is distinct from g.qty_available))`.execute(sql);
  await recountSandboxes(sql, rows);
}
