import { type Db, openDb, openPool } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { openTestDatabase } from './harness.ts';
import { giveSchemaBack, takeSchema } from './used-schemas.ts';

export type GivenDatabase = { db: Db; close(): Promise<void> };

/** The tables of a service without a service, in a schema of the test's own. */
export async function givenDatabase(): Promise<GivenDatabase> {
  const { connectionString, close } = await openTestDatabase();
  const schema = await takeSchema(connectionString);
  const pool = openPool({ connectionString, schema });
  await migrate(pool, schema);
  const db = openDb(pool);
  return {
    db,
    async close() {
      await db.destroy();
      await giveSchemaBack(connectionString, schema);
      await close();
    },
  };
}
