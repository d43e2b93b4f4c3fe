import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type RunServer, startRunServer } from './run-server.ts';

/** `serverPid` is the postmaster of an embedded one. */
export type RunDatabase = AsyncDisposable & { connectionString: string; serverPid: number | undefined };

/** The database of a run of many test files: DATABASE_URL's, or an embedded one that is thrown away at the end. */
export async function openRunDatabase(): Promise<RunDatabase> {
  const given = process.env.DATABASE_URL;
  if (given) return { connectionString: given, serverPid: undefined, async [Symbol.asyncDispose]() {} };
  const dataDir = mkdtempSync(join(folderOfFiles(), 'doorstep-test-'));
  const server = await startRunServer(dataDir);
  await allowMore(server);
  return {
    connectionString: server.connectionString,
    serverPid: server.pid,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const MEMORY = '/dev/shm';
/** The files of a run take some 2 GB; twice that is free where the memory is used. */
const FREE_BYTES = 4 * 2 ** 30;

/** Files in memory where there is room: a run makes and removes a hundred thousand of them. */
function folderOfFiles(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > FREE_BYTES && freemem() > 2 * FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Tests make databases of their own, for which the service's role has no right elsewhere. */
async function allowMore({ connectionString, adminUrl }: RunServer): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const role = client.escapeIdentifier(new URL(connectionString).username);
  await client.query(`alter role ${role} createdb`);
  await client.end();
}
