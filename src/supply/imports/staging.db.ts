import { type RawBuilder, sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { StoreRows } from './store-rows.ts';

/** Temporary tables with an import's rows before they are merged. */

const STAGED_PRODUCT = `
  seq integer, store_id text, category_id text, external_id text, position integer, name text, search_words text,
  description text, price integer, pickup_price integer, original_price integer, image text, thumbnail_image text,
  unit_size double precision, unit_of_measurement text, upc_code text, is_alcoholic boolean, food jsonb,
  in_delivery boolean, in_pickup boolean, hours jsonb, customizations jsonb, option_count integer, min_extra integer,
  available boolean, qty_available integer, feed_hash text, delivery_view bigint, pickup_view bigint, food_claims integer`;
const STAGED_CATEGORY = `
  seq integer, store_id text, external_id text, parent_id text, position integer, name text, menu_hours jsonb,
  is_leaf boolean`;
const STAGED_STORE = `
  store_id text, external_id text, online_ordering boolean, accept_delivery boolean, accept_pickup boolean, language text,
  supports_upc_codes boolean, has_catalog boolean, feed_hash text, brand text, origins jsonb`;

/** Expands a JSON array text to rows of these columns. */
function recordset(rows: readonly string[], columns: string): RawBuilder<unknown> {
  return raw`json_to_recordset(${`[${rows.join(',')}]`}::json) as r(${raw.raw(columns)})`;
}

/**
 * Creates tables of this connection, whose rows last for one transaction: stores and catalogs until the change clock is
 * taken. Store rows stay uncompressed, because each is read once.
 */
export async function createStaging(sql: Sql): Promise<void> {
  const made = {
    staged_store_rows: `(${STAGED_STORE}, profile text) with (toast_tuple_target = 8160)`,
    staged_products: `(${STAGED_PRODUCT})`,
    staged_categories: `(${STAGED_CATEGORY})`,
  };
  const statements = Object.entries(made).map(
    ([name, table]) => `create temporary table if not exists ${name} ${table} on commit delete rows`,
  );
  // Statements without parameters can be sent together.
  await raw.raw(statements.join('; ')).execute(sql);
}

/** Profiles are sent as separate lines, because PostgreSQL would parse each three times inside the rows' JSON. */
export async function stageStores(
  sql: Sql,
  stores: readonly Pick<StoreRows, 'row' | 'feedHash' | 'profile'>[],
): Promise<void> {
  if (stores.length === 0) return;
  const rows = stores.map(({ row, feedHash }) => `${row.slice(0, -1)},"feed_hash":"${feedHash}"}`);
  const profiles = stores.map(({ profile }) => profile).join('\n');
  await raw`
    insert into staged_store_rows select * from rows from (
      json_to_recordset(${`[${rows.join(',')}]`}::json) as (${raw.raw(STAGED_STORE)}),
      string_to_table(${profiles}, E'\n'))`.execute(sql);
}

export async function stageProducts(sql: Sql, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await raw`insert into staged_products select * from ${recordset(rows, STAGED_PRODUCT)}`.execute(sql);
}

export async function stageCategories(sql: Sql, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await raw`insert into staged_categories select * from ${recordset(rows, STAGED_CATEGORY)}`.execute(sql);
}

/** Positions (`seq`) at which a product id is staged again. */
export async function findRepeatedProducts(sql: Sql, limit: number): Promise<number[]> {
  const { rows } = await raw<{ seq: number }>`
    select seq from (
      select seq, row_number() over (partition by store_id, external_id order by seq) as nth from staged_products
    ) as numbered
    where nth > 1 order by seq limit ${limit}`.execute(sql);
  return rows.map(({ seq }) => seq);
}
