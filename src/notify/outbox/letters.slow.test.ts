import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, mailOf } from '../../../test/given/live-shop.ts';
import { orderBody, productTokens } from '../../../test/given/orders.ts';
import { until } from '../../../test/until.ts';
import { dispatchAllEvents } from '../../ordering/order/dispatch-events.flow.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

test('a failure is recorded whatever characters its reason has', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, place } = shop;
  const sendMail = () => Promise.reject(new OutsideError('mail', 'half \ud83d, none \0', { retryable: true }));
  app.service.deps.messaging.mailer = { sendMail, close() {} };
  const orderId = await place();
  await app.advance({ seconds: 1 });
  const { state, attempts, lastError } = await mailOf(shop, orderId);
  assert.deepEqual([state, attempts, lastError], ['pending', 1, 'half \ufffd, none \ufffd']);
});

test('a failure that ends after its lease does not release the lease of another worker', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, place } = shop;
  const { deps } = app.service;
  const leasedUntil = app.now().add({ hours: 1 });
  const sendMail = async ({ messageId }: { messageId: string }) => {
    const taken = { attempts: 2, leasedUntil: leasedUntil.toString() };
    await deps.db.updateTable('messages').set(taken).where('messageId', '=', messageId).execute();
    throw new OutsideError('mail', 'too late', { retryable: false });
  };
  deps.messaging.mailer = { sendMail, close() {} };
  const orderId = await place();
  await app.advance({ seconds: 1 });
  const { state, attempts, lastError } = await mailOf(shop, orderId);
  assert.deepEqual([state, attempts, lastError], ['pending', 2, null]);
});

test('a worker that dies between sending and recording sends once more, under the same Message-ID', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, smtp, place } = shop;
  const { deps } = app.service;
  const { mailer } = deps.messaging;
  assert.ok(mailer);
  const dying = {
    close: mailer.close,
    sendMail: async (mail: Parameters<typeof mailer.sendMail>[0]) => {
      await mailer.sendMail(mail);
      deps.messaging.mailer = mailer;
      // Its result is never recorded, as if this process had died and another had leased the message.
      const leasedUntil = app.now().add({ seconds: 26 }).toString();
      await deps.db.updateTable('messages').set({ leasedUntil }).where('messageId', '=', mail.messageId).execute();
      throw new OutsideError('mail', 'died', { retryable: true });
    },
  };
  deps.messaging.mailer = dying;
  const orderId = await place();
  await app.advance({ seconds: 1 });
  await app.advance({ seconds: 30 });
  await app.advance({ hours: 1 });
  assert.deepEqual([smtp.received.length, new Set(smtp.received.map(({ mail }) => mail.messageId)).size], [2, 1]);
  assert.equal((await mailOf(shop, orderId)).state, 'sent');
});

test('an unreadable event fails only its own order’s mail', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, smtp, place } = shop;
  const { deps } = app.service;
  const [unreadable, ...others] = [await place(), await place(), await place()];
  await dispatchAllEvents(deps);
  await deps.db
    .updateTable('orderEvents')
    .set({ progress: JSON.stringify({ placedAt: 'no instant' }) })
    .where('orderId', '=', unreadable)
    .execute();
  // One round claims all three mails.
  await deps.queues.find(({ name }) => name === 'sending email')?.runOnce();
  await app.advance({ seconds: 1 });
  const rows = await Promise.all([unreadable, ...others].map((orderId) => mailOf(shop, orderId)));
  assert.deepEqual(
    rows.map(({ state, attempts, lastError }) => [state, attempts, lastError]),
    [
      ['pending', 1, 'failed inside'],
      ['sent', 1, null],
      ['sent', 1, null],
    ],
  );
  assert.equal(smtp.received.length, 2);
});

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
