import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { NEAR_DOOR } from '../feed-lines.ts';
import { assertProblem } from './assert-refused.ts';
import { describedEndpoints, goodRequestOf, wireRequest } from './described-endpoints.ts';
import { givenShop, type Shop } from './given-shop.ts';

const PUBLIC = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/reference/', '/docs/'];

let shop: Shop;
before(async () => {
  shop = await givenShop();
});
after(() => shop.close());

const inventory = (more: Record<string, string | number | boolean> = {}, headers: Record<string, string> = {}) =>
  shop.get('/details/inventory', { store_id: shop.ids.store_id, pickup: 'false', ...more }, headers);
const product = (headers: Record<string, string> = {}) =>
  shop.get('/details/product', { product_id: shop.ids.product_id }, headers);

async function rawGet(url: string, headers: Record<string, string>) {
  const reply = await shop.service.http.inject({ url, headers: { 'id-token': shop.key, ...headers } });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

test('a boolean is true or false in any letter case, and nothing else', async () => {
  for (const include of ['true', 'TRUE', 'True', 'tRuE']) {
    const reply = await inventory({ pickup: 'FALSE', include_quote: include, ...NEAR_DOOR });
    assert.ok(reply.body.quote.time_estimate, reply.text);
  }
  assert.equal((await inventory({ include_quote: 'False' })).body.quote, undefined);
  for (const text of ['1', '0', 'yes', 'no', 'on', 't', 'truee', ' true', 'true ', 'null']) {
    const { errors } = assertProblem(await inventory({ include_quote: text }), text);
    assert.deepEqual((errors as object[])[0], {
      in: 'query',
      name: 'include_quote',
      message: 'must be true or false',
    });
  }
});

test('every wrong field of a query is named at once', async () => {
  const query = { latitude: 91, longitude: 'east', page: 1.5, open: 'maybe', sort: 'best', maximum_miles: -1 };
  const { errors } = assertProblem(await shop.get('/search/store/v3', query), 'all wrong');
  assert.deepEqual((errors as { name: string }[]).map(({ name }) => name).sort(), Object.keys(query).sort());
});

test('unknown parameters are ignored, known ones that are empty count as absent', async () => {
  const plain = await inventory();
  const more = await inventory({ nonsense: 'x', include_quote: '', subcategory_id: '', user_latitude: '' });
  assert.equal(more.text, plain.text);
  const missing = await shop.get('/details/inventory', { store_id: shop.ids.store_id, pickup: '' });
  assert.deepEqual(assertProblem(missing, 'no pickup').errors, [
    { in: 'query', name: 'pickup', message: 'is required' },
  ]);
});

test('inventory and product details carry an ETag and answer 304 to anyone who has them', async () => {
  for (const read of [(headers?: Record<string, string>) => inventory({}, headers), product]) {
    const first = await read();
    const etag = String(first.headers.etag);
    assert.match(etag, /^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read({ 'if-none-match': known });
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag]);
      assert.ok(again.headers['x-request-id']);
    }
    for (const unknown of ['"other"', 'garbage', '""', etag.slice(1, -1), 'W/', ',,,', `"${'a'.repeat(5000)}"`]) {
      const again = await read({ 'if-none-match': unknown });
      assert.deepEqual([again.status, again.text], [200, first.text]);
    }
  }
});

test('answers are compressed when asked for it, and never for who did not ask', async () => {
  const urls = [`/details/inventory?store_id=${shop.ids.store_id}&pickup=false`, '/openapi.json'];
  for (const url of urls) {
    const plain = await rawGet(url, {});
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const [coding, unpack] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const packed = await rawGet(url, { 'accept-encoding': coding });
      assert.equal(packed.headers['content-encoding'], coding);
      assert.match(String(packed.headers.vary), /accept-encoding/i);
      assert.deepEqual(unpack(packed.bytes), plain.bytes);
      assert.equal(packed.headers.etag, plain.headers.etag);
      if (!plain.headers.etag) continue;
      const etag = String(packed.headers.etag);
      const again = await rawGet(url, { 'accept-encoding': coding, 'if-none-match': etag });
      assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    }
    for (const unknown of ['identity', 'zstd-x', '', 'gzip;q=0', ';;;']) {
      const asIs = await rawGet(url, { 'accept-encoding': unknown });
      assert.deepEqual([asIs.status, asIs.headers['content-encoding'] ?? 'identity'], [200, 'identity'], unknown);
      assert.deepEqual(asIs.bytes, plain.bytes);
    }
  }
});

test('HEAD answers as GET does, without the body', async () => {
  for (const endpoint of describedEndpoints(shop).filter(({ method }) => method === 'GET')) {
    const { path, query } = wireRequest(endpoint, goodRequestOf(shop, endpoint));
    for (const url of [`${path}?${query}`, path]) {
      const got = await shop.service.http.inject({ method: 'GET', url, headers: { 'id-token': shop.key } });
      const head = await shop.service.http.inject({ method: 'HEAD', url, headers: { 'id-token': shop.key } });
      assert.deepEqual([head.statusCode, head.body], [got.statusCode, ''], url);
      for (const name of ['content-type', 'etag'])
        assert.equal(head.headers[name], got.headers[name], `${name} ${url}`);
      assert.ok(head.headers['x-request-id']);
    }
  }
});

test('one key too fast is 429 with Retry-After; other keys and the public endpoints are not', async () => {
  const limited = await givenShop({ env: { RATE_LIMIT_PER_MINUTE: '20' } });
  try {
    const orders = () => limited.get('/account/orders', { order_id: 'none' });
    let reply = await orders();
    assert.equal(reply.headers['ratelimit-limit'], '20');
    for (let tries = 0; reply.status === 200 && tries < 30; tries += 1) {
      const { 'ratelimit-remaining': remaining } = reply.headers;
      reply = await orders();
      if (reply.status === 200) assert.equal(Number(reply.headers['ratelimit-remaining']), Number(remaining) - 1);
    }
    assert.equal(assertProblem(reply, 'too fast').code, 'rate_limited');
    const { headers } = reply;
    assert.equal(headers['ratelimit-remaining'], '0');
    for (const name of ['retry-after', 'ratelimit-reset']) {
      const seconds = Number(headers[name]);
      assert.ok(seconds >= 1 && seconds <= 60, `${name}: ${headers[name]}`);
    }
    const rows = await limited.countRows();
    const order = await limited.post('/order/order/v2', limited.goodOrder(), { 'idempotency-key': 'limited' });
    assert.equal(assertProblem(order, 'an order').code, 'rate_limited');
    assert.deepEqual(await limited.countRows(), rows);
    const other = await limited.givenClient();
    assert.equal((await other.get('/account/orders', { order_id: 'none' })).status, 200);
    for (const url of PUBLIC) {
      for (let times = 0; times < 25; times += 1) {
        const { statusCode } = await limited.service.http.inject({ url, headers: { 'id-token': limited.key } });
        assert.equal(statusCode, 200, url);
      }
    }
  } finally {
    await limited.close();
  }
});
