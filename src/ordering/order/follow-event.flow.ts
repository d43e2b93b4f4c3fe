import type { Db } from '../../platform/db/connect.ts';
import { type Attributes, type Tracer, traceWork } from '../../platform/lib/tracing.ts';
import { findTraceparent } from './order-events.db.ts';

/** Work caused by an order's event; without a number, by its last event. */
export type EventWork = { name: string; orderId: string | null; sequence?: number | null; attributes: Attributes };

/** Runs the work in its event's trace, or in a new trace if the event has none. */
export type FollowEvent = <Result>(work: EventWork, task: () => Promise<Result>) => Promise<Result>;

/** Creates a function that, without a tracer, only runs the work and looks up no trace. */
export function createFollowEvent(db: Db, tracer: Tracer | undefined): FollowEvent {
  if (!tracer) return (_work, task) => task();
  const orderTraceparent = async ({ orderId, sequence = null }: EventWork): Promise<string | null | undefined> => {
    if (orderId === null) return null;
    // A failed look-up only loses the trace and never fails the work.
    return findTraceparent(db, orderId, sequence).catch(() => null);
  };
  return async (work, task) => {
    const attributes = { ...work.attributes, 'doorstep.order.id': work.orderId ?? undefined };
    const begun = { name: work.name, kind: 'consumer', attributes, traceparent: await orderTraceparent(work) } as const;
    return traceWork(tracer, begun, task);
  };
}
