import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { heldGateway, withBrokenGateway } from '../fakes/broken-gateway.ts';
import { givenPaymentMethod } from '../given/orders.ts';
import type { Client, Reply } from '../harness.ts';
import { assertProblem } from './assert-refused.ts';
import { describedEndpoints, goodRequestOf, sendWire, wireRequest } from './described-endpoints.ts';
import { givenShop, type Shop } from './given-shop.ts';

const ORDER = '/order/order/v2';
const CREATE = '/payment/create';

let shop: Shop;
let count = 0;
before(async () => {
  shop = await givenShop();
});
after(() => shop.close());

function freshKey(): string {
  count += 1;
  return `key-${count}`;
}
const order = (changes: object = {}) => shop.goodOrder({ autofill_selected_options: true, ...changes });
const post = (path: string, body: unknown, key: string, client: Client = shop): Promise<Reply> =>
  client.post(path, body, { 'idempotency-key': key });
const cardOf = (userId: string, more: object = {}) => ({
  payment_method: { card_number: 4242424242424242, expiration_month: 12, expiration_year: 2031, cvc: 123 },
  user_id: userId,
  user_email: 'u@example.com',
  ...more,
});

function assertReplayed(again: Reply, first: Reply): void {
  assert.equal(again.headers['idempotent-replayed'], 'true', again.text);
  assert.equal(first.headers['idempotent-replayed'], undefined);
  assert.deepEqual([again.status, again.text], [first.status, first.text]);
  assert.equal(again.headers['content-type'], first.headers['content-type']);
}

test('every POST replays its first answer, byte for byte, and does nothing again', async () => {
  // The key of an MCP message is that of its tool: `repeated-calls.test.ts`.
  const isKept = ({ method, path }: { method: string; path: string }) => method === 'POST' && path !== '/mcp';
  for (const endpoint of describedEndpoints(shop, ['account']).filter(isKept)) {
    const headers = { 'idempotency-key': freshKey() };
    const wire = { ...wireRequest(endpoint, goodRequestOf(shop, endpoint)), headers };
    const first = await sendWire(shop, shop, 'POST', wire);
    const rows = await shop.countRows();
    const again = await sendWire(shop, shop, 'POST', wire);
    assert.ok(first.status < 500 && first.status !== 400, `${endpoint.name}: ${first.text}`);
    assertReplayed(again as Reply, first as Reply);
    assert.deepEqual(await shop.countRows(), rows, endpoint.name);
    // A card request validates its known members only.
    if (endpoint.path === CREATE) continue;
    // A promotion refuses unknown members.
    const more = endpoint.path === '/account/promotions' ? { title: 'Another' } : { and: 'more' };
    const other = { ...wire, body: JSON.stringify({ ...more, ...JSON.parse(wire.body || '{}') }) };
    assert.equal(assertProblem(await sendWire(shop, shop, 'POST', other), endpoint.name).status, 422);
  }
});

test('an error is replayed like a success', async () => {
  const declined = await givenPaymentMethod(shop, '4000000000000002');
  for (const changes of [{ payment_method_id: declined }, { user_latitude: 50 }, { payment_method_id: 'pm_none' }]) {
    const key = freshKey();
    const first = await post(ORDER, order(changes), key);
    assert.ok([402, 404, 422].includes(first.status), first.text);
    assertReplayed(await post(ORDER, order(changes), key), first);
  }
});

test('with another body, or at another endpoint, the key returns 422 idempotency_conflict', async () => {
  const key = freshKey();
  const first = await post(CREATE, cardOf('u3'), key);
  assert.equal(first.status, 200, first.text);
  const others: [string, unknown][] = [
    [CREATE, cardOf('u4')],
    [CREATE, cardOf('u3', { payment_method: { ...cardOf('u3').payment_method, cvc: 124 } })],
    [ORDER, order()],
    ['/payment/delete', { user_id: 'u3', payment_method_id: first.body.payment_method_id }],
    [`${CREATE}?x=1`, cardOf('u3')],
  ];
  for (const [path, body] of others) {
    const { code } = assertProblem(await post(path, body, key), path);
    assert.equal(code, 'idempotency_conflict');
  }
  const { payment_methods: methods } = (await shop.get('/payment/list', { user_id: 'u3' })).body;
  assert.equal(methods.length, 1);
});

test('the order and the spacing of members make no other body', async () => {
  const key = freshKey();
  const body = order();
  const first = await post(ORDER, body, key);
  const turned = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), undefined, 2);
  const headers = { 'idempotency-key': key };
  const again = await sendWire(shop, shop, 'POST', { path: ORDER, query: '', body: turned, headers });
  assertReplayed(again as Reply, first);
});

