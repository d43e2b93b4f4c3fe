import { pageSecurity, type SecurityOptions } from '../http/security-headers.ts';
import type { MapTiles } from '../lib/parse-setting.ts';
import type { Brand } from './brand.ts';

export type PageSettings = {
  /** The site's own address: its scheme says whether the site is reached over https. */
  trackingUrl: string;
  mapTiles: MapTiles | undefined;
};

/** The page is kept nowhere, found by no search engine, and asks for no sensor or payment of the device. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept, host',
};

/** Security headers of the site: beside its own files a page loads the brand's logo, and tiles from the host that the operator names. */
export function siteSecurity({ trackingUrl, mapTiles }: PageSettings, { logoUrl }: Brand) {
  const [logoSource, tiles] = [originOf(logoUrl), tileSource(mapTiles)];
  const images = ["'self'", 'data:', ...(logoSource ? [logoSource] : [])];
  return pageSecurity(trackingUrl, images, ["'self'", ...(tiles ? [tiles] : [])]);
}

/**
 * Security headers of a page with a form: the form goes to this site alone. Without the referrer, which no other site gets,
 * a browser would not name the origin of the form.
 */
export function formSecurity(settings: PageSettings, brand: Brand) {
  const security = siteSecurity(settings, brand);
  const directives = { ...security.contentSecurityPolicy.directives, 'form-action': ["'self'"] };
  return {
    ...security,
    contentSecurityPolicy: { ...security.contentSecurityPolicy, directives },
    referrerPolicy: { policy: 'same-origin' },
  } satisfies SecurityOptions;
}

/** The URL standard lets a host hold `;` and quotes, which a policy would read as its own: such a host is left out. */
function originOf(url: string | undefined): string {
  const origin = (url && URL.parse(url)?.origin) || '';
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : '';
}

/** `{s}` names one of several servers: any label may stand there. */
function tileSource(tiles: MapTiles | undefined): string {
  if (!tiles || 'file' in tiles) return '';
  const origin = originOf(tiles.url.replace(/^(https?:\/\/[^/]*)\{s\}/, '$1any-label').replaceAll(/[{}]/g, ''));
  return origin.replace(/\bany-label/, '*');
}
