import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ADMIN } from '../src/db/embedded/create-cluster.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { createLog } from '../src/lib/log.ts';

/** The database of a run of many test files: DATABASE_URL's, or an embedded one that is thrown away at the end. */
export async function openRunDatabase(): Promise<AsyncDisposable & { connectionString: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-test-'));
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir }, createLog('warn'));
  const { connectionString } = database;
  if (!process.env.DATABASE_URL) await prepareServer(connectionString, dataDir);
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
 * connections prove that they know the password, each with as many rounds of hashing as the password was kept with. Some
 * tests make databases of their own, for which the service's role has no right elsewhere.
 */
async function prepareServer(connectionString: string, dataDir: string): Promise<void> {
  const url = new URL(connectionString);
  const [database, role, password] = [url.pathname.slice(1), url.username, decodeURIComponent(url.password)];
  url.username = ADMIN;
  url.password = readFileSync(join(dataDir, 'postgres/admin-password'), 'utf8').trim();
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`alter database ${client.escapeIdentifier(database)} set synchronous_commit = off`);
  await client.query(`set scram_iterations = 1`);
  const escaped = client.escapeIdentifier(role);
  await client.query(`alter role ${escaped} createdb password ${client.escapeLiteral(password)}`);
  await client.end();
}
