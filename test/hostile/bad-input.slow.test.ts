import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccount } from '../../src/access/accounts/issue-key.flow.ts';
import { MAX_MESSAGE_BYTES } from '../../src/surfaces/agents/mcp-exchange.flow.ts';
import { MAX_LINE_BYTES } from '../../src/surfaces/operator/manual-stores.route.ts';
import { takesAllRuns } from '../runs.ts';
import { assertAnswered, assertProblem } from './assert-refused.ts';
import { BAD_JSON_VALUES, BAD_QUERY_VALUES, BROKEN_BODIES } from './bad-values.ts';
import {
  describedEndpoints,
  type Endpoint,
  fieldsOf,
  goodRequestOf,
  keyFor,
  sendWire,
  type WireRequest,
  wireRequest,
  withValue,
} from './described-endpoints.ts';
import { givenShop, type Shop } from './given-shop.ts';

const AT_ONCE = 16;
/** Bodies that are bounded more narrowly than others, in bytes, by the path. */
const NARROW_BODIES: Readonly<Record<string, number>> = {
  '/mcp': MAX_MESSAGE_BYTES,
  '/operator/stores': MAX_LINE_BYTES,
  '/operator/stores/{store_id}/profile': MAX_LINE_BYTES,
};
const MARK = '"@@here@@"';

let shop: Shop;
/** Operators' requests target another account, because they can lower its limits to the minimum. */
let other: string;
let endpoints: Endpoint[];
before(async () => {
  shop = await givenShop();
  other = (await createAccount(shop.service.deps.db, 'Another', shop.now())).accountId;
  endpoints = describedEndpoints(shop, ['account', 'store', 'operator']);
});
after(() => shop.close());

const goodRequest = (endpoint: Endpoint) => goodRequestOf({ ...shop, accountId: other }, endpoint);

type Case = { what: string; request: WireRequest };

/** Sends all cases, checks each response against the table of refusals, and returns the number of successes. */
async function sendAll(endpoint: Endpoint, cases: readonly Case[]): Promise<number> {
  let done = 0;
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    const answers = cases.slice(at, at + AT_ONCE).map(async ({ what, request }) => {
      const answer = await sendWire(shop, keyFor(shop, endpoint), endpoint.method, request);
      return assertAnswered(answer, `${endpoint.name} with ${what.slice(0, 300)}`);
    });
    done += (await Promise.all(answers)).filter(Boolean).length;
  }
  return done;
}

/** What forgetting a user deletes: cards of the odd users whom the requests before have made. */
const FORGOTTEN = ['card_setups', 'payment_methods'];

/** A refused request writes nothing, a read only the note of an export; a successful one up to one row per table. */
async function assertNothingLost(endpoint: Endpoint, work: () => Promise<number>): Promise<void> {
  const earlier = await shop.countRows();
  const done = await work();
  const isNoted = endpoint.method !== 'GET' || endpoint.path === '/operator/orders.csv';
  const most = isNoted ? done : 0;
  for (const [table, count] of Object.entries(await shop.countRows())) {
    const added = count - (earlier[table] ?? 0);
    const isForgotten = endpoint.path.endsWith('/forget_user') && FORGOTTEN.includes(table);
    assert.ok(
      (added >= 0 || isForgotten) && added <= most,
      `${endpoint.name}: ${added} rows of ${table}, ${done} requests done`,
    );
  }
}

/** A part of the values: fields alongside each other get others. generated.test.ts draws any value for any field. */
const PARTS = takesAllRuns() ? 4 : 20;
const someOf = (values: readonly string[], nth: number) => values.filter((_, at) => at % PARTS === nth % PARTS);

function queryCases(endpoint: Endpoint): Case[] {
  const good = goodRequest(endpoint);
  const base = wireRequest(endpoint, good);
  return endpoint.query.flatMap(({ name }, nth) => {
    const { [name]: _left, ...others } = good.query;
    const rest = wireRequest(endpoint, { ...good, query: others }).query;
    return someOf(BAD_QUERY_VALUES, nth).map((value) => ({
      what: `${name}=${value}`,
      request: { ...base, query: `${rest}&${name}=${value}` },
    }));
  });
}

const PATH_VALUES = [...BAD_QUERY_VALUES, 'a'.repeat(10_000), '%2F..%2F..', '.', '..', ';x=1'];

function pathCases(endpoint: Endpoint): Case[] {
  if (endpoint.pathNames.length === 0) return [];
  const base = wireRequest(endpoint, goodRequest(endpoint));
  return someOf(PATH_VALUES, endpoints.indexOf(endpoint)).map((value) => ({
    what: `the path of ${value}`,
    request: { ...base, path: endpoint.path.replace(/\{\w+\}/g, () => value) },
  }));
}

function bodyCases(endpoint: Endpoint): Case[] {
  const good = goodRequest(endpoint);
  const request = wireRequest(endpoint, good);
  return fieldsOf(endpoint.body).flatMap((field, nth) => {
    const marked = JSON.stringify(withValue(good.body, field, JSON.parse(MARK)));
    return someOf(BAD_JSON_VALUES, nth).map((value) => ({
      what: `${field.join('.')} = ${value}`,
      request: { ...request, body: marked.replace(MARK, () => value) },
    }));
  });
}

