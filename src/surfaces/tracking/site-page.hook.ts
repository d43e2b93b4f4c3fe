import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { RefusalPage } from '../../platform/http/http.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { DEFAULT_BRAND, type formSecurity, PAGE_HEADERS, siteSecurity } from './brand.ts';
import { unknownSite, type Visit } from './find-tracked.flow.ts';
import { readFrame } from './site-frame.flow.ts';
import { type Frame, lostPage, missingPage, refusedPage } from './tracking.page.ts';

/* The beginning of every tracking page: its frame and headers, and its error page. */

/** The defaults of a visit without an order's link. */
export const WITHOUT_ORDER = { tracked: undefined, key: null, maps: 'google' } as const;

/** Frames of begun pages, by reply, so that a later error keeps the brand, language and link. */
const frames = new WeakMap<FastifyReply, Frame>();

/** Begins a visitor's page: returns its frame, and sets the headers of its response. */
export async function beginPage(
  { config }: { config: Config },
  visit: Visit,
  reply: FastifyReply,
  security: typeof siteSecurity | typeof formSecurity = siteSecurity,
): Promise<Frame> {
  const frame = await readFrame(config, visit);
  frames.set(reply, frame);
  reply.setSecurity(security(config, frame.brand));
  reply.headers({ ...PAGE_HEADERS, 'content-language': visit.locale.language }).type('text/html; charset=utf-8');
  return frame;
}

/** Renders a refused request's page for browsers; without its order, it has no link back. */
export function refusalPageOf(deps: PageDeps): RefusalPage {
  return async (request, reply, code) =>
    refusedPage(frames.get(reply) ?? (await beginPage(deps, unknownVisit(deps, request), reply)), code);
}

type PageDeps = { config: Config; trackingSites: Pick<TrackingSites, 'ownHosts'> };

function unknownVisit({ trackingSites }: PageDeps, request: FastifyRequest): Visit {
  return { ...unknownSite(trackingSites, request), ...WITHOUT_ORDER };
}

/** Renders the page for an address that does not exist, with the way back: to the console, the shop, or the start. */
export function missingPageOf(deps: PageDeps): RefusalPage {
  return async (request, reply) => {
    const visit = unknownVisit(deps, request);
    const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '');
    const [place = ''] = /^\/(?:shop|shops\/acc_[\w-]{1,60}|console)(?=\/)/.exec(request.url) ?? [];
    return lostPage(await beginPage(deps, visit, reply), visit.isOwnHost ? '/' : `${base}${place}` || '/');
  };
}

/** Renders the page for a link without an order; programs get a problem document. */
export function missingOrProblem(frame: Frame, accept: string | undefined): string {
  if (prefersJson(accept)) throw orderNotFound();
  return missingPage(frame);
}

export type TrackingDeps = {
  config: Config;
  clock: Clock;
  db: Db;
  tokens: TokenSealer;
  trackingSites: Pick<TrackingSites, 'ownHosts'>;
};

/** Options of the routes that show an order by its link. */
export function linkOptions(deps: Pick<TrackingDeps, 'config' | 'trackingSites'>) {
  return {
    config: { public: true, refuses: ['order_not_found', 'not_ready'], refusalPage: refusalPageOf(deps) },
    security: siteSecurity(deps.config, DEFAULT_BRAND),
  } as const;
}
