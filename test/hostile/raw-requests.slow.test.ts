// covers: src/platform/http/*.ts
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { assertProblem } from './assert-refused.ts';
import { givenShop, type Shop } from './given-shop.ts';
import { exchange, type RawAnswer } from './raw-http.ts';

const TEN_MB = Buffer.alloc(10 * 1024 * 1024, '[');
const JSON_TYPE = 'Content-Type: application/json\r\n';

let shop: Shop;
let port: number;
let earlier: Record<string, number>;
before(async () => {
  shop = await givenShop();
  port = await shop.listen();
  earlier = await shop.countRows();
});
after(() => shop.close());

const keyLine = () => `Id-Token: ${shop.key}\r\n`;
const head = (line: string, more = '') => `${line}\r\nHost: doorstep\r\nConnection: close\r\n${keyLine()}${more}\r\n`;
const post = (more: string, body = '{"order_id":"x"}', path = '/order/finalize') => [
  head(`POST ${path} HTTP/1.1`, `${JSON_TYPE}Content-Length: ${Buffer.byteLength(body)}\r\n${more}`),
  Buffer.from(body),
];

/** Sends bytes that must be refused, and returns the refusal's code. */
async function refusalOf(parts: string | readonly (string | Buffer)[], what: string): Promise<unknown> {
  const answers = await exchange(port, parts, { answers: 1 });
  assert.equal(answers.length, 1, what);
  return assertProblem(answers[0] as RawAnswer, what).code;
}

async function onlyAnswer(parts: string | readonly (string | Buffer)[]): Promise<RawAnswer> {
  const [answer, ...more] = await exchange(port, parts);
  assert.ok(answer && more.length === 0);
  return answer;
}

test('malformed HTTP returns 400 with problem details, and the connection closes', async () => {
  const orders = 'GET /account/orders HTTP/1.1';
  const many = Array.from({ length: 3000 }, (_, index) => `x-${index}: 1\r\n`).join('');
  const cases: Record<string, string | readonly (string | Buffer)[]> = {
    'no HTTP': 'hello\r\n\r\n',
    'a TLS greeting': [Buffer.from('16030100f8010000f40303', 'hex'), Buffer.alloc(200, 7)],
    'an unknown method': head('FOO /healthz HTTP/1.1'),
    'a proxy request': head('CONNECT example.com:443 HTTP/1.1'),
    'no Host': `GET /healthz HTTP/1.1\r\n\r\n`,
    'too many headers': head(orders, many),
    'a NUL in a header': head(orders, 'Idempotency-Key: a\0b\r\n'),
    'a carriage return in a header': head(orders, 'Idempotency-Key: a\rx-request-id: b\r\n'),
    'a folded header': head(orders, 'Idempotency-Key: a\r\n b\r\n'),
    'a header without a colon': head(orders, 'nonsense\r\n'),
    'a header name with a space': head(orders, 'Id Token: a\r\n'),
    'two lengths': head('POST /order/finalize HTTP/1.1', `${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n`),
    'a length that is no number': head('POST /order/finalize HTTP/1.1', `${JSON_TYPE}Content-Length: two\r\n`),
    'a negative length': head('POST /order/finalize HTTP/1.1', `${JSON_TYPE}Content-Length: -2\r\n`),
    'a length and chunks': head(
      'POST /order/finalize HTTP/1.1',
      `${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`,
    ),
    'a broken chunk': [head('POST /order/finalize HTTP/1.1', `${JSON_TYPE}Transfer-Encoding: chunked\r\n`), 'zz\r\n{}'],
    'a path that cannot be decoded': head('GET /details/%ZZ HTTP/1.1'),
    'a path of cut off UTF-8': [head('POST /sandbox/orders/%E0%A4%A/advance HTTP/1.1', 'Content-Length: 0\r\n')],
    'a query that cannot be decoded': head('GET /account/orders?order_id=%ED%A0%80 HTTP/1.1'),
    'a NUL in the query': head('GET /account/orders?order_id=a%00b HTTP/1.1'),
  };
  for (const [what, parts] of Object.entries(cases))
    assert.equal(await refusalOf(parts, what), 'invalid_request', what);
});

test('an oversized address or header is refused with the limit', async () => {
  for (const long of [
    head(`GET /search/cart?query=${'a'.repeat(200_000)} HTTP/1.1`),
    head('GET /account/orders HTTP/1.1', `x-long: ${'k'.repeat(100_000)}\r\n`),
  ]) {
    const [answer] = await exchange(port, long, { answers: 1 });
    assert.match(String(assertProblem(answer as RawAnswer, 'too long').detail), /exceed 16 KiB/);
  }
});

