import assert from 'node:assert/strict';
import { awaitsSettlement, movementOf } from '../../src/ordering/order/money-plan.ts';
import * as old from '../../src/ordering/order/order.ts';
import { toCollectCents } from '../../src/ordering/order/reprice-order.ts';

/** Whether the predicates over nulls and the reads of the plan say the same of an order. */
export function assertPlanAgrees(order: old.Order): void {
  const { moneyPlan: plan, status, request, quote } = order;
  const isPlaced = status !== 'unplaced';
  assert.equal(plan !== null, isPlaced, `${order.orderId} (${status}) has the plan ${plan}`);
  const atHandoff = plan === 'collected' || plan === 'paid_to_store';
  const isOpen = status === 'awaiting_confirmation' || status === 'in_progress';
  const pairs = {
    isPaidAtHandover: [old.isPaidAtHandover(order), atHandoff && status !== 'canceled'],
    isChargedAsHandedOver: [
      old.isChargedAsHandedOver(order),
      movementOf(order, 'change') === 'lower' && !(atHandoff && status === 'canceled'),
    ],
    isUnsettled: [old.isUnsettled(order), awaitsSettlement(order)],
    isHoldGivenFree: [old.isHoldGivenFree(order), plan === 'held' && old.isTipReturned(order)],
    isChargeToCollect: [old.isChargeToCollect(order), plan === 'collected' && isOpen],
    toCollectCents: [toCollectCents(order) !== null, atHandoff && isOpen],
    chargeUser: [isPlaced && request.chargeUser, isPlaced && plan !== 'external' && plan !== 'paid_to_store'],
    isTakenNow: [isPlaced && quote.totalWithTipCents > 0 && !!quote.isTakenNow, plan === 'maximum_charged'],
    authorizedCents: [order.authorizedCents !== null, movementOf(order, 'leave') !== 'nothing'],
    holdAttempt: [order.holdAttempt !== null, plan === 'held'],
    owed: [
      isPlaced && order.chargeId !== null && !old.isChargedAsHandedOver(order),
      (movementOf(order, 'change') === 'refund' && plan !== 'free') || (plan === 'collected' && status === 'canceled'),
    ],
  };
  for (const [name, [before, now]] of Object.entries(pairs))
    assert.equal(now, before, `${name} of ${order.orderId} (${plan}, ${status}, ${order.chargeState})`);
}
