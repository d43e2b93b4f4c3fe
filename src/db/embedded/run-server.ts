import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { ADMIN } from './create-cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { Cluster } from './postmaster.ts';
import { findPostmaster, startPostmaster } from './postmaster.ts';
import { connectionStringOf } from './socket-folder.ts';

const POLL_MS = 25;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_KILLS = 3;
const KILLED_AGAIN = 'PostgreSQL is killed whenever it starts: give this machine more memory, or set DATABASE_URL.';

/** A connection to the server, and the promise of its end: the server's end, or our `close`. */
export type Watch = { client: Client; ended: Promise<void> };

/**
 * Joins the running server, or starts it, and returns a superuser's connection to it: the proof that it works, and
 * the wire on which we notice its end. The caller holds the start lock. Throws EmbeddedPostgresError at the deadline.
 */
export async function runServer(cluster: Cluster, socketFolder: string, deadline: number): Promise<Watch> {
  for (;;) {
    await joinOrStart(cluster, deadline);
    const watch = await connectAsAdmin(socketFolder).catch((error) => {
      if (performance.now() > deadline) throw error;
      return undefined; // it shut down, or is recovering, between our look and our call
    });
    if (watch) return watch;
    await pause(POLL_MS);
  }
}

async function joinOrStart(cluster: Cluster, deadline: number): Promise<void> {
  let kills = 0;
  for (;;) {
    const running = await findPostmaster(cluster.clusterDir);
    if (running?.status === 'ready') return;
    if (performance.now() > deadline) throw notYet(cluster, running?.status);
    if (running) {
      await pause(POLL_MS); // it is starting or stopping: either ends by itself
      continue;
    }
    if (kills === MAX_KILLS) throw new EmbeddedPostgresError(KILLED_AGAIN);
    if ((await startPostmaster(cluster, deadline)) === 'killed') kills += 1;
  }
}

function notYet(cluster: Cluster, status: string | undefined): EmbeddedPostgresError {
  const doing = status === 'stopping' ? 'still shutting down' : 'still starting, perhaps recovering from a crash';
  return new EmbeddedPostgresError(
    `The database in DATA_DIR (${cluster.dataDir}) is ${doing}: try again in a minute, ${cluster.logFile} says more.`,
  );
}

async function connectAsAdmin(socketFolder: string): Promise<Watch> {
  const client = new Client({
    connectionString: connectionStringOf(socketFolder, ADMIN, ADMIN),
    application_name: 'doorstep supervisor',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  client.on('error', () => {}); // its end is what we watch for; without a listener an error would end this process
  client.on('end', () => resolve());
  await client.connect();
  return { client, ended };
}
