import type { TrackingSite } from '../accounts/tracking-site.ts';
import type { Sql } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { isSliceOver, nextSlice } from '../load/event-loop-scheduler.ts';
import type { Order } from '../orders/order.ts';
import { type EventKey, findEvents, type LoggedEvent } from '../orders/order-events.db.ts';
import { MAX_PAGE_BYTES } from '../orders/order-pages.ts';
import { findNewEvents, takeSnapshot } from './account-events.db.ts';
import { bodyOf } from './call-body.ts';
import { type LogPosition, readPosition, writePosition } from './log-position.ts';
import type { Owner } from './webhook.ts';

/** An event may wait for its dispatch, while no worker runs, for so long and is still told. */
const LATE_HOURS = 24;

type Deps = EventBodiesDeps & { clock: Clock };

/**
 * A page of the events of an account since a position, each as the body of its webhook call, as JSON. Without a position
 * the page is empty, and its `next` is the present. Refuses with invalid_request where the position is none.
 */
export async function accountEventsPage(deps: Deps, owner: Owner, after: string | undefined): Promise<string> {
  const position = after === undefined ? undefined : readPosition(after);
  const { snapshot, hasOlder } = await takeSnapshot(deps.db, owner);
  const nowMs = deps.clock.now().epochMilliseconds;
  const end = position?.look ?? { until: snapshot, untilMs: nowMs };
  const reached: LogPosition = { seen: end.until, seenMs: end.untilMs, look: null };
  if (!position || position.seen === end.until) return answerOf([], reached, hasOlder);
  const keys = await findNewEvents(deps.db, owner, {
    seen: position.seen,
    until: end.until,
    last: position.look?.last,
    limit: EVENTS_PER_PAGE + 1,
    from: Temporal.Instant.fromEpochMilliseconds(position.seenMs).subtract({ hours: LATE_HOURS }),
  });
  const { bodies, shown } = await readEventBodies(deps, keys.slice(0, EVENTS_PER_PAGE));
  const last = keys[shown - 1];
  const isEnd = shown === keys.length || !last;
  const next = isEnd ? reached : { ...position, look: { until: end.until, untilMs: end.untilMs, last } };
  return answerOf(bodies, next, hasOlder);
}

function answerOf(bodies: readonly string[], next: LogPosition, hasOlder: boolean): string {
  const members = { has_more: next.look !== null, next: writePosition(next), is_complete: !hasOlder };
  return `{"events":[${bodies.join()}],${JSON.stringify(members).slice(1)}`;
}

/** A page ends at so many events, or with the event that passes `MAX_PAGE_BYTES`. */
const EVENTS_PER_PAGE = 20;
/** Each event is read with its order, which may have some megabytes. */
const EVENTS_PER_READ = 4;

type EventBodiesDeps = { db: Sql; site: TrackingSite };

/**
 * Events as the bodies of their webhook calls, in the sequence of the keys, until the event that passes `MAX_PAGE_BYTES`.
 * `shown` counts the keys that the bodies are of.
 */
async function readEventBodies(
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

/**
 * The events of an order after a sequence, each as the body of its webhook call, as JSON. `has_more` says that further
 * events follow. The events are those of the moment at which the order was read, which `status` is of as well.
 */
export async function orderEventsPage(deps: EventBodiesDeps, order: Order, after: number): Promise<string> {
  const { orderId, status, lastSequence } = order;
  const count = Math.max(0, Math.min(EVENTS_PER_PAGE, lastSequence - after));
  const keys = Array.from({ length: count }, (_, n) => ({ orderId, sequence: after + n + 1 }));
  const { bodies, shown } = await readEventBodies(deps, keys);
  const hasMore = after + shown < lastSequence;
  return `{"events":[${bodies.join()}],"has_more":${hasMore},"status":${JSON.stringify(status)}}`;
}
