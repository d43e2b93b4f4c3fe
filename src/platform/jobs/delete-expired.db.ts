import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';

/** How long a table keeps its rows. `age` and `where` are SQL of this repository, and the table has an index by them. */
export type Retention = {
  table: string;
  /** The moment from which a row's age counts. */
  age: string;
  /** The rows that expire; by default all. */
  where?: string;
  /** Exact units: `{ hours: 24 * DAYS }`. */
  keepFor: { hours: number } | { minutes: number };
};

/** Deletes up to `limit` rows, oldest first; returns their number. Skips rows that another transaction has locked. */
export async function deleteExpired(
  sql: Sql,
  { table, age, where = 'true', keepFor }: Retention,
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await raw`
    delete from ${raw.table(table)} where ctid = any(array(
      select ctid from ${raw.table(table)} where ${raw.raw(age)} <= ${instantParam(now.subtract(keepFor))} and ${raw.raw(where)}
      order by ${raw.raw(age)} limit ${limit} for update skip locked))`.execute(sql);
  return Number(numAffectedRows);
}
