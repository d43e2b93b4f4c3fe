import { pageSecurity } from '../http/security-headers.ts';
import type { Brand } from './brand.ts';

export type PageSettings = {
  /** The site's own address: its scheme says whether the site is reached over https. */
  trackingUrl: string;
  mapTilesUrl: string | undefined;
};

/** The page is kept nowhere, found by no search engine, and asks for no sensor or payment of the device. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept, host',
};

/** Security headers of the site: beside its own files a page loads the brand's logo and the map's tiles. */
export function siteSecurity({ trackingUrl, mapTilesUrl }: PageSettings, { logoUrl }: Brand) {
  const images = ["'self'", 'data:', tileSource(mapTilesUrl), originOf(logoUrl)].filter((source) => source !== '');
  return pageSecurity(trackingUrl, [...new Set(images)]);
}

/** The URL standard lets a host hold `;` and quotes, which a policy would read as its own: such a host is left out. */
function originOf(url: string | undefined): string {
  const origin = (url && URL.parse(url)?.origin) || '';
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : '';
}

/** `{s}` names one of several servers: any label may stand there. */
function tileSource(mapTilesUrl: string | undefined): string {
  const origin = originOf(mapTilesUrl?.replace(/^(https?:\/\/[^/]*)\{s\}/, '$1any-label').replaceAll(/[{}]/g, ''));
  return origin.replace(/\bany-label/, '*');
}
