// covers: src/platform/db/connect.ts, deploy/compose/create-role.sh, src/platform/db/standby.db.ts
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql as raw } from 'kysely';
import pg from 'pg';
import { ADMIN, dataDirArgument, prepareCluster, SETTINGS_FILE } from '../../packages/embedded-database/cluster.ts';
import { makeInDataDir, pathsOf } from '../../packages/embedded-database/data-dir.ts';
import { PROGRAM_ENVIRONMENT } from '../../packages/embedded-database/programs.ts';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { commitsWaitForStandby } from '../../src/platform/db/standby.db.ts';
import { freePort, runCommand, startCommand } from '../given/command.ts';
import { givenFolder } from '../given/folder.ts';
import { until } from '../until.ts';

/** A real PostgreSQL that takes TLS alone, with a certificate of a private authority for 127.0.0.1. */
const folder = givenFolder('doorstep-tls');
const file = (name: string) => join(folder, name);
let port: string;
let stop: () => Promise<void>;
let admin: pg.Client;

function makeCertificates(): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const authority = ['-subj', '/CN=Private authority', '-keyout', 'ca.key', '-out', 'ca.pem'];
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...authority);
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=db', '-keyout', 'db.key', '-out', 'db.csr');
  writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1\n');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'db.csr', ...signed, '-out', 'db.pem');
}

before(async () => {
  makeCertificates();
  port = await freePort();
  const paths = pathsOf(file('data'), 'doorstep');
  await makeInDataDir(file('data'), paths.root);
  const { clusterDir, logFile, programs, user } = await prepareCluster(paths, console);
  for (const name of ['db.key', 'db.pem']) {
    writeFileSync(join(clusterDir, name), readFileSync(file(name)), { mode: 0o600 });
    if (user) chownSync(join(clusterDir, name), user.uid, user.gid);
  }
  writeFileSync(join(clusterDir, 'pg_hba.conf'), 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n');
  writeFileSync(
    join(clusterDir, SETTINGS_FILE),
    "fsync = off\nssl = on\nssl_cert_file = 'db.pem'\nssl_key_file = 'db.key'\n",
  );
  const where = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=.'];
  const args = ['-D', dataDirArgument(clusterDir), ...where.flatMap((setting) => ['-c', setting])];
  const log = openSync(logFile, 'a');
  const server = spawn(programs.postgres, args, {
    cwd: clusterDir,
    env: PROGRAM_ENVIRONMENT,
    ...user,
    stdio: ['ignore', log, log],
  });
  const ended = once(server, 'exit');
  stop = async () => {
    await admin?.end();
    server.kill('SIGQUIT');
    await ended;
  };
  await until('the server answers', async () => {
    assert.equal(server.exitCode, null, readFileSync(logFile, 'utf8'));
    admin = new pg.Client({ host: clusterDir, port: Number(port), user: ADMIN, database: 'doorstep' });
    return admin.connect().then(
      () => true,
      () => false,
    );
  });
  await admin.query(`alter role doorstep password 'first'`);
});
after(() => stop());

const url = (query: string, host = '127.0.0.1', user = 'doorstep:first') =>
  `postgres://${user}@${host}:${port}/doorstep${query}`;
const migrate = (DATABASE_URL: string, more: Record<string, string> = {}) =>
  runCommand(['migrate'], { DATABASE_URL, DATA_DIR: file('node'), ...more });

const VERIFIED = () => `?sslmode=verify-full&sslrootcert=${file('ca.pem')}`;

test('a named private authority is verified, and the schema is made over TLS', async () => {
  const { status, stderr } = await migrate(url(VERIFIED()));
  assert.deepEqual([status, stderr], [0, '']);
});

test('each fault of TLS is one sentence with its remedy, and no stack', async () => {
  writeFileSync(file('garbage.pem'), 'no certificate\n');
  const faults: [string, number, RegExp][] = [
    [
      url(''),
      1,
      /^The database of DATABASE_URL accepts only TLS from this machine; add sslmode=verify-full, .* \(28000\)\.$/,
    ],
    [
      url('?sslmode=verify-full'),
      1,
      /^The database of DATABASE_URL has a certificate of an authority .*sslrootcert=FILE /,
    ],
    [
      url(VERIFIED(), 'localhost'),
      1,
      /^The database of DATABASE_URL has a certificate for another host; .*NAME_INVALID\)\.$/,
    ],
    [
      url(`?sslmode=verify-full&sslrootcert=${file('missing.pem')}`),
      78,
      /^The file of sslrootcert in DATABASE_URL could not be read: no such file\.$/,
    ],
    [
      url(`?sslmode=verify-full&sslrootcert=${file('garbage.pem')}`),
      78,
      /^The file of sslrootcert in DATABASE_URL could not be used: it is not in the PEM format\.$/,
    ],
    [
      url(VERIFIED(), '127.0.0.1', 'doorstep:wrong'),
      1,
      /^The database of DATABASE_URL rejected the user or password \(28P01\)\.$/,
    ],
  ];
  for (const [DATABASE_URL, expected, sentence] of faults) {
    const { status, stderr } = await migrate(DATABASE_URL);
    assert.deepEqual([status, stderr.trimEnd().split('\n').length], [expected, 1], stderr);
    assert.match(stderr.trimEnd(), sentence);
  }
});

