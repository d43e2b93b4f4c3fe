import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../http/refusal.ts';
import { advanceOrder } from './advance-order.ts';
import type { Order } from './order.ts';
import { ADVANCE_EVENTS, type AdvanceEvent } from './order-events.ts';

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');

function placedOrder(mode: 'delivery' | 'pickup'): Order {
  const order = {
    status: 'awaiting_confirmation',
    request: { mode },
    quote: {},
    isReady: false,
    driver: {},
    driverStage: 'none',
    chargeState: 'charged',
    chargedCents: 1234,
    eta: NOW,
  };
  return order as unknown as Order;
}

/** The steps of docs/behaviour.md#statuses-and-steps, told as what must and must not have happened before. */
function isAllowed(mode: 'delivery' | 'pickup', taken: readonly AdvanceEvent[], next: AdvanceEvent): boolean {
  const has = (event: AdvanceEvent) => taken.includes(event);
  if (has('cancel') || has('complete')) return false;
  if (next === 'confirm') return !has('confirm');
  if (next === 'cancel') return !has('pick_up');
  if (!has('confirm')) return false;
  const rules: Record<string, boolean> = {
    ready: !has('ready') && !has('pick_up'),
    assign_driver: mode === 'delivery' && !has('assign_driver'),
    pick_up: mode === 'delivery' && has('assign_driver') && !has('pick_up'),
    approach: has('pick_up') && !has('approach'),
    complete: mode === 'pickup' || has('pick_up'),
  };
  return rules[next] ?? false;
}

test('every sequence of steps is taken exactly as far as the rules allow', () => {
  const events = fc.array(fc.constantFrom(...ADVANCE_EVENTS), { maxLength: 14 });
  fc.assert(
    fc.property(fc.constantFrom('delivery' as const, 'pickup' as const), events, (mode, sequence) => {
      let order = placedOrder(mode);
      const taken: AdvanceEvent[] = [];
      for (const event of sequence) {
        if (!isAllowed(mode, taken, event)) {
          assert.throws(
            () => advanceOrder(order, event, NOW),
            (error) => error instanceof Refusal && error.code === 'transition_not_allowed',
          );
          continue;
        }
        order = advanceOrder(order, event, NOW).order;
        taken.push(event);
      }
    }),
    { numRuns: 3000 },
  );
});

test('a cancelation gives the whole charge back and says why', () => {
  const step = advanceOrder(placedOrder('pickup'), 'cancel', NOW, { reason: 'out_of_stock' });
  assert.deepEqual(
    [step.order.status, step.order.chargeState, step.order.cancelReason, step.event],
    [
      'canceled',
      'refund_pending',
      'out_of_stock',
      { type: 'order.canceled', data: { reason: 'out_of_stock', refund_cents: 1234 } },
    ],
  );
});

test('an order that was never charged is canceled without a refund', () => {
  const step = advanceOrder({ ...placedOrder('pickup'), chargeState: 'none', chargedCents: 0 }, 'cancel', NOW);
  assert.deepEqual([step.order.chargeState, step.event.data.refund_cents], ['none', 0]);
});
