import { type Static, Type } from 'typebox';
import { type Branding, plainBranding } from '../../access/accounts/branding.ts';
import { findBranding, findBrandingByHost } from '../../access/accounts/brandings.db.ts';
import { isTrackingKey } from '../../access/accounts/tracking-site.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { mapAppOf } from '../../fulfillment/deliveries/map-link.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { type Language, parseLanguage } from '../../platform/languages/language.ts';
import { LANG, pageLanguage } from '../../platform/languages/page-language.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { hostNameOf } from './brand.ts';
import type { TrackedOrder, Visitor } from './tracked-order.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';

/** The query of a tracking link, which the form of the cancel page repeats. */
export const LinkSchema = Type.Object({
  tracking_id: Type.Optional(Type.String({ description: 'An order_id.' })),
  key: Type.Optional(
    Type.String({
      description: 'The key from `tracking_link`, which allows canceling. Without it, the page is read-only.',
    }),
  ),
  ...LANG,
});
export type SentLink = Omit<Static<typeof LinkSchema>, 'lang'> & { lang?: string | undefined };

/** A visit of an account's site: the order, the brand and the language. */
export type SiteVisit = {
  /** The order of the link, if the host may show it. */
  orderId: string | undefined;
  branding: Branding | undefined;
  isOwnHost: boolean;
  /** The language chosen on the page. */
  lang: Language | undefined;
  /** The locale of the page: the language chosen on it, otherwise the order's, the browser's or the account's. */
  locale: Locale;
};

export type VisitHeaders = Partial<Record<'host' | 'accept-language' | 'user-agent' | 'cookie', string | undefined>>;

/** Begins a visit. An account's own host shows its orders; every other host all orders, with their accounts' brands. */
export async function visitSite(
  db: Sql,
  { host, 'accept-language': accepted }: VisitHeaders,
  order: Pick<Order, 'orderId' | 'accountId' | 'request' | 'quote'> | undefined,
  sentLanguage: string | undefined,
): Promise<SiteVisit> {
  const name = hostNameOf(host);
  const own = name === '' ? undefined : await findBrandingByHost(db, name);
  const shown = own && order?.accountId !== own.accountId ? undefined : order;
  const branding = own ?? (shown && (await findBranding(db, shown.accountId)));
  const lang = parseLanguage(sentLanguage);
  const language = pageLanguage([lang, shown?.request.customer.language], accepted, branding?.language);
  return {
    orderId: shown?.orderId,
    branding,
    isOwnHost: own !== undefined,
    lang,
    locale: localeOf(language, shown?.quote.store.country ?? 'US'),
  };
}

/**
 * Returns the site of a refused request, without a look-up because the service may be overloaded or its database
 * unavailable. The name of an account's own host replaces the brand, and the browser's language replaces the order's.
 */
export function unknownSite(
  sites: Pick<TrackingSites, 'ownHosts'>,
  { headers, query }: { headers: VisitHeaders; query: unknown },
): SiteVisit {
  const host = hostNameOf(headers.host);
  const isOwnHost = sites.ownHosts().has(host);
  const { lang: sent } = query as { lang?: unknown };
  const lang = typeof sent === 'string' ? parseLanguage(sent) : undefined;
  return {
    orderId: undefined,
    branding: isOwnHost ? { ...plainBranding(''), displayName: host, trackingHost: host } : undefined,
    isOwnHost,
    lang,
    locale: localeOf(pageLanguage([lang], headers['accept-language']), 'US'),
  };
}

/** A visit of the tracking site, with the order of its link. */
export type Visit = Visitor & SiteVisit & { tracked: TrackedOrder | undefined };

const ORDER_ID = /^[\w-]{1,64}$/;

export async function findTracked(
  { db, tokens }: { db: Db; tokens: TokenSealer },
  headers: VisitHeaders,
  { tracking_id: orderId, key: sentKey, lang }: SentLink,
): Promise<Visit> {
  const found = orderId && ORDER_ID.test(orderId) ? await findTrackedOrder(db, orderId) : undefined;
  const site = await visitSite(db, headers, found?.order, lang);
  const tracked = site.orderId === undefined ? undefined : found;
  const isCustomer = tracked && sentKey && isTrackingKey(tokens, tracked.order.orderId, sentKey);
  return { ...site, tracked, key: isCustomer ? sentKey : null, maps: mapAppOf(headers['user-agent']) };
}
