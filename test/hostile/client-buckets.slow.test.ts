import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenStoreKey } from '../given/merchant.ts';
import { givenStore } from '../given/stores.ts';
import { type App, givenOwnApp } from '../harness.ts';

const LIMIT = 10;
const PROXY = '10.1.1.1';

let app: App;
before(async () => {
  app = await givenOwnApp({ env: { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '10.0.0.0/8' } });
});
after(() => app.close());

type RequestOptions = { key?: string; method?: 'GET' | 'POST'; peer?: string; headers?: Record<string, string> };

async function ask(
  url: string,
  client: string,
  { key, method = 'GET', peer = PROXY, headers = {} }: RequestOptions = {},
) {
  const reply = await app.service.http.inject({
    method,
    url,
    remoteAddress: peer,
    headers: { 'x-forwarded-for': client, ...(key ? { 'id-token': key } : {}), ...headers },
  });
  return {
    status: reply.statusCode,
    headers: reply.headers,
    code: /json/.test(String(reply.headers['content-type'])) ? reply.json().code : undefined,
  };
}

async function exhaust(client: string): Promise<void> {
  for (let n = 0; n <= LIMIT; n += 1) await ask('/account/orders', client);
  assert.equal((await ask('/account/orders', client)).code, 'rate_limited');
}

test('requests without a valid key are counted for their client, whatever they ask, and refused with 429', async () => {
  const client = '9.9.9.1';
  const ways: [string, RequestOptions, string][] = [
    ['/account/orders', {}, 'missing_api_key'],
    ['/account/orders', { key: 'ds_test_none' }, 'invalid_api_key'],
    ['/store/orders', { key: 'ds_store_none' }, 'invalid_api_key'],
    ['/operator/accounts', {}, 'missing_api_key'],
    ['/nowhere', {}, 'route_not_found'],
    ['/nowhere', { key: 'ds_test_none' }, 'route_not_found'],
    ['/nowhere', { method: 'POST', headers: { 'idempotency-key': 'a' } }, 'route_not_found'],
    ['/account/orders', { method: 'POST' }, 'method_not_allowed'],
    ['/tracking?tracking_id=none', { headers: { accept: 'application/json' } }, 'order_not_found'],
    ['/console/sign-in', { method: 'POST' }, 'invalid_request'],
  ];
  assert.equal(ways.length, LIMIT);
  for (const [url, options, code] of ways) {
    const { status, code: given } = await ask(url, client, options);
    if (given) assert.equal(given, code, url);
    else assert.equal(status, 404, url);
  }
  for (const [url, options] of ways) {
    const { status, code, headers } = await ask(url, client, options);
    assert.deepEqual([status, code], [429, 'rate_limited'], url);
    assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60, url);
    assert.deepEqual([headers['ratelimit-limit'], headers['ratelimit-remaining']], [String(LIMIT), '0'], url);
  }
  assert.equal((await ask('/nowhere', '9.9.9.2')).status, 404);
});

test('a valid key is never charged to the address, nor refused for the address', async () => {
  const client = '9.9.9.3';
  await exhaust(client);
  const keyed = await app.givenClient();
  const storeId = await givenStore(app.service.deps.db, { external_id: 'bucket' });
  const merchant = await givenStoreKey(app, storeId);
  for (let n = 0; n < LIMIT - 1; n += 1) {
    assert.equal((await ask('/account/orders', client, { key: keyed.key })).status, 200);
  }
  assert.equal((await ask('/store/orders', client, { key: merchant.key })).status, 200);
  // An unknown path counts against the key's bucket.
  assert.equal((await ask('/nowhere', client, { key: keyed.key })).code, 'route_not_found');
  assert.equal((await ask('/nowhere', client, { key: keyed.key })).code, 'rate_limited');
  assert.equal((await ask('/account/orders', client, { key: keyed.key })).code, 'rate_limited');
  const other = '9.9.9.4';
  const more = await app.givenClient();
  for (let n = 0; n < LIMIT; n += 1) await ask('/account/orders', other, { key: more.key });
  assert.equal((await ask('/account/orders', other)).code, 'missing_api_key');
});

test('probes, files and signed calls are let in from an address whose bucket is empty', async () => {
  const client = '9.9.9.5';
  await exhaust(client);
  for (const url of ['/healthz', '/readyz']) {
    for (let n = 0; n <= LIMIT; n += 1) assert.notEqual((await ask(url, client)).status, 429, url);
  }
  assert.equal((await ask('/tracking/assets/none.js', client)).code, 'route_not_found');
  assert.equal((await ask('/openapi.json', client)).status, 429);
});

test('only a trusted proxy speaks for its clients, and an IPv6 network of 64 bits is one client', async () => {
  await exhaust('2620:fe:0:1::1');
  assert.equal((await ask('/account/orders', '2620:fe:0:1:9:9:9:9')).status, 429);
  assert.equal((await ask('/account/orders', '2620:fe:0:2::1')).status, 401);
  // An unauthenticated client that forges another address in each request still has one bucket.
  for (let n = 0; n < LIMIT; n += 1) await ask('/account/orders', `8.8.8.${n}`, { peer: '9.9.9.6' });
  assert.equal((await ask('/account/orders', '8.8.8.99', { peer: '9.9.9.6' })).status, 429);
  assert.equal((await ask('/account/orders', '8.8.8.1')).status, 401);
});

test('an address that may be an undeclared proxy shows public pages without end', async () => {
  for (let n = 0; n <= 2 * LIMIT; n += 1) {
    assert.equal((await ask('/openapi.json', '', { peer: '192.168.1.1' })).status, 200);
  }
});
