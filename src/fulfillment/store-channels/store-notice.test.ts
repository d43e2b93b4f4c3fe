import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDER_EVENT_TYPES, type OrderEvent } from '../../ordering/order/order-events.ts';
import { printerOf, printerTarget } from './store-channel.ts';
import { isStale, noticesFor } from './store-notice.ts';

const WEBHOOK = { channel: 'webhook', printAt: 'offered' } as const;

test('a printer is at HOST:PORT, or in the words of the plug-in that its address begins with', () => {
  const addresses: readonly [text: string, target: string | undefined][] = [
    ['kitchen', 'kitchen:9100'],
    ['escpos://kitchen:9101', 'kitchen:9101'],
    ['[::1]:9100', '[::1]:9100'],
    ['pos://12?till=b', 'pos://12?till=b'],
    ['pos://', undefined],
    ['pos://1 2', undefined],
    [`pos://${'x'.repeat(501)}`, undefined],
    ['POS://12', undefined],
    ['a b:1', undefined],
    ['kitchen:70000', undefined],
  ];
  for (const [text, target] of addresses) assert.equal(printerTarget(text), target, text);
  assert.deepEqual(printerOf('pos://12'), { printer: 'pos', target: '12' });
  assert.deepEqual(printerOf('kitchen:9100'), { printer: 'escpos', target: 'kitchen:9100' });
});

/** Events of the customer's card, and the end of weighings that were calls of their own. */
const NOTHING_NEW = ['order.captured', 'order.hold_declined', 'order.weighed'];

test('each event of an order is one call of the point of sale, but a cancelation, which follows who has the order', () => {
  for (const type of ORDER_EVENT_TYPES) {
    const kinds = noticesFor({ type, data: {} } as OrderEvent, WEBHOOK);
    const name = type === 'order.placed' ? 'offered' : type.replace('order.', '');
    assert.deepEqual(kinds, type === 'order.canceled' || NOTHING_NEW.includes(type) ? [] : [name], type);
    const own = noticesFor({ type, data: { source: 'pos' } } as OrderEvent, WEBHOOK);
    assert.deepEqual(own, type === 'order.placed' ? ['offered'] : [], `${type} of its own`);
  }
});

test('a change is stale for a point of sale that never had the order, and for no other', () => {
  const change = { kind: 'confirmed', channel: 'webhook' } as const;
  for (const status of ['in_progress', 'canceled', 'completed'] as const) {
    assert.equal(isStale({ ...change, offer: 'withdrawn' }, { status }), true);
    for (const offer of ['waiting', 'acknowledged', null] as const)
      assert.equal(isStale({ ...change, offer }, { status }), false);
  }
});