test('a slash at the end of the path makes no other request, one at the end of a parameter does', async () => {
  const [key, other] = [freshKey(), freshKey()];
  const first = await post(CREATE, cardOf('u-slash'), key);
  assertReplayed(await post(`${CREATE}/`, cardOf('u-slash'), key), first);
  await post(`${CREATE}?from=app`, cardOf('u-slash-2'), other);
  const { status, body } = await post(`${CREATE}?from=app/`, cardOf('u-slash-2'), other);
  assert.deepEqual([status, body.code], [422, 'idempotency_conflict']);
});

test('another account may use the same key, and gets nothing of the first', async () => {
  const key = freshKey();
  const first = await post(CREATE, cardOf('u5'), key);
  const stranger = await shop.givenClient();
  const theirs = await post(CREATE, cardOf('u5'), key, stranger);
  assert.equal(theirs.status, 200);
  assert.equal(theirs.headers['idempotent-replayed'], undefined);
  assert.notEqual(theirs.text, first.text);
});

test('a key may have 255 characters of any kind; 256 return 400, an empty one is ignored, a GET needs none', async () => {
  for (const key of ['k'.repeat(255), "'; drop table idempotency_keys; --", 'é\u00ff', '__proto__', '%00', '{}', ',']) {
    const first = await post('/order/finalize', { order_id: 'none' }, key);
    assert.equal(first.status, 404, first.text);
    assertReplayed(await post('/order/finalize', { order_id: 'none' }, key), first);
  }
  const { errors } = assertProblem(await post(ORDER, order(), 'k'.repeat(256)), 'too long');
  assert.deepEqual((errors as object[])[0], {
    in: 'header',
    name: 'Idempotency-Key',
    message: 'must be at most 255 characters',
  });
  const [one, two] = [await post(ORDER, order(), ''), await post(ORDER, order(), '')];
  assert.deepEqual([one.status, two.status], [200, 200]);
  assert.notEqual(one.body.order_id, two.body.order_id);
  const got = await shop.get('/account/orders', {}, { 'idempotency-key': freshKey() });
  assert.deepEqual([got.status, got.headers['idempotent-replayed']], [200, undefined]);
});

test('an answer that asks to come again is not kept: the key is good for the outcome', async () => {
  const { order_id } = (await shop.post(ORDER, order({ place_order: false }))).body;
  const gateway = heldGateway(shop);
  const first = post('/order/finalize', { order_id }, freshKey());
  await gateway.reached;
  const key = freshKey();
  const replacement = order({ order_id, place_order: false });
  const early = await post(ORDER, replacement, key);
  assert.equal(assertProblem(early, 'while it is placed').code, 'idempotency_in_progress');
  gateway.letGo();
  gateway.fix();
  assert.equal((await first).status, 200);
  const later = await post(ORDER, replacement, key);
  assert.equal(assertProblem(later, 'once it is placed').code, 'transition_not_allowed');
  assertReplayed(await post(ORDER, replacement, key), later);
});

test('a failure of ours or of the gateway is not kept, and trying again has one effect', async (t) => {
  const failures = {
    503: new OutsideError('The gateway', 'is down', { retryable: false }),
    500: new Error('a fault of ours'),
  };
  for (const [status, failure] of Object.entries(failures)) {
    await t.test(status, async () => {
      const { orders: before = 0 } = await shop.countRows();
      const key = freshKey();
      const charge = async () => {
        throw failure;
      };
      const failed = await withBrokenGateway(
        shop,
        () => ({ charge }),
        () => post(ORDER, order(), key),
      );
      assert.equal(failed.status, Number(status), failed.text);
      assert.ok(!failed.text.includes('is down') && !failed.text.includes('a fault of ours'));
      const other = await post(ORDER, order({ favorited: true }), key);
      assert.equal(other.body.code, 'idempotency_conflict', other.text);
      const done = await post(ORDER, order(), key);
      assert.deepEqual([done.status, done.headers['idempotent-replayed']], [200, undefined], done.text);
      assertReplayed(await post(ORDER, order(), key), done);
      assert.equal((await shop.countRows()).orders, before + 1);
      const { charges } = (await shop.get('/sandbox/charges', { order_id: done.body.order_id })).body;
      assert.equal(charges.length, 1);
    });
  }
});

test('after 24 hours the key is free for anything, and until then it replays', async () => {
  const key = freshKey();
  const placed = await post(ORDER, order(), key);
  await shop.advance({ hours: 23, minutes: 50 });
  assertReplayed(await post(ORDER, order(), key), placed);
  await shop.advance({ minutes: 15 });
  const next = await post(ORDER, order({ favorited: true }), key);
  assert.deepEqual([next.status, next.headers['idempotent-replayed']], [200, undefined], next.text);
  assert.notEqual(next.body.order_id, placed.body.order_id);
});
