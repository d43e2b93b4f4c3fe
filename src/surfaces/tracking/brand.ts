import { safeHttpUrl } from 'doorstep/html';
import { type Look, lookName } from '../../access/accounts/brand-look.ts';
import { type Branding, DEFAULT_DISPLAY_NAME, displayNameOf } from '../../access/accounts/branding.ts';
import { mapPolicy, originOf } from '../../fulfillment/deliveries/street-map.ts';
import type { ContentPolicy } from '../../platform/http/content-policy.ts';
import { formPageSecurity, pageSecurity, type SecurityHeaders } from '../../platform/http/security-headers.ts';
import type { MapTiles } from '../../platform/lib/parse-setting.ts';

/**
 * An account's brand on the tracking site: its page content, and the security headers that allow it.
 */

/** The part of an account's branding that every page of the site shows. `look` names its style sheet. */
export type Brand = {
  name: string;
  logoUrl: string | undefined;
  coverUrl?: string | undefined;
  welcome?: string | null;
  look: string | undefined;
  font: Look['font'];
};

export const DEFAULT_BRAND: Brand = { name: DEFAULT_DISPLAY_NAME, logoUrl: undefined, look: undefined, font: 'system' };

/** Returns a page's brand, without a logo whose URL is not http or https. */
export function brandOf(branding: Branding): Brand {
  return {
    name: displayNameOf(branding),
    logoUrl: safeHttpUrl(branding.logoUrl),
    coverUrl: safeHttpUrl(branding.coverUrl),
    welcome: branding.welcome,
    look: lookName(branding),
    font: branding.font,
  };
}

/** Returns the `Host` header without port, in lower case, without a final dot; empty if absent. */
export function hostNameOf(header: string | undefined): string {
  const url = header ? URL.parse(`http://${header}`) : null;
  return url?.hostname.replace(/\.$/, '').toLowerCase() ?? '';
}

type PageSettings = {
  /** The site's own URL, which decides whether it is served over https. */
  trackingUrl: string;
  mapTiles: MapTiles | undefined;
};

/** Pages are not cached or indexed, and use no sensor or payment feature of the device. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept, accept-language, host',
};

/** Returns the sources that the site may load: its own files, the brand's logo, and tiles from the configured host. */
function sitePolicy({ mapTiles }: PageSettings, { logoUrl, font }: Brand): ContentPolicy {
  const [logoSource, policy] = [originOf(logoUrl), mapPolicy(mapTiles)];
  return {
    ...policy,
    ...fontPolicy(font),
    'img-src': [...(policy['img-src'] ?? []), ...(logoSource ? [logoSource] : [])],
  };
}

/** A page with fonts of its own may load them of the site. */
export const fontPolicy = (font: Look['font']): ContentPolicy => (font === 'system' ? {} : { 'font-src': ["'self'"] });

export const siteSecurity = (settings: PageSettings, brand: Brand): SecurityHeaders =>
  pageSecurity(settings.trackingUrl, sitePolicy(settings, brand));

/**
 * Returns the headers of a page with a form. `targets` are the origins that it may lead to, apart from the site;
 * `more` are other sources of a page that loads a library.
 */
export function formSecurity(
  settings: PageSettings,
  brand: Brand,
  targets: Iterable<string> = [],
  more: ContentPolicy = {},
): SecurityHeaders {
  const site: ContentPolicy = sitePolicy(settings, brand);
  const added = Object.entries(more).map(([name, sources]) => [name, [...(site[name] ?? ["'self'"]), ...sources]]);
  return formPageSecurity(settings.trackingUrl, {
    ...site,
    ...Object.fromEntries(added),
    'form-action': ["'self'", ...targets],
  });
}
