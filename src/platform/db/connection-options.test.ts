import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
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

/** PostgreSQL's authentication requests (protocol 3.0, message `R`); `none`: it is satisfied without a password. */
const ASKS = {
  none: [0, 0, 0, 0],
  password: [0, 0, 0, 3],
  md5: [0, 0, 0, 5, 1, 2, 3, 4],
  'scram-sha-256': [0, 0, 0, 10, ...Buffer.from('SCRAM-SHA-256\0\0')],
} as const;

/** Message `Z`, after which clients send statements. */
const READY_FOR_QUERY = [...Buffer.from('Z'), 0, 0, 0, 5, ...Buffer.from('I')];

/** `received`: everything clients sent after the request, one entry per client. */
type AskingServer = {
  url(password: string, query?: string): string;
  received: string[];
  close(): Promise<void>;
};

/** A loopback server in place of PostgreSQL that requests each client's password by one method. */
async function givenPostgresThatAsks(method: keyof typeof ASKS): Promise<AskingServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      const body = Buffer.from(ASKS[method]);
      const length = Buffer.alloc(4);
      length.writeInt32BE(body.length + 4);
      const ready = method === 'none' ? READY_FOR_QUERY : [];
      socket.write(Buffer.concat([Buffer.from('R'), length, body, Buffer.from(ready)]));
      const answer = received.push('') - 1;
      socket.on('data', (bytes) => {
        received[answer] += bytes.toString('latin1');
        socket.end();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (password, query = '') => `postgres://doorstep:${password}@127.0.0.1:${port}/doorstep${query}`,
    received,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
