import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { parseMigration } from '../src/platform/db/migrations.ts';
import { givenCommandHost } from './given/command-host.ts';
import { givenFolder } from './given/folder.ts';
import { createTestDatabase, SCHEMA } from './test-database.ts';

const host = givenCommandHost();
after(() => host.close());

const REFUSAL =
  "The database was created before November 28, 2026 or by another build: its 0001-baseline.sql differs from this version's. It can't be upgraded or restored. Use the build that created it, or start with an empty database.";

async function givenMigrated(t: TestContext) {
  const { connectionString, drop } = await createTestDatabase();
  const pool = openPool({ connectionString, schema: SCHEMA, max: 1 });
  t.after(async () => {
    await pool.end();
    await drop();
  });
  await migrate(pool, SCHEMA);
  return { pool, env: { DATABASE_URL: connectionString, LOG_LEVEL: 'silent', PORT: '0' } };
}

/** What databases from before November 28 have in `migrations`; the first builds numbered other files and kept no hash. */
const EARLIER = {
  'without hashes': `alter table migrations drop column hash; update migrations set name = '0001-accounts.sql'`,
  'with other files': `update migrations set hash = 'another'; insert into migrations values ('0002-ledger-taxes.sql', now(), 'x')`,
  'with another baseline': `update migrations set hash = 'another'`,
};

for (const [kind, change] of Object.entries(EARLIER)) {
  test(`check, migrate, serve and restore refuse a database from before November 28 ${kind} with the same sentence`, async (t) => {
    const { pool, env } = await givenMigrated(t);
    const folder = givenFolder('doorstep-earlier', t);
    const backup = join(folder, 'now');
    assert.equal((await host.runCommand(['backup', backup], env)).status, 0);
    await pool.query(`delete from migrations where name > '0001-baseline.sql'; drop table migration_stops; ${change}`);
    for (const [command, status] of [
      [['migrate'], 78],
      [['serve'], 78],
      [['restore', backup], 1],
    ] as const) {
      const ended = await host.runCommand(command, env);
      assert.deepEqual([ended.status, ended.stderr], [status, `${REFUSAL}\n`], command[0]);
    }
    const checked = await host.runJson(['check'], env);
    assert.equal(checked.status, 78);
    const schema = checked.body.findings.find(({ subject }: { subject: string }) => subject === 'schema');
    assert.deepEqual(schema, { subject: 'schema', state: 'error', text: REFUSAL });
    if (kind === 'with another baseline') return; // A backup has no hashes: its tables tell.
    const earlier = join(folder, 'earlier');
    assert.equal((await host.runCommand(['backup', earlier], env)).status, 0);
    const empty = await createTestDatabase('');
    t.after(() => empty.drop());
    const into = { ...env, DATABASE_URL: empty.connectionString };
    for (const more of [[], ['--check']]) {
      const { status, stderr } = await host.runCommand(['restore', earlier, ...more], into);
      assert.deepEqual([status, stderr], [1, `${REFUSAL}\n`]);
    }
  });
}

test('a backup of a newer version is refused as such, by its unknown migrations', async (t) => {
  const { pool, env } = await givenMigrated(t);
  const folder = givenFolder('doorstep-newer', t);
  await pool.query(`insert into migrations (name, hash) values ('9999-newest.sql', 'y')`);
  assert.equal((await host.runCommand(['backup', join(folder, 'backup')], env)).status, 0);
  const { status, stderr } = await host.runCommand(['restore', join(folder, 'backup')], env);
  assert.equal(status, 1);
  assert.match(stderr, /^The backup was created by a newer Doorstep version .*\(9999-newest\.sql\)/);
});

test('check says what migrate says about a database that a newer version has stopped for this one', async (t) => {
  const { pool, env } = await givenMigrated(t);
  await pool.query(`insert into migration_stops values ('9999-newest.sql')`);
  const { status, stderr } = await host.runCommand(['migrate'], env);
  assert.equal(status, 78);
  const { body } = await host.runJson(['check'], env);
  const schema = body.findings.find(({ subject }: { subject: string }) => subject === 'schema');
  assert.deepEqual([schema.state, `${schema.text}\n`], ['error', stderr]);
});

test('migrations of a newer version are no hindrance, whatever their hash, and migrate and check count them', async (t) => {
  const { pool, env } = await givenMigrated(t);
  await pool.query(`insert into migrations (name, hash) values ('9998-newer.sql', 'x'), ('9999-newest.sql', 'y')`);
  assert.deepEqual(await migrate(pool, SCHEMA), { applied: [], newer: ['9998-newer.sql', '9999-newest.sql'] });
  const migrated = await host.runCommand(['migrate'], env);
  assert.equal(migrated.stdout, 'The database has 2 migrations of a newer version, up to 9999-newest.sql.\n');
  const { stdout } = await host.runCommand(['check'], env);
  assert.match(stdout, /schema +has 2 migrations of a newer version\n/);
});

test('a migration that fails is one sentence with its name and the reason, without a stack', async (t) => {
  const { connectionString, drop } = await createTestDatabase('');
  const pool = openPool({ connectionString, schema: SCHEMA, max: 1 });
  t.after(async () => {
    await pool.end();
    await drop();
  });
  await pool.query('create schema if not exists doorstep; create table doorstep.stores (mine text)');
  for (const command of ['migrate', 'serve']) {
    const env = { DATABASE_URL: connectionString, LOG_LEVEL: 'silent', PORT: '0' };
    const { status, stderr } = await host.runCommand([command], env);
    assert.deepEqual(
      [status, stderr],
      [1, 'Migration 0001-baseline.sql failed: relation "stores" already exists\n'],
      command,
    );
  }
});

test('line ends do not change the hash of a migration', () => {
  const hashOf = (text: string) => parseMigration('0002-x.sql', text).hash;
  assert.equal(hashOf('select 1;\r\nselect 2;\r\n'), hashOf('select 1;\nselect 2;\n'));
  assert.notEqual(hashOf('select 1;'), hashOf('select 2;'));
});
