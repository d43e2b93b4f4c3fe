import { Type } from 'typebox';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import { orderNotFound } from '../orders/order-not-found.ts';
import { brandOf, DEFAULT_BRAND } from './brand.ts';
import { findTracked, type Visit } from './find-tracked.flow.ts';
import { liveOrder } from './live-order.ts';
import { pageHeaders } from './page-headers.ts';
import { prefersJson } from './prefers-json.ts';
import { siteFiles } from './site-files.cache.ts';
import { type Frame, missingPage, trackingPage, unplacedPage } from './tracking.page.ts';

const Query = Type.Object({ tracking_id: Type.Optional(Type.String({ description: 'An order_id.' })) });

/** GET {tracking_url}/tracking?tracking_id=<order_id>: the page of an order. The link is the permission. */
export function trackingRoute(http: Http, deps: { config: Config; clock: Clock; db: Db }): void {
  const { config, clock } = deps;
  const schema = {
    operationId: 'readTrackingPage',
    tags: ['Tracking'],
    summary: 'The page that follows an order; the link is the permission',
    produces: ['text/html'],
    querystring: Query,
    response: {
      200: Type.String({ description: 'A page; of an unknown order a page too, with status 404.' }),
    } as Record<string, unknown>,
  };
  http.get(
    '/tracking',
    { schema, config: { public: true, refuses: ['order_not_found'] } },
    async ({ query, headers }, reply) => {
      const visit = await findTracked(deps, headers.host, query.tracking_id);
      const frame = await frameOf(deps, visit, query.tracking_id);
      reply.headers(pageHeaders(config, frame.brand));
      if (!visit.tracked && prefersJson(headers.accept)) throw orderNotFound();
      return reply
        .code(visit.tracked ? 200 : 404)
        .type('text/html; charset=utf-8')
        .send(pageOf(visit, frame, clock.now()));
    },
  );
}

function pageOf({ tracked }: Visit, frame: Frame, now: Temporal.Instant): string {
  if (!tracked) return missingPage(frame);
  const { orderId, mode } = tracked.order;
  const order = liveOrder(tracked, now);
  return order.isPlaced
    ? trackingPage(frame, orderId, order, mode === 'sandbox', now)
    : unplacedPage(frame, orderId, order, now);
}

/** Paths begin with that of TRACKING_URL, but on an account's own host, which is ours alone. */
async function frameOf({ config }: { config: Config }, visit: Visit, orderId: string | undefined): Promise<Frame> {
  const { branding, isOwnHost, tracked } = visit;
  const files = await siteFiles();
  const base = isOwnHost ? '' : new URL(config.trackingUrl).pathname.replace(/\/$/, '');
  const assetPath = (file: { name: string }) => `${base}/tracking/assets/${file.name}`;
  const favicon = tracked ? `${base}/tracking/favicon?tracking_id=${orderId}` : `${base}/tracking/favicon`;
  return {
    brand: branding ? brandOf(branding) : DEFAULT_BRAND,
    iconPath: branding?.favicon ? favicon : assetPath(files.icon),
    scriptPath: assetPath(files.script),
    stylePath: assetPath(files.style),
    mapScriptPath: assetPath(files.mapScript),
    mapStylePath: assetPath(files.mapStyle),
    eventsPath: `${base}/tracking/events`,
    mapTilesUrl: config.mapTilesUrl,
  };
}
