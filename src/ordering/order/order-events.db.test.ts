import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenWebhooks } from '../../../test/given/webhooks.ts';
import { dispatchAllEvents } from './dispatch-events.flow.ts';
import { findEvents, listEvents, takeWaitingEvents } from './order-events.db.ts';

test('an event of a newer version waits for a node of that version, and keeps no other event waiting', async (t) => {
  const { app, placeOrder, close } = await givenWebhooks();
  t.after(close);
  const { deps } = app.service;
  const { db } = deps;
  const client = await app.givenClient();
  const orderIds = [await placeOrder(client), await placeOrder(client), await placeOrder(client)] as const;
  await dispatchAllEvents(deps);
  const [newer, changed, known] = orderIds;
  const again = db.updateTable('orderEvents').where('sequence', '=', 1);
  await again.set({ dispatched: false, type: 'order.blessed' }).where('orderId', '=', newer).execute();
  const data = JSON.stringify({ reason: 'late' });
  await again.set({ dispatched: false, type: 'order.canceled', data }).where('orderId', '=', changed).execute();
  const more = JSON.stringify({ reason: 'late', refund_cents: 0, newer: true });
  await again.set({ dispatched: false, type: 'order.canceled', data: more }).where('orderId', '=', known).execute();
  const taken = await db.transaction().execute((tx) => takeWaitingEvents(tx, 1));
  assert.deepEqual(
    taken.map(({ orderId }) => orderId),
    [known],
    'a full batch of such events is passed',
  );
  await dispatchAllEvents(deps);
  const waiting = await db.selectFrom('orderEvents').select('orderId').where('dispatched', '=', false).execute();
  assert.deepEqual(waiting.map(({ orderId }) => orderId).sort(), [newer, changed].sort());
  const logs = await Promise.all(orderIds.map((orderId) => listEvents(db, orderId)));
  assert.deepEqual(
    logs.map((log) => log.map(({ type }) => type)),
    [[], [], ['order.canceled']],
  );
  const found = await findEvents(
    db,
    orderIds.map((orderId) => ({ orderId, sequence: 1 })),
  );
  assert.deepEqual(
    new Map(found.map(({ order, type }) => [order.orderId, type])),
    new Map([
      [newer, 'order.blessed'],
      [changed, 'order.canceled'],
      [known, 'order.canceled'],
    ]),
    'messages and calls of any version are written',
  );
});
