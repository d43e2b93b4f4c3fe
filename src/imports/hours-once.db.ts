import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

/** The migration that tells versions without it to stop, where profiles may leave out hours. */
const MIGRATION = '0036-hours-once.sql';

/** Whether every node of the database can read profiles that leave out hours (docs/adr/0062-hours-once.md). */
export async function mayOmitHours(sql: Sql): Promise<boolean> {
  const { rows } = await raw<{ may: boolean }>`
    select exists (select from migration_stops where name = ${MIGRATION}) as may`.execute(sql);
  return rows[0]?.may === true;
}
