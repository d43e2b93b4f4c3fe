import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { pizzeria } from '../../test/feed-lines.ts';
import { givenDatabase, runCommand, runJson } from '../../test/given-command.ts';
import { orderBody } from '../../test/given-orders.ts';
import { createAccount, issueKey } from '../accounts/issue-key.flow.ts';
import { readConfig } from '../config.ts';
import { importFiles } from '../imports/import-files.flow.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { startService } from '../service.ts';
import { storeIdOf } from '../stores/store-id.ts';

/** Places a sandbox order with a service that then ends, and returns its id. */
async function givenOrder(databaseUrl: string | undefined): Promise<string> {
  const config = readConfig({ LOG_LEVEL: 'silent', SANDBOX_PACE: 'manual' });
  const connectionString = databaseUrl ?? '';
  const log = createLog('silent');
  const service = await startService({ config, connectionString, log, clock: systemClock, role: 'api' });
  const { db, clock } = service.deps;
  const stdin = Readable.from([`${JSON.stringify(pizzeria())}\n`]);
  await importFiles({ db, clock }, { files: ['-'], source: 'test', stdin });
  await service.deps.storeFeed.catchUp();
  const { accountId } = await createAccount(db, 'Test account', clock.now());
  const { key } = await issueKey(db, accountId, 'sandbox', clock.now());
  const headers = { 'id-token': key };
  const query = { store_id: storeIdOf('test', 'pizzeria'), pickup: 'false' };
  const inventory = (await service.http.inject({ url: '/details/inventory', query, headers })).json();
  const items = [{ product_id: inventory.categories[0].menu_item_list[1].product_id, quantity: 4 }];
  const payload = orderBody(undefined, null, { items, charge_user: false });
  const placed = (await service.http.inject({ method: 'POST', url: '/order/order/v2', payload, headers })).json();
  const outbox = await service.http.inject({ url: '/sandbox/messages', query: { order_id: placed.order_id }, headers });
  assert.equal(outbox.json().messages.length, 2);
  await service.close();
  return placed.order_id;
}

test('orders show tells the order, its events, its charges, its messages, its webhook calls and its couriers', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const orderId = await givenOrder(env.DATABASE_URL);
  const { status, body } = await runJson(['orders', 'show', orderId], env);
  assert.equal(status, 0);
  assert.deepEqual(Object.keys(body), [
    'order',
    'events',
    'charges',
    'messages',
    'proof',
    'webhook_deliveries',
    'offers',
    'store_notices',
    'deliveries',
  ]);
  assert.equal(body.order.order_number, 'A1');
  type Shown = { channel: string; kind: string; state: string; order_id: string; text: string };
  assert.deepEqual(
    body.messages.map(({ channel, kind, state, order_id }: Shown) => [channel, kind, state, order_id]),
    [
      ['sms', 'order_placed', 'kept', orderId],
      ['email', 'order_confirmation', 'kept', orderId],
    ],
  );
  for (const { text } of body.messages as Shown[]) assert.ok(text.includes(body.order.tracking_link));
  const { stdout } = await runCommand(['orders', 'show', orderId], env);
  assert.match(stdout, /^sms +order_placed +\+12125550199 +kept +0$/m);
  assert.equal((await runCommand(['orders', 'show', 'ord_none'], env)).status, 1);
});
