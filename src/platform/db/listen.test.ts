import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/harness.ts';
import { nextTurn } from '../../../test/until.ts';
import { randomId } from '../lib/random-id.ts';
import { openPool } from './connect.ts';
import { Listener } from './listen.ts';

test('a listener hears notifications, and again after its connection was ended by the server', async () => {
  const database = await openTestDatabase();
  const { connectionString } = database;
  const pool = openPool({ connectionString });
  const channel = randomId('Channel_', 6);
  const applicationName = randomId('listener_', 6);
  let heard = Promise.withResolvers<void>();
  const nextNotice = () => {
    heard = Promise.withResolvers<void>();
    return heard.promise;
  };
  const connected = nextNotice();
  const listener = new Listener({ connectionString, channel, applicationName, onNotice: () => heard.resolve() });
  await connected;

  const first = nextNotice();
  await pool.query(`notify "${channel}"`);
  await first;

  const reconnected = nextNotice();
  const { rowCount } = await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [applicationName],
  );
  assert.equal(rowCount, 1);
  await reconnected;

  const second = nextNotice();
  await pool.query(`notify "${channel}"`);
  await second;

  await listener.close();
  const { rows } = await pool.query('select 1 from pg_stat_activity where application_name = $1', [applicationName]);
  assert.ok(rows.length <= 1, 'the connection is closed or closing');
  await pool.end();
  await database.close();
});

test('a listener that finds no server tries on without a word, and can be closed meanwhile', async () => {
  const listener = new Listener({
    connectionString: 'postgres://nobody@127.0.0.1:1/none',
    channel: 'any',
    applicationName: 'none',
    onNotice: () => assert.fail('nothing was there to hear'),
  });
  await nextTurn();
  await listener.close();
});
