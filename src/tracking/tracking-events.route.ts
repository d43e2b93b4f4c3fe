import type { Logger } from 'pino';
import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { contentAnswer, emptyAnswer } from '../http/content-answers.ts';
import { openEventStream } from '../http/event-stream.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import type { StreamSlots } from '../load/stream-slots.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { DEFAULT_BRAND } from './brand.ts';
import { findTracked, LinkSchema } from './find-tracked.flow.ts';
import { siteSecurity } from './page-headers.ts';
import { streamWriter } from './stream-writer.ts';
import { isSettled } from './tracked-order.ts';
import { createTrackingFeed } from './tracking-feed.cache.ts';

const RETRY_MS = 2000;
const RETRY_SPREAD_MS = 3000;
const MAX_VERSION_LENGTH = 20;
/** More than a family and its neighbours look at. */
const MAX_PAGES_OF_AN_ORDER = 50;

const LAST_EVENT_ID = {
  'Last-Event-ID': {
    type: 'string',
    description: 'The id of the last event that the page has; goes before `version`.',
  },
};

const Query = Type.Object({
  ...LinkSchema.properties,
  version: Type.Optional(Type.String({ description: 'What the page shows already.' })),
});

type Needs = { config: Config; clock: Clock; log: Logger; db: Db; metrics: Metrics } & {
  streamSlots: StreamSlots;
  tokens: TokenSealer;
};

/** GET {tracking_url}/tracking/events: the changes of an order's page as server-sent events. */
export function trackingEventsRoute(http: Http, deps: Needs): void {
  const feed = createTrackingFeed(deps);
  deps.metrics.gauge('doorstep_tracking_pages', 'Open tracking pages.', feed.watcherCount);
  // A stream has no end of its own: an open stream would delay the end of the process.
  http.addHook('preClose', () => feed.close());
  const schema = {
    operationId: 'streamTrackingPage',
    tags: ['Tracking'],
    summary: 'What changes on the tracking page, as server-sent events',
    description:
      'The page connects once, and again after a lost connection. `Last-Event-ID`, or `version`, leaves out the state that the page shows already.',
    example: { query: { tracking_id: '{order_id}' } },
    querystring: Query,
    response: {
      200: contentAnswer('Events `order`: the fragments of the page that have changed.', ['text/event-stream']),
      204: emptyAnswer('The page shows the last state of its order: there is nothing to come back for.'),
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
    helmet: siteSecurity(deps.config, DEFAULT_BRAND),
  };
  http.get('/tracking/events', options, async ({ query, headers, client }, reply) => {
    const { tracked, key } = await findTracked(deps, headers.host, query);
    if (!tracked) throw orderNotFound();
    const known = versionOf(headers['last-event-id']) ?? versionOf(query.version) ?? '';
    // 204 tells a browser not to reconnect.
    if (isSettled(tracked.order) && known === tracked.version) return reply.code(204).send(undefined);
    if (!feed.hasRoom()) {
      throw new Refusal('not_ready', 'Too many pages are open; look again later.', {
        headers: { 'retry-after': '30' },
      });
    }
    const giveBack = deps.streamSlots.take({ client, link: tracked.order.orderId, maxOfLink: MAX_PAGES_OF_AN_ORDER });
    // The pages of an ending process must not reconnect in the same instant.
    const raw = openEventStream(reply, RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS));
    // The visitor may have left during the look-up: a watch on a closed connection would never end.
    if (!raw) return giveBack();
    const leave = feed.watch({ orderId: tracked.order.orderId, key }, known, streamWriter(raw));
    raw.once('close', leave).once('close', giveBack);
  });
}

function versionOf(text: string | string[] | undefined): string | undefined {
  return typeof text === 'string' && text.length <= MAX_VERSION_LENGTH && /^\d+$/.test(text) ? text : undefined;
}
