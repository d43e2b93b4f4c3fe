import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { until } from '../../../test/until.ts';
import { ConnectionLimiter } from './connections.ts';

const MAX = 3;
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const requests = (count: number) => Array.from({ length: count }, (_, index) => request(`/${index + 1}`)).join('');

const seen: { path: string; response: ServerResponse }[] = [];
const connections = new ConnectionLimiter({ trustProxy: [], isIdle: () => false, maxUnanswered: MAX });
const server = createServer((req, response) => {
  if (connections.takes(req, response)) seen.push({ path: req.url ?? '', response });
});
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  seen.length = 0;
});
after(() => server.close());

function send(text: string) {
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1', () => client.write(text));
  client.on('error', () => {});
  let read = '';
  client.setEncoding('utf8').on('data', (more: string) => {
    read += more;
  });
  return { client, closed: once(client, 'close'), text: () => read };
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

test('requests up to the bound are answered, and the connection stays', async () => {
  const { client, text } = send(requests(MAX));
  await until('all have come', () => seen.length === MAX);
  for (const { response } of seen.splice(0)) response.end('done');
  await until('all are answered', () => statuses(text()).length === MAX);
  client.write(requests(MAX));
  await until('as many again have come', () => seen.length === MAX);
});

test('a request over the limit returns 429 after earlier responses, and closes the connection', async () => {
  const { closed, text } = send(requests(MAX + 4));
  await until('the first have come', () => seen.length === MAX);
  for (const { response } of seen) response.end('done');
  await closed;
  assert.deepEqual(statuses(text()), [200, 200, 200, 429]);
  const [head = '', body = ''] = text().slice(text().lastIndexOf('HTTP/1.1')).split('\r\n\r\n');
  assert.match(head, /content-type: application\/problem\+json/i);
  assert.match(head, /connection: close/i);
  assert.match(head, /retry-after: 1/i);
  assert.equal(JSON.parse(body).code, 'rate_limited');
  assert.deepEqual(
    seen.map(({ path }) => path),
    ['/1', '/2', '/3'],
  );
});

test('a flood is cut without waiting for an answer, and none of it beyond the bound is seen', async () => {
  const { closed } = send(requests(2000));
  await closed;
  assert.equal(seen.length, MAX);
});

test('one connection is not held back for another', async () => {
  send(requests(MAX + 1));
  const other = send(request('/other'));
  await until('both are seen', () => seen.length === MAX + 1);
  seen.find(({ path }) => path === '/other')?.response.end('done');
  await until('the other is answered', () => statuses(other.text()).length === 1);
});
