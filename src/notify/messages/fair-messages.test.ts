import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { until } from '../../../test/until.ts';
import { dispatchAllEvents } from '../../ordering/order/dispatch-events.flow.ts';

const FLOOD = 60;

test('however many mails of one account hang at the server, the next mail of another account leaves at once', async (t) => {
  const release = Promise.withResolvers<void>();
  t.after(() => release.resolve());
  const shop = await givenLiveShop(t);
  const { app, client, place, storeId } = shop;
  const { deps } = app.service;
  const begun: string[] = [];
  deps.messaging.mailer = {
    async sendMail({ to }) {
      begun.push(to);
      if (to !== 'neighbor@example.com') await release.promise;
    },
    close() {},
  };
  for (let n = 0; n < FLOOD; n += 1) await place({ disable_sms: true, user_email: `flood-${n}@example.com` });
  await dispatchAllEvents(deps);
  const [loop] = deps.queues.filter(({ name }) => name === 'sending email');
  assert.ok(loop);
  await loop.runOnce();
  await until('the account has its four senders', () => begun.length === 4);
  await loop.runOnce();
  assert.equal(begun.length, 4);

  const neighbor = await app.givenClient('live');
  const token = (await productTokens(neighbor, storeId)).Soda;
  const items = [{ product_id: token, quantity: 4 }];
  const body = orderBody(token, null, { items, charge_user: false, disable_sms: true });
  const placed = await neighbor.post('/order/order/v2', { ...body, user_email: 'neighbor@example.com' });
  assert.equal(placed.status, 200, placed.text);
  await dispatchAllEvents(deps);
  await loop.runOnce();
  await until("the neighbor's mail leaves", () => begun.includes('neighbor@example.com'));
  assert.equal(begun.length, 5);

  release.resolve();
  await app.advance({ seconds: 1 });
  assert.equal(begun.length, FLOOD + 1);
  assert.equal(new Set(begun).size, FLOOD + 1);
  assert.notEqual(client.accountId, neighbor.accountId);
});
