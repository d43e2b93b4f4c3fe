import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, mailOf } from '../../../test/given/live-shop.ts';
import { dispatchAllEvents } from '../../ordering/order/dispatch-events.flow.ts';

test('an event that cannot be read fails the mail of its own order alone', async (t) => {
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