test('the documented rotation of a password with two roles leaves no moment without one', async () => {
  const run = (text: string) => admin.query(text);
  await run(`create role doorstep_a login password 'one' in role doorstep`);
  await run('create role doorstep_b login in role doorstep');
  await run('alter role doorstep_a set role doorstep');
  await run('alter role doorstep_b set role doorstep');
  const as = (role: string) =>
    runCommand(['accounts', 'create', role, '--json'], { DATABASE_URL: url(VERIFIED(), '127.0.0.1', role) });
  assert.equal((await as('doorstep_a:one')).status, 0);
  await run(`alter role doorstep_b password 'two'`);
  for (const role of ['doorstep_a:one', 'doorstep_b:two']) assert.equal((await as(role)).status, 0, role);
  await run('alter role doorstep_a password null');
  assert.equal((await migrate(url(VERIFIED(), '127.0.0.1', 'doorstep_b:two'))).status, 0);
  assert.match((await as('doorstep_a:one')).stdout, /rejected the user or password/);
  const { rows } = await run(`select distinct tableowner from pg_tables where schemaname = 'doorstep'`);
  assert.deepEqual(rows, [{ tableowner: 'doorstep' }]);
});

test('the documented serving role serves, and can neither change nor drop a table or a schema', async () => {
  const run = (text: string) => admin.query(text);
  await run(`create role doorstep_serve login password 'three'; grant temporary on database doorstep to doorstep_serve;
    grant usage on schema doorstep to doorstep_serve;
    grant select, insert, update, delete on all tables in schema doorstep to doorstep_serve;
    grant usage, select, update on all sequences in schema doorstep to doorstep_serve`);
  const DATABASE_URL = url(VERIFIED(), '127.0.0.1', 'doorstep_serve:three');
  const env = { DATABASE_URL, DATA_DIR: file('node'), PORT: '0', LOG_LEVEL: 'warn' };
  const { child, printed, finished } = startCommand(['serve'], env);
  const [, at = ''] = await printed(/Doorstep is ready at (\S+)/);
  await until('it is ready', async () => (await fetch(`${at}/readyz`)).ok);
  child.kill('SIGTERM');
  assert.deepEqual(await finished.then(({ status, stderr }) => [status, stderr]), [0, '']);
  assert.equal((await runCommand(['accounts', 'create', 'Served', '--json'], env)).status, 0);
  const served = new pg.Client(DATABASE_URL);
  await served.connect();
  for (const text of [
    'drop schema doorstep cascade',
    'drop table doorstep.orders',
    'truncate doorstep.orders',
    'alter table doorstep.orders add column extra text',
    'create table doorstep.extra (id int)',
    'create schema extra',
  ])
    await assert.rejects(served.query(text), { code: '42501' }, text);
  await served.end();
  const { rows } = await run(`delete from doorstep.migrations where name = '0037-gmail-names.sql' returning name`);
  assert.equal(rows.length, 1);
  const { status, stderr } = await runCommand(['serve'], env);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^Migration 0037-gmail-names\.sql failed: .+; run `doorstep migrate` as the owner of the tables\n$/,
  );
});

test('a commit that waits for a standby is seen, until no standby is required', async () => {
  const db = openDb(openPool({ connectionString: url(VERIFIED()), max: 2 }));
  const setStandbys = async (standbys: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${standbys}'`);
    await admin.query('select pg_reload_conf()');
  };
  assert.equal(await commitsWaitForStandby(db), false);
  await raw`create table waited (id int)`.execute(db);
  await setStandbys('away');
  // The checkpointer takes the setting some moments later; commits until then do not wait.
  let committed: Promise<unknown> | undefined;
  await until('a commit waits', () => {
    committed ??= raw`insert into waited values (1)`.execute(db).finally(() => {
      committed = undefined;
    });
    return commitsWaitForStandby(db);
  });
  await setStandbys('');
  await committed;
  assert.equal(await commitsWaitForStandby(db), false);
  await db.destroy();
});
