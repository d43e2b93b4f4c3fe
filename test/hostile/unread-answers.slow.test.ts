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

/** As `src/platform/load/unread-answers.hook.ts` has it. */
const MAX_BYTES_OF_A_HOLDER = 16 * 1024 * 1024;

let shop: Shop;
/** What is called when an answer on a connection has closed, by the server's side of the connection. */
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

/** Requests that a client sends at a time: no more than one connection may send ahead of its answers. */
const AT_A_TIME = 10;

/** Sends the request again and again without reading, each time that the answers before it are with the kernel. */
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

/** Until bytes wait for the client and no more come to them. */
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
      // Bytes accepted by the kernel count as read in that minute.
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
  await until('answers wait for their clients', () => unreadAnswers.total() > MAX_BYTES_OF_A_HOLDER / 2);
  assert.ok(unreadAnswers.total() <= MAX_BYTES_OF_A_HOLDER, `${unreadAnswers.total()} bytes are held`);
  // The public description counts for the address of the forty: another key is served, and so is their key.
  for (const key of [other.key, shop.key]) assert.equal((await shop.get(path, {}, { 'id-token': key })).status, 200);
  // An answer that is cut makes room for one that was asked for later: each minute cuts more of the connections.
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
  // Node.js adds a second to what it tells the client.
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
