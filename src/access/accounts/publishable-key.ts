import type { IncomingHttpHeaders } from 'node:http';
import { type Fault, Refusal } from '../../platform/http/refusal.ts';
import { isLoopback } from '../../platform/lib/networks.ts';
import type { KeyCaller } from './account.ts';

/*
 * A publishable key is part of a page, where anyone can read it (docs/requests.md#publishable-keys). It is bound to the
 * origins of its pages, which only browsers enforce, and to hourly limits of each visitor's address.
 */

/** Maximum origins of a key. */
export const MAX_ORIGINS = 10;

/** A name or an address. The URL standard allows `*` and quotes in hosts, which no browser sends. */
const PLAIN_HOST = /^([\w.-]+|\[[\da-f:.]+\])$/;

/** Parses an origin as browsers send it: `https`, or `http` on this machine; undefined for any other text. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && !isLocal(url))) return undefined;
  return url.href === `${url.origin}/` && PLAIN_HOST.test(url.hostname) ? url.origin : undefined;
}

/** Whether the origin is a page of this machine, which a sandbox key need not list. */
export function isLocalOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.origin === origin && isLocal(url);
}

const isLocal = (url: URL) => url.protocol === 'http:' && isLoopback(url);

/** Whether a page of the origin may send the key. `siteUrl` is the account's own site, whose pages need no listing. */
export function takesOrigin({ origins, mode }: KeyCaller, origin: string, siteUrl: string): boolean {
  if (origins?.includes(origin)) return true;
  return (mode === 'sandbox' && isLocalOrigin(origin)) || origin === new URL(siteUrl).origin;
}

const DAY_SECONDS = 86_400;
/** Headers of answers that pages may read. */
const EXPOSED =
  'etag, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id, doorstep-warning';

/** Returns the CORS headers of an answer for a page of the origin. */
export function corsHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' };
}

/** Returns the CORS headers of the answer to a preflight. */
export function preflightHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers':
      'authorization, content-type, doorstep-strict, id-token, idempotency-key, if-none-match',
    'access-control-max-age': `${DAY_SECONDS}`,
    vary: 'origin',
  };
}

/** Returns the origin of a preflight; undefined for any other request. */
export function preflightOrigin(method: string, headers: IncomingHttpHeaders): string | undefined {
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return isPreflight ? headers.origin : undefined;
}

export function originNotAllowed(): Refusal {
  return new Refusal('origin_not_allowed', 'No publishable key lists this origin, or this key does not.');
}

/** Refuses a request for the first of these members, which a publishable key may not send. */
export function refuseMembers([name]: readonly string[], place: Fault['in'] = 'body'): void {
  if (name === undefined) return;
  throw new Refusal('key_is_publishable', `A publishable key may not send \`${name}\`.`, {
    errors: [{ in: place, name, message: 'is not for a publishable key' }],
  });
}
