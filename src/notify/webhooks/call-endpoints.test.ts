import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import type { ReceivedCall } from '../../../test/given/receiver.ts';
import { givenWebhooks, verified, type WebhookAnswer } from '../../../test/given/webhooks.ts';
import type { Client } from '../../../test/harness.ts';
import { holdTimeOuts, nextAnswerBegun } from '../../../test/time-outs.ts';
import type { Mail } from '../outbox/messaging.ts';

const TEST = '/account/tracking/webhook/test';
/** Timeout of a call to an endpoint. */
const CALL_MS = 10_000;

const given = await givenWebhooks();
after(() => given.close());

/** A mailer that records its mails. */
function catchMails() {
  const sent: Mail[] = [];
  const sendMail = async (mail: Mail) => void sent.push(mail);
  return { mails: { sent, mailer: { sendMail, close: () => {} } } };
}

const parseCall = (call: ReceivedCall): WebhookAnswer => JSON.parse(call.body);

test('every step of an order is one signed call with the order as it was then', async () => {
  const { app, givenEndpoint, placeOrder, webhookOf } = given;
  const client = await app.givenClient();
  const receiver = await givenEndpoint(client);
  const orderId = await placeOrder(client);
  const steps = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'];
  // Concurrent calls: each must still report its own moment.
  for (const event of steps) await client.post(`/sandbox/orders/${orderId}/advance`, { event });
  await app.advance({ seconds: 1 });
  const { signing_secret: secret } = await webhookOf(client);
  const bodies = receiver.calls.map((call) => verified(secret, call, app.now()));
  bodies.sort((a, b) => a.data.sequence - b.data.sequence);
  const contents = bodies.map(({ type, data }) => [data.sequence, type, data.order.status, data.order.is_ready]);
  assert.deepEqual(contents, [
    [1, 'order.placed', 'awaiting_confirmation', false],
    [2, 'order.confirmed', 'in_progress', false],
    [3, 'order.ready', 'in_progress', true],
    [4, 'order.driver_assigned', 'in_progress', true],
    [5, 'order.picked_up', 'in_progress', true],
    [6, 'order.driver_nearby', 'in_progress', true],
    [7, 'order.completed', 'completed', true],
  ]);
  assert.equal(new Set(receiver.calls.map((call) => call.id)).size, 7);
  const [order] = (await client.get('/account/orders', { order_id: orderId })).body.orders;
  assert.deepEqual(bodies.at(-1)?.data.order, order);
  assert.match(bodies[0]?.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(bodies[0]?.data.order.tracking.driver_name, undefined);
});

test('a failed call is retried on the schedule under the same id, then stays dead until replayed', async () => {
  const { app, givenEndpoint, webhookOf } = given;
  const client = await app.givenClient();
  const receiver = await givenEndpoint(client, (_call, response) => response.writeHead(503).end());
  await client.post(TEST);
  await app.advance({ seconds: 0 });
  const schedule = app.config.webhookRetrySchedule;
  for (const [n, delayS] of schedule.entries()) {
    await app.advance({ milliseconds: delayS * 1000 - 100 });
    assert.equal(receiver.calls.length, n + 1, 'not before its time');
    await app.advance({ milliseconds: Math.ceil(delayS * 100) + 1200 });
    assert.equal(receiver.calls.length, n + 2, `${delayS} s after attempt ${n + 1}`);
  }
  await app.advance({ hours: 48 });
  const [first] = receiver.calls;
  const id = first?.id ?? '';
  assert.deepEqual([...new Set(receiver.calls.map((call) => call.id))], [id]);
  const [dead] = (await webhookOf(client)).deliveries;
  assert.deepEqual(dead, {
    webhook_id: id,
    type: 'webhook.test',
    order_id: null,
    attempts: 10,
    last_status: 503,
    next_attempt_at: null,
    state: 'dead',
  });
  receiver.answer = (_call, response) => response.writeHead(204).end();
  await client.post('/account/tracking/webhook/replay', { webhook_id: id });
  await app.advance({ seconds: 0 });
  assert.deepEqual([receiver.calls.length, receiver.calls.at(-1)?.id], [11, id]);
});

test('each attempt is signed at its own time', async () => {
  const { app, givenEndpoint, webhookOf } = given;
  const client = await app.givenClient();
  const receiver = await givenEndpoint(client, (_call, response) => response.writeHead(500).end());
  await client.post(TEST);
  await app.advance({ seconds: 0 });
  await app.advance({ minutes: 30 });
  const { signing_secret: secret } = await webhookOf(client);
  const [, second] = receiver.calls;
  assert.ok(second);
  verified(secret, second, app.now());
  assert.throws(() => verified(secret, second, app.now().subtract({ minutes: 30 })), /timestamp/);
  assert.throws(() => verified(secret, { ...second, body: `${second.body} ` }, app.now()), /signature/);
});

test('redirects, 410, resets and silence are failures; a body that is endless or drips in takes nothing from a 2xx', {
  timeout: 120_000,
}, async (t) => {
  const timeOuts = holdTimeOuts(t);
  const { app, givenEndpoint, webhookOf } = given;
  const outcomes: Record<string, unknown[]> = {};
  const cases: Record<string, Parameters<typeof givenEndpoint>[1]> = {
    redirect: (_call, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    gone: (_call, response) => response.writeHead(410).end(),
    reset: (_call, _response, socket) => socket.resetAndDestroy(),
    silence: () => timeOuts.pass(CALL_MS),
    endless: (_call, response) => response.writeHead(200).end(Buffer.alloc(8 * 1024 * 1024)),
    dripping: (_call, response) => {
      nextAnswerBegun().then(() => timeOuts.pass(CALL_MS));
      response.writeHead(200).write('x');
    },
  };
  for (const [name, answer] of Object.entries(cases)) {
    const client = await app.givenClient();
    await givenEndpoint(client, answer);
    await client.post(TEST);
    await app.advance({ seconds: 0 });
    const [{ state, attempts, last_status }] = (await webhookOf(client)).deliveries;
    outcomes[name] = [state, attempts, last_status];
  }
  assert.deepEqual(outcomes, {
    redirect: ['pending', 1, 302],
    gone: ['pending', 1, 410],
    reset: ['pending', 1, null],
    silence: ['pending', 1, null],
    endless: ['delivered', 1, 200],
    dripping: ['delivered', 1, 200],
  });
});

test('endpoints that hang, each with a long queue, delay no other account', { timeout: 120_000 }, async (t) => {
  const { app, givenEndpoint } = given;
  // The clock stands still, so waiting for a hanging endpoint would never end.
  const timeOuts = holdTimeOuts(t);
  const loop = app.service.deps.queues.find(({ name }) => name === 'calling webhooks');
  for (let n = 0; n < 20; n += 1) {
    const hanging = await app.givenClient();
    await givenEndpoint(hanging, () => {});
    for (let call = 0; call < 30; call += 1) await hanging.post(TEST);
  }
  await loop?.runOnce();
  const healthy = await app.givenClient();
  const arrived = Promise.withResolvers<void>();
  await givenEndpoint(healthy, (_call, response) => {
    arrived.resolve();
    response.writeHead(204).end();
  });
  await healthy.post(TEST);
  await loop?.runOnce();
  await arrived.promise;
  await timeOuts.passUntilEnd(loop?.idle() ?? assert.fail());
  await sql`update webhook_calls set state = 'dead' where state = 'pending'`.execute(app.service.deps.db);
});

test('an endpoint that fails for 5 days is disabled: no more calls, every event kept, the owner notified', async () => {
  const { app, givenEndpoint, placeOrder, webhookOf } = given;
  const client = await app.givenClient();
  const { mails } = catchMails();
  const { messaging } = app.service.deps;
  const mailerBefore = messaging.mailer;
  messaging.mailer = mails.mailer;
  const receiver = await givenEndpoint(client, (_call, response) => response.writeHead(500).end());
  const fail = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await client.post(TEST);
      await app.advance({ hours: 12 });
    }
  };
  await fail(9);
  assert.equal((await webhookOf(client)).enabled, true);
  // One success restarts the five days.
  receiver.answer = (_call, response) => response.writeHead(204).end();
  await client.post(TEST);
  await app.advance({ hours: 12 });
  receiver.answer = (_call, response) => response.writeHead(500).end();
  await fail(9);
  assert.equal((await webhookOf(client)).enabled, true);
  await fail(3);
  const off = await webhookOf(client);
  assert.equal(off.enabled, false);
  assert.ok(off.deliveries.every(({ state }: { state: string }) => state !== 'pending'));
  assert.deepEqual(
    mails.sent.map(({ to, subject }) => [to, subject]),
    [['doorstep@localhost', 'Your webhook was switched off']],
  );
  assert.match(mails.sent[0]?.text ?? '', new RegExp(client.accountId));

  const called = receiver.calls.length;
  const orderId = await placeOrder(client);
  await app.advance({ hours: 24 });
  assert.equal(receiver.calls.length, called);
  for (const path of ['test', 'replay']) {
    const reply = await client.post(`/account/tracking/webhook/${path}`, { since: 0 });
    assert.deepEqual([reply.status, reply.body.code], [409, 'transition_not_allowed']);
  }
  await client.post('/account/tracking/add_webhook', { endpoint: `${receiver.url}/hook` });
  receiver.answer = (_call, response) => response.writeHead(204).end();
  assert.equal((await webhookOf(client)).enabled, true);
  await client.post('/account/tracking/webhook/replay', { since: 0 });
  await app.advance({ seconds: 1 });
  const types = receiver.calls
    .slice(called)
    .map((call) => [parseCall(call).type, parseCall(call).data.order?.order_id]);
  assert.ok(
    types.some(([type, id]) => type === 'order.placed' && id === orderId),
    JSON.stringify(types),
  );
  messaging.mailer = mailerBefore;
});

