import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/connect.ts';

/** Inserts rows, one per commit; each client sends its next after the previous. Returns the number of rows. */
export async function insertRows(db: Db, clients: number, ms: number): Promise<number> {
  const endMs = performance.now() + ms;
  let rows = 0;
  const insert = async () => {
    while (performance.now() < endMs) {
      await sql`insert into bench_rows (text) values (${'one row'})`.execute(db);
      rows += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, insert));
  return rows;
}
