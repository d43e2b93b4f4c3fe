import assert from 'node:assert/strict';
import type { ChannelBooks, Taken } from '../simulated-channels.ts';
import type { Surroundings } from '../simulated-node.ts';
import type { FinalEvent, FinalOrder } from './final-orders.ts';

/** The messages that an event sends to its customer (docs/messages.md), restated independently of the service. */
function messagesOf({ type, data }: FinalEvent, order: FinalOrder): string[] {
  const { pickup } = order;
  if (type === (pickup ? 'order.completed' : 'order.picked_up')) return unheldReceipt(order);
  if (type === 'order.delayed') return data.to === data.from ? [] : ['sms order_delayed'];
  if (type === 'order.ready') return pickup ? ['sms ready_for_pickup'] : [];
  if (type === 'order.captured') return data.captured_cents === null ? [] : ['email final_receipt'];
  if (type === 'order.refunded') return data.kind === 'requested' ? ['email order_refunded'] : [];
  if (type === 'order.item_changed') return data.is_last || isWeighing(data) ? [] : ['email order_item_changed'];
  return MESSAGES[type] ?? [];
}

/** Goods by weight that no card pays have their receipt when they leave the store. */
const unheldReceipt = ({ quote, authorized_cents: held }: FinalOrder) =>
  held === null && quote.items.some(({ weight }) => weight) ? ['email final_receipt'] : [];

/** The messages of events that always have them. */
const MESSAGES: Readonly<Record<string, string[]>> = {
  'order.placed': ['sms order_placed', 'email order_confirmation'],
  'order.confirmed': ['sms store_confirmed'],
  'order.driver_nearby': ['sms driver_nearby'],
  'order.hold_declined': ['email card_declined'],
  'order.canceled': ['email order_canceled'],
};

const isWeighing = ({ weight, quantity, substituted_for: replaced }: FinalEvent['data']) =>
  weight !== undefined && quantity !== 0 && replaced === null;

type Message = { message_id: string; order_id: string; sequence: number; what: string; state: string };
type Call = { webhook_id: string; order_id: string; sequence: number; state: string };
type Notice = { order_id: string; channel: string; kind: string; copy: number; state: string };

/** Each event contains its messages and its webhook call once, all accepted; duplicates had a cause. */
export async function checkConsequences(
  { database, channels }: Surroundings,
  orders: readonly FinalOrder[],
): Promise<void> {
  const messages = await database.ask<Message>(
    `select message_id, order_id, sequence, channel || ' ' || kind as what, state from messages`,
  );
  const calls = await database.ask<Call>('select webhook_id, order_id, sequence, state from webhook_calls');
  const notices = await database.ask<Notice>('select order_id, channel, kind, copy, state from store_notices');
  for (const order of orders) {
    checkMessages(
      order,
      messages.filter(({ order_id }) => order_id === order.order_id),
      channels,
    );
    checkCalls(
      order,
      calls.filter(({ order_id }) => order_id === order.order_id),
      channels,
    );
    if (order.mode === 'live')
      checkOffers(
        order,
        notices.filter(({ order_id }) => order_id === order.order_id),
      );
  }
  checkRepeats(channels);
}

function checkMessages(order: FinalOrder, messages: readonly Message[], { taken }: ChannelBooks): void {
  const expected = order.events.flatMap((event) =>
    // Sandbox orders log their messages and queue none.
    order.mode === 'live' ? messagesOf(event, order).map((what) => `${event.sequence} ${what}`) : [],
  );
  const found = messages.map(({ sequence, what }) => `${sequence} ${what}`);
  assert.deepEqual(found.toSorted(), expected.toSorted(), `the messages of order ${order.order_id}`);
  for (const { message_id: id, what, state } of messages) {
    assert.equal(state, 'sent', `${what} of order ${order.order_id}`);
    if (!what.startsWith('email')) continue;
    assert.ok(
      taken.some(({ channel, key }) => channel === 'mail' && key === id),
      `${what} was never taken`,
    );
  }
  const texts = messages.filter(({ what }) => what.startsWith('sms')).length;
  const phone = String(order.request.customer.phone);
  const keys = new Set(
    taken.filter(({ channel, key }) => channel === 'sms' && key.startsWith(`+${phone} `)).map(({ key }) => key),
  );
  assert.equal(keys.size, texts, `the SMS of order ${order.order_id}`);
}

function checkCalls(order: FinalOrder, calls: readonly Call[], { taken }: ChannelBooks): void {
  const about = `the calls of order ${order.order_id}`;
  const sequences = calls.map(({ sequence }) => sequence).toSorted((one, other) => one - other);
  assert.deepEqual(
    sequences,
    order.events.map(({ sequence }) => sequence),
    about,
  );
  for (const { webhook_id: id, sequence, state } of calls) {
    assert.equal(state, 'delivered', about);
    const mine = taken.filter((one) => one.key === id);
    assert.ok(mine.length > 0, `${about}: ${sequence} was never taken`);
    assert.equal(new Set(mine.map(({ text }) => text)).size, 1, `${about}: the attempts of one call differ`);
    const type = order.events.find((event) => event.sequence === sequence)?.type;
    assert.equal(JSON.parse(mine[0]?.text ?? '{}').type, type, about);
  }
}

/** A placed live order is offered once per channel; offers still open at the end await a person. */
function checkOffers(order: FinalOrder, notices: readonly Notice[]): void {
  const about = `the notices of order ${order.order_id}`;
  const offered = notices.filter(({ kind }) => kind === 'offered').map(({ channel }) => channel);
  const isPlaced = order.events.some(({ type }) => type === 'order.placed');
  const expected = isPlaced ? ['email', 'operator', 'printer', 'sms', 'webhook'] : [];
  assert.deepEqual(offered.toSorted(), expected, about);
  for (const { channel, kind, state } of notices) {
    const isForPeople = channel === 'operator' || channel === 'console';
    if (!isForPeople) assert.notEqual(state, 'waiting', `${about}: ${kind} on ${channel}`);
  }
}

/**
 * A duplicate needs a cause: a lost response, or a fault of the sender's node between sending and recording. A run
 * without faults has no duplicates.
 */
function checkRepeats({ taken }: ChannelBooks): void {
  const last = new Map<string, Taken>();
  for (const one of taken) {
    const name = `${one.channel} ${one.key}`;
    const before = last.get(name);
    assert.ok(!before || before.by.troubles > before.troubles, `sent twice without a reason: ${name}`);
    last.set(name, one);
  }
}
