import { type RawBuilder, sql as raw } from 'kysely';
import type { Sql } from '../../src/platform/db/connect.ts';

/** Rows of a table that match a condition, as a JSON array that restores every value exactly. */
export async function readRows(sql: Sql, table: string, where: RawBuilder<unknown>): Promise<string> {
  const { rows } = await raw<{ found: string }>`
    select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as found from ${raw.table(table)} t where ${where}`.execute(
    sql,
  );
  return rows[0]?.found ?? '[]';
}

/** Upserts rows that `readRows` read from another database of the same version. */
export async function writeRows(sql: Sql, table: string, found: string): Promise<void> {
  const { written, key } = await columnsOf(sql, table);
  const names = raw.join(written.map((name) => raw.ref(name)));
  const values = raw.join(written.map((name) => raw`${raw.ref(name)} = excluded.${raw.ref(name)}`));
  await raw`
    insert into ${raw.table(table)} (${names})
    select ${names} from jsonb_populate_recordset(null::${raw.table(table)}, ${found}::jsonb)
    on conflict (${raw.join(key.map((name) => raw.ref(name)))}) do update set ${values}`.execute(sql);
}

/** The table's non-generated columns and its primary key. */
async function columnsOf(sql: Sql, table: string): Promise<{ written: string[]; key: string[] }> {
  const { rows } = await raw<{ name: string; isKey: boolean }>`
    select a.attname as name, coalesce(a.attnum = any(i.indkey), false) as is_key
    from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum`.execute(sql);
  return { written: rows.map(({ name }) => name), key: rows.filter(({ isKey }) => isKey).map(({ name }) => name) };
}
