import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenWebhooks, verified } from '../../../test/given/webhooks.ts';
import type { Client } from '../../../test/harness.ts';
import type { Mail } from '../outbox/messaging.ts';

const [TEST, REPLAY] = ['/account/tracking/webhook/test', '/account/tracking/webhook/replay'];
const UNATTACHED = {
  endpoint: null,
  signing_secret: null,
  previous_secret_until: null,
  enabled: false,
  deliveries: [],
};

const given = await givenWebhooks();
after(() => given.close());

/** A sandbox key and a live key of one account. */
async function givenBothKeys(): Promise<Record<'sandbox' | 'live', Client>> {
  const { app } = given;
  const [sandbox, other] = [await app.givenClient('sandbox'), await app.givenClient('live')];
  const { accountId } = sandbox;
  await sql`update api_keys set account_id = ${accountId} where account_id = ${other.accountId}`.execute(
    app.service.deps.db,
  );
  return { sandbox, live: { ...other, accountId } };
}

/** As if one of the account's orders had been placed with the other key, with its event not yet dispatched. */
async function placeOrderOf(client: Client, mode: 'sandbox' | 'live'): Promise<string> {
  const orderId = await given.placeOrder(client);
  await sql`update orders set mode = ${mode} where order_id = ${orderId}`.execute(given.app.service.deps.db);
  return orderId;
}

for (const [mine, theirs] of [
  ['sandbox', 'live'],
  ['live', 'sandbox'],
] as const) {
  test(`a ${mine} key can't see, test, replace or replay objects of the ${theirs} key`, async () => {
    const { app, webhookOf, givenEndpoint } = given;
    const keys = await givenBothKeys();
    const receiver = await givenEndpoint(keys[theirs]);
    const { webhook_id: id } = (await keys[theirs].post(TEST)).body;
    await app.advance({ seconds: 1 });
    const before = await webhookOf(keys[theirs]);
    assert.deepEqual([before.deliveries.length, before.deliveries[0].webhook_id], [1, id]);

    assert.deepEqual(await webhookOf(keys[mine]), UNATTACHED);
    for (const [path, body] of [
      [TEST, {}],
      [REPLAY, { webhook_id: id }],
      [REPLAY, { since: 0 }],
    ] as const) {
      const reply = await keys[mine].post(path, body);
      assert.deepEqual([reply.status, reply.body.code], [422, 'webhook_endpoint_not_allowed'], path);
    }

    const own = await givenEndpoint(keys[mine]);
    const attached = await webhookOf(keys[mine]);
    assert.equal(attached.endpoint, `${own.url}/hook`);
    assert.notEqual(attached.signing_secret, before.signing_secret);
    assert.deepEqual(attached.deliveries, []);
    const [foreign, unknown] = [
      await keys[mine].post(REPLAY, { webhook_id: id }),
      await keys[mine].post(REPLAY, { webhook_id: 'msg_unknown' }),
    ];
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'webhook_call_not_found']);
    assert.deepEqual({ ...foreign.body, request_id: '' }, { ...unknown.body, request_id: '' });
    assert.deepEqual((await keys[mine].post(REPLAY, { since: 0 })).body, { replayed: 0 });
    await app.advance({ seconds: 1 });
    assert.deepEqual(await webhookOf(keys[theirs]), before);
    assert.deepEqual([receiver.calls.length, own.calls.length], [1, 0]);
  });

  test(`an order of mode ${mine} calls the ${mine} endpoint only, signed with its secret; replays go there too`, async () => {
    const { app, webhookOf, givenEndpoint } = given;
    const keys = await givenBothKeys();
    const [own, other] = [await givenEndpoint(keys[mine]), await givenEndpoint(keys[theirs])];
    const orderId = await placeOrderOf(keys.sandbox, mine);
    await app.advance({ seconds: 1 });
    assert.deepEqual((await keys[mine].post(REPLAY, { webhook_id: own.calls[0]?.id })).body, { replayed: 1 });
    assert.deepEqual((await keys[theirs].post(REPLAY, { since: 0 })).body, { replayed: 0 });
    await app.advance({ seconds: 1 });
    assert.deepEqual([own.calls.length, other.calls.length], [2, 0]);
    const { signing_secret: secret, deliveries } = await webhookOf(keys[mine]);
    const [call] = own.calls;
    assert.ok(call);
    assert.equal(verified(secret, call, app.now()).data.order.order_id, orderId);
    assert.equal(deliveries.length, 1);
    assert.deepEqual((await webhookOf(keys[theirs])).deliveries, []);
  });
}

test('an order of a mode without an endpoint makes no webhook call', async () => {
  const { app, webhookOf, givenEndpoint } = given;
  const keys = await givenBothKeys();
  const receiver = await givenEndpoint(keys.sandbox);
  await placeOrderOf(keys.sandbox, 'live');
  await app.advance({ seconds: 1 });
  assert.equal(receiver.calls.length, 0);
  for (const client of Object.values(keys)) assert.deepEqual((await webhookOf(client)).deliveries, []);
});

test('switching off an endpoint leaves the other mode’s endpoint and its queue unchanged', async () => {
  const { app, webhookOf, givenEndpoint } = given;
  const keys = await givenBothKeys();
  const sent: Mail[] = [];
  const { messaging } = app.service.deps;
  messaging.mailer = { sendMail: async (mail) => void sent.push(mail), close: () => {} };
  const refuse = (_call: unknown, response: { writeHead(status: number): { end(): unknown } }) =>
    void response.writeHead(500).end();
  await givenEndpoint(keys.sandbox, refuse);
  const live = await givenEndpoint(keys.live);
  for (let n = 0; n < 14; n += 1) {
    await keys.sandbox.post(TEST);
    if (n === 13) {
      live.answer = refuse;
      await keys.live.post(TEST);
    }
    await app.advance({ hours: 12 });
  }
  const [off, on] = [await webhookOf(keys.sandbox), await webhookOf(keys.live)];
  assert.deepEqual([off.enabled, on.enabled], [false, true]);
  assert.ok(off.deliveries.every(({ state }: { state: string }) => state === 'dead'));
  assert.deepEqual(
    on.deliveries.map(({ state }: { state: string }) => state),
    ['pending'],
  );
  const notices = sent.filter(({ subject }) => subject === 'Your webhook was switched off');
  assert.equal(notices.length, 1);
  assert.match(notices[0]?.text ?? '', /sandbox orders/);
});
