import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { trackingLinkOf, trackingQuery } from '../../access/accounts/tracking-site.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { readCookie } from '../../access/customers/browser.ts';
import type { Customer } from '../../access/customers/customer.ts';
import { findSessionCustomer } from '../../access/customers/customers.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { CreateOrderDeps, OrderDeps } from '../../ordering/order/order-deps.ts';
import { buildReturnUrl, type CheckoutStatus } from '../../ordering/payments/card-setup.ts';
import type { Wallets } from '../../ordering/payments/payment-gateway.ts';
import { findCheckoutOrder, signInOn } from '../../ordering/place/checkout.flow.ts';
import type { RefusalPage } from '../../platform/http/http.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import { reasonOf } from '../../texts/refusals.ts';
import { formSecurity, PAGE_HEADERS } from '../tracking/brand.ts';
import {
  findTracked,
  type LinkSchema,
  type SiteVisit,
  unknownSite,
  type VisitHeaders,
  visitSite,
} from '../tracking/find-tracked.flow.ts';
import { signInSiteAt } from '../tracking/own-host.hook.ts';
import { basePathOf, homeUrlOf, siteFrame } from '../tracking/site-frame.flow.ts';
import { type CheckoutFrame, refusedPage } from './checkout.page.ts';

/* A visit of the checkout's pages: its order and customer, its frame, and the headers of its response. */

const FOLDER = join(import.meta.dirname, '../../../web/checkout');
export const checkoutFiles = bundleOnce(FOLDER, { script: 'page.ts', style: 'page.css', icon: '../tracking/icon.svg' });

/** The path of the page's files. */
export const FILES = '/checkout/assets';

export type Deps = CreateOrderDeps &
  Pick<OrderDeps, 'trackingSites'> & {
    trackingSites: Pick<TrackingSites, 'ownHosts'>;
    /** The module of the gateway's wallets. */
    walletFiles?: ReturnType<typeof bundleOnce<'script'>> | undefined;
  };

/**
 * The page of a refused request: with the visit already begun, otherwise with the link's order if the request was
 * invalid. Skips the look-up if the service is busy or unavailable.
 */
export const checkoutRefusalPage =
  (deps: Deps): RefusalPage =>
  async (request, reply, code) => {
    const { link } = (request.params ?? {}) as { link?: string };
    const site = unknownSite(deps.trackingSites, request);
    const begin = (page = 'again') =>
      reasonOf(code) === 'unreadable'
        ? beginVisit(deps, { query: { lang: site.lang }, headers: request.headers, params: { link: page } }, reply)
        : frameVisit(deps, site, undefined, page, reply);
    const { frame } = visits.get(reply) ?? (await begin(link));
    return refusedPage(frame, code, link === undefined ? undefined : frame.ownPath);
  };

export type Visit = SiteVisit & {
  order: Order | undefined;
  frame: CheckoutFrame;
  /** Where the order's customer can sign in, and who has; absent where no one can. */
  signIn?: { path: string; customer: Customer | undefined } | undefined;
};

/** A visit whose order can still be placed. */
export type LiveVisit = Visit & { order: Order };

/** Visits begun, by reply, so that a later error keeps the brand and language. */
const visits = new WeakMap<FastifyReply, Visit>();

type VisitRequest = { query: { lang?: string | undefined }; headers: VisitHeaders };

/** The order of a link, and the frame of its page. */
export async function beginVisit(
  deps: Deps,
  { query, headers, params: { link } }: VisitRequest & { params: { link: string } },
  reply: FastifyReply,
): Promise<Visit> {
  const found = await findCheckoutOrder(deps, link);
  const site = await visitSite(deps.db, headers, found, query.lang);
  const order = site.orderId === undefined ? undefined : found;
  const visit = await frameVisit(deps, site, order, link, reply);
  visit.signIn =
    order && (await findSignIn(deps, headers, order, { checkout: link, ...(site.lang && { lang: site.lang }) }));
  return visit;
}

