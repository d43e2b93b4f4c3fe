import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenChannel } from '../../../test/given/merchant.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { until } from '../../../test/until.ts';
import { dispatchAllEvents } from '../../ordering/order/dispatch-events.flow.ts';

const FLOOD = 40;

test('a point of sale that hangs over many offers delays no offer of another store, nor another channel of its own', async (t) => {
  const release = Promise.withResolvers<void>();
  t.after(() => release.resolve());
  const shop = await givenLiveShop(t);
  const { app, client, place, storeId } = shop;
  const { deps } = app.service;
  await givenChannel(app, storeId, { operator: false, webhook: 'http://127.0.0.1:9/hangs', email: 'own@example.com' });
  const [other = ''] = await givenStores(app, [pizzeria({ external_id: 'other' })]);
  await givenChannel(app, other, { webhook: 'http://127.0.0.1:9/other' });
  const calls: string[] = [];
  deps.publicHttp.post = async (url) => {
    calls.push(new URL(url).pathname);
    if (url.endsWith('/hangs')) await release.promise;
    return { status: 200 } as Awaited<ReturnType<typeof deps.publicHttp.post>>;
  };
  const mails: string[] = [];
  deps.messaging.mailer = { sendMail: async ({ to }) => void mails.push(to), close() {} };
  for (let n = 0; n < FLOOD; n += 1) await place({ disable_sms: true });
  await dispatchAllEvents(deps);
  const loop = deps.queues.find(({ name }) => name === 'telling stores') ?? assert.fail('no loop');
  await loop.runOnce();
  await until('the store has its calls', () => calls.length === 2);

  const token = (await productTokens(client, other)).Soda;
  const items = [{ product_id: token, quantity: 4 }];
  const placed = await client.post('/order/order/v2', orderBody(token, null, { items, charge_user: false }));
  assert.equal(placed.status, 200, placed.text);
  await dispatchAllEvents(deps);
  await loop.runOnce();
  await until('the other store is called', () => calls.includes('/other'));
  await until(
    'the own email channel has every offer',
    () => mails.filter((to) => to === 'own@example.com').length === FLOOD,
  );
  assert.equal(calls.filter((path) => path === '/hangs').length, 2);

  release.resolve();
  await app.advance({ minutes: 1 });
  assert.equal(calls.filter((path) => path === '/hangs').length, FLOOD);
});
