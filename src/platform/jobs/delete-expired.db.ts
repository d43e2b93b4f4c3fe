import { sql as raw } from 'kysely';
import { type Db, instantParam } from '../db/connect.ts';
import { clearPersonalData, type PersonalData } from '../db/personal-data.db.ts';

/**
 * How long a table keeps its rows, or the personal data in them. `age` and `where` are SQL from this repository, with
 * an index on the table.
 */
export type Retention = {
  table: string;
  /** The moment a row's age starts. */
  age: string;
  /** The rows that expire; by default all. */
  where?: string;
  /** Exact units: `{ hours: 24 * DAYS }`. */
  keepFor: { hours: number } | { minutes: number };
  /** Clears the personal data of these tables, selected by the rows' `key`, instead of deleting the rows. */
  clears?: { key: string; tables: readonly PersonalData[] };
};

/** Deletes or clears up to `limit` rows, oldest first; returns their number. Skips rows that others have locked. */
export async function expireRows(
  db: Db,
  { table, age, where = 'true', keepFor, clears }: Retention,
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<number> {
  const expired = (columns: string) => raw`
    select ${raw.raw(columns)} from ${raw.table(table)}
    where ${raw.raw(age)} <= ${instantParam(now.subtract(keepFor))} and ${raw.raw(where)}
    order by ${raw.raw(age)} limit ${limit} for update skip locked`;
  if (!clears) {
    const deleted = await raw`delete from ${raw.table(table)} where ctid = any(array(${expired('ctid')}))`.execute(db);
    return Number(deleted.numAffectedRows ?? 0n);
  }
  return db.transaction().execute(async (tx) => {
    const { rows } = await raw<{ key: string }>`${expired(`${clears.key} as key`)}`.execute(tx);
    if (rows.length === 0) return 0;
    const keys = rows.map(({ key }) => key);
    await clearPersonalData(tx, clears.tables, keys);
    return keys.length;
  });
}
