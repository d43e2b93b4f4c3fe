import type { FastifyHelmetOptions } from '@fastify/helmet';
import { strictTransport } from '../http/security-headers.ts';
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

/**
 * Security headers of the site. A page loads, runs and contacts nothing but its own files, the brand's logo and the
 * map's tiles, no other site frames it, and its address, which is the permission, is sent to no other site.
 */
export function siteSecurity({ trackingUrl, mapTilesUrl }: PageSettings, { logoUrl }: Brand) {
  const images = ["'self'", 'data:', tileSource(mapTilesUrl), originOf(logoUrl)].filter((source) => source !== '');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': [...new Set(images)],
        'connect-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
      },
    },
    strictTransportSecurity: strictTransport(trackingUrl),
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
  } satisfies FastifyHelmetOptions;
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
