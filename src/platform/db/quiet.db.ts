import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Sql } from './connect.ts';
import { deleteSetting, findSettings } from './settings.db.ts';

/*
 * A copy of a service's database is quiet: no node acts on the outside world for it, and the API answers only reads
 * (docs/backups.md#copies-are-quiet). `doorstep restore` marks the database; OUTSIDE=off makes a node quiet anyway.
 */

const RESTORED_AT = 'restored_at';

/** Marks the database whose schema is on the search path as restored. */
export async function markRestored(client: pg.ClientBase): Promise<void> {
  await client.query(
    `insert into settings (name, value) values ($1, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      on conflict (name) do update set value = excluded.value`,
    [RESTORED_AT],
  );
}

/** Returns why a node of this database must be quiet, as a sentence; undefined if it may act. */
export async function findQuietReason(sql: Sql, { outside }: Pick<Config, 'outside'>): Promise<string | undefined> {
  if (!outside) return 'OUTSIDE is off: nothing is sent, called, charged or refunded, and changes are refused.';
  const at = (await findSettings(sql, [RESTORED_AT])).get(RESTORED_AT);
  return at === undefined
    ? undefined
    : `The database was restored from a backup at ${at}: nothing is sent, called, charged or refunded, and changes are refused, until \`doorstep database release\`.`;
}

/** Lets nodes act again from their next start. Returns false if the database is not marked. */
export const releaseDatabase = (sql: Sql): Promise<boolean> => deleteSetting(sql, RESTORED_AT);
