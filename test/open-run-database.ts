import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../src/db/open-database.ts';
import { createLog } from '../src/lib/log.ts';

/** The database of a run of many test files: DATABASE_URL's, or an embedded one that is thrown away at the end. */
export async function openRunDatabase(): Promise<AsyncDisposable & { connectionString: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-test-'));
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir }, createLog('warn'));
  const { connectionString } = database;
  if (!process.env.DATABASE_URL) await hasten(connectionString);
  return {
    connectionString,
    async [Symbol.asyncDispose]() {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Tests end processes of the service, and never this server: none of its commits need wait for the disk. Thousands of
 * connections prove that they know the password, each with as many rounds of hashing as the password was kept with.
 */
async function hasten(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { pathname, password } = new URL(connectionString);
  await client.query(`alter database ${client.escapeIdentifier(pathname.slice(1))} set synchronous_commit = off`);
  await client.query(`set scram_iterations = 1`);
  await client.query(`alter role current_user password ${client.escapeLiteral(decodeURIComponent(password))}`);
  await client.end();
}
