import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

const inventory = (more: Record<string, string | number | boolean>) =>
  shop.get('/details/inventory', { store_id: shop.ids.store_id, pickup: 'false', ...more });

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
