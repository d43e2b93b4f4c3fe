import type { Logger } from 'pino';
import { operation } from '../../access/operations/operation.ts';
import type { AuthenticateConsole } from '../../access/sessions/authenticate-console.hook.ts';
import { recordFetched } from '../../fulfillment/store-channels/record-taken.flow.ts';
import type { Context } from '../../platform/db/context.ts';
import { contentAnswer } from '../../platform/http/content-answers.ts';
import { type EventStream, openEventStream } from '../../platform/http/event-stream.ts';
import type { Http } from '../../platform/http/http.ts';
import { type News, type Watcher, WatchFeed } from '../../platform/http/watch-feed.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { StreamSlots } from '../../platform/load/stream-slots.ts';
import { findWaiting, presentFound, type WaitingRows } from './find-waiting.flow.ts';
import { type Waiting, WaitingSchema } from './waiting.ts';

/** Delay after which a view that lost its stream reconnects. */
const RETRY_MS = 1000;
/** Polling interval while a view is open. One query per process serves any number of views. */
const READ_INTERVAL_MS = 1000;
/** Interval at which the session is checked and a quiet stream gets a heartbeat. */
const BEAT_MS = 5000;
const MAX_VIEWS = 200;
/** The topic of the list that all views share. */
const LIST = 'waiting';
/** Maximum open views per operator session, across windows and devices. */
const MAX_VIEWS_PER_SESSION = 20;
const streamSchema = {
  operationId: 'streamWaitingOrders',
  summary: 'Stream unconfirmed live orders as server-sent events',
  description:
    "Event `waiting`: the full list, sent initially and after each change. Event `beat`: no change. Event `failed`: the list couldn't be read.",
  response: { 200: contentAnswer('The events `waiting`, `beat` and `failed`.', ['text/event-stream']) },
};

type WaitingRoutesDeps = ListWaitingDeps & {
  log: Logger;
  authenticateConsole: AuthenticateConsole;
  streamSlots: StreamSlots;
};

export const listWaitingOrdersOperation = operation({
  endpoint: 'GET /orders/waiting',
  summary: 'List live orders that their stores have not confirmed',
  description:
    "An order that no channel has acknowledged rings. Listing an order here delivers it to its store's `operator` channel.",
  answer: WaitingSchema,
  on: { operator: { role: 'viewer' } },
}).run(async (deps: ListWaitingDeps) => {
  return readWaiting(deps);
});

export function waitingStreamRoute(http: Http, deps: WaitingRoutesDeps): void {
  const feed = createWaitingFeed(deps);
  // Streams do not end by themselves and would delay shutdown.
  http.addHook('preClose', () => feed.close());
  http.get(
    '/operator/orders/waiting/stream',
    {
      schema: streamSchema,
      config: { audience: 'operator', role: 'viewer', refuses: ['not_ready'] } as const,
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      feed.requireRoom(LIST);
      const { client, session } = request;
      const freeSlot = deps.streamSlots.take({ client, link: session.sessionId, maxOfLink: MAX_VIEWS_PER_SESSION });
      const stream = openEventStream(reply, { retryMs: RETRY_MS, chance: Math.random() });
      if (!stream) return freeSlot();
      stream.onClose(freeSlot);
      const isSignedIn = () => deps.authenticateConsole(request, 'operator');
      stream.onClose(feed.watch(LIST, '', newsWatcher(stream, isSignedIn)));
    },
  );
}

type ListNews = News & { list: Waiting };

/** Feeds the open views. The list's version is its text without the clock. */
function createWaitingFeed(deps: WaitingRoutesDeps): WatchFeed<ListNews> {
  const source = {
    name: 'views',
    maxStreams: MAX_VIEWS,
    pauseMs: READ_INTERVAL_MS,
    beatMs: BEAT_MS,
    async read() {
      const list = await readWaiting(deps);
      const { now: _, ...lasting } = list;
      return new Map([[LIST, { version: JSON.stringify(lasting), list }]]);
    },
  };
  return new WatchFeed<ListNews>(source, deps.log);
}

function newsWatcher(stream: EventStream, isSignedIn: () => Promise<void>): Watcher<ListNews> {
  const endUnlessSignedIn = () => void isSignedIn().catch(() => stream.end());
  return {
    send({ list }) {
      stream.send('waiting', JSON.stringify(list));
      endUnlessSignedIn();
    },
    beat(hasRead) {
      // A view must not look current if the list cannot be read.
      if (hasRead) stream.send('beat', '{}');
      endUnlessSignedIn();
    },
    miss: () => stream.send('failed', '{}'),
    end: () => stream.end(),
  };
}

type ListWaitingDeps = Context & { jobs: Jobs };

/** The waiting orders for operators. Listing them counts as delivery on the channel `operator`. */
async function readWaiting(deps: ListWaitingDeps): Promise<Waiting> {
  const now = deps.clock.now();
  const found = await findWaiting(deps.db, now);
  return presentFound((await takeFetchedOrders(deps, found)) ? await findWaiting(deps.db, now) : found);
}

/** Records delivery on the channel `operator`, store by store; returns true if any was new. */
async function takeFetchedOrders(deps: ListWaitingDeps, { offers }: WaitingRows): Promise<boolean> {
  const waiting = offers.filter(({ channel, state }) => channel === 'operator' && state === 'waiting');
  for (const [storeId, taken] of Map.groupBy(waiting, (offer) => offer.storeId)) {
    const orderIds = taken.map(({ orderId }) => orderId);
    await recordFetched(deps, storeId, orderIds, 'operator');
  }
  return waiting.length > 0;
}