test('an unknown path returns 404, also with dot segments', async () => {
  const paths = ['/nowhere', '//account//orders', '/../../etc/passwd', '/reference/../../package.json', '*'];
  paths.push('/docs/%2e%2e%2fpackage.json', '/docs/images/..%2f..%2fpackage.json');
  paths.push('/reference/%2e%2e%2f%2e%2e%2fpackage.json', '/account/orders%00', '/account/orders%2f..', '/__proto__');
  for (const path of paths) assert.equal(await refusalOf(head(`GET ${path} HTTP/1.1`), path), 'route_not_found', path);
});

test('a body of 10 MB returns 413, whole or chunked, also to a client that sends all of it first', async () => {
  const whole = (more: string) => [`POST /order/order/v2 HTTP/1.1\r\nHost: x\r\n${keyLine()}${JSON_TYPE}${more}\r\n`];
  const size = `Content-Length: ${TEN_MB.length}\r\n`;
  const chunk = `${TEN_MB.length.toString(16)}\r\n`;
  for (const close of ['', 'Connection: close\r\n']) {
    assert.equal(await refusalOf([...whole(size + close), TEN_MB], 'whole'), 'body_too_large');
    const chunked = [...whole(`Transfer-Encoding: chunked\r\n${close}`), chunk, TEN_MB, '\r\n0\r\n\r\n'];
    assert.equal(await refusalOf(chunked, 'in chunks'), 'body_too_large');
  }
  const limit = 1024 * 1024;
  const padded = (length: number) => `{"order_id":"x"${' '.repeat(length - 16)}}`;
  assert.equal(await refusalOf(post('', padded(limit)), 'exactly 1 MiB'), 'order_not_found');
  assert.equal(await refusalOf(post('', padded(limit + 1)), 'a byte more'), 'body_too_large');
});

test('nor is an answer lost that has nothing to do with the body it overtakes', async () => {
  const sent = async (line: string, headers: string) => {
    const lines = `${line}\r\nHost: x\r\nConnection: close\r\nContent-Length: ${TEN_MB.length}\r\n${headers}\r\n`;
    return refusalOf([lines, TEN_MB], line + headers);
  };
  assert.equal(await sent('POST /order/order/v2 HTTP/1.1', JSON_TYPE), 'missing_api_key');
  assert.equal(await sent('POST /nowhere HTTP/1.1', JSON_TYPE), 'route_not_found');
  assert.equal(
    await sent('POST /order/finalize HTTP/1.1', `${keyLine()}Content-Type: text/plain\r\n`),
    'unsupported_media_type',
  );
});

test('a body that isn’t JSON in plain UTF-8 returns 415 by its headers and 400 by its bytes', async () => {
  const text = '{"order_id":"é"}';
  const typed = (type: string, body: string | Buffer = text) => [
    head('POST /order/finalize HTTP/1.1', `${type}Content-Length: ${Buffer.byteLength(body)}\r\n`),
    Buffer.from(body),
  ];
  const foreign = [
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    ';;;',
    'json',
  ];
  foreign.push('application/json; charset=utf-16', 'application/json;charset="latin1"', 'application/xml');
  for (const type of foreign) {
    const line = type === '' ? '' : `Content-Type: ${type}\r\n`;
    assert.equal(await refusalOf(typed(line), type), 'unsupported_media_type', type);
  }
  for (const [coding, pack] of Object.entries({ gzip: gzipSync, br: brotliCompressSync, foo: Buffer.from })) {
    const parts = typed(`${JSON_TYPE}Content-Encoding: ${coding}\r\n`, pack(text) as Buffer);
    assert.equal(await refusalOf(parts, coding), 'unsupported_media_type', coding);
  }
  for (const bytes of ['7b226f72646572', '7b226f726465725f6964223a22eda08022 7d', 'fffe7b007d00'].map((hex) =>
    hex.replaceAll(' ', ''),
  )) {
    assert.equal(await refusalOf(typed(JSON_TYPE, Buffer.from(bytes, 'hex')), bytes), 'invalid_request');
  }
  assert.equal(await refusalOf(typed(JSON_TYPE, Buffer.from(text, 'latin1')), 'latin1 bytes'), 'invalid_request');
  for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
    assert.equal(await refusalOf(typed(`Content-Type: ${type}\r\n`), type), 'order_not_found', type);
  }
  assert.equal(await refusalOf(post('', `\uFEFF${text}`), 'a byte order mark'), 'order_not_found');
  assert.equal(await refusalOf(post('Content-Encoding: identity\r\n'), 'identity'), 'order_not_found');
});

