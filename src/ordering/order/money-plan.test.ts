import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DINNER, givenMessageContext } from '../../../test/given/message-context.ts';
import { adjustmentOf } from '../../../test/given/ticket.ts';
import { owedRefund } from '../money/owed-refund.ts';
import { advanceOrder } from './advance-order.ts';
import { awaitsSettlement, isChargedHere, placedState, planOf } from './money-plan.ts';
import { MONEY_PLANS, type MoneyPlan, type Order, type StepName } from './order.ts';
import { adjustedCents } from './reprice-order.ts';

const { order, at } = givenMessageContext(DINNER);
const TOTAL = order.quote.totalWithTipCents;
const TIP = order.quote.tipCents;

test('an order gets its plan from its request, items and charge when it is placed', () => {
  const weight = { unit: 'lb', per: 1000, ordered: 2000, max: 2500 } as const;
  const byWeight = { ...order.quote, items: order.quote.items.map((item) => ({ ...item, weight })) };
  const free = { ...order.quote, totalWithTipCents: 0 };
  for (const [chargeUser, quote, charge, plan, byStore = plan] of [
    [true, order.quote, 'succeeded', 'charged'],
    [true, byWeight, 'authorized', 'held'],
    [true, byWeight, 'succeeded', 'maximum_charged'],
    [true, byWeight, 'to_collect', 'collected'],
    [true, free, undefined, 'free'],
    [false, order.quote, undefined, 'external', 'paid_to_store'],
    [false, free, undefined, 'external'],
  ] as const) {
    const request = { ...order.request, chargeUser };
    assert.equal(planOf({ request, quote }, charge), plan);
    assert.equal(planOf({ request: { ...request, placedBy: 'store' }, quote }, charge), byStore);
  }
});

function placedOrder(moneyPlan: MoneyPlan): Order {
  const chargeState = placedState(moneyPlan);
  const isWeighed = moneyPlan === 'held' || moneyPlan === 'maximum_charged';
  const most = isWeighed ? { authorizedCents: TOTAL + 100 } : {};
  const chargedCents = chargeState === 'charged' ? TOTAL : 0;
  return { ...order, moneyPlan, chargeState, chargedCents, ...most, status: 'in_progress', driverStage: 'assigned' };
}

/** For each plan, the charge state once placed, picked up, completed, canceled, and lost by its courier. */
const STATES: Readonly<Record<MoneyPlan, readonly Order['chargeState'][]>> = {
  charged: ['charged', 'charged', 'charged', 'refund_pending', 'refund_pending'],
  held: ['authorized', 'capturing', 'capturing', 'capturing', 'capturing'],
  maximum_charged: ['charged', 'capturing', 'capturing', 'refund_pending', 'capturing'],
  collected: ['to_collect', 'to_collect', 'charged', 'none', 'none'],
  paid_to_store: ['to_collect', 'to_collect', 'none', 'none', 'none'],
  external: ['none', 'none', 'none', 'none', 'none'],
  free: ['none', 'none', 'none', 'none', 'none'],
};

test('each step charges, captures, voids, refunds or collects by the order’s plan', () => {
  for (const plan of Object.keys(MONEY_PLANS) as MoneyPlan[]) {
    const take = (from: Order, name: StepName) => advanceOrder(from, name, at, { isReported: true });
    const placed = placedOrder(plan);
    const gone = take(placed, 'pick_up').order;
    const { order: completed } = take(gone, 'complete');
    const [canceled, lost] = [take(placed, 'cancel'), take(gone, 'courier_lost')];
    const all = [placed, gone, completed, canceled.order, lost.order];
    const states = all.map(({ chargeState }) => chargeState);
    assert.deepEqual(states, STATES[plan], plan);
    const back = (cents: number, when: number) => (STATES[plan][when] === 'refund_pending' ? cents : 0);
    assert.deepEqual([canceled.refundCents, lost.refundCents], [back(TOTAL, 3), back(TOTAL - TIP, 4)], plan);
    const isAtHandoff = STATES[plan][0] === 'to_collect';
    assert.equal(completed.collectedCents, isAtHandoff ? TOTAL : null, plan);
    assert.equal(completed.chargedCents, plan === 'collected' ? TOTAL : placed.chargedCents, plan);
    assert.equal(awaitsSettlement(placed), STATES[plan][1] === 'capturing', plan);
    assert.equal(isChargedHere(placed), plan !== 'external' && plan !== 'paid_to_store', plan);
    const less = { ...placed, adjustments: [adjustmentOf(placed, 1)] };
    assert.equal(owedRefund(less, [])?.cents ?? 0, plan === 'charged' ? adjustedCents(less) : 0, plan);
  }
});

test('an unplaced order moves no money', () => {
  assert.deepEqual([awaitsSettlement(order), isChargedHere({ moneyPlan: null })], [false, false]);
});
