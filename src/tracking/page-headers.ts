import type { Brand } from './brand.ts';

export type PageSettings = {
  /** The site's own address, which tells whether it is reached over https. */
  trackingUrl: string;
  mapTilesUrl: string | undefined;
};

/** Two years, as browsers ask of a host that means it. */
const HSTS = 'max-age=63072000';

/**
 * Headers of every page: nothing is loaded, run, framed or sent anywhere but what the page is made of (its own files,
 * the brand's logo, the map's tiles), nothing is kept, and the link, which is the permission, reaches nobody else.
 */
export function pageHeaders({ trackingUrl, mapTilesUrl }: PageSettings, { logoUrl }: Brand): Record<string, string> {
  const images = ["'self'", 'data:', tileSource(mapTilesUrl), originOf(logoUrl)].filter((source) => source !== '');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${[...new Set(images)].join(' ')}`,
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=(), usb=()',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    ...plainHeaders(trackingUrl),
    vary: 'accept, host',
  };
}

/** Of everything the site answers. */
export function plainHeaders(trackingUrl: string): Record<string, string> {
  const https = trackingUrl.startsWith('https:') ? { 'strict-transport-security': HSTS } : {};
  return { 'x-content-type-options': 'nosniff', ...https };
}

/** A host may hold `;` and quotes by the URL standard, and would be read as a part of the policy: such a one is left out. */
function originOf(url: string | undefined): string {
  const origin = (url && URL.parse(url)?.origin) || '';
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : '';
}

/** `{s}` names one of several servers: any label may stand there. */
function tileSource(mapTilesUrl: string | undefined): string {
  const origin = originOf(mapTilesUrl?.replace(/^(https?:\/\/[^/]*)\{s\}/, '$1any-label').replaceAll(/[{}]/g, ''));
  return origin.replace(/\bany-label/, '*');
}
