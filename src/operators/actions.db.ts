import type { Sql } from '../db/connect.ts';
import type { RecordedAction } from './operator-action.ts';

/** Records a change in the transaction that makes it. */
export async function insertAction(sql: Sql, { at, details, ...action }: Omit<RecordedAction, 'actionNo'>) {
  await sql
    .insertInto('operatorActions')
    .values({ ...action, at: at.toString(), details: JSON.stringify(details) })
    .execute();
}

/** Changes, newest first: of one thing, or before an earlier page's last number. */
export async function listActions(
  sql: Sql,
  { before, target, limit }: { before?: number | undefined; target?: string | undefined; limit: number },
): Promise<RecordedAction[]> {
  return sql
    .selectFrom('operatorActions')
    .selectAll()
    .$if(before !== undefined, (query) => query.where('actionNo', '<', before ?? 0))
    .$if(target !== undefined, (query) => query.where('target', '=', target ?? ''))
    .orderBy('actionNo', 'desc')
    .limit(limit)
    .execute();
}