test('the good requests that the bad ones are made of are good', async () => {
  for (const endpoint of endpoints) {
    const answer = await sendWire(
      shop,
      keyFor(shop, endpoint),
      endpoint.method,
      wireRequest(endpoint, goodRequest(endpoint)),
    );
    assertAnswered(answer, endpoint.name);
    assert.notEqual(answer.status, 400, `${endpoint.name}: ${answer.text}`);
  }
});

test('HEAD answers as GET does, without the body', async () => {
  for (const endpoint of endpoints.filter((each) => each.method === 'GET' && each.audience !== 'operator')) {
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

test('bad values of every parameter and field of any endpoint are answered or refused as the table says', async () => {
  for (const endpoint of endpoints) {
    const cases = [...queryCases(endpoint), ...pathCases(endpoint), ...bodyCases(endpoint)];
    await assertNothingLost(endpoint, () => sendAll(endpoint, cases));
  }
});

test('a query parameter given twice is 400 and named, an empty one is absent or, of a filter, 400', async () => {
  for (const endpoint of endpoints) {
    const good = goodRequest(endpoint);
    const base = wireRequest(endpoint, good);
    for (const { name, schema } of endpoint.query) {
      const twice = await sendWire(shop, keyFor(shop, endpoint), endpoint.method, {
        ...base,
        query: `${name}=1&${base.query}&${name}=1`,
      });
      const { errors = [] } = assertProblem(twice, `${endpoint.name} with ${name} twice`);
      assert.ok(
        (errors as { name: string }[]).some((fault) => fault.name === name),
        twice.text,
      );
      const { [name]: _left, ...others } = good.query;
      const rest = wireRequest(endpoint, { ...good, query: others });
      const without = await sendWire(shop, keyFor(shop, endpoint), endpoint.method, rest);
      const empty = await sendWire(shop, keyFor(shop, endpoint), endpoint.method, {
        ...rest,
        query: `${rest.query}&${name}=`,
      });
      if (Number(schema.minLength) > 0) {
        assertProblem(empty, `${endpoint.name} with an empty ${name}`);
        continue;
      }
      const [one, other] = [empty, without].map(({ text }) => withoutMoment(endpoint.path, text));
      assert.equal(one, other, `${endpoint.name} ${name}`);
    }
  }
});

test('a body that isn’t a JSON object returns 400', async () => {
  const bodies = [...BROKEN_BODIES, '[]', 'null', '1', '"a"', 'true', '[{}]'];
  const earlier = await shop.countRows();
  for (const [nth, endpoint] of endpoints.filter(({ body }) => body).entries()) {
    const base = wireRequest(endpoint, goodRequest(endpoint));
    for (const body of takesAllRuns() ? bodies : someOf(bodies, nth)) {
      const answer = await sendWire(shop, keyFor(shop, endpoint), endpoint.method, { ...base, body });
      const { code } = assertProblem(answer, `${endpoint.name} with ${body.slice(0, 60)}`);
      const isLong = body.length > (NARROW_BODIES[endpoint.path] ?? Number.POSITIVE_INFINITY);
      assert.equal(code, isLong ? 'body_too_large' : 'invalid_request', body.slice(0, 60));
    }
  }
  assert.deepEqual(await shop.countRows(), earlier);
});

test('unknown and prototype fields of a body are ignored, and the last duplicate wins', async () => {
  const order = JSON.stringify(shop.goodOrder({ place_order: false, autofill_selected_options: true }));
  const send = (body: string) => sendWire(shop, shop, 'POST', { path: '/order/order/v2', query: '', body });
  const extra = '"__proto__":{"place_order":true},"constructor":{"prototype":{"place_order":true}},"x":[[[]]],';
  const answer = await send(order.replace('{', `{${extra}`));
  assert.equal(answer.status, 200, answer.text);
  assert.equal(JSON.parse(answer.text).order_placed, false);
  assert.equal(JSON.parse((await send(order.replace('{', '{"place_order":true,'))).text).order_placed, false);
  assert.equal(({} as Record<string, unknown>).place_order, undefined);
});

test('after all that a good order is still placed, and the service ready', async () => {
  const placed = await shop.post('/order/order/v2', shop.goodOrder({ autofill_selected_options: true }));
  assert.equal(placed.status, 200, placed.text);
  assert.equal((await shop.get('/account/orders', { order_id: placed.body.order_id })).body.orders.length, 1);
  assert.equal((await shop.get('/readyz')).status, 200);
  assert.equal((await shop.get('/account/orders', { order_id: shop.ids.order_id })).body.orders.length, 1);
});

/** The response without its request id and event positions, which any transaction of the database moves. */
function withoutMoment(path: string, text: string): string {
  const answer = text.replace(/"request_id":"[^"]*"/, '');
  return path === '/account/events' ? answer.replace(/"next":"[^"]*"/, '') : answer;
}
