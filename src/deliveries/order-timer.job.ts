import { Refusal } from '../http/refusal.ts';
import type { Worker } from '../jobs/job-queue.ts';
import { allowsStep } from '../orders/advance-order.ts';
import { nextLookAt, ORDER_TIMER } from '../orders/follow-ups.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { ADVANCE_EVENTS, type AdvanceEvent } from '../orders/order-events.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { takeStep } from '../orders/take-step.flow.ts';
import { simulateCourier } from './simulated-courier.ts';

/** Cancels an order that its store did not confirm in time; plays the store and the courier of a sandbox order. */
export function runOrderTimers(
  deps: Pick<OrderDeps, 'config' | 'clock' | 'db' | 'jobs' | 'inventory'>,
): Worker<{ orderId: string; sequence: number }> {
  return {
    kind: ORDER_TIMER,
    retryLimit: 20,
    concurrency: 4,
    run: async ({ orderId, sequence }) => {
      const order = await findAnyOrder(deps.db, orderId);
      // Every step starts its own timer: a timer of an earlier step has nothing left to do.
      if (!order || order.lastSequence !== sequence) return;
      const due = dueStep(order, deps);
      if (!due) return lookAgain(deps, order);
      // A confirmation at the last moment and this timer race for one sequence number: exactly one of them wins.
      await takeStep(deps, orderId, { ...due, atSequence: sequence }).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
      });
    },
  };
}

/** Woken too early: a wait begins with the transaction that sets it, and the pace may have been another then. */
async function lookAgain(
  { clock, config, db, jobs }: Pick<OrderDeps, 'config' | 'clock' | 'db' | 'jobs'>,
  order: Order,
): Promise<void> {
  const startAfter = nextLookAt(order, config.sandboxPace, clock.now());
  const timer = { orderId: order.orderId, sequence: order.lastSequence };
  if (startAfter) await jobs.enqueue(db, ORDER_TIMER, timer, { startAfter });
}

function dueStep(order: Order, { clock, config }: Pick<OrderDeps, 'config' | 'clock'>) {
  const overdue = order.confirmBy !== null && Temporal.Instant.compare(clock.now(), order.confirmBy) >= 0;
  if (order.status === 'awaiting_confirmation' && overdue) {
    return { event: 'cancel' as const, detailsOf: () => ({ reason: 'store_did_not_confirm' }) };
  }
  if (order.mode !== 'sandbox' || config.sandboxPace === 'manual') return undefined;
  const event = nextSimulatedStep(order);
  return event && { event, detailsOf: (locked: Order) => simulateCourier(locked, event) };
}

/** The first step, in the order of a normal evening, that the order has not taken. */
function nextSimulatedStep(order: Order): AdvanceEvent | undefined {
  return ADVANCE_EVENTS.find((event) => event !== 'cancel' && allowsStep(order, event));
}
