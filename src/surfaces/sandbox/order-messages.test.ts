import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { setAccountLimit } from '../../access/budgets/account-limits.db.ts';
import { setOptOut } from '../../notify/messages/sms-opt-outs.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

type Shown = { channel: string; kind: string; to: string; state: string; reason?: string; sent_at?: number };
const brief = ({ kind, to, state, reason }: Shown) => [kind, to, state, reason];

test('include=messages says what was sent and why the rest was not, with masked recipients', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, client, place } = shop;
  const { db, messaging } = app.service.deps;
  const { accountId } = client;
  const messagesOf = async (orderId: string): Promise<Shown[]> => {
    const { orders } = (await client.get('/account/orders', { order_id: orderId, include: 'messages' })).body;
    return orders[0].messages;
  };
  const placed = async (changes: object = {}) => {
    const orderId = await place(changes);
    await app.advance({ seconds: 1 });
    return messagesOf(orderId);
  };
  const [sms, mail, ...more] = await placed();
  const [phone, address] = [sms?.to ?? '', mail?.to ?? ''];
  assert.match(phone, /^…\d{4}$/);
  assert.match(address, /^\w…@[\w.]+$/);
  assert.deepEqual(sms && brief(sms), ['order_placed', phone, 'sent', undefined]);
  assert.deepEqual(mail && brief(mail), ['order_confirmation', address, 'sent', undefined]);
  assert.ok(more.length === 0 && typeof sms?.sent_at === 'number');

  const [far] = await placed({ user_phone: 18765551234 });
  assert.deepEqual(far && brief(far), ['order_placed', '…1234', 'not_sent', 'out_of_reach']);
  await setOptOut(db, '+12125550177', true, app.now());
  const [out] = await placed({ user_phone: 12125550177 });
  assert.deepEqual(out && brief(out), ['order_placed', '…0177', 'not_sent', 'opted_out']);
  const refusal = new OutsideError('SMS', 'refused', { retryable: false });
  messaging.smsSender = { sendText: () => Promise.reject(refusal) };
  const [refused] = await placed();
  assert.deepEqual(refused && brief(refused), ['order_placed', phone, 'not_sent', 'failed']);
  const again = new OutsideError('SMS', 'busy', { retryable: true });
  messaging.smsSender = { sendText: () => Promise.reject(again) };
  const [waiting] = await placed();
  assert.deepEqual(waiting && brief(waiting), ['order_placed', phone, 'pending', undefined]);
  await setAccountLimit(db, { accountId, kind: 'sms', max: 0 });
  const [over] = await placed();
  assert.deepEqual(over && brief(over), ['order_placed', phone, 'not_sent', 'over_budget']);

  const { orders } = (await client.get('/account/orders', { include: 'messages' })).body;
  assert.deepEqual(
    orders.map(({ messages }: { messages: unknown[] }) => messages.length),
    [2, 2, 2, 2, 2, 2],
  );
  assert.doesNotMatch(JSON.stringify(orders.map(({ messages }: { messages: unknown }) => messages)), /550177|busy/);
  const { orders: plain } = (await client.get('/account/orders')).body;
  assert.ok(plain.every((order: object) => !('messages' in order)));
  assert.equal((await client.get('/account/orders', { include: 'everything' })).status, 400);
  await step(shop, orders[0].order_id, 'confirm');
  assert.equal((await messagesOf(orders[0].order_id)).length, 3);
});

test('include=messages lists what a sandbox order would have sent', async (t) => {
  const shop = await givenPizzeria();
  t.after(() => shop.close());
  const { order_id: orderId } = (await shop.place('Margherita', { items: [shop.bigPie()] })).body;
  const { orders } = (await shop.get('/account/orders', { order_id: orderId, include: 'messages' })).body;
  const messages: Shown[] = orders[0].messages;
  assert.deepEqual(
    messages.map(({ kind, state, reason }) => [kind, state, reason]),
    [
      ['order_placed', 'not_sent', 'sandbox'],
      ['order_confirmation', 'not_sent', 'sandbox'],
    ],
  );
});
