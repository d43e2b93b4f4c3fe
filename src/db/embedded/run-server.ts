import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { errorCode } from '../../lib/error-code.ts';
import { choosePort, isPortFree } from './choose-port.ts';
import type { Passwords } from './create-cluster.ts';
import { ADMIN, ROLE } from './create-cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { Cluster } from './postmaster.ts';
import { findPostmaster, startPostmaster } from './postmaster.ts';

const POLL_MS = 25;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_PORT_MS = 3_000;
const MAX_KILLS = 3;
const KILLED_AGAIN = 'PostgreSQL is killed whenever it starts: give this machine more memory, or set DATABASE_URL.';
const REFUSED_LOGINS: ReadonlySet<string> = new Set(['28P01', '28000']);

/**
 * The wanted port; without `port` the port of the last run. `keep`: `always` when the pools of this process know only this
 * port, `if possible` (worth a wait) when pools of other processes may, `if free` when no pool does.
 */
export type PortWish = { port: number | undefined; keep: 'always' | 'if possible' | 'if free' };

/** A connection to the server, and the promise of its end: the server's end, or our `close`. */
export type Watch = { client: Client; ended: Promise<void> };

export type RunningServer = { port: number; watch: Watch };

/**
 * Joins the running server, or starts it, and returns a superuser's connection to it: the proof that it works, and
 * the wire on which we notice its end. The caller holds the start lock. Throws EmbeddedPostgresError at the deadline.
 */
export async function runServer(
  cluster: Cluster,
  given: { passwords: Passwords; portFile: string; wish: PortWish },
  deadline: number,
): Promise<RunningServer> {
  for (;;) {
    const port = await joinOrStart(cluster, given, deadline);
    const watch = await connectAsAdmin(port, given.passwords).catch((error) => {
      if (REFUSED_LOGINS.has(errorCode(error) ?? '') || performance.now() > deadline) throw error;
      return undefined; // it shut down, or is recovering, between our look and our call
    });
    if (watch) {
      await limitRole(watch.client);
      return { port, watch };
    }
    await pause(POLL_MS);
  }
}

async function joinOrStart(
  cluster: Cluster,
  given: { portFile: string; wish: PortWish },
  deadline: number,
): Promise<number> {
  const keepUntil = given.wish.keep === 'if possible' ? performance.now() + KEEP_PORT_MS : 0;
  let isTaken = false;
  let kills = 0;
  for (;;) {
    const running = await findPostmaster(cluster.clusterDir);
    if (running?.status === 'ready' && running.port) return running.port;
    if (performance.now() > deadline) throw notYet(cluster, running?.status);
    if (running) {
      await pause(POLL_MS); // it is starting or stopping: either ends by itself
      continue;
    }
    if (kills === MAX_KILLS) throw new EmbeddedPostgresError(KILLED_AGAIN);
    const port = isTaken ? await choosePort() : await pickPort(given, keepUntil);
    const result = await startPostmaster(cluster, port, deadline);
    if (result === 'killed') kills += 1;
    isTaken = result === 'port busy' && given.wish.keep !== 'always';
    // The next start only prefers this port, so a full disk is no reason to fail here.
    if (result === 'ready') await writeFile(given.portFile, `${port}\n`).catch(() => {});
  }
}

function notYet(cluster: Cluster, status: string | undefined): EmbeddedPostgresError {
  const doing = status === 'stopping' ? 'still shutting down' : 'still starting, perhaps recovering from a crash';
  return new EmbeddedPostgresError(
    `The database in DATA_DIR (${cluster.dataDir}) is ${doing}: try again in a minute, ${cluster.logFile} says more.`,
  );
}

async function pickPort(given: { portFile: string; wish: PortWish }, keepUntil: number): Promise<number> {
  const port = given.wish.port ?? (await readPort(given.portFile));
  if (!port) return choosePort();
  do {
    if (await isPortFree(port)) return port;
    if (given.wish.keep === 'always') throw new EmbeddedPostgresError(`Another program listens on port ${port}.`);
    await pause(POLL_MS);
  } while (performance.now() < keepUntil);
  return choosePort();
}

async function readPort(file: string): Promise<number | undefined> {
  const port = Number(await readFile(file, 'utf8').catch(() => ''));
  return Number.isSafeInteger(port) && port > 1023 && port < 65_536 ? port : undefined;
}

/**
 * A cluster that an older version made has one password for both roles. Its first start gives the superuser the password
 * of its own. That password is on the disk already, so that a crash at any point leaves a way in.
 */
async function connectAsAdmin(port: number, { admin, role }: Passwords): Promise<Watch> {
  try {
    return await connect(port, admin);
  } catch (refused) {
    if (!REFUSED_LOGINS.has(errorCode(refused) ?? '')) throw refused;
    const watch = await connect(port, role).catch((error) => {
      throw REFUSED_LOGINS.has(errorCode(error) ?? '') ? refused : error;
    });
    await watch.client.query(`ALTER ROLE ${ADMIN} PASSWORD '${admin}'`); // base64url: nothing to quote
    return watch;
  }
}

/** In a cluster that an older version made, the service's role could make databases of its own, which it never needed. */
async function limitRole(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1 AND rolcreatedb', [ROLE]);
  if (rowCount !== 0) await client.query(`ALTER ROLE ${ROLE} NOCREATEDB`);
}

async function connect(port: number, password: string): Promise<Watch> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: ADMIN,
    password,
    database: ADMIN,
    application_name: 'doorstep supervisor',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  client.on('error', () => {}); // its end is what we watch for; without a listener an error would end this process
  client.on('end', () => resolve());
  await client.connect();
  return { client, ended };
}