/** The sign-in of the order's account at the host of a visit, and the customer of the browser's session. */
async function findSignIn(
  { db, clock, config, trackingSites }: Deps,
  headers: VisitHeaders,
  order: Order,
  query: Record<string, string>,
) {
  const site = signInSiteAt(trackingSites, config, headers.host);
  if (site?.accountId !== order.accountId || site.mode !== order.mode) return undefined;
  const session = readCookie(headers.cookie, 'session', site.issuer);
  const found = await findSessionCustomer(db, session, site, clock.now());
  const who = signInOn(order, found);
  if (who === undefined) return undefined;
  const customer = who === 'anyone' || found?.userId === order.request.customer.userId ? found : undefined;
  return { path: `/profile?${new URLSearchParams(query)}`, customer };
}

/** The order of the customer's own tracking link. */
export async function beginOwn(
  deps: Deps,
  { query, headers }: VisitRequest,
  link: Static<typeof LinkSchema>,
  reply: FastifyReply,
  { page, isFor }: { page: string; isFor: (order: Order) => boolean },
) {
  const { tracked, key, ...site } = await findTracked(deps, headers, { ...link, lang: query.lang });
  const order = tracked && key !== null && isFor(tracked.order) ? tracked.order : undefined;
  const languageQuery = order ? `${trackingQuery(order.orderId, key)}&` : '';
  return { visit: await frameVisit(deps, site, order, page, reply, languageQuery), key };
}

/** Creates the page's frame, and sets the headers of its response. */
async function frameVisit(
  deps: Deps,
  site: SiteVisit,
  order: Order | undefined,
  page: string,
  reply: FastifyReply,
  languageQuery = '',
): Promise<Visit> {
  const path = `${basePathOf(deps.config, site)}/checkout/${page}`;
  const frame: CheckoutFrame = {
    ...siteFrame(deps.config, site, 'checkout', await checkoutFiles()),
    homeUrl: homeUrlOf(site, order),
    languageQuery,
    ownPath: site.lang ? `${path}?lang=${site.lang}` : path,
  };
  const visit = { ...site, order, frame };
  visits.set(reply, visit);
  secure(deps, visit, reply);
  reply.header('content-language', site.locale.language).type('text/html; charset=utf-8');
  return visit;
}

/**
 * Sets the security headers. Browsers apply `form-action` to the redirect after a form, so it lists where the customer
 * continues after placing. With wallets, the page may load their library, which opens a window of its own.
 */
function secure(deps: Deps, { order, frame }: Visit, reply: FastifyReply): void {
  const urls = order ? [afterwards(deps, order), deps.trackingSites.siteOf(order.accountId).siteUrl] : [];
  const wallets = walletsOf(deps, order);
  const origins = new Set(urls.map((url) => new URL(url).origin));
  reply.headers(PAGE_HEADERS);
  reply.setSecurity(formSecurity(deps.config, frame.brand, origins, wallets?.sources));
  if (!wallets) return;
  const frames = (wallets.sources['frame-src'] ?? []).map((source) => `"${source}"`);
  const permissions = String(PAGE_HEADERS['permissions-policy']);
  reply.header('permissions-policy', permissions.replace('payment=()', `payment=(${['self', ...frames].join(' ')})`));
  reply.setSecurity({ 'cross-origin-opener-policy': 'same-origin-allow-popups' });
}

/** The wallets that can pay an order; none once it is placed, or where it is placed without a charge. */
export function walletsOf({ gateways }: Pick<Deps, 'gateways'>, order: Order | undefined): Wallets | undefined {
  return order?.status === 'unplaced' && order.request.chargeUser ? gateways[order.mode]?.wallets : undefined;
}

/** Where the customer continues after placing: the client's return URL, otherwise the order's page. */
export function afterwards({ trackingSites }: Deps, order: Order): string {
  const status = order.status === 'canceled' ? 'canceled' : 'placed';
  return returnTo(order, status) ?? trackingLinkOf(trackingSites.siteOf(order.accountId), order.orderId);
}

export function returnTo(
  { orderId, request: { checkoutReturnUrl } }: Order,
  status: CheckoutStatus,
): string | undefined {
  return checkoutReturnUrl && buildReturnUrl(checkoutReturnUrl, { order_id: orderId, status });
}
