import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { until } from '../until.ts';
import { assertProblem } from './assert-refused.ts';
import { givenShop, type Shop } from './given-shop.ts';
import { exchange, givenConnection, type RawAnswer } from './raw-http.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = 'Content-Type: application/json\r\n';

let shop: Shop;
let port: number;
before(async () => {
  shop = await givenShop();
  port = await shop.listen();
});
after(() => shop.close());

const headOf = (line: string, more = '', length = MIB) =>
  `${line} HTTP/1.1\r\nHost: doorstep\r\n${more}Content-Length: ${length}\r\n\r\n`;
const keyLine = () => `Id-Token: ${shop.key}\r\n`;
const codeOf = (answer: RawAnswer | undefined, what: string) => assertProblem(answer as RawAnswer, what).code;

test('a refusal that needs no body waits for no byte of the body, and ends the connection', async () => {
  const cases: [string, string][] = [
    ['route_not_found', headOf('POST /nowhere', JSON_TYPE)],
    ['route_not_found', headOf('POST /nowhere', `${JSON_TYPE}Idempotency-Key: a\r\n`)],
    ['route_not_found', headOf('POST /nowhere', `${JSON_TYPE}Idempotency-Key: a\r\n${keyLine()}`)],
    ['method_not_allowed', headOf('DELETE /account/orders', JSON_TYPE)],
    ['method_not_allowed', headOf('POST /account/orders', `${JSON_TYPE}${keyLine()}`)],
    ['missing_api_key', headOf('POST /order/order/v2', JSON_TYPE)],
    ['invalid_api_key', headOf('POST /order/order/v2', `${JSON_TYPE}Id-Token: x\r\n`)],
    ['missing_api_key', headOf('PUT /store/hours', JSON_TYPE)],
    ['body_too_large', headOf('POST /order/order/v2', `${JSON_TYPE}${keyLine()}`, MIB + 1)],
    ['body_too_large', headOf('POST /console/sign-in', JSON_TYPE, 16 * 1024 + 1)],
    ['unsupported_media_type', headOf('POST /order/order/v2', `Content-Type: text/plain\r\n${keyLine()}`)],
    ['unsupported_media_type', headOf('POST /order/order/v2', `${JSON_TYPE}Content-Encoding: gzip\r\n${keyLine()}`)],
    [
      'unsupported_media_type',
      headOf('POST /order/order/v2', `Content-Type: application/json; charset=utf-16\r\n${keyLine()}`),
    ],
    ['invalid_request', headOf('POST /order/order/v2', `${JSON_TYPE}Host: other\r\n${keyLine()}`)],
  ];
  // The clients send no body and read to the end of their connections.
  const ended = await Promise.all(cases.map(([, head]) => exchange(port, head)));
  for (const [n, [code, head]] of cases.entries()) {
    const answers = ended[n] ?? [];
    assert.equal(answers.length, 1, head);
    assert.equal(codeOf(answers[0], head), code, head);
    assert.equal(answers[0]?.headers.connection, 'close', head);
  }
});

test('no parser sees the body of a request that is refused before', async () => {
  const broken = '{"order_id":';
  for (const [path, more, code] of [
    ['/nowhere', '', 'route_not_found'],
    ['/order/finalize', '', 'missing_api_key'],
    ['/order/finalize', 'Id-Token: x\r\n', 'invalid_api_key'],
    ['/order/finalize', keyLine(), 'invalid_request'],
  ]) {
    const head = headOf(`POST ${path}`, `${JSON_TYPE}${more}`, broken.length);
    const [answer] = await exchange(port, [head, broken], { answers: 1 });
    assert.equal(codeOf(answer, head), code, head);
  }
});

test('a small body that is there already costs the connection nothing', async () => {
  const head = headOf('POST /nowhere', JSON_TYPE, 2);
  const answers = await exchange(port, `${head}{}${head}{}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`, { answers: 3 });
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 200],
  );
});

