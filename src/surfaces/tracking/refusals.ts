import { plainBranding } from '../../access/accounts/branding.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { RefusalCode } from '../../platform/http/refusal.ts';
import { type Locale, localeOf } from '../../platform/languages/catalogs.ts';
import { parseLanguage } from '../../platform/languages/language.ts';
import { pageLanguage } from '../../platform/languages/page-language.ts';
import { hostNameOf } from './brand.ts';
import type { SiteVisit, VisitHeaders } from './find-tracked.flow.ts';

/** Wording and branding of the pages for refused requests, on the tracking site and the checkout. */

export type PageRefusal = RefusalCode | 'internal_error';

type RefusalReason = 'busy' | 'unreadable' | 'unavailable';

/** The reason that a page gives for a refusal code. Codes not listed mean that the request is invalid. */
const REASONS: Readonly<Partial<Record<PageRefusal, RefusalReason>>> = {
  rate_limited: 'busy',
  not_ready: 'unavailable',
  upstream_unavailable: 'unavailable',
  payment_gateway_not_configured: 'unavailable',
  internal_error: 'unavailable',
};

export const reasonOf = (code: PageRefusal): RefusalReason => REASONS[code] ?? 'unreadable';

export function refusalWords({ words }: Locale, code: PageRefusal): { title: string; detail: string } {
  const { refused } = words.checkout;
  const reason = reasonOf(code);
  return { title: refused[`${reason}Title`], detail: refused[reason] };
}

/**
 * The site of a refused request, without a look-up because the service may be overloaded or its database unavailable.
 * The name of an account's own host replaces the brand, and the browser's language replaces the order's.
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