test('an absent, fragmented or chunked body is parsed the same', async () => {
  const line = 'POST /order/finalize HTTP/1.1';
  for (const more of ['', 'Content-Length: 0\r\n', `${JSON_TYPE}Content-Length: 0\r\n`, 'Content-Length: 0\r\n']) {
    assert.equal(await refusalOf(head(line, more), `no body ${more}`), 'invalid_request');
  }
  const chunks = ['5\r\n{"ord\r\n', '1\r\ne\r\n', '9;ext=1\r\nr_id":"x"\r\n', '1\r\n}\r\n0\r\nTrailer: x\r\n\r\n'];
  const chunked = [head(line, `${JSON_TYPE}Transfer-Encoding: chunked\r\n`), ...chunks];
  assert.equal(await refusalOf(chunked, 'chunks'), 'order_not_found');
  const pieces = [...head(line, `${JSON_TYPE}Content-Length: 16\r\n`), ...'{"order_id":"x"}'];
  assert.equal(await refusalOf(pieces, 'bytes one by one'), 'order_not_found');
  for (const expectation of ['100-continue', 'everything']) {
    assert.equal(await refusalOf(post(`Expect: ${expectation}\r\n`), expectation), 'order_not_found');
  }
});

test('HTTP/1.0, absolute addresses and unsupported upgrades are answered as plain requests', async () => {
  for (const parts of [
    'GET /healthz HTTP/1.0\r\n\r\n',
    head('GET http://elsewhere/healthz HTTP/1.1'),
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
  ]) {
    assert.deepEqual(JSON.parse((await onlyAnswer(parts)).text), { status: 'ok' });
  }
  const [answer] = await exchange(port, head('HEAD /healthz HTTP/1.1'), { toHead: true });
  assert.deepEqual([answer?.status, answer?.text], [200, '']);
});

test('pipelined requests are answered in turn, each with its own id, and garbage after them last', async () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${keyLine()}\r\n`;
  const answers = await exchange(port, `${one('/account/orders')}${one('/healthz')}${one('/nowhere')}GARBAGE\r\n\r\n`);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 404, 400],
  );
  assert.equal(JSON.parse(answers[0]?.text ?? '').orders.length, 1);
  assert.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, 4);
});

test('a request header is never echoed in the answer', async () => {
  const injected =
    'Idempotency-Key: a%0d%0aSet-Cookie: b=1\r\nx-request-id: mine%0d%0aX-Evil: 1\r\nReferer: \xff\xfe\r\n';
  const answer = await onlyAnswer(post(injected));
  assert.equal(assertProblem(answer, 'injection').code, 'order_not_found');
  assert.match(answer.headers['x-request-id'] ?? '', /^req_[\w-]{8,40}$/);
  assert.ok(!answer.headers['set-cookie'] && !answer.headers['x-evil'] && !answer.text.includes('mine'));
});

test('two keys in one request are no key', async () => {
  assert.equal(await refusalOf(head('GET /account/orders HTTP/1.1', keyLine()), 'twice the same'), 'invalid_api_key');
  assert.equal(await refusalOf(head('GET /account/orders HTTP/1.1', 'Id-Token: x\r\n'), 'another'), 'invalid_api_key');
});

test('a client that leaves in the middle of its body leaves nothing behind', async () => {
  const body = JSON.stringify(shop.goodOrder({ autofill_selected_options: true }));
  const lines = head('POST /order/order/v2 HTTP/1.1', `${JSON_TYPE}Content-Length: ${body.length}\r\n`);
  const socket = await import('node:net').then(({ connect }) => connect(port, '127.0.0.1'));
  const closed = new Promise((done) => socket.once('close', done));
  socket.on('error', () => {});
  await new Promise((done) => socket.write(lines + body.slice(0, -1), done));
  socket.destroy();
  await closed;
  assert.equal((await shop.get('/readyz')).status, 200);
});

test('none of it wrote a row, and a good order is placed', async () => {
  const { idempotency_keys: _refusals, ...rows } = await shop.countRows();
  assert.deepEqual({ ...rows, idempotency_keys: 0 }, earlier);
  const body = JSON.stringify(shop.goodOrder({ autofill_selected_options: true }));
  const answer = await onlyAnswer(post('', body, '/order/order/v2'));
  assert.equal(answer.status, 200, answer.text);
  const { orders } = await shop.countRows();
  assert.equal(orders, (earlier.orders ?? 0) + 1);
});
