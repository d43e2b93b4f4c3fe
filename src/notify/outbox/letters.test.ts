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
