import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { confirmedDetails } from '../../ordering/order/kitchen-times.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';

/** Confirms an order of a store without a screen, with these minutes of preparation. */
export const AUTO_CONFIRM: JobKind<{ orderId: string; minutes: number }> = { name: 'auto-confirm-order' };

/**
 * Confirms an order for a store with automatic confirmation. An order confirmed or canceled meanwhile stays as it is.
 */
export function autoConfirmOrder(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'inventory'>,
): Worker<{ orderId: string; minutes: number }> {
  return {
    kind: AUTO_CONFIRM,
    concurrency: 4,
    run: async ({ orderId, minutes }) => {
      const detailsOf: Parameters<typeof takeStep>[2]['detailsOf'] = (order, now) =>
        confirmedDetails(order, minutes, now);
      await takeStep(deps, orderId, { event: 'confirm', detailsOf }).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
      });
    },
  };
}
