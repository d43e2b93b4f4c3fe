import { Type } from 'typebox';
import { siteForKey, type TrackingSite } from '../../access/accounts/tracking-site.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { operation } from '../../access/operations/operation.ts';
import { ORDER_STATUSES, type Order } from '../../ordering/order/order.ts';
import { type EventKey, findEvents } from '../../ordering/order/order-events.db.ts';
import { MAX_PAGE_BYTES } from '../../ordering/order/order-pages.ts';
import { requireOrder } from '../../ordering/order/require-order.flow.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { describedObject, optionalText, optionalWhole } from '../../platform/http/api-components.ts';
import { bytesAnswer, jsonBytes } from '../../platform/http/send-bytes.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { PAGE_WEIGHT } from '../../platform/load/pace-answers.hook.ts';
import { findNewEvents, MAX_ORDERS, takeSnapshot } from './account-events.db.ts';
import { type LogPosition, MAX_POSITION_LETTERS, readPosition, writePosition } from './log-position.ts';
import { type Owner, webhookBody } from './webhook.ts';
import { OrderEventSchema } from './webhook-schema.ts';

/** Requests per account that wait for an event; each holds a connection. */
const MAX_WAITING = 20;

type EventsDeps = { db: Db; clock: Clock; trackingSites: Pick<TrackingSites, 'siteOf'> };
const on = { account: { scope: 'read', config: { paceWeight: PAGE_WEIGHT } } } as const;

/** Polls the log of all an account's orders (docs/webhooks.md, ADR 38). */
const listEvents = operation({
  name: 'listEvents',
  endpoint: 'GET /account/events',
  summary: 'List new events of all orders',
  description: `Returns events of the account's ${MAX_ORDERS.toLocaleString('en-US')} newest orders since an earlier response, in the format of webhook deliveries, each exactly once. Without \`after\`, returns the present position to start from. Intended for development and small accounts: a webhook receives every event.`,
  query: Type.Object({
    after: optionalText(
      MAX_POSITION_LETTERS,
      "The previous response's `next`, unchanged. Earlier events are left out.",
    ),
  }),
  answer: bytesAnswer(
    describedObject('Up to 20 events, oldest first, ending early at 2 MiB. Empty without `after`.', {
      events: Type.Array(OrderEventSchema),
      has_more: Type.Boolean({ description: 'Whether more events are waiting. Request `next` immediately.' }),
      next: Type.String({ description: 'Send it as `after` to get the next events. Opaque, and valid for a day.' }),
      is_complete: Type.Boolean({
        description: '`false` if events of older orders are left out, because the account has too many orders.',
      }),
    }),
  ),
  largePages: ['pages of events', MAX_WAITING],
  on,
}).run(({ db, clock, trackingSites }: EventsDeps, { by: { caller }, inTurn, query }) =>
  inTurn(async () => {
    const deps = { db, clock, site: siteForKey(trackingSites, caller) };
    return jsonBytes(await accountEventsPage(deps, caller, query.after));
  }),
);

const MAX_WAITING_ORDER_PAGES = 100;
const MAX_SEQUENCE = 2_147_483_647;

/** An order's log after a `sequence`, for following the order (docs/webhooks.md, ADR 34). */
const listOrderEvents = operation({
  name: 'listOrderEvents',
  endpoint: 'GET /account/orders/:order_id/events',
  summary: "List an order's events",
  description:
    "Returns each event in the format of its webhook delivery, in order. To follow an order, send the last event's `sequence` as `after`.",
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: "The account's order." }) }),
  query: Type.Object({ after: optionalWhole(0, MAX_SEQUENCE, 'Returns only events after this `sequence`.') }),
  answer: bytesAnswer(
    describedObject("Up to 20 events, ending early at 2 MiB. Empty for an order that isn't placed.", {
      events: Type.Array(OrderEventSchema),
      has_more: Type.Boolean({ description: "Whether more follow. Send the page's last `sequence` as `after`." }),
      status: Type.Enum(ORDER_STATUSES, {
        description: "The order's current state. If `has_more` is false, it's the state right after the last event.",
      }),
    }),
  ),
  refuses: ['order_not_found'],
  largePages: ['pages of events', MAX_WAITING_ORDER_PAGES],
  on,
}).run(({ db, trackingSites }: EventsDeps, { by: { caller }, inTurn, params, query }) =>
  inTurn(async () => {
    const order = await requireOrder(db, params.order_id, caller);
    return jsonBytes(await orderEventsPage({ db, site: siteForKey(trackingSites, caller) }, order, query.after ?? 0));
  }),
);

