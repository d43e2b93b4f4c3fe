import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { STAGED_CATALOGS } from '../menus/write-catalogs.db.ts';
import type { StoreRows } from './store-rows.ts';

/** Temporary tables with an import's rows before they are merged. */

const STAGED_STORE = `
  store_id text, external_id text, online_ordering boolean, accept_delivery boolean, accept_pickup boolean, language text,
  supports_upc_codes boolean, has_catalog boolean, feed_hash text, brand text, origins jsonb`;

/**
 * Creates tables of this connection, whose rows last for one transaction: stores and catalogs until the change clock is
 * taken. Store rows stay uncompressed, because each is read once.
 */
export async function createStaging(sql: Sql): Promise<void> {
  const made = {
    staged_store_rows: `(${STAGED_STORE}, profile text) with (toast_tuple_target = 8160)`,
    ...STAGED_CATALOGS,
  };
  const statements = Object.entries(made).map(
    ([name, table]) => `create temporary table if not exists ${name} ${table} on commit delete rows`,
  );
  // Statements without parameters can be sent together.
  await raw.raw(statements.join('; ')).execute(sql);
}

/** Profiles are sent as separate lines, because PostgreSQL would parse each three times inside the rows' JSON. */
export async function stageStores(sql: Sql, stores: readonly Pick<StoreRows, 'row' | 'feedHash' | 'profile'>[]) {
  if (stores.length === 0) return;
  const rows = stores.map(({ row, feedHash }) => `${row.slice(0, -1)},"feed_hash":"${feedHash}"}`);
  const profiles = stores.map(({ profile }) => profile).join('\n');
  await raw`
    insert into staged_store_rows select * from rows from (
      json_to_recordset(${`[${rows.join(',')}]`}::json) as (${raw.raw(STAGED_STORE)}),
      string_to_table(${profiles}, E'\n'))`.execute(sql);
}
