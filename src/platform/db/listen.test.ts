import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { randomId } from '../lib/random-id.ts';
import { openPool } from './connect.ts';
import { Listener } from './listen.ts';

/** A log that keeps its texts. */
function givenLog() {
  const texts: string[] = [];
  const keep = (_fields: object, text: string) => void texts.push(text);
  return { texts, log: { info: keep, warn: keep } as never };
}

test('a listener hears notifications, and again after its connection was ended by the server, which is logged', async () => {
  const database = await openTestDatabase();
  const { connectionString } = database;
  const pool = openPool({ connectionString });
  const channel = randomId('Channel_', 6);
  const applicationName = randomId('listener_', 6);
  let received = Promise.withResolvers<void>();
  const nextNotice = () => {
    received = Promise.withResolvers<void>();
    return received.promise;
  };
  const connected = nextNotice();
  const { texts, log } = givenLog();
  const listener = new Listener({
    connectionString,
    channel,
    applicationName,
    log,
    onNotice: () => received.resolve(),
  });
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
  assert.deepEqual(texts, [`listening to ${channel} failed; trying again`, `listening to ${channel} again`]);

  await listener.close();
  const { rows } = await pool.query('select 1 from pg_stat_activity where application_name = $1', [applicationName]);
  assert.ok(rows.length <= 1, 'the connection is closed or closing');
  await pool.end();
  await database.close();
});

test('a listener that finds no server logs it once, tries on, and can be closed meanwhile', async () => {
  const { texts, log } = givenLog();
  const listener = new Listener({
    connectionString: 'postgres://nobody@127.0.0.1:1/none',
    channel: 'any',
    applicationName: 'none',
    log,
    onNotice: () => assert.fail('nothing was there to hear'),
  });
  await until('it has failed', () => texts.length > 0);
  await listener.close();
  assert.deepEqual(texts, ['listening to any failed; trying again']);
});