const REPLAY = '/account/tracking/webhook/replay';
const bodyFor = (path: string) => (path === REPLAY ? { since: 0 } : {});
const ask = (client: Client, path: string, headers = {}) => client.post(path, bodyFor(path), headers);
async function givenAttached(mode: 'sandbox' | 'live' = 'sandbox'): Promise<Client> {
  const client = await given.app.givenClient(mode);
  const reply = await client.post('/account/tracking/add_webhook', { endpoint: 'http://127.0.0.1:1/' });
  assert.equal(reply.status, 200, reply.text);
  return client;
}
const countCalls = async (client: Client): Promise<number> =>
  (await client.get('/account/tracking/webhook')).body.deliveries.length;

for (const path of [TEST, REPLAY]) {
  test(`${path} is taken ten times a minute, and then 429 until a minute has passed`, async () => {
    const client = await givenAttached();
    for (let n = 0; n < 10; n += 1) assert.equal((await ask(client, path)).status, 200);
    const calls = await countCalls(client);
    const refused = await ask(client, path, { 'idempotency-key': 'eleventh' });
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.deepEqual([refused.headers['retry-after'], refused.headers['ratelimit-remaining']], ['60', '0']);
    assert.equal(await countCalls(client), calls);
    const other = path === TEST ? REPLAY : TEST;
    assert.equal((await ask(client, other)).status, 200);
    assert.equal((await ask(await givenAttached(), path)).status, 200);
    await given.app.advance({ minutes: 1 });
    const again = await ask(client, path, { 'idempotency-key': 'eleventh' });
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, undefined]);
  });
}

test('errors for other reasons and replays by Idempotency-Key don’t count', async () => {
  const client = await given.app.givenClient();
  for (let n = 0; n < 12; n += 1) assert.equal((await ask(client, TEST)).status, 422);
  const attached = await givenAttached('live');
  for (let n = 0; n < 12; n += 1) assert.equal((await ask(attached, TEST, { 'idempotency-key': 'same' })).status, 200);
  for (let n = 0; n < 9; n += 1) assert.equal((await ask(attached, TEST)).status, 200);
  assert.equal((await ask(attached, TEST)).status, 429);
});
