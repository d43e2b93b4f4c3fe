import type { EventHandler } from '../orders/dispatch-events.flow.ts';
import { ORDER_TIMER, timeOutOf } from '../orders/follow-ups.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { findEvents } from '../orders/order-events.db.ts';
import { nextTimerAt } from './next-timer.ts';

/** Enqueues the next timer of each order: its time-out, or what the simulation does next with a sandbox order. */
export function timerEvents({ jobs, config }: Pick<OrderDeps, 'jobs' | 'config'>): EventHandler {
  return async (tx, events) => {
    // After a later event, that event brings the next timer.
    const last = events.filter(({ current, sequence }) => current.lastSequence === sequence);
    const pace = config.sandboxPace;
    const isSimulated = ({ mode }: (typeof last)[number]) => pace !== 'manual' && mode === 'sandbox';
    const simulated = await findEvents(tx, last.filter(isSimulated));
    const looks = [
      ...simulated.map(({ order, sequence, at }) => ({
        ...{ orderId: order.orderId, sequence, startAfter: nextTimerAt({ order, since: at }, pace, at) },
      })),
      ...last
        .filter((event) => !isSimulated(event))
        .map(({ orderId, sequence, current }) => ({ orderId, sequence, startAfter: timeOutOf(current) })),
    ];
    const traces = new Map(last.map(({ orderId, traceparent }) => [orderId, traceparent]));
    const timers = looks.flatMap(({ orderId, sequence, startAfter }) =>
      startAfter ? [{ payload: { orderId, sequence }, startAfter, traceparent: traces.get(orderId) ?? null }] : [],
    );
    await jobs.enqueueMany(tx, ORDER_TIMER, timers);
  };
}
