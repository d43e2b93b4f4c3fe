import { type Db, openDb, openPool } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { createTestDatabase, SCHEMA } from './test-database.ts';

export type GivenDatabase = { db: Db; close(): Promise<void> };

/** The tables of a service without a service. */
export async function givenDatabase(): Promise<GivenDatabase> {
  const { connectionString, drop } = await createTestDatabase();
  const pool = openPool({ connectionString, schema: SCHEMA });
  await migrate(pool, SCHEMA);
  const db = openDb(pool);
  return {
    db,
    async close() {
      await db.destroy();
      await drop();
    },
  };
}
