import type { Deps } from '../deps.ts';
import { nextLookAt, ORDER_TIMER, SETTLE_ORDER } from './follow-ups.ts';
import { markDispatched, takeWaitingEvents } from './order-events.db.ts';

const BATCH = 500;

/**
 * Turns a batch of logged events into the jobs that follow from them, in one transaction: an event is dispatched exactly
 * if its jobs exist. Returns how many there were; a full batch means that more may wait.
 */
export async function dispatchEvents({ db, jobs, config }: Deps): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const events = await takeWaitingEvents(tx, BATCH);
    if (events.length === 0) return 0;
    const timers = events.flatMap(({ order, sequence, at }) => {
      // A later event has moved the order on: that one brings the next timer.
      const startAfter = order.lastSequence === sequence ? nextLookAt(order, config.sandboxPace, at) : undefined;
      return startAfter ? [{ payload: { orderId: order.orderId, sequence }, startAfter }] : [];
    });
    const refunds = events
      .filter(({ type, order }) => type === 'order.canceled' && order.chargeState === 'refund_pending')
      .map(({ order }) => ({ payload: { orderId: order.orderId } }));
    await jobs.enqueueMany(tx, ORDER_TIMER, timers);
    await jobs.enqueueMany(tx, SETTLE_ORDER, refunds);
    await markDispatched(tx, events);
    return events.length;
  });
}

/** Dispatches until nothing waits. */
export async function dispatchAllEvents(deps: Deps): Promise<void> {
  while ((await dispatchEvents(deps)) === BATCH);
}
