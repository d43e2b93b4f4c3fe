import { sql as raw } from 'kysely';
import type { Sql } from './connect.ts';

/** The database's clock, which every node follows, and the machines whose own clocks differ (docs/database.md#clocks). */

export async function readEpochMs(sql: Sql): Promise<number> {
  const epochMs = raw<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`.as('epochMs');
  return (await sql.selectNoFrom(epochMs).executeTakeFirstOrThrow()).epochMs;
}

/** Saves that a machine's clock is so many seconds ahead; negative where it is behind. */
export async function saveClockDifference(sql: Sql, host: string, aheadSeconds: number): Promise<void> {
  await raw`insert into clock_differences (host, ahead_seconds, measured_at)
    values (${host}, ${aheadSeconds}, clock_timestamp())
    on conflict (host) do update set ahead_seconds = excluded.ahead_seconds, measured_at = excluded.measured_at`.execute(
    sql,
  );
}
