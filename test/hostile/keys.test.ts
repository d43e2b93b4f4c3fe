import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { revokeKey } from '../../src/access/accounts/accounts.db.ts';
import { issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { type AnyAnswer, assertProblem } from './assert-refused.ts';
import { describedEndpoints, type Endpoint, goodRequestOf, sendWire, wireRequest } from './described-endpoints.ts';
import { givenShop, type Shop } from './given-shop.ts';

let shop: Shop;
let endpoints: Endpoint[];
let revoked: string;
before(async () => {
  shop = await givenShop();
  endpoints = describedEndpoints(shop);
  const { key, keyId } = await issue();
  await revokeKey(shop.service.deps.db, keyId, shop.now());
  revoked = key;
});
after(() => shop.close());

const issue = (mode: 'sandbox' | 'live' = 'sandbox') =>
  issueKey(shop.service.deps.db, shop.accountId, mode, shop.now());
const ask = (endpoint: Endpoint, key: string) =>
  sendWire(shop, { key }, endpoint.method, wireRequest(endpoint, goodRequestOf(shop, endpoint)));

function badKeys(): string[] {
  const { key } = shop;
  const unknown = `ds_test_${'A'.repeat(32)}`;
  const changed = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
  const live = key.replace('ds_test_', 'ds_live_');
  const malformed = ['x', 'Bearer', `Bearer ${key}`, `${key},${key}`, key.slice(0, -1), `${key}A`, key.toUpperCase()];
  return [...malformed, 'é'.repeat(300), "' or 1=1 --", '__proto__', '\u0000', unknown, changed, live, revoked];
}

function visibleOf({ status, headers, text }: AnyAnswer): unknown {
  const { date: _date, 'x-request-id': _id, 'content-length': _length, ...others } = headers;
  return { status, headers: others, text: text.replace(/"request_id":"[^"]*"/, '') };
}

test('without a key every endpoint answers 401 missing_api_key, before any other check', async () => {
  for (const endpoint of endpoints) {
    for (const key of ['', ' ']) {
      assert.equal(assertProblem(await ask(endpoint, key), endpoint.name).code, 'missing_api_key');
    }
    const broken = await sendWire(shop, { key: '' }, endpoint.method, {
      path: endpoint.path,
      query: 'a=%ZZ',
      body: '{',
    });
    assert.ok(['missing_api_key', 'invalid_request'].includes(String(assertProblem(broken, endpoint.name).code)));
  }
});

test('a malformed, an unknown and a revoked key get the same answer from every endpoint', async () => {
  const earlier = await shop.countRows();
  for (const endpoint of endpoints) {
    const answers = await Promise.all(badKeys().map((key) => ask(endpoint, key)));
    const [first, ...others] = answers as [AnyAnswer, ...AnyAnswer[]];
    assert.equal(assertProblem(first, endpoint.name).code, 'invalid_api_key');
    for (const other of others) assert.deepEqual(visibleOf(other), visibleOf(first));
  }
  assert.deepEqual(await shop.countRows(), earlier);
});

test('each is looked up by the same statements, and nothing else is queried', async (t) => {
  const [endpoint] = endpoints.filter(({ audience }) => audience === 'account') as [Endpoint];
  const kinds = { malformed: 'x', unknown: `ds_test_${'A'.repeat(32)}`, revoked };
  const statementsOf = new AsyncLocalStorage<string[]>();
  const { bind, query } = pg.Connection.prototype;
  t.mock.method(pg.Connection.prototype, 'bind', function (this: pg.Connection, ...args: Parameters<typeof bind>) {
    statementsOf.getStore()?.push(args[0]?.statement ?? '');
    return bind.apply(this, args);
  });
  t.mock.method(pg.Connection.prototype, 'query', function (this: pg.Connection, text: string) {
    statementsOf.getStore()?.push(text);
    return query.call(this, text);
  });
  const statements: Record<string, string[]> = {};
  for (const [kind, key] of Object.entries(kinds)) {
    statements[kind] = [];
    await statementsOf.run(statements[kind], () => ask(endpoint, key));
  }
  assert.equal(statements.malformed?.length, 1);
  assert.deepEqual([statements.unknown, statements.revoked], [statements.malformed, statements.malformed]);
});

test('a live key on a sandbox endpoint returns 403 for every body', async () => {
  const { key } = await issue('live');
  const tools = endpoints.filter(({ path }) => path.startsWith('/sandbox/'));
  assert.ok(tools.length >= 2);
  for (const endpoint of tools) {
    assert.equal(assertProblem(await ask(endpoint, key), endpoint.name).code, 'sandbox_only');
    const wire = { path: endpoint.path, query: 'page=x', ...(endpoint.body ? { body: '{' } : {}) };
    const broken = await sendWire(shop, { key }, endpoint.method, wire);
    assert.equal(assertProblem(broken, endpoint.name).code, 'sandbox_only');
  }
});

test('a revoked key stops within a second on every node, and a key may be used the moment it is issued', async () => {
  const node = await shop.givenNode('api');
  const { key, keyId } = await issue();
  const onNode = async () => {
    const reply = await node.http.inject({ url: '/account/orders', headers: { 'id-token': key } });
    return reply.statusCode;
  };
  const here = async () => (await shop.get('/account/orders', {}, { 'id-token': key })).status;
  assert.deepEqual([await here(), await onNode()], [200, 200]);
  assert.equal(await revokeKey(shop.service.deps.db, keyId, shop.now()), true);
  await shop.advance({ seconds: 1 });
  assert.deepEqual([await here(), await onNode()], [401, 401]);
});