test('a client that keeps sending is read for a while and then cut off', async (t) => {
  const { client, served } = await givenConnection(t, shop.service.http.server);
  const closed = once(served, 'close');
  const answered = once(client, 'data');
  client.write(headOf('POST /nowhere', JSON_TYPE, 1024 * MIB));
  assert.match(String((await answered)[0]), /^HTTP\/1\.1 404 /);
  const chunk = Buffer.alloc(MIB);
  const send = () => {
    while (!client.destroyed && client.write(chunk));
  };
  client.on('drain', send).resume();
  send();
  await closed;
  assert.ok(served.bytesRead < 16 * MIB, `${served.bytesRead} bytes were read`);
});

test('Expect: 100-continue is answered with 100 only for admitted clients', async () => {
  const body = '{"order_id":"x"}';
  const expecting = (path: string, more: string, length = body.length) =>
    headOf(`POST ${path}`, `${JSON_TYPE}Expect: 100-continue\r\n${more}`, length);
  for (const head of [
    expecting('/nowhere', ''),
    expecting('/order/finalize', ''),
    expecting('/order/finalize', keyLine(), 2 * MIB),
  ]) {
    const { text } = await firstBytes(head);
    assert.match(text, /^HTTP\/1\.1 4\d\d /, head);
  }
  const { text, socket } = await firstBytes(expecting('/order/finalize', keyLine()));
  assert.equal(text, 'HTTP/1.1 100 Continue\r\n\r\n');
  const answered = once(socket, 'data');
  socket.write(body);
  assert.match(String((await answered)[0]), /"code":"order_not_found"/);
  socket.destroy();
});

async function firstBytes(head: string): Promise<{ text: string; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(head);
  return { text: String((await once(socket, 'data'))[0]), socket };
}

test('a Host that no URL could have is refused, on every kind of endpoint', async () => {
  const bad = ['a b', 'a/b', 'a?b', 'a#b', 'user@a', 'a:99999', 'a:b', '[::1', '%', ''];
  for (const host of bad) {
    for (const path of ['/reference', '/healthz', '/search/store/v3', '/no/such/path']) {
      const [answer] = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      assert.equal(answer?.status, 400, `${host} at ${path}`);
      assert.match(String(answer?.text), /Host/);
    }
  }
  for (const host of ['a', 'api_1:8080', '127.0.0.1', '[::1]:80', 'xn--caf-dma.example']) {
    const [answer] = await exchange(port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assert.equal(answer?.status, 200, host);
  }
});

test('a request names its host once', async () => {
  const hosts = ['Host: a\r\nHost: a\r\n', 'Host: a\r\nhost: b\r\n', 'HOST: a\r\nX: 1\r\nHost:\r\n', ''];
  for (const lines of hosts) {
    const [answer] = await exchange(port, `GET /healthz HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
    assert.equal(codeOf(answer, lines), 'invalid_request', lines);
    assert.match(String(answer?.text), /Host/);
  }
  const [old] = await exchange(port, 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n');
  assert.equal(codeOf(old, 'HTTP/1.0'), 'invalid_request');
  const [bare] = await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n');
  assert.equal(bare?.status, 200);
});

test('bodies of one key beyond its bound are refused as they arrive, and another key is let in', async (t) => {
  const other = await shop.givenClient();
  const body = '['.repeat(MIB - 1);
  const sockets: Socket[] = [];
  const all = Array.from({ length: 9 }, async () => {
    const { client } = await givenConnection(t, shop.service.http.server);
    sockets.push(client);
    const answered = once(client, 'data');
    client.write(headOf('POST /order/finalize', `${JSON_TYPE}${keyLine()}`));
    client.write(body);
    return String((await answered)[0]);
  });
  const refused = await Promise.race(all);
  assert.match(refused, /^HTTP\/1\.1 429 [\s\S]*"code":"rate_limited"/);
  assert.match(refused, /\r\nretry-after: 1\r\n/);
  const order = { order_id: 'x' };
  assert.equal((await other.post('/order/finalize', order)).status, 404);
  for (const socket of sockets) socket.destroy();
  await until('the bytes are given back', async () => {
    const text = '{"order_id":"x"}';
    const head = headOf('POST /order/finalize', `${JSON_TYPE}${keyLine()}`, text.length);
    const [answer] = await exchange(port, [head, text], { answers: 1 });
    return answer?.status === 404;
  });
});
