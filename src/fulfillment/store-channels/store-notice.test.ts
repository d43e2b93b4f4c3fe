import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDER_EVENT_TYPES, type OrderEvent } from '../../ordering/order/order-events.ts';
import { isStale, noticesFor } from './store-notice.ts';

const WEBHOOK = { channel: 'webhook', printAt: 'offered' } as const;

test('each event of an order is one call of the point of sale, but a cancelation, which follows who has the order', () => {
  for (const type of ORDER_EVENT_TYPES) {
    const kinds = noticesFor({ type, data: {} } as OrderEvent, WEBHOOK);
    const name = type === 'order.placed' ? 'offered' : type.replace('order.', '');
    assert.deepEqual(kinds, type === 'order.canceled' ? [] : [name], type);
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