export const EVENT_OPERATIONS = [listEvents, listOrderEvents];

/** How many hours a late event, dispatched after no worker ran, is still reported. */
const LATE_EVENT_HOURS = 24;

/**
 * Returns a page of an account's events after a position, as webhook bodies in JSON. Without a position, the page is
 * empty and `next` is the present. Refuses an invalid position with `invalid_request`.
 */
async function accountEventsPage(deps: EventBodiesDeps & { clock: Clock }, owner: Owner, after: string | undefined) {
  const position = after === undefined ? undefined : readPosition(after);
  const { snapshot, hasOlder } = await takeSnapshot(deps.db, owner);
  const nowMs = deps.clock.now().epochMilliseconds;
  const end = position?.poll ?? { until: snapshot, untilMs: nowMs };
  const reached: LogPosition = { seen: end.until, seenMs: end.untilMs, poll: null };
  if (!position || position.seen === end.until) return eventsPage([], reached, hasOlder);
  const keys = await findNewEvents(deps.db, owner, {
    seen: position.seen,
    until: end.until,
    last: position.poll?.last,
    limit: EVENTS_PER_PAGE + 1,
    from: Temporal.Instant.fromEpochMilliseconds(position.seenMs).subtract({ hours: LATE_EVENT_HOURS }),
  });
  const { bodies, shown } = await readEventBodies(deps, keys.slice(0, EVENTS_PER_PAGE));
  const last = keys[shown - 1];
  const isEnd = shown === keys.length || !last;
  const next = isEnd ? reached : { ...position, poll: { until: end.until, untilMs: end.untilMs, last } };
  return eventsPage(bodies, next, hasOlder);
}

function eventsPage(bodies: readonly string[], next: LogPosition, hasOlder: boolean): string {
  const members = { has_more: next.poll !== null, next: writePosition(next), is_complete: !hasOlder };
  return `{"events":[${bodies.join()}],${JSON.stringify(members).slice(1)}`;
}

/** Maximum events per page, which also ends with the event that exceeds `MAX_PAGE_BYTES`. */
const EVENTS_PER_PAGE = 20;
/** Events per read; each is read with its order, which can be megabytes. */
const EVENTS_PER_READ = 4;

type EventBodiesDeps = { db: Sql; site: TrackingSite };

/**
 * Reads events as webhook bodies, in the order of the keys, up to the event that exceeds `MAX_PAGE_BYTES`. `shown`
 * is the number of keys covered.
 */
async function readEventBodies({ db, site }: EventBodiesDeps, keys: readonly EventKey[]) {
  const bodies: string[] = [];
  let bytes = 0;
  let shown = 0;
  while (shown < keys.length && bytes < MAX_PAGE_BYTES) {
    const batch = keys.slice(shown, shown + EVENTS_PER_READ);
    const found = new Map(
      (await findEvents(db, batch)).map((event) => [eventKey(event.order.orderId, event.sequence), event]),
    );
    for (const key of batch) {
      if (bytes >= MAX_PAGE_BYTES) break;
      if (isSliceOver()) await nextSlice();
      shown += 1;
      const event = found.get(eventKey(key.orderId, key.sequence));
      if (!event) continue;
      const body = webhookBody(event, site);
      bodies.push(body);
      bytes += Buffer.byteLength(body);
    }
  }
  return { bodies, shown };
}

const eventKey = (orderId: string, sequence: number) => `${orderId} ${sequence}`;

/**
 * Returns an order's events after a `sequence`, as webhook bodies in JSON. `has_more` tells whether further events
 * follow. Events and `status` are from the same read of the order.
 */
async function orderEventsPage(deps: EventBodiesDeps, order: Order, after: number): Promise<string> {
  const { orderId, status, lastSequence } = order;
  const count = Math.max(0, Math.min(EVENTS_PER_PAGE, lastSequence - after));
  const keys = Array.from({ length: count }, (_, n) => ({ orderId, sequence: after + n + 1 }));
  const { bodies, shown } = await readEventBodies(deps, keys);
  const hasMore = after + shown < lastSequence;
  return `{"events":[${bodies.join()}],"has_more":${hasMore},"status":${JSON.stringify(status)}}`;
}
