import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '../../packages/embedded-database/embedded-postgres.ts';

// Real processes and a real server. A directory made by mkdtemp has mode 700; if root runs these tests, the server's
// user cannot enter it, as in a clone below /root.

export const CHECKOUT = resolve(import.meta.dirname, '../..');
export const isRoot = process.getuid?.() === 0;
export const isLinux = process.platform === 'linux';
export const quiet = { info() {}, warn() {}, error() {} };

const directories: string[] = [];
const dataDirs: string[] = [];
const children: ChildProcess[] = [];

export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'doorstep-faults-'));
  directories.push(directory);
  return directory;
}

/** A nonexistent DATA_DIR. */
export function freshDataDir(): string {
  const dataDir = join(freshDirectory(), 'data');
  dataDirs.push(dataDir);
  return dataDir;
}

export const open = (dataDir: string) => openEmbeddedPostgres({ dataDir, name: 'doorstep', log: quiet });

type Opened = { connectionString: string; openMs: number };
type Other = { child: ChildProcess; opened: Promise<Opened>; close(): Promise<void>; kill(): Promise<void> };

/** Another Node process that opens the same database. */
export function otherProcess(
  dataDir: string,
  { uid, checkout = CHECKOUT }: { uid?: number; checkout?: string } = {},
): Other {
  const script = join(checkout, 'test/faults/embedded-postgres-process.ts');
  const ids = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, [script, dataDir, checkout], { stdio: ['pipe', 'pipe', 'inherit'], ...ids });
  children.push(child);
  const exit = once(child, 'exit');
  const answer = Promise.withResolvers<Opened>();
  answer.promise.catch(() => {});
  createInterface({ input: child.stdout }).once('line', (line) => {
    const said = JSON.parse(line);
    if (said.error) answer.reject(new Error(`${said.error.name}: ${said.error.message}`));
    else answer.resolve(said);
  });
  exit.then(() => answer.reject(new Error('It ended without opening the database.')));
  return {
    child,
    opened: answer.promise,
    close: async () => {
      child.stdin.end();
      await exit;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Every PostgreSQL process whose working directory is this one, or whose title has the name of its cluster. */
export function servers(dataDir: string): number[] {
  const { dev, ino } = statSync(join(dataDir, 'postgres/data'), { bigint: true, throwIfNoEntry: false }) ?? {};
  const name = ino && `embedded-${dev?.toString(36)}-${ino.toString(36)}.`;
  const isServer = (pid: string) => {
    const command = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    // A dying process has no memory left but stays in its directory a moment longer.
    if (command === '') return false;
    if (name && command.includes(name)) return true;
    return read(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(`${dataDir}/`);
  };
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.filter(isServer).map(Number);
}

/** Empty for an unreadable or ended process. */
function read(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}

/** The rows of the last statement. A transaction that it leaves open is rolled back. */
export async function ask(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return [await client.query(sql)].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

export const socketOf = (dataDir: string) => join(dataDir, 'postgres/data/.s.PGSQL.5432');

export const pidFile = (dataDir: string) => join(dataDir, 'postgres/data/postmaster.pid');

export const killAll = (pids: readonly number[]) => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error; // a backend may end with its postmaster
    }
  }
};

/** Ends the processes left by a file's tests; their files stay. */
export function endProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
  if (isLinux) killAll([...directories, ...dataDirs].flatMap(servers));
}

/** Ends the processes left by a file's tests and removes their files. */
export function cleanUp(): void {
  endProcesses();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

export const endWithTests = (child: ChildProcess): number => children.push(child);

/** An unprivileged user. */
export const NOBODY = 65_534;

/** True if an unprivileged user can run programs in the directory. */
export function mayEnter(directory: string): boolean {
  for (let path = directory; path !== '/'; path = dirname(path)) {
    if ((statSync(path).mode & 0o005) !== 0o005) return false;
  }
  return true;
}
