import type { TrackingSite } from '../accounts/tracking-site.ts';
import type { Sql } from '../db/connect.ts';
import { isSliceOver, nextSlice } from '../load/event-loop-scheduler.ts';
import { type EventKey, findEvents, type LoggedEvent } from '../orders/order-events.db.ts';
import { MAX_PAGE_BYTES } from '../orders/pages/order-pages.ts';
import { bodyOf } from './call-body.ts';

/** A page ends at so many events, or with the event that passes `MAX_PAGE_BYTES`. */
export const EVENTS_PER_PAGE = 20;
/** Each event is read with its order, which may have some megabytes. */
const EVENTS_PER_READ = 4;

export type EventBodiesDeps = { db: Sql; site: TrackingSite };

/**
 * Events as the bodies of their webhook calls, in the sequence of the keys, until the event that passes `MAX_PAGE_BYTES`.
 * `shown` counts the keys that the bodies are of.
 */
export async function readEventBodies(
  { db, site }: EventBodiesDeps,
  keys: readonly EventKey[],
): Promise<{ bodies: string[]; shown: number }> {
  const bodies: string[] = [];
  let bytes = 0;
  let shown = 0;
  while (shown < keys.length && bytes < MAX_PAGE_BYTES) {
    const asked = keys.slice(shown, shown + EVENTS_PER_READ);
    const found = new Map((await findEvents(db, asked)).map((event) => [nameOf(event.order.orderId, event), event]));
    for (const key of asked) {
      if (bytes >= MAX_PAGE_BYTES) break;
      if (isSliceOver()) await nextSlice();
      shown += 1;
      const event = found.get(nameOf(key.orderId, key));
      if (!event) continue;
      const body = bodyOf(event, site);
      bodies.push(body);
      bytes += Buffer.byteLength(body);
    }
  }
  return { bodies, shown };
}

function nameOf(orderId: string, { sequence }: Pick<LoggedEvent, 'sequence'>): string {
  return `${orderId} ${sequence}`;
}
