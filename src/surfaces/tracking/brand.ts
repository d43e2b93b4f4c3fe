import { safeHttpUrl } from 'doorstep/html';
import { brandColors, type SchemeColors } from '../../access/accounts/brand-colors.ts';
import { type Branding, DEFAULT_DISPLAY_NAME, displayNameOf } from '../../access/accounts/branding.ts';
import { mapPolicy, originOf } from '../../fulfillment/deliveries/street-map.ts';
import {
  type ContentPolicy,
  formPageSecurity,
  pageSecurity,
  type SecurityHeaders,
} from '../../platform/http/security-headers.ts';
import type { MapTiles } from '../../platform/lib/parse-setting.ts';

/**
 * An account's brand on the tracking site: its page content, its color as CSS, and the security headers that allow it.
 */

/** The part of an account's branding that every page of the site shows. */
export type Brand = { name: string; logoUrl: string | undefined; color: string | undefined };

export const DEFAULT_BRAND: Brand = { name: DEFAULT_DISPLAY_NAME, logoUrl: undefined, color: undefined };

/** Returns the brand of a page, without a logo whose URL is not http or https. */
export function brandOf(branding: Branding): Brand {
  return {
    name: displayNameOf(branding),
    logoUrl: safeHttpUrl(branding.logoUrl),
    color: branding.color ?? undefined,
  };
}

/** Returns the `Host` header without port, in lower case, without a final dot; empty if absent. */
export function hostNameOf(header: string | undefined): string {
  const url = header ? URL.parse(`http://${header}`) : null;
  return url?.hostname.replace(/\.$/, '').toLowerCase() ?? '';
}

/** Writes CSS custom properties that pass a brand's color to the styles of web/tracking. `color` is `#rrggbb`. */
export function brandStyle(color: string): string {
  const { button, onButton, light, dark } = brandColors(color);
  return `:root{${schemeStyle(light)}--button:${button};--on-button:${onButton}}
@media (prefers-color-scheme:dark){:root{${schemeStyle(dark)}}}
`;
}

function schemeStyle({ accent, onAccent, tint }: SchemeColors): string {
  return `--accent:${accent};--on-accent:${onAccent};--tint:${tint};`;
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

/** Returns what the site may load: its own files, the brand's logo, and tiles from the configured host. */
function sitePolicy({ mapTiles }: PageSettings, { logoUrl }: Brand): ContentPolicy {
  const [logoSource, policy] = [originOf(logoUrl), mapPolicy(mapTiles)];
  return { ...policy, 'img-src': [...(policy['img-src'] ?? []), ...(logoSource ? [logoSource] : [])] };
}

export const siteSecurity = (settings: PageSettings, brand: Brand): SecurityHeaders =>
  pageSecurity(settings.trackingUrl, sitePolicy(settings, brand));

/** Returns the headers of a page with a form. `targets` are the origins to which it may lead, apart from the site. */
export function formSecurity(settings: PageSettings, brand: Brand, targets: Iterable<string> = []): SecurityHeaders {
  return formPageSecurity(settings.trackingUrl, {
    ...sitePolicy(settings, brand),
    'form-action': ["'self'", ...targets],
  });
}
