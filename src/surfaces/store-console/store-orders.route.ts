import type { Logger } from 'pino';
import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { AuthenticateConsole } from '../../access/sessions/authenticate-console.hook.ts';
import type { Merchant } from '../../access/sessions/merchant.ts';
import { StoreOrderSchema } from '../../fulfillment/store-channels/present-store-order.ts';
import { ORDER_CHANGES_CHANNEL, parseOrderChanges } from '../../fulfillment/store-channels/received-orders.db.ts';
import { recordFetched } from '../../fulfillment/store-channels/record-taken.flow.ts';
import { findRefundsByOrder, type RefundsByOrder } from '../../ordering/money/refunds.db.ts';
import type { Order, OrderStatus } from '../../ordering/order/order.ts';
import { parseStatuses, statusParameter } from '../../ordering/order/status-parameter.ts';
import type { Db } from '../../platform/db/connect.ts';
import { Listener } from '../../platform/db/listen.ts';
import {
  describedObject,
  optionalFilter,
  optionalNumber,
  optionalText,
  orNull,
} from '../../platform/http/api-components.ts';
import { contentAnswer } from '../../platform/http/content-answers.ts';
import { openEventStream } from '../../platform/http/event-stream.ts';
import type { Http } from '../../platform/http/http.ts';
import { readCursor, writeCursor } from '../../platform/http/page-cursor.ts';
import { type News, WatchFeed } from '../../platform/http/watch-feed.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { instantOfEpochSeconds, LAST_EPOCH_S, parseMoment } from '../../platform/lib/time.ts';
import type { StreamSlots } from '../../platform/load/stream-slots.ts';
import { type LinkDeps, presentForStore, seesOrder } from './present-for-store.ts';
import { findTimeZone } from './read-sales.flow.ts';
import { FROM_DAY, readDays, TO_DAY } from './store-days.ts';
import { findOrdersByIds, listOffered, listStoreOrders, type OfferedOrder } from './store-orders.db.ts';

/**
 * A store's orders, as a list and as a stream of their changes. A stream sends only news: a console that may have
 * missed a change is sent `resync`, and reads the list.
 */

const DEFAULT_HOURS = 24;
const STATUSES: readonly OrderStatus[] = ['awaiting_confirmation', 'in_progress', 'completed', 'canceled'];

type ListOrdersDeps = LinkDeps & { db: Db; clock: Clock; jobs: Jobs };

/** Listing an order counts as delivery on the console. */
export const listStoreOrdersOperation = operation({
  name: 'listStoreOrders',
  endpoint: 'GET /orders',
  summary: "List the store's orders",
  description:
    "Lists the last 24 hours' orders and every order in progress, oldest first. Beyond 500 orders, older ended ones are left out. With `since`, lists only orders sent to the store since then. With `from`, lists those days' orders, newest first, in pages of 100. A live store key or console session returns live orders from every account. A sandbox one returns its account's sandbox orders.",
  query: Type.Object({
    status: statusParameter(STATUSES),
    since: optionalNumber(0, LAST_EPOCH_S, 'Returns only orders sent to the store since this time, in epoch seconds.'),
    from: Type.Optional(FROM_DAY),
    to: Type.Optional(TO_DAY),
    order_number: optionalFilter(10, 'With `from`: returns only orders with this number, such as A17.'),
    after: optionalText(200, 'With `from`: the `next` of the page before.'),
  }),
  answer: describedObject('Oldest first. With `from`, newest first.', {
    orders: Type.Array(StoreOrderSchema),
    next: Type.Optional(
      orNull(Type.String(), 'With `from`: send it as `after` to get older orders; null on the last page.'),
    ),
  }),
  on: { store: {} },
}).run(async (deps: ListOrdersDeps, { by: { merchant }, query }) => {
  const now = deps.clock.now();
  if (query.from !== undefined) return listDays(deps, merchant, { ...query, from: query.from }, now);
  const orders = await listStoreOrders(deps.db, merchant, {
    statuses: query.status === undefined ? undefined : parseStatuses(query.status),
    offeredSince: query.since === undefined ? undefined : instantOfEpochSeconds(query.since),
    placedSince: now.subtract({ hours: DEFAULT_HOURS }),
    now,
  });
  await recordConsoleFetch(deps, merchant, orders);
  const refunds = await findRefundsByOrder(deps.db, orders);
  return { orders: orders.map((order) => presentForStore(deps, order, refunds)) };
});

