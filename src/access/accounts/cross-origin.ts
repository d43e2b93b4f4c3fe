import type { IncomingHttpHeaders } from 'node:http';

/* CORS: pages of other origins that may call the service, never with cookies (docs/requests.md#publishable-keys). */

/**
 * Paths that pages of any origin may call, because their credential is a header that no browser adds by itself: MCP,
 * UCP, the endpoints that programs call without a customer, and the metadata that leads to them.
 */
const FOR_ANY_ORIGIN =
  /^\/(?:mcp|ucp(?:\/.*)?|oauth\/(?:token|register|revoke)|\.well-known\/(?:ucp|openid-configuration|oauth-.*))$/;

export const isForAnyOrigin = (path: string): boolean => FOR_ANY_ORIGIN.test(path);

const DAY_SECONDS = 86_400;
/** Headers of answers that pages may read. */
const EXPOSED =
  'content-digest, doorstep-warning, etag, mcp-protocol-version, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, signature, signature-input, www-authenticate, x-request-id';
/** Headers that pages may send. */
const ALLOWED = 'authorization, content-type, doorstep-strict, id-token, idempotency-key, if-none-match';
/** The `*` stands for headers that MCP derives from a tool's arguments; browsers read `authorization` by its name only. */
const ALLOWED_OF_ANY = `${ALLOWED}, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, ucp-agent, x-api-key, *`;

/** Returns the CORS headers of a response for a page of the origin. */
export function corsHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' };
}

/** Returns the CORS headers of the response to a preflight. */
export function preflightHeaders(origin: string, isAny: boolean): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': isAny ? 'GET, POST, PUT, DELETE' : 'GET, POST',
    'access-control-allow-headers': isAny ? ALLOWED_OF_ANY : ALLOWED,
    'access-control-max-age': `${DAY_SECONDS}`,
    vary: 'origin',
  };
}

/** Returns the origin of a preflight; undefined for any other request. */
export function preflightOrigin(method: string, headers: IncomingHttpHeaders): string | undefined {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return isPreflight ? headers.origin : undefined;
}
