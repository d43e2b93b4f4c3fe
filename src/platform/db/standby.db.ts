import { sql as raw } from 'kysely';
import type { Sql } from './connect.ts';

/** Whether a commit of this role waits for a synchronous standby, which is away or far behind if requests time out. */
export async function commitsWaitForStandby(sql: Sql): Promise<boolean> {
  const { rows } = await raw<{ waits: boolean }>`
    select exists (select from pg_stat_activity where wait_event = 'SyncRep') as waits`.execute(sql);
  return rows[0]?.waits === true;
}