const PAGE_SIZE = 100;

type DaysQuery = { from: string; to?: string; status?: string; order_number?: string; after?: string };

/** A page of orders sent to the store on chosen days. Reading past orders acknowledges none. */
async function listDays(deps: ListOrdersDeps, merchant: Merchant, query: DaysQuery, now: Temporal.Instant) {
  const { start, end } = readDays(query, await findTimeZone(deps.db, merchant));
  const offered = await listOffered(deps.db, merchant, {
    statuses: query.status === undefined ? undefined : parseStatuses(query.status),
    now,
    start,
    end,
    orderNumber: query.order_number?.trim().replace(/^#/, '').toUpperCase(),
    after: query.after === undefined ? undefined : readAfter(query.after),
    limit: PAGE_SIZE + 1,
  });
  const page = offered.slice(0, PAGE_SIZE);
  const last = offered.length > PAGE_SIZE ? page.at(-1) : undefined;
  const orders = await findOrdersByIds(
    deps.db,
    page.map(({ orderId }) => orderId),
  );
  const refunds = await findRefundsByOrder(deps.db, orders);
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  return {
    orders: page
      .flatMap(({ orderId }) => byId.get(orderId) ?? [])
      .map((order) => presentForStore(deps, order, refunds)),
    next: last ? writeCursor(last.offeredAt.toString(), last.orderId) : null,
  };
}

const readAfter = (text: string) =>
  readCursor(text, { in: 'query', name: 'after' }, ([at, orderId]): OfferedOrder | undefined => {
    if (typeof at !== 'string' || typeof orderId !== 'string') return undefined;
    const offeredAt = parseMoment(at);
    return offeredAt && { offeredAt, orderId };
  });

/** Records that a console has fetched orders that wait for confirmation. */
async function recordConsoleFetch(
  deps: Pick<ListOrdersDeps, 'db' | 'clock' | 'jobs'>,
  { source, mode, storeId }: Merchant,
  orders: readonly { orderId: string; status: string; receivedAt: Temporal.Instant | null }[],
): Promise<void> {
  if (source !== 'session' || mode !== 'live') return;
  const waiting = orders.filter(({ status }) => status === 'awaiting_confirmation').map(({ orderId }) => orderId);
  await recordFetched(deps, storeId, waiting, 'console');
}

const RETRY_MS = 1000;
const MAX_CONSOLES = 10_000;
const MAX_CONSOLES_PER_STORE = 50;
const BATCH_SIZE = 100;
/** Milliseconds to gather changes, so that one statement reads them all. */
const GATHER_MS = 20;

/** A store's changed orders in their current state. */
type StoreNews = News & { orders: readonly Order[]; refunds: RefundsByOrder };
export type StoreOrderFeed = WatchFeed<StoreNews>;

const streamSchema = {
  operationId: 'streamStoreOrders',
  summary: "Stream changes of the store's orders as server-sent events",
  description:
    'Event `order`: the current state of a new or changed order. Event `resync`, also sent right after connecting: call GET /store/orders, because changes may have been missed.',
  response: { 200: contentAnswer('The events `order` and `resync`.', ['text/event-stream']) },
};
const streamConfig = { audience: 'store', refuses: ['not_ready'] } as const;
/**
 * Maximum streams per key, session, operator or link. A link is for one order, so its holder must not use up the
 * streams of the store's own consoles.
 */
const MAX_STREAMS_BY_SOURCE = { key: 20, session: 10, operator: 20, link: 5 } as const;

type OrderStreamDeps = LinkDeps & {
  clock: Clock;
  log: Logger;
  db: Db;
  jobs: Jobs;
  metrics: Metrics;
  storeOrders: StoreOrderFeed;
  streamSlots: StreamSlots;
  authenticateConsole: AuthenticateConsole;
};

/** Feeds the open consoles of this process. Listens for notifications of changed orders once a console is open. */
export function createStoreOrderFeed(deps: { db: Db; log: Logger; connectionString: string }): StoreOrderFeed {
  const { db, log, connectionString } = deps;
  /** Stores of changed orders that were not read yet, by order. */
  const changed = new Map<string, string>();
  let version = 0;
  const take = (payload: string) => {
    for (const { storeId, orderId } of parseOrderChanges(payload))
      if (feed.wake(storeId)) changed.set(orderId, storeId);
  };
  const feed: StoreOrderFeed = new WatchFeed<StoreNews>(
    {
      name: 'consoles',
      maxStreams: MAX_CONSOLES,
      maxOfTopic: MAX_CONSOLES_PER_STORE,
      pauseMs: GATHER_MS,
      follow: () =>
        new Listener({
          connectionString,
          channel: ORDER_CHANGES_CHANNEL,
          applicationName: 'doorstep-store-orders',
          log,
          onNotice: (payload) => (payload === undefined ? feed.miss() : take(payload)),
        }),
      async read(storeIds) {
        const ids = [...changed].filter(([, storeId]) => storeIds.includes(storeId)).map(([orderId]) => orderId);
        for (const id of ids) changed.delete(id);
        const orders: Order[] = [];
        for (let start = 0; start < ids.length; start += BATCH_SIZE) {
          orders.push(...(await findOrdersByIds(db, ids.slice(start, start + BATCH_SIZE))));
        }
        const refunds = await findRefundsByOrder(db, orders);
        version += 1;
        const byStore = Map.groupBy(orders, ({ storeId }) => storeId);
        const newsOf = (ofStore: readonly Order[]) => ({ version: `${version}`, orders: ofStore, refunds });
        return new Map([...byStore].map(([storeId, ofStore]) => [storeId, newsOf(ofStore)]));
      },
    },
    log,
  );
  return feed;
}

export function streamStoreOrdersRoute(http: Http, deps: OrderStreamDeps): void {
  const { storeOrders } = deps;
  deps.metrics.gauge('doorstep_open_consoles', 'Open streams of store orders.', () => storeOrders.streamCount);
  // Ends open streams at shutdown, which they would otherwise delay.
  http.addHook('preClose', () => storeOrders.close());
  http.get(
    '/store/orders/stream',
    { schema: streamSchema, config: streamConfig, exposeHeadRoute: false },
    async (request, reply) => {
      const { merchant, client } = request;
      storeOrders.requireRoom(merchant.storeId);
      const freeSlot = deps.streamSlots.take({
        client,
        link: merchant.id,
        maxOfLink: MAX_STREAMS_BY_SOURCE[merchant.source],
      });
      const stream = openEventStream(reply, { retryMs: RETRY_MS, chance: Math.random() });
      if (!stream) return freeSlot();
      stream.onClose(freeSlot);
      const resync = () => stream.send('resync', '{}');
      resync();
      const leave = storeOrders.watch(merchant.storeId, '', {
        send({ orders, refunds }) {
          const now = deps.clock.now();
          const seen = orders.filter((order) => seesOrder(merchant, order, now));
          if (seen.length === 0) return;
          for (const order of seen) stream.send('order', JSON.stringify(presentForStore(deps, order, refunds)));
          recordConsoleFetch(deps, merchant, seen).catch((err) =>
            deps.log.warn({ err }, 'orders that a console has were not recorded'),
          );
        },
        miss: resync,
        beat() {
          // If the key or session was revoked in the meantime, its stream ends.
          deps.authenticateConsole(request, 'store').then(
            () => stream.beat(),
            () => stream.end(),
          );
        },
        end: () => stream.end(),
      });
      stream.onClose(leave);
    },
  );
}
