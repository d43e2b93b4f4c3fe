import { type RawBuilder, sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

const STAGED_PRODUCT = `
  seq integer, store_id text, category_id text, external_id text, position integer, name text, search_words text,
  description text, price integer, pickup_price integer, original_price integer, image text, thumbnail_image text,
  unit_size double precision, unit_of_measurement text, upc_code text, is_alcoholic boolean, food jsonb,
  in_delivery boolean, in_pickup boolean, hours jsonb, customizations jsonb, option_count integer, min_extra integer,
  available boolean, qty_available integer, feed_hash text, delivery_view bigint, pickup_view bigint, food_claims integer`;
const STAGED_CATEGORY = `
  seq integer, store_id text, external_id text, parent_id text, position integer, name text, menu_hours jsonb,
  is_leaf boolean`;
/** The columns of a store in JSON; its profile is a text beside them. */
const STORE_COLUMNS = `
  store_id text, external_id text, online_ordering boolean, accept_delivery boolean, accept_pickup boolean,
  supports_upc_codes boolean, has_catalogue boolean, feed_hash text, brand text, origins jsonb`;
const STAGED_STORE = `${STORE_COLUMNS}, profile jsonb`;

/** The entries of one JSON array text as rows of these columns. */
function recordset(rows: readonly string[], columns: string): RawBuilder<unknown> {
  return raw`json_to_recordset(${`[${rows.join(',')}]`}::json) as r(${raw.raw(columns)})`;
}

/**
 * Tables of this connection whose rows last for one transaction: they hold stores and catalogues until the change clock is
 * taken. Rows of stores stay uncompressed, since each is read once.
 */
export async function createStaging(sql: Sql): Promise<void> {
  const made = {
    staged_stores: `(${STAGED_STORE}) with (toast_tuple_target = 8160)`,
    staged_products: `(${STAGED_PRODUCT})`,
    staged_categories: `(${STAGED_CATEGORY})`,
  };
  const statements = Object.entries(made).map(
    ([name, table]) => `create temporary table if not exists ${name} ${table} on commit delete rows`,
  );
  // Statements without parameters are sent together.
  await raw.raw(statements.join('; ')).execute(sql);
}

/** Profiles are sent as lines: JSON within JSON would be read twice, and a JSON text of one line has no line end in it. */
export async function stageStores(sql: Sql, rows: readonly { store: string; profile: string }[]): Promise<void> {
  if (rows.length === 0) return;
  const [stores, profiles] = [rows.map(({ store }) => store), rows.map(({ profile }) => profile)];
  await raw`
    insert into staged_stores
    select store_id, external_id, online_ordering, accept_delivery, accept_pickup, supports_upc_codes, has_catalogue,
      feed_hash, brand, origins, profile::jsonb
    from rows from (
      json_to_recordset(${`[${stores.join(',')}]`}::json) as (${raw.raw(STORE_COLUMNS)}),
      string_to_table(${profiles.join('\n')}, chr(10))
    ) as r (store_id, external_id, online_ordering, accept_delivery, accept_pickup, supports_upc_codes, has_catalogue,
      feed_hash, brand, origins, profile)`.execute(sql);
}

export async function stageProducts(sql: Sql, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await raw`insert into staged_products select * from ${recordset(rows, STAGED_PRODUCT)}`.execute(sql);
}

export async function stageCategories(sql: Sql, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  await raw`insert into staged_categories select * from ${recordset(rows, STAGED_CATEGORY)}`.execute(sql);
}

/** The second and later places (`seq`) of every product id that was staged more than once. */
export async function findRepeatedProducts(sql: Sql, limit: number): Promise<number[]> {
  const { rows } = await raw<{ seq: number }>`
    select seq from (
      select seq, row_number() over (partition by store_id, external_id order by seq) as nth from staged_products
    ) as numbered
    where nth > 1 order by seq limit ${limit}`.execute(sql);
  return rows.map(({ seq }) => seq);
}
