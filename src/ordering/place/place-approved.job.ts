import { Refusal } from '../../platform/http/refusal.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import { isApproved, PLACE_APPROVED } from '../money/charge-order.flow.ts';
import { type HoldAgainDeps, holdAgain } from '../money/hold-again.flow.ts';
import type { CreateOrderDeps } from '../order/order-deps.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { continueCheckout } from './checkout.flow.ts';

/**
 * Places an order whose customer approved its charge in the bank's app and did not come back; for a placed order, the
 * charge becomes its hold. An order that cannot be placed as it was quoted stays unplaced: its customer may still come
 * back, and the charge ends at its deadline.
 */
export function placeApprovedOrders(deps: CreateOrderDeps & HoldAgainDeps): Worker<{ orderId: string }> {
  return {
    kind: PLACE_APPROVED,
    concurrency: 2,
    run: async ({ orderId }) => {
      const order = await findAnyOrder(deps.db, orderId);
      const isHold = order?.chargeState === 'authorized' && order.waitingChargeId !== null;
      const isWaiting = isHold || (order?.status === 'unplaced' && order.chargeState === 'waiting');
      if (!isWaiting || !(await isApproved(deps, order))) return;
      if (isHold) return void (await holdAgain(deps, order));
      await continueCheckout(deps, order, true).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
      });
    },
  };
}
