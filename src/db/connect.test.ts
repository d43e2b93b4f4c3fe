import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../test/harness.ts';
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
