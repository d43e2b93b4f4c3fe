import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/harness.ts';
import { openPool } from './connect.ts';

test('a connection that is lost between two statements of its user fails the next one, not the process', async (t) => {
  const database = await openTestDatabase();
  t.after(() => database.close());
  const lost: string[] = [];
  const onError = (error: Error) => lost.push(error.message);
  const pool = openPool({ connectionString: database.connectionString, max: 2, onError });
  const client = await pool.connect();
  const ended = new Promise((done) => client.once('end', done));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  await assert.rejects(client.query('select 1'));
  client.release(true);
  assert.deepEqual(lost.length, 1, 'the loss is reported once');
  assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
  await pool.end();
});

test('a prepared statement whose columns a migration changed fails once, with a promise and with a callback', async (t) => {
  const database = await openTestDatabase();
  t.after(() => database.close());
  const pool = openPool({ connectionString: database.connectionString, max: 1 });
  const client = await pool.connect();
  await client.query('create temporary table changed (id integer)');
  const text = 'select changed.* from changed where id > $1';
  const ask = () => client.query(text, [0]);
  const askWithCallback = () =>
    new Promise<{ rowCount: number | null }>((resolve, reject) => {
      client.query(text, [0], (error, result) => (error ? reject(error) : resolve(result)));
    });
  for (const [nth, select] of [ask, askWithCallback].entries()) {
    await select();
    await client.query(`alter table changed add column added_${nth} integer`);
    await assert.rejects(select, { code: '0A000' });
    assert.equal((await select()).rowCount, 0);
  }
  client.release();
  await pool.end();
});
