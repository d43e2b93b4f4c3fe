import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { resolveHostile, ssrfUrls } from '../../../test/fakes/ssrf-cases.ts';
import { givenWebhooks, verified } from '../../../test/given/webhooks.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { insertCalls } from './calls.db.ts';

const ADD = '/account/tracking/add_webhook';
const REMOVE = '/account/tracking/remove_webhook';
const SHOW = '/account/tracking/webhook';
const REPLAY = '/account/tracking/webhook/replay';
const TEST = '/account/tracking/webhook/test';

const given = await givenWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '60' } });
after(() => given.close());

test('add_webhook', async (t) => {
  const { app, webhookOf } = given;
  await t.test('200 with a message that names the webhook; a new one replaces it and keeps the secret', async () => {
    const client = await app.givenClient();
    const first = await client.post(ADD, { endpoint: 'http://127.0.0.1:1/a' });
    assert.deepEqual(first.body, { status: 'The webhook http://127.0.0.1:1/a is now attached to your account.' });
    const before = await webhookOf(client);
    assert.match(before.signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const second = await client.post(ADD, { endpoint: 'http://127.0.0.1:1/b' });
    assert.equal(second.status, 200);
    assert.deepEqual(await webhookOf(client), { ...before, endpoint: 'http://127.0.0.1:1/b' });
  });
});

test('remove_webhook', async (t) => {
  const { app, webhookOf, givenEndpoint, placeOrder } = given;
  await t.test('200: calls that wait are ended, and none is made until a webhook is attached again', async () => {
    const client = await app.givenClient();
    const receiver = await givenEndpoint(client, (_call, response) => response.writeHead(500).end());
    await placeOrder(client);
    await app.advance({ seconds: 1 });
    const { endpoint, signing_secret: secret } = await webhookOf(client);
    const reply = await client.post(REMOVE, { webhook_url: endpoint });
    assert.deepEqual(reply.body, { status: `The webhook ${endpoint} is no longer attached to your account.` });
    const after = await webhookOf(client);
    assert.deepEqual([after.endpoint, after.signing_secret, after.enabled], [null, null, false]);
    assert.deepEqual(
      after.deliveries.map((one: { state: string }) => one.state),
      ['dead'],
    );
    await placeOrder(client);
    await app.advance({ minutes: 2 });
    assert.equal(receiver.calls.length, 1);
    await client.post(ADD, { endpoint });
    await app.advance({ minutes: 2 });
    assert.equal(receiver.calls.length, 1, 'what was ended stays ended');
    assert.notEqual((await webhookOf(client)).signing_secret, secret);
  });
  await t.test('404 for an unattached address: unknown, not a URL, detached, another account’s', async () => {
    const [client, other] = [await app.givenClient(), await app.givenClient()];
    await client.post(ADD, { endpoint: 'http://127.0.0.1:1/a' });
    for (const webhook_url of ['http://127.0.0.1:1/b', 'http://127.0.0.1:1', 'nothing']) {
      const reply = await client.post(REMOVE, { webhook_url });
      assert.deepEqual([reply.status, reply.body.code], [404, 'webhook_not_found'], webhook_url);
    }
    const url = { webhook_url: 'HTTP://127.0.0.1:1/a' };
    assert.equal((await other.post(REMOVE, url)).status, 404);
    assert.deepEqual([(await client.post(REMOVE, url)).status, (await client.post(REMOVE, url)).status], [200, 404]);
  });
});

test('add_webhook: 422 for every hostile URL, and nothing is attached', async () => {
  const app = await givenOwnApp({ publicHttp: { resolveName: resolveHostile } });
  for (const endpoint of ssrfUrls(9999).filter((url) => url.length <= 2048 && !url.includes('\0'))) {
    const reply = await app.post(ADD, { endpoint });
    assert.deepEqual([reply.status, reply.body.code], [422, 'webhook_endpoint_not_allowed'], endpoint);
  }
  assert.equal((await app.get(SHOW)).body.endpoint, null);
  const { body } = await app.post(ADD, { endpoint: 'http://localhost:3000/webhooks' });
  assert.match(body.detail, /doorstep listen.*WEBHOOK_ALLOW_PRIVATE=true/);
  await app.close();
});

test('add_webhook: a name that cannot be looked up is attached, and the answer says so', async () => {
  const app = await givenOwnApp({ publicHttp: { resolveName: async () => [] } });
  const reply = await app.post(ADD, { endpoint: 'https://api.example.com/doorstep' });
  assert.equal(reply.status, 200);
  assert.match(
    reply.body.status,
    /^The webhook https:\/\/api\.example\.com\/doorstep is now attached to your account\. /,
  );
  assert.match(reply.body.status, /couldn't be resolved/);
  assert.equal((await app.get(SHOW)).body.endpoint, 'https://api.example.com/doorstep');
  await app.close();
});

test('GET webhook', async (t) => {
  const { app, webhookOf, givenEndpoint, placeOrder } = given;
  await t.test('without a webhook: nulls, not enabled, no deliveries', async () => {
    const client = await app.givenClient();
    await placeOrder(client);
    await app.advance({ seconds: 1 });
    const secrets = { signing_secret: null, previous_secret_until: null };
    assert.deepEqual(await webhookOf(client), { endpoint: null, ...secrets, enabled: false, deliveries: [] });
  });
  await t.test('lists the outcome of each call, the newest event first; of one account only', async () => {
    const [client, other] = [await app.givenClient(), await app.givenClient()];
    await givenEndpoint(client, (call, response) => response.writeHead(/confirmed/.test(call.body) ? 500 : 204).end());
    await givenEndpoint(other);
    const orderId = await placeOrder(client);
    await client.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' });
    await app.advance({ seconds: 1 });
    const { deliveries } = await webhookOf(client);
    const shared = { order_id: orderId, attempts: 1 };
    const [confirmed, placed] = deliveries;
    assert.deepEqual(
      { ...placed, webhook_id: '' },
      { ...shared, webhook_id: '', type: 'order.placed', last_status: 204, next_attempt_at: null, state: 'delivered' },
    );
    assert.deepEqual(
      { ...confirmed, webhook_id: '', next_attempt_at: '' },
      { ...shared, webhook_id: '', type: 'order.confirmed', last_status: 500, next_attempt_at: '', state: 'pending' },
    );
    assert.ok(Temporal.Instant.from(confirmed.next_attempt_at).since(app.now()).total('seconds') > 0);
    assert.deepEqual((await webhookOf(other)).deliveries, []);
  });
  await t.test('shows the last 100', async () => {
    const client = await app.givenClient();
    await givenEndpoint(client);
    const owner = { accountId: client.accountId, mode: 'sandbox' as const };
    const call = { ...owner, orderId: null, sequence: null, type: 'webhook.test', body: '{}', at: app.now() };
    const calls = Array.from({ length: 101 }, (_, n) => ({ ...call, webhookId: `msg_${n}`, nextAttemptAt: app.now() }));
    await insertCalls(app.service.deps.db, calls);
    assert.equal((await webhookOf(client)).deliveries.length, 100);
    await app.advance({ seconds: 1 });
  });
});

test('test', async (t) => {
  const { app, webhookOf, givenEndpoint } = given;
  await t.test('200 with the id of a signed call that arrives at once and belongs to no order', async () => {
    const client = await app.givenClient();
    const receiver = await givenEndpoint(client);
    const reply = await client.post(TEST);
    assert.equal(reply.status, 200);
    await app.advance({ seconds: 0 });
    const [call] = receiver.calls;
    assert.ok(call);
    const { signing_secret: secret, deliveries } = await webhookOf(client);
    assert.deepEqual(verified(secret, call, app.now()).type, 'webhook.test');
    assert.deepEqual([reply.body, call.id], [{ webhook_id: call.id }, deliveries[0].webhook_id]);
    assert.deepEqual([deliveries[0].order_id, deliveries[0].type], [null, 'webhook.test']);
  });
  await t.test('422 without a webhook', async () => {
    const reply = await (await app.givenClient()).post(TEST);
    assert.deepEqual([reply.status, reply.body.code], [422, 'webhook_endpoint_not_allowed']);
  });
});

test('replay', async (t) => {
  const { app, webhookOf, givenEndpoint, placeOrder } = given;
  await t.test('one call by its id, delivered or not, with the same id', async () => {
    const client = await app.givenClient();
    const receiver = await givenEndpoint(client);
    await placeOrder(client);
    await app.advance({ seconds: 1 });
    const [id] = receiver.calls.map((call) => call.id);
    assert.deepEqual((await client.post(REPLAY, { webhook_id: id })).body, { replayed: 1 });
    await app.advance({ seconds: 1 });
    assert.deepEqual(
      receiver.calls.map((call) => call.id),
      [id, id],
    );
    const [delivery] = (await webhookOf(client)).deliveries;
    assert.deepEqual([delivery.state, delivery.attempts], ['delivered', 2]);
  });
  await t.test('all undelivered events since a time, dead ones with a whole schedule', async () => {
    const client = await app.givenClient();
    const receiver = await givenEndpoint(client, (_call, response) => response.writeHead(500).end());
    await placeOrder(client);
    await app.advance({ seconds: 1 });
    await app.advance({ minutes: 2 });
    const since = Math.ceil(app.now().epochMilliseconds / 1000);
    await app.advance({ seconds: 2 });
    await placeOrder(client);
    await placeOrder(client);
    await app.advance({ seconds: 1 });
    await app.advance({ minutes: 2 });
    const states = async () => (await webhookOf(client)).deliveries.map((one: { state: string }) => one.state);
    assert.deepEqual(await states(), ['dead', 'dead', 'dead']);
    assert.deepEqual((await client.post(REPLAY, { since })).body, { replayed: 2 });
    await app.advance({ seconds: 1 });
    assert.deepEqual(await states(), ['pending', 'pending', 'dead']);
    receiver.answer = (_call, response) => response.writeHead(204).end();
    await app.advance({ minutes: 2 });
    assert.deepEqual(await states(), ['delivered', 'delivered', 'dead']);
    assert.deepEqual((await client.post(REPLAY, { since })).body, { replayed: 0 });
  });
  await t.test('404 for an id that does not exist, and the same for one of another account', async () => {
    const [client, other] = [await app.givenClient(), await app.givenClient()];
    const receiver = await givenEndpoint(other);
    await givenEndpoint(client);
    await other.post(TEST);
    await app.advance({ seconds: 1 });
    const replies = [];
    for (const id of ['msg_unknown', receiver.calls[0]?.id])
      replies.push(await client.post(REPLAY, { webhook_id: id }));
    const [unknown, foreign] = replies.map(({ status, body }) => ({ ...body, status, request_id: '' }));
    assert.deepEqual([unknown?.status, unknown?.code], [404, 'webhook_call_not_found']);
    assert.deepEqual(foreign, unknown);
  });
  await t.test('400 for neither or both of webhook_id and since', async () => {
    assert.equal((await app.post(REPLAY, { webhook_id: 'msg_1', since: 1 })).status, 400);
    const neither = (await app.post(REPLAY, {})).body.detail;
    assert.equal(
      neither,
      'webhook_id is required where since is absent; since is required where webhook_id is absent.',
    );
  });
  await t.test('422 without a webhook', async () => {
    const reply = await (await app.givenClient()).post(REPLAY, { since: 0 });
    assert.deepEqual([reply.status, reply.body.code], [422, 'webhook_endpoint_not_allowed']);
  });
});
