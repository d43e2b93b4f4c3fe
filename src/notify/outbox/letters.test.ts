import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, mailOf } from '../../../test/given/live-shop.ts';
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
