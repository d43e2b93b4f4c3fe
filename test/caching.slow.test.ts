import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { pizzeria } from './feed-lines.ts';
import { givenStores } from './given/stores.ts';
import { type App, givenApp } from './harness.ts';

// `check-answers.ts` checks the responses of all tests, and with them those of every endpoint to every role.

const NEVER = 'private, no-store';

let app: App;
let storeId: string;
before(async () => {
  app = await givenApp({ env: { METRICS_PORT: '0' } });
  [storeId = ''] = await givenStores(app, [pizzeria()]);
});
after(() => app.close());

const cachingOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
  String(headers['cache-control']).replace(', no-transform', '');

test('no cache may store an answer to a probe, with a key or without, at either listener', async () => {
  const url = (await app.service.listenPrivately()) ?? '';
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    for (const headers of [{}, { 'id-token': app.key }] as Record<string, string>[]) {
      assert.equal(cachingOf(await app.service.http.inject({ url: path, headers })), NEVER, path);
      const reply = await fetch(`${url}${path}`, { headers });
      assert.deepEqual([reply.status, reply.headers.get('cache-control')], [200, NEVER], path);
    }
  }
});

test('an inventory and a product are revalidated by their client alone: 304 with the key, 401 without', async () => {
  const menu = { store_id: storeId, pickup: 'true' };
  const { body } = await app.get('/details/inventory', menu);
  const product = { product_id: body.categories[0].menu_item_list[0].product_id };
  for (const [path, query] of [
    ['/details/inventory', menu],
    ['/details/product', product],
  ] as const) {
    const whole = await app.get(path, query);
    const again = await app.get(path, query, { 'if-none-match': String(whole.headers.etag) });
    assert.deepEqual([whole.status, again.status], [200, 304], path);
    for (const { headers } of [whole, again]) {
      assert.equal(headers['cache-control'], 'private, no-cache', path);
      assert.equal(headers.vary, 'id-token, authorization, accept-encoding', path);
    }
    const stranger = await app.get(path, query, { 'id-token': '', 'if-none-match': String(whole.headers.etag) });
    assert.deepEqual([stranger.status, cachingOf(stranger)], [401, NEVER], path);
  }
});

test('a response that is the same for everyone is cacheable, unless its request has a key or fails', async () => {
  const read = async (path: string, headers = {}) => app.service.http.inject({ url: path, headers });
  for (const path of ['/openapi.json', '/llms.txt', '/docs/', '/reference/', '/robots.txt']) {
    const [anyone, keyed] = [await read(path), await read(path, { 'id-token': app.key })];
    assert.deepEqual([cachingOf(anyone), cachingOf(keyed)], ['public, no-cache', NEVER], path);
    const known = await read(path, { 'if-none-match': anyone.headers.etag });
    assert.deepEqual([known.statusCode, cachingOf(known)], [304, 'public, no-cache'], path);
    const knownToKey = await read(path, { 'id-token': app.key, 'if-none-match': anyone.headers.etag });
    assert.deepEqual([knownToKey.statusCode, cachingOf(knownToKey)], [304, NEVER], path);
  }
  const refused = await read('/tracking/tiles.pmtiles', { range: 'bytes=9-1' });
  assert.deepEqual([refused.statusCode, cachingOf(refused)], [404, NEVER]);
});

test('a refusal before any route may not be stored either: unreadable requests, paths and hosts', async () => {
  const { port } = new URL(await app.service.listen());
  for (const head of [
    'nonsense',
    'GET / HTTP/1.1',
    'GET /%ff HTTP/1.1\r\nhost: a',
    'CONNECT a:1 HTTP/1.1\r\nhost: a',
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.write(`${head}\r\nconnection: close\r\n\r\n`);
    await once(socket, 'close');
    assert.match(text, /^HTTP\/1\.1 4\d\d /, head);
    assert.match(text, /^cache-control: private, no-store\r$/im, head);
  }
});
