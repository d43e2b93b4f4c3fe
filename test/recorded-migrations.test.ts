import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { parseMigration, readMigrations } from '../src/platform/db/migrations.ts';
import { refuseOtherMigrations } from '../src/platform/db/recorded-migrations.ts';
import { givenCommandHost } from './given/command-host.ts';
import { createTestDatabase, SCHEMA } from './test-database.ts';

const host = givenCommandHost();
after(() => host.close());

const WAY =
  'back it up with that version (`doorstep backup`), and load the backup with this one into an empty database';

async function givenMigrated(t: TestContext) {
  const { connectionString, drop } = await createTestDatabase();
  const pool = openPool({ connectionString, schema: SCHEMA, max: 1 });
  t.after(async () => {
    await pool.end();
    await drop();
  });
  await migrate(pool, SCHEMA);
  const hashes = async () =>
    (await pool.query('select hash from migrations order by name')).rows.map(({ hash }) => hash);
  return { pool, hashes, env: { DATABASE_URL: connectionString, LOG_LEVEL: 'silent', PORT: '0' } };
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
  await pool.query(`insert into migrations (name, hash) values ('9998-newer.sql', 'x'), ('9999-newest.sql', null)`);
  assert.deepEqual(await migrate(pool, SCHEMA), { applied: [], newer: ['9998-newer.sql', '9999-newest.sql'] });
  const migrated = await host.runCommand(['migrate'], env);
  assert.equal(migrated.stdout, 'The database has 2 migrations of a newer version, up to 9999-newest.sql.\n');
  const { stdout } = await host.runCommand(['check'], env);
  assert.match(stdout, /schema +has 2 migrations of a newer version\n/);
});

test('a database from before hashes gets them if its schema is the one that the files make', async (t) => {
  const { pool, hashes } = await givenMigrated(t);
  const written = await hashes();
  assert.ok(written.every((hash) => /^[0-9a-f]{64}$/.test(hash)));
  await pool.query('alter table migrations drop column hash');
  // What operators may have done.
  await pool.query(`create table my_notes (order_id text primary key); create index my_index on orders (store_id, status);
    create function my_function() returns int language sql as 'select 1'; alter table stores reset (toast_tuple_target)`);
  assert.deepEqual(await migrate(pool, SCHEMA), { applied: [], newer: [] });
  assert.deepEqual(await hashes(), written);
  // Compared once: with a hash, the file alone decides.
  await pool.query('alter table orders add column extra text');
  assert.deepEqual(await migrate(pool, SCHEMA), { applied: [], newer: [] });
});

/** One difference of each kind, and how the refusal names it. */
const DIFFERENCES: readonly [string, RegExp][] = [
  ['drop table operator_actions', /: table operator_actions is missing\. /],
  ['alter table orders drop column favorited', /: column orders\.favorited is missing/],
  ['alter table orders add column old_column text not null', /: column orders\.old_column is not of this version\./],
  ['alter table accounts alter column name drop not null', /: column accounts\.name is another\./],
  ['alter table webhook_calls alter column attempts type bigint', /: column webhook_calls\.attempts is another\./],
  ['alter table webhook_calls alter column attempts set default 1', /: column webhook_calls\.attempts is another\./],
  ['drop index webhook_calls_due', /: index webhook_calls_due is missing\./],
  [
    `drop index webhook_calls_due; create index webhook_calls_due on webhook_calls (account_id) where state = 'pending'`,
    /: index webhook_calls_due is another\./,
  ],
  ['create unique index once on webhook_calls (body)', /: unique index once is not of this version\./],
  [
    'alter table webhook_calls drop constraint webhook_calls_state_check',
    /: constraint webhook_calls_state_check of webhook_calls is missing\./,
  ],
  [
    'alter table accounts add constraint old check (name <> $$x$$)',
    /: constraint old of accounts is not of this version\./,
  ],
  ['drop trigger products_inserted on products', /: trigger products_inserted of products is missing\./],
  ['alter table products disable trigger products_inserted', /: trigger products_inserted of products is another\./],
  [
    `create or replace function fold_products_inserted() returns trigger language plpgsql as 'begin return null; end'`,
    /: function fold_products_inserted\(\) is another\./,
  ],
];

test('a database from before hashes with another schema is refused by what differs, and nothing is left of the comparison', async (t) => {
  const { pool, hashes, env } = await givenMigrated(t);
  await pool.query('update migrations set hash = null');
  const migrations = await readMigrations();
  const applied = new Map(migrations.map(({ name }) => [name, null]));
  for (const [statement, sentence] of DIFFERENCES) {
    const client = await pool.connect();
    // The comparison's rollback takes the difference back.
    await client.query(`begin; ${statement}`);
    const refused = refuseOtherMigrations(client, SCHEMA, migrations, applied).finally(() => client.release());
    await assert.rejects(refused, (error: Error) => {
      assert.match(error.message, sentence, statement);
      assert.ok(error.message.includes(WAY));
      return true;
    });
  }
  await pool.query('drop index webhook_calls_due');
  const { status, stderr } = await host.runCommand(['migrate'], env);
  assert.equal(status, 78);
  assert.match(
    stderr,
    /^The database has the migrations up to \d{4}-[\w-]+\.sql, but not the schema .* webhook_calls_due/,
  );
  assert.ok((await hashes()).every((hash) => hash === null));
  const { rows } = await pool.query(`select nspname from pg_namespace where nspname ~ 'doorstep'`);
  assert.deepEqual(rows, [{ nspname: SCHEMA }, { nspname: `${SCHEMA}_jobs` }].slice(0, rows.length));
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
