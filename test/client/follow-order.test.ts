import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  DoorstepError,
  type FollowOptions,
  type OrderEvent,
  verifyWebhook,
  WebhookVerificationError,
} from '../../clients/typescript/src/main.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenReceiver } from '../given/receiver.ts';
import type { Client } from '../harness.ts';
import { runs } from '../runs.ts';
import { connectionLost, fetchThrough, type GivenApi, givenApi } from './given-api.ts';

const DELIVERED = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'];

let given: GivenApi;
let account: Client;
let soda = '';
before(async () => {
  given = await givenApi({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  account = await given.app.givenClient();
  soda = (await productTokens(account, given.storeId)).Soda ?? '';
});
after(() => given.close());

async function placeOrder(changes: object = {}): Promise<string> {
  const items = [{ product_id: soda, quantity: 5 }];
  const reply = await account.post('/order/order/v2', orderBody(soda, null, { charge_user: false, items, ...changes }));
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
}

async function take(orderId: string, event: string): Promise<void> {
  const { status, text } = await account.post(`/sandbox/orders/${orderId}/advance`, { event });
  assert.equal(status, 200, text);
}

/** The event log from the database. */
async function stepsOf(orderId: string): Promise<string[]> {
  const rows = await given.app.service.deps.db
    .selectFrom('orderEvents')
    .select(['sequence', 'type'])
    .where('orderId', '=', orderId)
    .orderBy('sequence')
    .execute();
  return rows.map(({ sequence, type }) => `${sequence} ${type}`);
}

const nameOf = ({ type, data }: OrderEvent) => `${data.sequence} ${type}`;

const FATES = ['goes', 'lost before', 'lost after', 'busy', 'fails'] as const;
type Fate = (typeof FATES)[number];

/** The outcome of a poll: none, a connection lost before or after the response, or a busy or failing service. */
async function meet(fate: Fate, send: () => Promise<Response>): Promise<Response> {
  if (fate === 'lost before') connectionLost();
  if (fate === 'busy') return new Response(null, { status: 429, headers: { 'retry-after': '0' } });
  if (fate === 'fails') return new Response('<h1>Bad gateway</h1>', { status: 502 });
  const response = await send();
  return fate === 'lost after' ? connectionLost() : response;
}

test('a follower gets each step once and in order through any failure', async () => {
  const look = fc.record({ fate: fc.constantFrom(...FATES), steps: fc.nat(2) });
  const lives = fc.constantFrom(DELIVERED, ['confirm', 'assign_driver', 'cancel'], ['cancel']);
  await fc.assert(
    fc.asyncProperty(fc.array(look, { maxLength: 12 }), lives, async (looks, life) => {
      const orderId = await placeOrder();
      const [left, events] = [[...looks], [...life]];
      const unreliable = fetchThrough(async (send) => {
        const { fate, steps } = left.shift() ?? { fate: 'goes', steps: 1 };
        for (const event of events.splice(0, steps)) await take(orderId, event);
        return meet(fate, send);
      });
      const steps: string[] = [];
      const following = given.clientOf(account, { fetch: unreliable }).orders.follow(orderId, { pollMs: 1 });
      for await (const step of following) steps.push(nameOf(step));
      assert.deepEqual(steps, await stepsOf(orderId));
      assert.equal(events.length, 0);
    }),
    { numRuns: runs(12) },
  );
});

test('a follower that joins late, or returns with its sequence, gets the rest', async () => {
  const orderId = await placeOrder();
  const client = given.clientOf(account);
  for (const event of DELIVERED) await take(orderId, event);
  const all = await stepsOf(orderId);
  const followed = async (options: FollowOptions) => {
    const steps: string[] = [];
    for await (const step of client.orders.follow(orderId, options)) steps.push(nameOf(step));
    return steps;
  };
  assert.deepEqual(await followed({}), all);
  assert.deepEqual(await followed({ after: 4 }), all.slice(4));
  assert.deepEqual(await followed({ after: all.length }), []);
  const listed: string[] = [];
  for await (const step of client.orders.events(orderId, { after: 2 })) listed.push(nameOf(step));
  assert.deepEqual(listed, all.slice(2));
});

test('a caller may leave at any step, and a signal ends the wait for the next one', async () => {
  const orderId = await placeOrder();
  const client = given.clientOf(account);
  for await (const step of client.orders.follow(orderId)) {
    assert.equal(step.data.order.status, 'awaiting_confirmation');
    break;
  }
  const controller = new AbortController();
  const reason = new Error('The page was closed.');
  const steps: string[] = [];
  const following = async () => {
    for await (const step of client.orders.follow(orderId, { signal: controller.signal, pollMs: 3_600_000 })) {
      steps.push(step.type);
      setImmediate(() => controller.abort(reason));
    }
  };
  await assert.rejects(following(), reason);
  assert.deepEqual(steps, ['order.placed']);
});

test('an order that is only quoted is waited for, and an unknown one is refused', async () => {
  const orderId = await placeOrder({ place_order: false });
  let looks = 0;
  const watched = fetchThrough(async (send) => {
    looks += 1;
    if (looks === 2) assert.equal((await account.post('/order/finalize', { order_id: orderId })).status, 200);
    if (looks === 3) await take(orderId, 'cancel');
    return send();
  });
  const steps: string[] = [];
  const client = given.clientOf(account, { fetch: watched });
  for await (const step of client.orders.follow(orderId, { pollMs: 1 })) steps.push(step.type);
  assert.deepEqual(steps, ['order.placed', 'order.canceled']);
  const unknown = client.orders.follow('none').next();
  await assert.rejects(unknown, (error) => error instanceof DoorstepError && error.code === 'order_not_found');
});

test('the calls of the service are verified with the secret that it shows, and name the events that a follower gets', async (t) => {
  const receiver = await givenReceiver();
  t.after(receiver.close);
  const owner = await given.app.givenClient();
  const client = given.clientOf(owner);
  await client.webhooks.attach({ endpoint: `${receiver.url}/hook` });
  const secret = (await client.webhooks.get()).signing_secret ?? '';
  await client.webhooks.test();
  await given.app.advance({ seconds: 1 });
  const [call] = receiver.calls;
  assert.ok(call);
  const nowMs = given.app.now().epochMilliseconds;
  const { id, event } = await verifyWebhook({ ...call, secret, nowMs });
  assert.equal(event.type, 'webhook.test');
  assert.equal(id, call.headers['webhook-id']);
  const forged = verifyWebhook({ ...call, body: call.body.replace('test', 'best'), secret, nowMs });
  await assert.rejects(forged, WebhookVerificationError);
  assert.equal((await client.webhooks.replay({ webhook_id: id })).replayed, 1);
});
