import type { TrackingSite } from '../accounts/tracking-site.ts';
import type { Sql } from '../db/connect.ts';
import type { Slice } from '../lib/slice.ts';
import type { Order } from '../orders/order.ts';
import { findEvents } from '../orders/order-events.db.ts';
import { MAX_PAGE_BYTES } from '../orders/order-pages.ts';
import { bodyOf } from './call-body.ts';

/** A page ends at so many events, or with the event that passes `MAX_PAGE_BYTES`. */
const EVENTS_PER_PAGE = 20;
/** Each event is read with its order, which may have some megabytes. */
const EVENTS_PER_READ = 4;

type Deps = { db: Sql; site: TrackingSite; slice: Slice };

/**
 * The events of an order after a sequence, each as the body of its webhook call, as JSON. `has_more` says that further
 * events follow. The events are those of the moment at which the order was read, which `status` is of as well.
 */
export async function orderEventsPage({ db, site, slice }: Deps, order: Order, after: number): Promise<string> {
  const { orderId, status, lastSequence } = order;
  const last = Math.min(after + EVENTS_PER_PAGE, lastSequence);
  const texts: string[] = [];
  let bytes = 0;
  let shown = after;
  while (shown < last && bytes < MAX_PAGE_BYTES) {
    const until = Math.min(shown + EVENTS_PER_READ, last);
    const keys = Array.from({ length: until - shown }, (_, n) => ({ orderId, sequence: shown + n + 1 }));
    const events = (await findEvents(db, keys)).sort((a, b) => a.sequence - b.sequence);
    for (const event of events) {
      if (bytes >= MAX_PAGE_BYTES) break;
      if (slice.isOver()) await slice.next();
      const text = bodyOf(event, site);
      texts.push(text);
      bytes += Buffer.byteLength(text);
      shown = event.sequence;
    }
    if (bytes < MAX_PAGE_BYTES) shown = until;
  }
  return `{"events":[${texts.join()}],"has_more":${shown < lastSequence},"status":${JSON.stringify(status)}}`;
}
