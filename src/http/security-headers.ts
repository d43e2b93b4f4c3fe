import type { HelmetOptions } from 'helmet';

type Option =
  | 'contentSecurityPolicy'
  | 'strictTransportSecurity'
  | 'referrerPolicy'
  | 'crossOriginOpenerPolicy'
  | 'crossOriginResourcePolicy'
  | 'originAgentCluster'
  | 'xDnsPrefetchControl'
  | 'xDownloadOptions'
  | 'xFrameOptions'
  | 'xPermittedCrossDomainPolicies'
  | 'xPoweredBy'
  | 'xXssProtection';

/** The options of `helmet` under one name each: the library takes older names too, and refuses both at once. */
export type SecurityOptions = { [Key in Option]?: NonNullable<HelmetOptions[Key]> };

/** Two years: browsers take a shorter promise of HTTPS for a trial. */
const HSTS_SECONDS = 63_072_000;

/** A browser that has once seen an https address of ours asks for that host over https alone, subdomains left out. */
export function strictTransport(baseUrl: string) {
  return baseUrl.startsWith('https:') && { maxAge: HSTS_SECONDS, includeSubDomains: false };
}

/**
 * Options of the reads that clients make most: an answer takes 35 µs, and the headers would add 5.
 * JSON, which no browser executes, needs none.
 */
export const HOT_READ = { helmet: false } as const;

/**
 * Headers of every answer that is no page: a browser that is led to it runs, loads, frames and guesses nothing. The
 * headers that are off concern documents alone, or browsers that are no longer in use.
 */
export function securityHeaders(baseUrl: string): SecurityOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    strictTransportSecurity: strictTransport(baseUrl),
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  };
}

/**
 * Headers of a page of ours: it loads, runs and contacts nothing but its own files, these images and these hosts; no other
 * site frames it, and its address, which may be a permission, is sent to no other site. `siteUrl` tells whether the site is on https.
 */
export function pageSecurity(
  siteUrl: string,
  images: readonly string[] = ["'self'"],
  contacts: readonly string[] = ["'self'"],
) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': [...images],
        'connect-src': [...contacts],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
      },
    },
    strictTransportSecurity: strictTransport(siteUrl),
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
  } satisfies SecurityOptions;
}
