import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NEAR_DOOR, pizzeria } from '../../../../test/feed-lines.ts';
import { givenCommandHost } from '../../../../test/given/command-host.ts';
import { givenReceiver } from '../../../../test/given/receiver.ts';
import { givenStores } from '../../../../test/given/stores.ts';
import { type App, type Client, clientOf, givenApp } from '../../../../test/harness.ts';
import { issueKey } from '../../../access/accounts/issue-key.flow.ts';
import { TRIGGERED_EVENTS } from '../../../ordering/order/order-events.ts';
import { chooseAccount } from './connect.ts';
import { runTrigger, TRIGGERS, type TriggerOptions } from './trigger.ts';

const host = givenCommandHost();
const { runCommand } = host;
let app: App;
let url = '';
let account: Client;
let storeId = '';
before(async () => {
  app = await givenApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', SANDBOX_PACE: '15' } });
  url = await app.service.listen();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  account = await app.givenClient();
});
after(() => Promise.all([app.close(), host.close()]));

const near = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
const options: TriggerOptions = { near, pollMs: 1, waitMs: 100_000, signal: new AbortController().signal };

async function readLog(orderId: string): Promise<string[]> {
  const { body } = await account.get(`/account/orders/${orderId}/events`);
  return body.events.map(({ type }: { type: string }) => type);
}

test('every order event is triggered by an order that has it, whose events are listed', async () => {
  for (const event of TRIGGERED_EVENTS) {
    const triggering = runTrigger(chooseAccount({ url, key: account.key }), event, options);
    let isDone = false;
    triggering.finally(() => (isDone = true)).catch(() => {});
    // The simulated store reports a missing item only after time passes; all other events occur without advancing the
    // clock.
    while (event === 'order.item_changed' && !isDone) await app.advance({ seconds: 20 });
    const { order_id: orderId, events } = await triggering;
    assert.equal(events.at(-1), event);
    assert.deepEqual((await readLog(orderId ?? '')).slice(0, events.length), events);
  }
});

test('the events match the catalog, and webhook.test, which needs a webhook', async () => {
  assert.deepEqual([...TRIGGERS], [...TRIGGERED_EVENTS, 'webhook.test']);
  const sandbox = chooseAccount({ url, key: account.key });
  await assert.rejects(runTrigger(sandbox, 'webhook.test', options), /rejected the request: .*webhook/);
  const receiver = await givenReceiver();
  await account.post('/account/tracking/add_webhook', { endpoint: receiver.url });
  assert.deepEqual(await runTrigger(sandbox, 'webhook.test', options), {
    event: 'webhook.test',
    order_id: null,
    events: ['webhook.test'],
  });
  await app.advance({ seconds: 1 });
  assert.ok(receiver.calls.some(({ body }) => JSON.parse(body).type === 'webhook.test'));
  await receiver.close();
});

test('a step that the quick simulated store has taken already is taken as taken', async () => {
  const quick = clientOf(app.service, account.accountId, account.key);
  const { client, ...rest } = chooseAccount({ url, key: account.key });
  const sandbox: typeof client.sandbox = {
    ...client.sandbox,
    advance: async (orderId, body, more) => {
      await quick.post(`/sandbox/orders/${orderId}/advance`, body);
      return client.sandbox.advance(orderId, body, more);
    },
  };
  const { events } = await runTrigger({ ...rest, client: { ...client, sandbox } }, 'order.completed', options);
  assert.equal(events.filter((type) => type === 'order.completed').length, 1);
});

test('no accepting store, an unreachable event and a live key each get an error message', async () => {
  const sandbox = chooseAccount({ url, key: account.key });
  const far = { ...options, near: { latitude: 64.1, longitude: -51.7 } };
  await assert.rejects(
    runTrigger(sandbox, 'order.picked_up', far),
    /No open store within 50 miles is delivering to the coordinate now/,
  );
  await assert.rejects(runTrigger(sandbox, 'order.placed', far), /No open store within 50 miles is taking pickup/);
  const { status, stderr } = await runCommand(['trigger', 'order.placed', '--near', '48.2,16.4'], {});
  assert.deepEqual([status, /a latitude and a longitude in the US or Canada/.test(stderr)], [2, true]);
  await assert.rejects(
    runTrigger(sandbox, 'order.picked_up', { ...far, store: storeId }),
    /isn't delivering to the coordinate now/,
  );
  await assert.rejects(
    runTrigger(sandbox, 'order.placed', { ...options, store: 'none' }),
    /No store has this store_id|rejected/,
  );
  const soon = { ...options, waitMs: 50 };
  await assert.rejects(
    runTrigger(sandbox, 'order.item_changed', soon),
    /had no order\.item_changed within 0\.05 seconds/,
  );
  const { key } = await issueKey(app.service.deps.db, account.accountId, 'live', app.now());
  const env = { DOORSTEP_KEY: key, DOORSTEP_URL: url, DATA_DIR: '/nowhere' };
  const live = await runCommand(['trigger', 'order.placed', '--json'], env);
  assert.equal(live.status, 2);
  assert.match(
    JSON.parse(live.stdout).error,
    /^This is a live key, and its orders are real\. `trigger` requires a sandbox key/,
  );
  assert.equal((await clientOf(app.service, account.accountId, key).get('/account/orders')).body.orders.length, 0);
});

test('as a command: an order at a store, the list of events, and a wrong event', async () => {
  const env = { DOORSTEP_KEY: account.key, DOORSTEP_URL: url, DATA_DIR: '/nowhere' };
  const { status, stdout, stderr } = await runCommand(['trigger', 'order.confirmed', '--store', storeId], env);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^\S+ {2}order\.placed → order\.confirmed\n$/);
  assert.equal((await runCommand(['trigger', '--list'], {})).stdout, `${TRIGGERS.join('\n')}\n`);
  assert.match((await runCommand(['trigger', 'order.lost'], {})).stderr, /Allowed choices are order\.placed/);
  assert.match((await runCommand(['trigger'], {})).stderr, /pass an event; `doorstep trigger --list` shows them/);
});
