import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { DOORSTEP, freePort, givenDatabase, runJson, startCommand, WITHOUT_ENV_FILE } from '../given/command.ts';
import { product, shop } from '../given/import.ts';
import { until } from '../until.ts';
import { ask, cleanUp, freshDataDir, isLinux, servers } from './embedded-postgres-harness.ts';
import { environmentOf } from './service-process.ts';

after(cleanUp);

test('a signal ends a reading import with the shell’s status; its writes are whole, and the next import finishes', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const lines = Array.from(
    { length: 3000 },
    (_, n) => `${JSON.stringify(shop([product('a')], { external_id: `${n}` }))}\n`,
  );
  const countStores = async () =>
    Number((await ask(env.DATABASE_URL ?? '', 'select count(*)::int as n from doorstep.stores'))[0]?.n);
  await runJson(['migrate'], env);
  const { child, finished } = startCommand(['import', '-', '--source', 'cut'], env);
  child.stdin.on('error', () => {});
  child.stdin.write(lines.join(''));
  await until('stores are in', async () => (await countStores()) > 0);
  child.kill('SIGTERM');
  assert.deepEqual(await finished, { status: 143, signal: null, stdout: '', stderr: '' });
  const left = await countStores();
  const { status, body } = await runJson(['import', '-', '--source', 'cut'], env, lines.join(''));
  assert.deepEqual([status, body.unchanged, body.created], [0, left, lines.length - left]);
});

test('a signal ends a command that waits for a lock, in a statement or by asking again', async (t) => {
  const { env, drop } = await givenDatabase();
  await runJson(['migrate'], env);
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  t.after(async () => {
    await client.end();
    await drop();
  });
  const asking = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and query like 'select pg_try_advisory_lock%' and pid <> pg_backend_pid()`;
  const waiting = `select count(*)::int as n from pg_locks
    where not granted and database = (select oid from pg_database where datname = current_database())`;
  const cases = [
    { lock: 'select pg_advisory_lock(7203114)', sign: asking, signal: 'SIGINT', expected: 130 },
    { lock: 'begin; lock table doorstep.accounts', sign: waiting, signal: 'SIGHUP', expected: 129 },
  ] as const;
  for (const { lock, sign, signal, expected } of cases) {
    const isWaiting = async () => Number((await client.query(sign)).rows[0]?.n) > 0;
    await client.query(lock);
    const { child, finished } = startCommand(['accounts', 'create', 'Late'], env);
    await until('the command waits for the lock', isWaiting);
    child.kill(signal);
    assert.deepEqual(await finished, { status: expected, signal: null, stdout: '', stderr: '' }, lock);
    await client.query('select pg_advisory_unlock_all()');
  }
});

test('Ctrl-C in a terminal while a database is created ends a command and a service quietly, and leaves no process', {
  skip: !isLinux,
}, async () => {
  const commands = [
    { args: ['migrate'], expected: 130 },
    { args: ['serve'], expected: 0 },
  ];
  for (const { args, expected } of commands) {
    const dataDir = freshDataDir();
    const env = environmentOf({ DATA_DIR: dataDir, LOG_LEVEL: 'error', PORT: await freePort() });
    // A terminal sends Ctrl-C to the whole process group, including the programs that create the database.
    const child = spawn(process.execPath, [DOORSTEP, ...args], { cwd: WITHOUT_ENV_FILE, env, detached: true });
    const stderr = text(child.stderr);
    const exit = once(child, 'exit');
    const root = join(dataDir, 'postgres');
    const isCreating = () => existsSync(root) && readdirSync(root).some((name) => name.startsWith('data.draft-'));
    await until('the database is being created', isCreating);
    process.kill(-(child.pid ?? assert.fail()), 'SIGINT');
    assert.deepEqual([await exit, await stderr], [[expected, null], ''], args.join(' '));
    assert.deepEqual(servers(dataDir), []);
  }
});
