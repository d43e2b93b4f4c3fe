import type { Sql } from '../db/connect.ts';
import type { Deps } from '../deps.ts';
import { nextLookAt, ORDER_TIMER, SETTLE_ORDER } from './follow-ups.ts';
import { markDispatched, takeWaitingEvents, type WaitingEvent } from './order-events.db.ts';

const BATCH = 200;

/** What writes down, with the transaction it is given, all that follows from events in one respect. */
export type Follower = (tx: Sql, deps: Deps, events: readonly WaitingEvent[]) => Promise<void>;

/**
 * Turns a batch of logged events into what follows from them, in one transaction: an event is dispatched exactly if its
 * timers, messages and calls exist. Returns how many there were; a full batch means that more may wait.
 */
export async function dispatchEvents(deps: Deps, followers: readonly Follower[]): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const events = await takeWaitingEvents(tx, BATCH);
    if (events.length === 0) return 0;
    for (const follow of followers) await follow(tx, deps, events);
    await markDispatched(tx, events);
    return events.length;
  });
}

/** Dispatches until nothing waits. */
export async function dispatchAllEvents(deps: Deps, followers: readonly Follower[]): Promise<void> {
  while ((await dispatchEvents(deps, followers)) === BATCH);
}

/** The order's own timers, and the refund of what was canceled. */
export const followWithTimers: Follower = async (tx, { jobs, config }, events) => {
  const timers = events.flatMap(({ current, sequence, at }) => {
    // A later event has moved the order on: that one brings the next timer.
    const startAfter = current.lastSequence === sequence ? nextLookAt(current, config.sandboxPace, at) : undefined;
    return startAfter ? [{ payload: { orderId: current.orderId, sequence }, startAfter }] : [];
  });
  const refunds = events
    .filter(({ type, current }) => type === 'order.canceled' && current.chargeState === 'refund_pending')
    .map(({ current }) => ({ payload: { orderId: current.orderId } }));
  await jobs.enqueueMany(tx, ORDER_TIMER, timers);
  await jobs.enqueueMany(tx, SETTLE_ORDER, refunds);
};
