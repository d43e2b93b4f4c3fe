import type { Logger } from 'pino';
import { Type } from 'typebox';
import { parseMapApp } from '../../fulfillment/deliveries/map-link.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import { isSettled } from '../../ordering/order/order-view.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import { type EventStream, openEventStream } from '../../platform/http/event-stream.ts';
import type { Http } from '../../platform/http/http.ts';
import { type News, type Watcher, WatchFeed } from '../../platform/http/watch-feed.ts';
import { DEFAULT_LANGUAGE, type Language, parseLanguage } from '../../platform/languages/language.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { StreamSlots } from '../../platform/load/stream-slots.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { DEFAULT_BRAND, siteSecurity } from './brand.ts';
import { findTracked, LinkSchema } from './find-tracked.flow.ts';
import { liveMessage, type RenderedOrderPage, renderOrderPage } from './live-order.ts';
import type { Visitor } from './tracked-order.ts';
import { findTrackedOrders, listVersions } from './tracked-orders.db.ts';

/**
 * Polling interval for the versions of all watched orders, so that a page shows a change well within a second.
 */
const POLL_MS = 250;
/** Maximum open pages per process; each is a socket and a few kilobytes. Further pages poll. */
const MAX_PAGES = 10_000;
/** Maximum unread bytes per stream. A page is small, so a client with more unread has probably disconnected. */
const MAX_UNREAD_BYTES = 64 * 1024;
const RETRY_MS = 2000;
const MAX_VERSION_LENGTH = 20;
/** Maximum streams per order, more than a family and its neighbors open. */
const MAX_STREAMS_PER_ORDER = 50;

const LAST_EVENT_ID = {
  'Last-Event-ID': {
    type: 'string',
    description: "The ID of the page's last event. Takes precedence over `version`.",
  },
};

const Query = Type.Object({
  ...LinkSchema.properties,
  version: Type.Optional(Type.String({ description: 'The version that the page shows.' })),
});

type TrackingEventsDeps = { config: Config; clock: Clock; log: Logger; db: Db; metrics: Metrics } & {
  streamSlots: StreamSlots;
  tokens: TokenSealer;
};

/** GET {tracking_url}/tracking/events streams the changes of an order's page as server-sent events. */
export function trackingEventsRoute(http: Http, deps: TrackingEventsDeps): void {
  const feed = createTrackingFeed(deps);
  deps.metrics.gauge('doorstep_tracking_pages', 'Open tracking pages.', () => feed.streamCount);
  // Ends open streams at shutdown, which they would otherwise delay.
  http.addHook('preClose', () => feed.close());
  const schema = {
    operationId: 'streamTrackingPage',
    summary: 'Stream changes to the tracking page as server-sent events',
    description:
      'The page connects once, and again after a lost connection. `Last-Event-ID` or `version` skips the state that the page already shows.',
    example: { query: { tracking_id: '{order_id}' } },
    querystring: Query,
    response: {
      200: contentAnswer("Events `order`: the page's changed fragments.", ['text/event-stream']),
      204: emptyAnswer("The page shows its order's final state, so it should not reconnect."),
    },
  };
  const options = {
    schema,
    config: {
      public: true,
      refuses: ['order_not_found', 'rate_limited', 'not_ready'],
      readsHeaders: LAST_EVENT_ID,
    } as const,
    exposeHeadRoute: false,
    security: siteSecurity(deps.config, DEFAULT_BRAND),
  };
  http.get('/tracking/events', options, async ({ query, headers, client }, reply) => {
    const visit = await findTracked(deps, headers, query);
    const { tracked } = visit;
    if (!tracked) throw orderNotFound();
    const known = versionOf(headers['last-event-id']) ?? versionOf(query.version) ?? '';
    // 204 makes a browser stop reconnecting.
    if (isSettled(tracked.order) && known === tracked.version) return reply.code(204).send(undefined);
    const topic = topicOf(tracked.order.orderId, visit, visit.locale.language);
    feed.requireRoom(topic);
    const freeSlot = deps.streamSlots.take({ client, link: tracked.order.orderId, maxOfLink: MAX_STREAMS_PER_ORDER });
    const stream = openEventStream(reply, {
      retryMs: RETRY_MS,
      chance: Math.random(),
      maxUnreadBytes: MAX_UNREAD_BYTES,
    });
    // The visitor may have left during the look-up, and a watch on a closed connection would never end.
    if (!stream) return freeSlot();
    stream.onClose(freeSlot);
    stream.onClose(feed.watch(topic, known, watcherOf(stream)));
  });
}

/** An order in the form that all its pages with the same key and language share. */
export type PageNews = News & { order: RenderedOrderPage; now: Temporal.Instant };

/** Feeds the open pages: one statement for all watched orders, and one rendering per order, key and language. */
export function createTrackingFeed(deps: Pick<TrackingEventsDeps, 'db' | 'clock' | 'log'>): WatchFeed<PageNews> {
  const { db, clock, log } = deps;
  const source = {
    name: 'tracking pages',
    maxStreams: MAX_PAGES,
    pauseMs: POLL_MS,
    async listVersions(topics: readonly string[]) {
      const found = await listVersions(db, orderIdsOf(topics));
      const versions = new Map<string, string>();
      for (const topic of topics) {
        const version = found.get(pageOf(topic).orderId);
        if (version !== undefined) versions.set(topic, version);
      }
      return versions;
    },
    async read(topics: readonly string[]) {
      const found = await findTrackedOrders(db, orderIdsOf(topics));
      const orders = new Map(found.map((tracked) => [tracked.order.orderId, tracked]));
      const now = clock.now();
      const news = new Map<string, PageNews>();
      for (const topic of topics) {
        const { orderId, visitor, language } = pageOf(topic);
        const tracked = orders.get(orderId);
        if (!tracked) continue;
        const locale = localeOf(language, tracked.order.quote.store.country);
        news.set(topic, { version: tracked.version, order: renderOrderPage(tracked, visitor, locale, now), now });
      }
      return news;
    },
  };
  return new WatchFeed<PageNews>(source, log);
}

/** Names the topic of a page: an order in a language, for its customer (with the key) or for a read-only visitor. */
export function topicOf(orderId: string, { key, lang, maps }: Visitor, language: Language): string {
  return [orderId, key ?? '', lang ?? '', maps, language].join(' ');
}

function pageOf(topic: string): { orderId: string; visitor: Visitor; language: Language } {
  const [orderId = '', key = '', lang, maps, language] = topic.split(' ');
  const visitor = { key: key === '' ? null : key, lang: parseLanguage(lang), maps: parseMapApp(maps) };
  return { orderId, visitor, language: parseLanguage(language) ?? DEFAULT_LANGUAGE };
}

const orderIdsOf = (topics: readonly string[]): string[] => [...new Set(topics.map((topic) => pageOf(topic).orderId))];

function watcherOf(stream: EventStream): Watcher<PageNews> {
  return {
    send(news, before) {
      stream.send('order', JSON.stringify(liveMessage(news.order, before?.order, news.now)), news.version);
      if (news.order.isSettled) stream.end();
    },
    beat: () => stream.beat(),
    // The next version that is read brings everything.
    miss: () => {},
    end: () => stream.end(),
  };
}

function versionOf(text: string | string[] | undefined): string | undefined {
  return typeof text === 'string' && text.length <= MAX_VERSION_LENGTH && /^\d+$/.test(text) ? text : undefined;
}
