import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'pg';
import {
  ask,
  cleanUp,
  freshDataDir,
  isLinux,
  open,
  otherProcess,
  pidFile,
  servers,
} from '../../test/faults/embedded-postgres-harness.ts';

after(cleanUp);

test('the first start makes a database, a later one finds its rows, and the last one out stops it', async (t) => {
  const dataDir = freshDataDir();
  const first = await open(dataDir);
  await ask(first.connectionString, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
  await first.close();
  if (isLinux) assert.deepEqual(servers(dataDir), []);

  const startedAt = performance.now();
  const second = await open(dataDir);
  t.diagnostic(`opened in ${Math.round(performance.now() - startedAt)} ms`);
  assert.deepEqual(await ask(second.connectionString, 'SELECT id FROM kept'), [{ id: 1 }]);
  assert.equal(second.connectionString, first.connectionString, 'the socket stays the same');
  await second.close();
  await second.close();
  if (isLinux) assert.deepEqual(servers(dataDir), []);
});

test('the database is durable, checked, sorted alike on every machine, and listens on no port', async () => {
  const dataDir = freshDataDir();
  const database = await open(dataDir);
  const setting = async (name: string) => (await ask(database.connectionString, `SHOW ${name}`))[0]?.[name];
  assert.equal(await setting('fsync'), 'on');
  assert.equal(await setting('synchronous_commit'), 'on');
  assert.equal(await setting('full_page_writes'), 'on');
  assert.equal(await setting('data_checksums'), 'on');
  assert.equal(await setting('listen_addresses'), '');
  assert.equal(await setting('server_encoding'), 'UTF8');
  const [locale] = await ask(
    database.connectionString,
    'SELECT datlocprovider AS provider, datlocale AS name FROM pg_database WHERE datname = current_database()',
  );
  assert.deepEqual(locale, { provider: 'b', name: 'C.UTF-8' });
  const [role] = await ask(database.connectionString, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
  assert.deepEqual(role, { rolsuper: false });
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

test('a short-lived command leaves the database running for the service that has it open', async () => {
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

test('a folder whose path is longer than the address of a socket works, for two processes', async () => {
  const dataDir = join(freshDataDir(), 'a'.repeat(120), 'data');
  const service = await open(dataDir);
  const beside = otherProcess(dataDir);
  const { connectionString } = await beside.opened;
  for (const url of [service.connectionString, connectionString]) {
    assert.deepEqual(await ask(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  }
  const link = dirname(new URL(service.connectionString).searchParams.get('host') ?? '');
  assert.equal(statSync(link).mode & 0o777, 0o700);
  await beside.close();
  assert.deepEqual(await ask(service.connectionString, 'SELECT 1 AS one'), [{ one: 1 }]);
  await service.close();
  assert.equal(existsSync(link), false);
  if (isLinux) assert.deepEqual(servers(dataDir), []);
});

test('a folder that a process on another machine has open is refused', { skip: !isLinux }, async () => {
  const dataDir = freshDataDir();
  const elsewhere = await open(dataDir);
  const file = readFileSync(pidFile(dataDir), 'utf8');
  const host = readFileSync(join(dataDir, 'postgres/host'), 'utf8');
  // On another machine the running postmaster's process id means nothing.
  writeFileSync(pidFile(dataDir), file.replace(/^\d+/, '999999999'));
  writeFileSync(join(dataDir, 'postgres/host'), 'upstairs pid:[1]');
  const message = /^The folder .* is in use on another machine or container \(upstairs\): .*\.$/;
  await assert.rejects(open(dataDir), { name: 'EmbeddedPostgresError', message });
  writeFileSync(pidFile(dataDir), file);
  writeFileSync(join(dataDir, 'postgres/host'), host);
  await elsewhere.close();
  assert.deepEqual(servers(dataDir), []);
});
