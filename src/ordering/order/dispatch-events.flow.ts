import type { Db, Sql } from '../../platform/db/connect.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import type { Order } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import { markDispatched, takeWaitingEvents, type WaitingEvent } from './order-events.db.ts';
import type { OrderEventType } from './order-events.ts';

const BATCH = 200;

/** Writes one kind of consequence of events (timers, messages or webhook calls) in the dispatching transaction. */
export type EventHandler = (tx: Sql, events: readonly WaitingEvent[]) => Promise<void>;

/** Dependencies of a dispatch; `countEvents` is called with each batch after its commit. */
type Dispatch = {
  db: Db;
  eventHandlers: readonly EventHandler[];
  countEvents?: (events: readonly WaitingEvent[]) => void;
};

/**
 * Writes all consequences of a batch of logged events in one transaction, so that an event is marked as dispatched
 * exactly if its timers, messages and calls exist. Returns the number of events; after a full batch, more may wait.
 */
export async function dispatchEvents({ db, eventHandlers, countEvents }: Dispatch): Promise<number> {
  const dispatched = await db.transaction().execute(async (tx) => {
    const events = await takeWaitingEvents(tx, BATCH);
    if (events.length === 0) return events;
    for (const handle of eventHandlers) await handle(tx, events);
    await markDispatched(tx, events);
    return events;
  });
  countEvents?.(dispatched);
  return dispatched.length;
}

/** Dispatches until no events wait; returns their number. */
export async function dispatchAllEvents(dispatch: Dispatch): Promise<number> {
  let count = 0;
  let batch: number;
  do {
    batch = await dispatchEvents(dispatch);
    count += batch;
  } while (batch === BATCH);
  return count;
}

/** Events that may book a refund. A refund requested by an account is made by its own request. */
const REFUNDING_EVENTS: ReadonlySet<OrderEventType> = new Set([
  'order.canceled',
  'order.item_changed',
  'order.captured',
]);
/** Events that capture or void a card hold. */
const SETTLING_EVENTS: ReadonlySet<OrderEventType> = new Set(['order.canceled', 'order.picked_up', 'order.completed']);

/** Enqueues an event's money movements, and watches the hold from placing on. */
export function moneyEvents({ jobs }: Pick<OrderDeps, 'jobs'>): EventHandler {
  return async (tx, events) => {
    const jobOf = ({ orderId, traceparent }: WaitingEvent) => ({ payload: { orderId }, traceparent });
    const moving = events.filter(({ type, current }) => {
      const isSettling = SETTLING_EVENTS.has(type) && current.chargeState === 'capturing';
      return isSettling || (REFUNDING_EVENTS.has(type) && current.refundingCents > 0);
    });
    const held = events.filter(({ type, current }) => type === 'order.placed' && current.chargeState === 'authorized');
    await jobs.enqueueMany(tx, RESOLVE_CHARGE, moving.map(jobOf));
    await jobs.enqueueMany(tx, KEEP_HOLD, held.map(jobOf));
  };
}

/** Runs an order's due timer: its confirmation time-out, or the next simulated step. */
export const ORDER_TIMER: JobKind<{ orderId: string; sequence: number }> = { name: 'order-timer' };

/** Resolves an abandoned charge or refund by the gateway's record. */
export const RESOLVE_CHARGE: JobKind<{ orderId: string }> = { name: 'resolve-order-charge' };

/** Makes the hold of an order before its slot, and again before it expires. */
export const KEEP_HOLD: JobKind<{ orderId: string; isLast?: boolean }> = { name: 'keep-hold' };

/** Looks for the charge of a later tip that timed out. */
export const LATE_TIP: JobKind<{ orderId: string; attempt: number }> = { name: 'late-tip' };

/** Returns when the order is canceled unless its store confirms it; undefined once it has. */
export function timeOutOf({ status, confirmBy }: Pick<Order, 'status' | 'confirmBy'>): Temporal.Instant | undefined {
  return status === 'awaiting_confirmation' ? (confirmBy ?? undefined) : undefined;
}
