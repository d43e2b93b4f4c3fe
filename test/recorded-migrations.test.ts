import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { parseMigration } from '../src/platform/db/migrations.ts';
import { givenCommandHost } from './given/command-host.ts';
import { createTestDatabase, SCHEMA } from './test-database.ts';

const host = givenCommandHost();
after(() => host.close());

const WAY = 'back it up with the old version (`doorstep backup`), and restore the backup into an empty database';

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

test('a database that another file of the same name made is refused with status 78, the file and the way out', async (t) => {
  const { pool, env } = await givenMigrated(t);
  await pool.query(`update migrations set hash = 'another' where name = '0001-baseline.sql'`);
  for (const command of ['migrate', 'serve']) {
    const { status, stderr } = await host.runCommand([command], env);
    assert.equal(status, 78, command);
    assert.ok(stderr.startsWith('The database was made with another 0001-baseline.sql than this version has.'), stderr);
    assert.ok(stderr.includes(WAY) && stderr.split('\n').length === 2, stderr);
  }
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
