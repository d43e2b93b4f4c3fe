import { sql as raw } from 'kysely';
import { MAX_CLOCK_DIFFERENCE_S, SETTLING_S } from '../lib/clock-difference.ts';
import { type Db, instantParam, type Sql } from './connect.ts';
import { ensureSetting, findSettings, lockSetting, writeSetting } from './settings.db.ts';

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

/** Whether the machines differ from the database by different amounts: then the database isn't wrong. */
export async function machinesDiffer(sql: Sql, host: string, aheadSeconds: number): Promise<boolean> {
  const { rows } = await raw<{ differs: boolean }>`select exists (select from clock_differences where host <> ${host}
    and measured_at > clock_timestamp() - interval '3 minutes'
    and abs(ahead_seconds - ${aheadSeconds}::float8) > ${MAX_CLOCK_DIFFERENCE_S}) as differs`.execute(sql);
  return rows[0]?.differs === true;
}

/** Name of the setting with the last step of the database's clock: JSON of its moment and seconds. */
export const CLOCK_STEP = 'clock_step';
/** A table with due times. `only` is the SQL condition of the rows that have them. */
export type DueTable = { table: string; columns: readonly string[]; only?: string };

export type ClockStep = { seconds: number; agoS: number };

/** Returns the last step of the database's clock; undefined without one. */
export async function findClockStep(sql: Sql, now: Temporal.Instant): Promise<ClockStep | undefined> {
  const text = (await findSettings(sql, [CLOCK_STEP])).get(CLOCK_STEP);
  if (!text) return undefined;
  const { atMs, seconds } = JSON.parse(text);
  return { seconds, agoS: (now.epochMilliseconds - atMs) / 1000 };
}

/**
 * Saves a step of the database's clock once, which every node notices within minutes. A step back moves the due times
 * after it: `dueTables` are queues and the columns of their due times.
 */
export async function saveClockStep(
  db: Db,
  { seconds, now }: { seconds: number; now: Temporal.Instant },
  dueTables: readonly DueTable[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await ensureSetting(tx, CLOCK_STEP, '');
    await lockSetting(tx, CLOCK_STEP);
    const last = await findClockStep(tx, now);
    const isKnown = last && Math.abs(last.agoS) < SETTLING_S;
    if (isKnown && Math.abs(last.seconds - seconds) <= MAX_CLOCK_DIFFERENCE_S) return;
    await writeSetting(tx, CLOCK_STEP, JSON.stringify({ atMs: now.epochMilliseconds, seconds }));
    if (seconds > 0) return;
    for (const { table, columns, only = 'true' } of dueTables) {
      const moved = columns.map((column) => {
        const at = raw.ref(column);
        return raw`${at} = case when ${at} > ${instantParam(now)} then ${at} + make_interval(secs => ${seconds}) else ${at} end`;
      });
      const isAhead = columns.map((column) => raw`${raw.ref(column)} > ${instantParam(now)}`);
      await raw`update ${raw.table(table)} set ${raw.join(moved)} where ${raw.raw(only)} and (${raw.join(isAhead, raw` or `)})`.execute(
        tx,
      );
    }
  });
}
