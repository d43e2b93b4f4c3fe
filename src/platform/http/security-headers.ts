import type { FastifyReply } from 'fastify';
import { type ContentPolicy, policyText } from './content-policy.ts';
import { endpointOf } from './endpoint-of.ts';
import type { Http } from './http.ts';

/** Headers by name; undefined for a header missing here that every other response contains. */
export type SecurityHeaders = Readonly<Record<string, string | undefined>>;

/** Two years: browsers treat a shorter period as a trial. */
const HSTS_SECONDS = 63_072_000;

/**
 * Returns the headers of every response that is not a page: a browser that opens it runs, loads, frames and sniffs
 * nothing. HSTS: a browser that has seen an https address of ours uses only https for that host, without subdomains.
 */
export function securityHeaders(
  baseUrl: string,
  policy: ContentPolicy = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
): SecurityHeaders {
  return {
    'content-security-policy': policyText(policy),
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': baseUrl.startsWith('https:') ? `max-age=${HSTS_SECONDS}` : undefined,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/**
 * Returns the headers of our pages: only their own files, and what `more` allows; no framing; no referrer, because a
 * URL may be a credential. `siteUrl` tells whether the site uses https.
 */
export function pageSecurity(siteUrl: string, more: ContentPolicy = {}): SecurityHeaders {
  const policy = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    ...more,
  };
  return { ...securityHeaders(siteUrl, policy), 'cross-origin-opener-policy': 'same-origin' };
}

/**
 * Returns the headers of a page with a form, which may be sent to this site only, unless `more` says so. The referrer
 * is sent only to this site; without it, a browser would not send the form's origin.
 */
export function formPageSecurity(siteUrl: string, more: ContentPolicy = {}): SecurityHeaders {
  return { ...pageSecurity(siteUrl, { 'form-action': ["'self'"], ...more }), 'referrer-policy': 'same-origin' };
}

/** Headers of a picture that other sites may embed. */
export const SHOWN_ANYWHERE: SecurityHeaders = { 'cross-origin-resource-policy': 'cross-origin' };

/**
 * Omits the security headers of the most frequent reads: such a response takes 35 µs, and the headers would add 5.
 * Browsers do not execute JSON.
 */
export const WITHOUT_SECURITY_HEADERS = { security: false } as const;

declare module 'fastify' {
  interface RouteShorthandOptions {
    /** Headers that differ from the default; false for no security headers. */
    security?: SecurityHeaders | false;
  }
  interface RouteOptions {
    security?: SecurityHeaders | false;
  }
  interface FastifyContextConfig {
    security?: SecurityHeaders | false;
  }
  interface FastifyReply {
    /** Replaces security headers of the route. */
    setSecurity(headers: SecurityHeaders): void;
  }
}

/** Sets `headers` on all responses. A callback hook, because a promise would cost each request an event-loop turn. */
export function sendSecurityHeaders(http: Http, headers: SecurityHeaders): void {
  http.addHook('onRoute', (route) => {
    if (route.security === undefined) return;
    route.config = { ...route.config, security: route.security && { ...headers, ...route.security } };
  });
  http.addHook('onRequest', (request, reply, done) => {
    const own = endpointOf(request).config.security ?? headers;
    if (own) write(reply, own);
    done();
  });
  http.decorateReply('setSecurity', function (this: FastifyReply, changes: SecurityHeaders) {
    write(this, changes);
  });
}

function write({ raw }: FastifyReply, headers: SecurityHeaders): void {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
}
