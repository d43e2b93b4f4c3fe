import { sql as raw } from 'kysely';
import type { Sandbox } from '../accounts/account.ts';
import type { Sql } from '../db/connect.ts';

/**
 * Makes a store of some sandboxes exist for one more sandbox, or (null) for everyone. Returns whether the store has
 * changed: a store that is everyone's stays so. The caller holds the change clock.
 */
export async function shareStore(
  sql: Sql,
  storeId: string,
  sandbox: Sandbox,
  { seq, at }: { seq: number; at: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await raw`
    update stores set changed_seq = ${seq}, updated_at = ${at.toString()}::timestamptz,
      sandbox_accounts = case when ${sandbox}::text is not null then sandbox_accounts || ${sandbox}::text end
    where store_id = ${storeId} and sandbox_accounts is not null
      and (${sandbox}::text is null or not sandbox_accounts @> array[${sandbox}::text])
    returning store_id`.execute(sql);
  return rows.length > 0;
}
