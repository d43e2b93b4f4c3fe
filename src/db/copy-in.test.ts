import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { givenProxied } from '../../test/given/tcp-proxy.ts';
import { openTestDatabase } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { errorCode } from '../lib/error-code.ts';
import { type Db, openDb, openPool } from './connect.ts';
import { createRowBytes } from './copied-bytes.ts';
import { copyRows } from './copy-in.ts';
import { isDatabaseAway } from './database-away.ts';

const COPY = 'copy copied from stdin (format binary)';
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Db;

before(async () => {
  database = await openTestDatabase();
  // Each statement of the file meets the same temporary table.
  db = openDb(openPool({ connectionString: database.connectionString, max: 1 }));
  await sql`create temporary table copied (name text, facts jsonb, is_open boolean, hash bytea)`.execute(db);
});
after(async () => {
  await db.destroy();
  await database.close();
});

type Row = { name: string | null; facts: string | null };

function bytesOf(rows: readonly Row[]): Buffer {
  const bytes = createRowBytes(4, 0);
  for (const { name, facts } of rows) {
    bytes.row();
    bytes.text(name);
    bytes.json(facts);
    bytes.flag(name !== null);
    bytes.hex('00ff10');
  }
  return bytes.finish();
}

async function copied() {
  // A large name is told by its digest.
  const text = sql`
    select case when length(name) < 100 then name else md5(name) end as name, facts, is_open, encode(hash, 'hex') as hash
    from copied order by length(copied.name)`;
  return (await text.execute(db)).rows;
}

test('rows arrive as they were written, in any characters, and a copy of any size', async () => {
  const large = 'é'.repeat(3_000_000);
  const facts = { quote: '"\\\t', none: null };
  const rows = [
    { name: 'Ł\t\\N 🥐', facts: JSON.stringify(facts) },
    { name: large, facts: null },
    { name: null, facts: null },
  ];
  await copyRows(db, COPY, bytesOf(rows));
  assert.deepEqual(await copied(), [
    { name: 'Ł\t\\N 🥐', facts, isOpen: true, hash: '00ff10' },
    { name: hash('md5', large), facts: null, isOpen: true, hash: '00ff10' },
    { name: null, facts: null, isOpen: false, hash: '00ff10' },
  ]);
});

test('a row that the server refuses fails the copy by its data, whatever follows it, and the connection goes on', async () => {
  const before = (await copied()).length;
  const rest = { name: 'x'.repeat(5_000_000), facts: null };
  for (const facts of ['{"a":"\\u0000"}', '{"a":']) {
    const refused = copyRows(db, COPY, bytesOf([{ name: 'a', facts: '{}' }, { name: 'b', facts }, rest, rest]));
    await assert.rejects(refused, (error) => /^22/.test(errorCode(error) ?? ''));
    assert.equal((await copied()).length, before, 'no row of a refused copy is there');
  }
});

test('a copy in a transaction is rolled back with it', async () => {
  const before = (await copied()).length;
  const broken = db.transaction().execute(async (tx) => {
    await copyRows(tx, COPY, bytesOf([{ name: 'a', facts: '{}' }]));
    throw new Error('no more');
  });
  await assert.rejects(broken, /no more/);
  assert.equal((await copied()).length, before);
});

test('a connection that is lost in the middle of a copy fails the copy, and the pool opens another one', async () => {
  const pool = openPool({ connectionString: database.connectionString, max: 2, onError: () => {} });
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await client.query('create temporary table copied (name text, facts jsonb, is_open boolean, hash bytea)');
  const large = { name: 'x'.repeat(20_000_000), facts: null };
  const copying = client.query(COPY, [bytesOf([large, large, large])]);
  const [ended] = await Promise.allSettled([copying, pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])]);
  assert.equal(ended.status, 'rejected');
  client.release(true);
  assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
  await pool.end();
});

test('a copy through a network that swallows packets ends with its connection, whatever the server answers later', async (t) => {
  const { proxy, connectionString } = await givenProxied(database.connectionString);
  const pool = openPool({ connectionString, max: 1, statementMs: 10 });
  t.after(async () => {
    await pool.end();
    await proxy.close();
  });
  const client = await pool.connect();
  await client.query('create temporary table copied (name text, facts jsonb, is_open boolean, hash bytea)');
  proxy.hold();
  const silent = await client.query(COPY, [bytesOf([{ name: 'a', facts: '{}' }])]).catch((error) => error);
  assert.ok(isDatabaseAway(silent), String(silent));
  proxy.resume();
  await assert.rejects(client.query('select 1'), 'the connection is closed');
  client.release();
  await until('the pool has a connection that works', () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
  );
});
