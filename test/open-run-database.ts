import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/db/open-database.ts';
import { createLog } from '../src/lib/log.ts';

/** The database of a run of many test files: DATABASE_URL's, or an embedded one that is thrown away at the end. */
export async function openRunDatabase(): Promise<AsyncDisposable & { connectionString: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-test-'));
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir }, createLog('warn'));
  return {
    connectionString: database.connectionString,
    async [Symbol.asyncDispose]() {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
