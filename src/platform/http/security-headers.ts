import type { FastifyReply } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import { endpointOf } from './endpoint-of.ts';
import type { Http } from './http.ts';

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

/** `helmet`'s options under one name each: the library also takes older names and refuses both at once. */
export type SecurityOptions = { [Key in Option]?: NonNullable<HelmetOptions[Key]> };

/** Two years: browsers treat a shorter period as a trial. */
const HSTS_SECONDS = 63_072_000;

/** HSTS: a browser that has seen an https address of ours uses only https for that host, without subdomains. */
export function strictTransport(baseUrl: string) {
  return baseUrl.startsWith('https:') && { maxAge: HSTS_SECONDS, includeSubDomains: false };
}

/**
 * Omits the security headers of the most frequent reads: such an answer takes 35 µs, and the headers would add 5.
 * Browsers do not execute JSON.
 */
export const WITHOUT_SECURITY_HEADERS = { helmet: false } as const;

/**
 * Headers of every answer that is not a page: a browser that opens it runs, loads, frames and sniffs nothing. The
 * disabled headers concern only pages or obsolete browsers.
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
 * Headers of our pages: only their own files, these images and these hosts; no framing; no referrer, because a URL may
 * be a credential. `siteUrl` tells whether the site uses https.
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

declare module 'fastify' {
  interface RouteShorthandOptions {
    /** Options that differ from the default; false for no security headers. */
    helmet?: SecurityOptions | false;
  }
  interface RouteOptions {
    helmet?: SecurityOptions | false;
  }
  interface FastifyContextConfig {
    helmet?: SecurityOptions | false;
  }
  interface FastifyReply {
    /** Rewrites the headers with options that differ from the route's. */
    helmet(options: SecurityOptions): void;
  }
}

type Header = readonly [name: string, value: string];

/**
 * Writes the headers of `options` on every answer. A route's headers are computed once, and a route without any costs
 * nothing. A callback hook, because a promise would cost each request a turn of the event loop.
 */
export function sendSecurityHeaders(http: Http, options: SecurityOptions): void {
  const everywhere = staticHeaders(options);
  const ofRoutes = new Map<SecurityOptions, readonly Header[]>();

  http.addHook('onRoute', (route) => {
    if (route.helmet === undefined) return;
    route.config = { ...route.config, helmet: route.helmet };
    if (route.helmet) ofRoutes.set(route.helmet, staticHeaders({ ...options, ...route.helmet }));
  });
  http.addHook('onRequest', (request, reply, done) => {
    const own = endpointOf(request).config.helmet;
    if (own === undefined) write(reply, everywhere);
    else if (own) write(reply, ofRoutes.get(own) ?? everywhere);
    done();
  });
  http.decorateReply('helmet', function (this: FastifyReply, changes: SecurityOptions) {
    const own = this.request.routeOptions.config.helmet;
    write(this, staticHeaders({ ...options, ...(own || {}), ...changes }));
  });
}

function write({ raw }: FastifyReply, headers: readonly Header[]): void {
  for (const [name, value] of headers) raw.setHeader(name, value);
}

/** The library's headers, computed once, because no option here depends on the request. */
function staticHeaders(options: SecurityOptions): readonly Header[] {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet(options as Parameters<typeof helmet>[0])({} as never, answer as never, (error?: unknown) => {
    if (error) throw error;
  });
  return [...headers];
}
