import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { MIN_COUNTED_BYTES } from '../../src/platform/http/send-bytes.ts';
import { heldGateway } from '../fakes/broken-gateway.ts';
import { until } from '../until.ts';
import { givenShop, type Shop } from './given-shop.ts';
import { givenConnection } from './raw-http.ts';

/** Same value as in `src/platform/load/unread-answers.hook.ts`. */
const MAX_BYTES_OF_A_HOLDER = 16 * 1024 * 1024;

let shop: Shop;
/** Listeners for a closed answer, by the server's socket. */
const onAnswer = new Map<Socket, () => void>();
before(async () => {
  shop = await givenShop();
  shop.service.http.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => onAnswer.get(socket)?.());
  });
  await shop.listen();
});
after(() => shop.close());

const requestOf = (path: string, headers: Record<string, string> = {}, body = '') => {
  const all = { host: 'localhost', 'id-token': shop.key, ...headers, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

/** Concurrent requests of a client; up to one connection may pipeline. */
const AT_A_TIME = 10;

/** Repeats a request without reading, each time once the kernel has the earlier answers. */
function askUnread(t: TestContext, { client, served }: { client: Socket; served: Socket }, request: string): void {
  let [sent, answered] = [0, 0];
  const more = () => {
    if (sent > answered) return;
    sent += AT_A_TIME;
    client.write(request.repeat(AT_A_TIME));
  };
  onAnswer.set(served, () => {
    answered += 1;
    more();
  });
  t.after(() => onAnswer.delete(served));
  client.pause();
  more();
}

/** Waits until bytes are queued for the client and no more are added. */
async function untilStuck(served: Socket): Promise<void> {
  let before = -1;
  await until('an answer waits for its client', () => {
    const isSame = served.bytesWritten === before && served.writableLength > 0;
    before = served.bytesWritten;
    return isSame;
  });
}

test('a client that does not read its answers is left after a minute', async (t) => {
  const menu = `/details/inventory?store_id=${shop.ids.store_id}&pickup=false`;
  const cases: [string, string][] = [
    ['that is written as it lies ready', requestOf(menu)],
    ['that is built', requestOf('/openapi.json')],
    ['that is compressed', requestOf('/openapi.json', { 'accept-encoding': 'gzip' })],
  ];
  for (const [what, request] of cases) {
    await t.test(`an answer ${what}`, async (t) => {
      const connection = await givenConnection(t, shop.service.http.server);
      const { served } = connection;
      askUnread(t, connection, request);
      await untilStuck(served);
      // Bytes that the kernel accepted count as read in that minute.
      await until('the connection is cut', async () => {
        await shop.advance({ seconds: 61 });
        return served.destroyed;
      });
    });
  }
  await t.test('an answer that is small', async (t) => {
    const connection = await givenConnection(t, shop.service.http.server);
    const { served } = connection;
    askUnread(t, connection, requestOf('/unknown'));
    await untilStuck(served);
    assert.equal(served.timeout, 60_000);
    const closed = once(served, 'close');
    served.emit('timeout');
    await closed;
  });
});

test('forty clients of one key that do not read hold no more bytes than one key may', async (t) => {
  const { unreadAnswers } = shop.service.http;
  const other = await shop.givenClient();
  const path = `/details/inventory?store_id=${shop.ids.store_id}&pickup=false`;
  const size = Buffer.byteLength((await shop.get('/openapi.json')).text);
  assert.ok(size > MIN_COUNTED_BYTES);
  const clients: Socket[] = [];
  for (let n = 0; n < 40; n += 1) {
    const connection = await givenConnection(t, shop.service.http.server);
    askUnread(t, connection, requestOf('/openapi.json'));
    clients.push(connection.client);
  }
  await until('responses are waiting for their clients', () => unreadAnswers.total() > MAX_BYTES_OF_A_HOLDER / 2);
  assert.ok(unreadAnswers.total() <= MAX_BYTES_OF_A_HOLDER, `${unreadAnswers.total()} bytes are held`);
  // The public API description counts against the flooding address, not against keys: another key is served, and so is
  // its own.
  for (const key of [other.key, shop.key]) assert.equal((await shop.get(path, {}, { 'id-token': key })).status, 200);
  // A cut connection makes room for a queued request, whose unread answer is cut a minute later.
  await until('the unread answers are cut', async () => {
    await shop.advance({ seconds: 61 });
    return unreadAnswers.total() === 0;
  });
  for (const client of clients) client.destroy();
});

test('who has read an answer may wait before the next request, and its request may take its time', async (t) => {
  const { client, served } = await givenConnection(t, shop.service.http.server);
  client.write(requestOf('/openapi.json'));
  client.resume();
  const { keepAliveTimeout } = shop.service.http.server;
  assert.ok(keepAliveTimeout > 60_000);
  // Node.js adds a second to the advertised keep-alive timeout.
  await until('the answer is read', () => (served.timeout ?? 0) >= keepAliveTimeout);
  const gateway = heldGateway(shop);
  t.after(gateway.fix);
  const order = JSON.stringify(shop.goodOrder({ autofill_selected_options: true }));
  client.write(requestOf('/order/order/v2', { 'content-type': 'application/json' }, order));
  await gateway.reached;
  assert.equal(served.timeout, 0);
  const answered = once(client, 'data');
  gateway.letGo();
  assert.match(String((await answered)[0]), /^HTTP\/1\.1 200 /);
});
