import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenProxied } from '../../../test/given/tcp-proxy.ts';
import { openTestDatabase } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { openPool } from './connect.ts';
import { isDatabaseUnavailable, type UnavailableCause, unavailableCause } from './is-database-unavailable.ts';

const failed = (code: string) => Object.assign(new Error('failed'), { code });

test('a full, absent, starting, standby or silent database is away; a wrong statement isn’t', () => {
  const away = [...'28P01 28000 53100 53200 53300 08006 57P01 57P03 25006 58030 57014 ECONNREFUSED'.split(' ')];
  for (const code of away) assert.ok(isDatabaseUnavailable(failed(code)), code);
  for (const code of ['23505', '42P01', '22003', '40001', 'ENOENT', ''])
    assert.ok(!isDatabaseUnavailable(failed(code)), code);
  // A server that has ended removes its Unix socket; a missing file by itself says nothing about the database.
  for (const code of ['ENOENT', 'EAGAIN']) {
    assert.ok(isDatabaseUnavailable(Object.assign(failed(code), { syscall: 'connect' })), code);
    assert.ok(!isDatabaseUnavailable(Object.assign(failed(code), { syscall: 'open' })), code);
  }
  assert.ok(!isDatabaseUnavailable(new Error('the text says Query read timeout somewhere')));
  assert.ok(!isDatabaseUnavailable(undefined));
});

test('each failure has the cause that an operator looks at first', () => {
  const causes: Record<UnavailableCause, readonly Error[]> = {
    password: [failed('28P01'), failed('28000')],
    connections: [failed('53300'), new Error('timeout exceeded when trying to connect')],
    disk: [failed('53100'), failed('58030')],
    resources: [failed('53200')],
    timeout: [failed('57014'), new Error('Query read timeout')],
    connection: [failed('ECONNREFUSED'), failed('57P01'), new Error('Connection terminated unexpectedly')],
  };
  for (const [cause, errors] of Object.entries(causes))
    for (const error of errors) assert.equal(unavailableCause(error), cause, String(error));
  assert.equal(unavailableCause(failed('23505')), undefined);
});

test('a statement through a network that swallows packets ends, and the pool works again when the network does', async (t) => {
  const database = await openTestDatabase();
  const { proxy, connectionString } = await givenProxied(database.connectionString);
  const pool = openPool({ connectionString, max: 1, statementMs: 10 });
  t.after(async () => {
    await pool.end();
    await proxy.close();
    await database.close();
  });
  const client = await pool.connect();
  proxy.hold();
  const silent = await client.query('select $1::int as one', [1]).catch((error) => error);
  assert.ok(isDatabaseUnavailable(silent), String(silent));
  const next = await client.query('select 1').catch((error) => error);
  assert.ok(isDatabaseUnavailable(next), `the connection is closed: ${next}`);
  client.release();
  proxy.resume();
  await until('the pool has a connection that works', () =>
    pool.query('select 1').then(
      () => true,
      (error) => {
        assert.ok(isDatabaseUnavailable(error), String(error));
        return false;
      },
    ),
  );
});

test('a statement that takes longer than its limit is ended by the server, and its connection stays', async (t) => {
  const database = await openTestDatabase();
  const pool = openPool({ connectionString: database.connectionString, max: 1, statementMs: 50 });
  t.after(async () => {
    await pool.end();
    await database.close();
  });
  const client = await pool.connect();
  // The client's own limit never comes: only the server ends the statement.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const slow = await client.query('select pg_sleep(600)').catch((error) => error);
  assert.ok(isDatabaseUnavailable(slow), String(slow));
  assert.equal(slow.code, '57014');
  client.release();
});

test('a connection to a server that became a standby is left, so that the next one finds the new primary', async (t) => {
  const database = await openTestDatabase();
  const pool = openPool({ connectionString: database.connectionString, max: 1 });
  t.after(async () => {
    await pool.end();
    await database.close();
  });
  const pidOf = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const before = await pidOf();
  const client = await pool.connect();
  await client.query('set default_transaction_read_only = on');
  const refused = await client.query('create table never (id int)').catch((error) => error);
  assert.equal(refused.code, '25006');
  client.release();
  assert.notEqual(await pidOf(), before);
});
