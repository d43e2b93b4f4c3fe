import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Order } from '../order/order.ts';
import { tipRaiseOf } from './tip.ts';

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');
const { order } = givenMessageContext(DINNER);
const given = (changes: Partial<Order> = {}): Order => ({
  ...order,
  status: 'completed',
  completedAt: NOW,
  ...changes,
});
/** The amount that raising the tip to these cents adds, or the error code. */
const raise = (tipCents: number, changes: Partial<Order> = {}, hours = 0) => {
  try {
    return tipRaiseOf(given(changes), tipCents, NOW.add({ hours }));
  } catch (error) {
    return error instanceof Refusal ? error.code : assert.fail(String(error));
  }
};

test('a tip raise charges the difference to the current tip, and a tip is never lowered', () => {
  const { tipCents } = order.quote;
  assert.deepEqual(
    [raise(tipCents + 250), raise(tipCents), raise(tipCents - 1), raise(tipCents + 250, { addedTipCents: 100 })],
    [250, 0, 'tip_not_allowed', 150],
  );
  assert.equal(raise(tipCents + 99, { addedTipCents: 100 }), 'tip_not_allowed');
});

test('a tip is raised from placing until 24 hours after completion, and not after a cancelation', () => {
  const status = (one: Order['status']) => raise(order.quote.tipCents + 1, { status: one, completedAt: null });
  assert.deepEqual(
    [status('unplaced'), status('awaiting_confirmation'), status('in_progress'), status('canceled')],
    ['transition_not_allowed', 1, 1, 'transition_not_allowed'],
  );
  assert.deepEqual(
    [raise(9999, {}, 24) === 'transition_not_allowed', raise(9999, {}, 25)],
    [false, 'transition_not_allowed'],
  );
});

test('a pickup has no tip', () => {
  assert.equal(raise(500, { request: { ...order.request, mode: 'pickup' } }), 'tip_not_allowed');
});
