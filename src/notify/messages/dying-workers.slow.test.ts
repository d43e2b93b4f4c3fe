import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, mailOf } from '../../../test/given/live-shop.ts';
import { leaseDue } from '../../platform/jobs/leased-queue.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { messagesBy } from './messages.db.ts';

test("a dead worker's message is sent by another within 30 seconds, not while it might live", async (t) => {
  const shop = await givenLiveShop(t);
  const { app, smtp, place } = shop;
  const { deps } = app.service;
  const queues = deps.queues;
  deps.queues = [];
  const orderId = await place();
  await app.advance({ seconds: 1 });
  const limits = { free: 5, allowances: [], others: 5 };
  const taken = await leaseDue(deps.db, messagesBy('email'), limits, app.now());
  assert.equal(taken.length, 1);
  deps.queues = queues;
  await app.advance({ seconds: 20 });
  assert.equal(smtp.received.length, 0);
  await app.advance({ seconds: 6 });
  assert.equal(smtp.received.length, 1);
  assert.equal((await mailOf(shop, orderId)).attempts, 2);
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

test('several workers send a crowd of messages, each once', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, smtp, texts, place } = shop;
  const other = await app.givenNode('worker');
  Object.assign(other.deps.messaging, app.service.deps.messaging);
  const { queues } = app.service.deps;
  app.service.deps.queues = [];
  for (let n = 0; n < 40; n += 1) await place();
  await app.advance({ seconds: 1 });
  const both = [...queues, ...other.deps.queues].filter(({ name }) => name.startsWith('sending'));
  // Without a free sender, a worker leaves the rest to its next round.
  for (let taken = 1; taken > 0; ) {
    taken = (await Promise.all(both.map((loop) => loop.runOnce()))).reduce((sum, started) => sum + started, 0);
    await Promise.all(both.map((loop) => loop.idle()));
  }
  assert.deepEqual([smtp.received.length, texts.length], [40, 40]);
  assert.equal(new Set(smtp.received.map(({ mail }) => mail.messageId)).size, 40);
});

test('an event that is dispatched twice brings its messages once', async (t) => {
  const shop = await givenLiveShop(t);
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  const { db } = shop.app.service.deps;
  await db.updateTable('orderEvents').set({ dispatched: false }).where('orderId', '=', orderId).execute();
  await shop.app.advance({ seconds: 1 });
  assert.deepEqual([shop.smtp.received.length, shop.texts.length], [1, 1]);
});
