import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import { contentAnswer } from '../http/content-answers.ts';
import { beginEventStream } from '../http/event-stream.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { StreamSlots } from '../load/stream-slots.ts';
import type { AuthenticateConsole } from './authenticate-console.hook.ts';
import { recordFetchedBy } from './list-store-orders.route.ts';
import { type LinkDeps, presentForStore } from './present-for-store.ts';
import type { StoreOrderFeed, StoreWatcher } from './store-order-feed.cache.ts';

const RETRY_MS = 1000;
const RETRY_SPREAD_MS = 1000;

const schema = {
  operationId: 'streamStoreOrders',
  tags: ['Store'],
  summary: "The changes of the store's orders, as server-sent events",
  description:
    'Event `order`: an order that is new or has changed, as it is now. Event `resync`, also right after the connection: read GET /store/orders, something may have been missed.',
  response: { 200: contentAnswer('Events `order` and `resync`.', ['text/event-stream']) },
};
const config = { audience: 'store', refuses: ['not_ready'] } as const;
/** A link is of one order, so that its holder must not take the places of the store's own consoles. */
const MAX_OF_SOURCE = { key: 20, session: 10, operator: 20, link: 5 } as const;

type Needs = LinkDeps & {
  clock: Clock;
  log: Logger;
  db: Db;
  jobs: Jobs;
  metrics: Metrics;
  storeOrders: StoreOrderFeed;
  streamSlots: StreamSlots;
  authenticateConsole: AuthenticateConsole;
};

/** GET /store/orders/stream. */
export function streamStoreOrdersRoute(http: Http, deps: Needs): void {
  const { storeOrders } = deps;
  deps.metrics.gauge('doorstep_open_consoles', 'Open streams of store orders.', storeOrders.watcherCount);
  // A stream has no end of its own: an open stream would delay the end of the process.
  http.addHook('preClose', () => storeOrders.close());
  http.get('/store/orders/stream', { schema, config, exposeHeadRoute: false }, async (request, reply) => {
    const { merchant, client } = request;
    if (!storeOrders.hasRoom(merchant.storeId)) {
      throw new Refusal('not_ready', 'Too many consoles are open.', { headers: { 'retry-after': '30' } });
    }
    const giveBack = deps.streamSlots.take({ client, link: merchant.id, maxOfLink: MAX_OF_SOURCE[merchant.source] });
    const stream = beginEventStream(reply, RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS));
    if (!stream) return giveBack();
    stream.onClose(giveBack);
    const { write } = stream;
    write('event: resync\ndata: {}\n\n');
    const watcher: StoreWatcher = {
      send(orders) {
        for (const order of orders) {
          write(`event: order\ndata: ${JSON.stringify(presentForStore(deps, order))}\n\n`);
        }
        recordFetchedBy(deps, merchant, orders).catch((error) =>
          deps.log.warn({ err: error }, 'orders that a console has were not recorded'),
        );
      },
      resync: () => write('event: resync\ndata: {}\n\n'),
      beat() {
        // A key or session that is revoked meanwhile ends its stream.
        deps.authenticateConsole(request, 'store').then(
          () => write(':\n\n'),
          () => stream.end(),
        );
      },
      end: stream.end,
    };
    stream.onClose(storeOrders.watch(merchant, watcher));
  });
}
