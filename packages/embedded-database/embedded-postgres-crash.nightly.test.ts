// covers: packages/embedded-database/*
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client, Pool } from 'pg';
import { assertDatabaseIsSound } from '../../test/faults/amcheck.ts';
import {
  ask,
  cleanUp,
  endWithTests,
  freshDataDir,
  isLinux,
  isRoot,
  killAll,
  open,
  otherProcess,
  pidFile,
  servers,
  socketOf,
} from '../../test/faults/embedded-postgres-harness.ts';
import { until } from '../../test/until.ts';

after(cleanUp);

/** Four clients insert until the connection breaks; returns the acknowledged rows. */
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
  await assertDatabaseIsSound(connectionString);
}

test('amcheck is at work: it notices a row that its index lacks', async () => {
  const database = await open(freshDataDir());
  const check = () => assertDatabaseIsSound(database.connectionString);
  const define = (sign: string) =>
    ask(
      database.connectionString,
      `create or replace function place(n int) returns int immutable language sql as 'select ${sign}n'`,
    );
  await define('+');
  await ask(database.connectionString, 'create table t as select 1 as n; create index on t (place(n))');
  await check();
  await define('-');
  await assert.rejects(check(), /lacks matching index tuple within index "t_place_idx"/);
  await database.close();
});

test('the next start joins the living server after Node is killed, and no row is lost', {
  skip: !isLinux,
}, async (t) => {
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
  t.diagnostic(`opened in ${Math.round(performance.now() - startedAt)} ms`);
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

test('every acknowledged row survives a kill of Node, the postmaster and every backend under load', {
  skip: !isLinux,
}, async (t) => {
  const dataDir = freshDataDir();
  for (let round = 0; round < 2; round += 1) {
    const service = otherProcess(dataDir);
    const { connectionString, openMs } = await service.opened;
    t.diagnostic(`round ${round}: opened by the service in ${Math.round(openMs)} ms`);
    await ask(connectionString, 'DROP TABLE IF EXISTS written; CREATE TABLE written (id text PRIMARY KEY)');
    const writers = insertUntilItBreaks(connectionString);
    await until('500 rows are acknowledged', () => writers.acknowledged.size > 500);
    service.child.kill('SIGKILL');
    killAll(servers(dataDir));
    await writers.ended;
    const startedAt = performance.now();
    const next = await open(dataDir);
    t.diagnostic(`opened in ${Math.round(performance.now() - startedAt)} ms`);
    await assertKept(next.connectionString, writers.acknowledged);
    await next.close();
  }
});

test('a pool works again at the same socket after the postmaster is killed', { skip: !isLinux }, async (t) => {
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
  const goneAt = performance.now();
  await until('the pool answers', () =>
    count().then(
      (rows) => rows === 1,
      () => false,
    ),
  );
  t.diagnostic(`the pool answers after ${Math.round(performance.now() - goneAt)} ms`);
  await beside.close();
  assert.equal(await count(), 1, 'the other process that had it open did not stop it');
  await assertDatabaseIsSound(service.connectionString);
  await pool.end();
  await service.close();
  assert.deepEqual(servers(dataDir), []);
});

test('no second server starts while a backend of a killed server still computes', { skip: !isLinux }, async () => {
  const dataDir = freshDataDir();
  const service = otherProcess(dataDir);
  const { connectionString } = await service.opened;
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  const [{ pid: backend }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows;
  const computing = client.query('SELECT count(*) FROM (SELECT generate_series(1, 1000000000)) AS numbers');
  computing.catch(() => {});
  await service.kill();
  const [postmaster = ''] = readFileSync(pidFile(dataDir), 'utf8').split('\n');
  process.kill(Number(postmaster), 'SIGKILL');
  await until('the old server is gone', () => !existsSync(`/proc/${postmaster}`));
  assert.ok(servers(dataDir).includes(backend), 'its backend computes');
  const opening = open(dataDir);
  const log = join(dataDir, 'postgres/postgres.log');
  await until('a start is refused', () => readFileSync(log, 'utf8').includes('pre-existing shared memory block'));
  assert.ok(servers(dataDir).includes(backend), 'its backend computes on');
  process.kill(backend);
  const next = await opening;
  assert.ok(!servers(dataDir).includes(backend), 'its backend has ended');
  await assertDatabaseIsSound(next.connectionString);
  await next.close();
});

test('closing leaves no process behind while the server is being restarted', { skip: !isLinux }, async () => {
  const dataDir = freshDataDir();
  const service = await open(dataDir);
  killAll(servers(dataDir));
  await service.close();
  await until('processes that the postmaster was starting have noticed its end', () => servers(dataDir).length === 0);
});

/** A process of the server's user that PostgreSQL could mistake for a running postmaster. */
function bystander(dataDir: string): ChildProcess {
  const { uid, gid } = statSync(join(dataDir, 'postgres/data'));
  const child = spawn('sleep', ['600'], { cwd: '/', stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) });
  endWithTests(child);
  return child;
}

test('a start succeeds despite a postmaster.pid or socket lock that is empty or names another process', {
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
    writeFileSync(`${socketOf(dataDir)}.lock`, [pid, ...lines.slice(1)].join('\n'));
    await (await open(dataDir)).close();
  }
  writeFileSync(pidFile(dataDir), '');
  await (await open(dataDir)).close();
  assert.equal(stranger.exitCode ?? stranger.signalCode, null, 'the stranger was left in peace');
  stranger.kill();
});

test('a first start that is killed halfway does not stop the next one', { skip: !isLinux }, async () => {
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
  await assertDatabaseIsSound(database.connectionString);
  assert.deepEqual(drafts(), []);
  await database.close();
});
