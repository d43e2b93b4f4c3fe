import { sql as raw } from 'kysely';
import type { InstantColumn } from '../../platform/db/columns.ts';
import type { Sql } from '../../platform/db/connect.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    searchSnapshots: { mark: string; seq: number; madeAt: InstantColumn };
  }
}

/**
 * Marks the database's history up to its last committed change, and returns that change's number. A database with the
 * mark has every change up to it, even after a restore or failover.
 */
export async function insertMark(sql: Sql, mark: string): Promise<number> {
  const { rows } = await raw<{ seq: number }>`
    insert into search_snapshots (mark, seq, made_at)
    select ${mark}, seq, clock_timestamp() from change_clock
    on conflict (mark) do update set seq = excluded.seq, made_at = excluded.made_at returning seq`.execute(sql);
  return rows[0]?.seq ?? 0;
}

/** Finds the last change number of a mark; undefined if the mark belongs to another history. */
export async function findMark(sql: Sql, mark: string): Promise<number | undefined> {
  const row = await sql.selectFrom('searchSnapshots').select('seq').where('mark', '=', mark).executeTakeFirst();
  return row?.seq;
}
