import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenPostgresThatAsks } from '../../../test/given/postgres-that-asks.ts';
import { until } from '../../../test/until.ts';
import { createLog } from '../lib/log.ts';
import { withClient } from './backup/with-client.ts';
import { openPool } from './connect.ts';
import { isDatabaseUnavailable } from './is-database-unavailable.ts';
import { Listener } from './listen.ts';

const PASSWORD = 'hunter2hunter2';
/** The client's message that ends a session. */
const TERMINATE = 'X\0\0\0\x04';

/** All connections of the service; each must fail if the server is refused. */
const CONNECT = {
  async pool(connectionString: string) {
    const pool = openPool({ connectionString, max: 1 });
    await pool.query('select 1').finally(() => pool.end());
  },
  backup: (connectionString: string) => withClient(connectionString, async () => {}),
};

for (const method of ['password', 'md5', 'none'] as const) {
  test(`a server that asks for the password by ${method} gets neither it nor a statement, on any kind of connection`, async (t) => {
    const server = await givenPostgresThatAsks(method);
    t.after(() => server.close());
    const url = server.url(PASSWORD);
    for (const [name, connect] of Object.entries(CONNECT)) {
      const error = await connect(url).then(
        () => assert.fail(name),
        (reason: Error) => reason,
      );
      assert.equal(error.name, 'InsecureAuthenticationError', `${name}: ${error}`);
      assert.match(error.message, new RegExp(`\\(require_auth=${method}(,scram-sha-256)?\\)\\.$`));
      assert.ok(isDatabaseUnavailable(error), name);
      assert.ok(!String(error.stack).includes(PASSWORD));
    }
    const log = createLog('silent');
    const names = { channel: 'c', applicationName: 'test' };
    const listener = new Listener({ connectionString: url, ...names, log, onNotice: () => {} });
    await until('the listener was asked', () => server.received.length > Object.keys(CONNECT).length);
    await listener.close();
    assert.deepEqual(
      server.received.filter((bytes) => bytes !== '' && bytes !== TERMINATE),
      [],
    );
  });

  test(`a URL that names ${method} lets the driver answer it`, async (t) => {
    const server = await givenPostgresThatAsks(method);
    t.after(() => server.close());
    await assert.rejects(CONNECT.pool(server.url(PASSWORD, `?require_auth=scram-sha-256,${method}`)));
    const [answer = ''] = server.received;
    assert.equal(answer[0], method === 'none' ? 'Q' : 'p');
    assert.equal(answer.includes(PASSWORD), method === 'password');
  });
}

test('SCRAM is answered without the password, unless the URL allows only other methods', async (t) => {
  const server = await givenPostgresThatAsks('scram-sha-256');
  t.after(() => server.close());
  await assert.rejects(CONNECT.pool(server.url(PASSWORD)));
  assert.match(server.received[0] ?? '', /^p.*SCRAM-SHA-256.*n,,n=/s);
  assert.ok(!server.received[0]?.includes(PASSWORD));
  await assert.rejects(CONNECT.pool(server.url(PASSWORD, '?require_auth=md5')), {
    name: 'InsecureAuthenticationError',
  });
});

test('a URL without a password takes a server that asks for none', async (t) => {
  const server = await givenPostgresThatAsks('none');
  t.after(() => server.close());
  await assert.rejects(CONNECT.pool(server.url('').replace(':@', '@')), { message: /terminated/ });
  assert.match(server.received[0] ?? '', /select 1/);
  await assert.rejects(CONNECT.pool(server.url('', `?password=${PASSWORD}`)), { name: 'InsecureAuthenticationError' });
});
