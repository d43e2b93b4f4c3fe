import type { Db } from '../../platform/db/connect.ts';
import type { Attributes } from '../../platform/lib/tracing.ts';
import { type Tracer, traceWork } from '../../platform/lib/tracing.ts';
import { findTraceparent } from './order-events.db.ts';

/** Work on what an event of an order has brought. Without a sequence the order's last event stands for the event. */
export type EventWork = {
  name: string;
  orderId: string | null;
  sequence?: number | null;
  attributes: Attributes;
};

/** Runs the work within the trace of the event that brought the work, or in a trace of its own where the event has none. */
export type FollowEvent = <Result>(work: EventWork, task: () => Promise<Result>) => Promise<Result>;

/** Without a tracer the work alone runs, and no trace is looked up. */
export function createFollowEvent(db: Db, tracer: Tracer | undefined): FollowEvent {
  if (!tracer) return (_work, task) => task();
  const orderTraceparent = async ({ orderId, sequence = null }: EventWork): Promise<string | null | undefined> => {
    if (orderId === null) return null;
    // Work goes on without its trace: what fails here fails the work itself, which says so.
    return findTraceparent(db, orderId, sequence).catch(() => null);
  };
  return async (work, task) => {
    const attributes = { ...work.attributes, 'doorstep.order.id': work.orderId ?? undefined };
    const begun = { name: work.name, kind: 'consumer', attributes, traceparent: await orderTraceparent(work) } as const;
    return traceWork(tracer, begun, task);
  };
}
