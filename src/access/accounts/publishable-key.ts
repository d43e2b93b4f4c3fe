import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../platform/config/config.ts';
import type { Client } from '../../platform/http/client-of.ts';
import { type Fault, Refusal } from '../../platform/http/refusal.ts';
import { type Clock, elapsedMsOf } from '../../platform/lib/clock.ts';
import { isLoopback } from '../../platform/lib/networks.ts';
import { RateLimit, rateLimited } from '../../platform/load/rate-limit.ts';
import type { SharedCounters } from '../../platform/load/shared-counters.ts';
import type { Caller, KeyCaller, Visitor, VisitorBound } from './account.ts';

/*
 * A publishable key stands in a page, where anyone can read it (docs/requests.md#publishable-keys). It is bound to the
 * origins of its pages, which only browsers enforce, and to what each visitor's address may ask for in an hour.
 */

/** Maximum origins of a key. */
export const MAX_ORIGINS = 10;

/** An origin as browsers send it: `https`, or `http` on this machine; undefined for any other text. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && !isLocal(url))) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
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

/** CORS headers of an answer for a page of the origin. */
export function corsHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'origin' };
}

/** CORS headers of the answer to a preflight. */
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

/** The origin of a preflight; undefined for any other request. */
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

/** A tenth of an hour's bound at once, so a window is a tenth of an hour. */
const WINDOWS_PER_HOUR = 10;
const WINDOW_MS = 3_600_000 / WINDOWS_PER_HOUR;

/** Names the visitor of a request with a publishable key, whose bounds hold for the key on all of this node's workers. */
export type VisitorOf = (caller: Caller, client: Client) => Visitor;

export function createVisitors(
  perHour: Config['visitorsPerHour'],
  { clock, peers }: { clock: Clock; peers: SharedCounters },
): VisitorOf {
  const limits = Object.entries(perHour).map(([kind, bound]) => {
    const requests = new RateLimit({
      scope: `visitors' ${kind}`,
      windowMs: WINDOW_MS,
      nowMs: () => elapsedMsOf(clock),
      peers,
    });
    return [kind, { requests, limit: Math.ceil(bound / WINDOWS_PER_HOUR) }] as const;
  });
  const limitOf = Object.fromEntries(limits) as Record<VisitorBound, (typeof limits)[number][1]>;
  return ({ keyId }, { name, kind: clientKind }) => ({
    name,
    count(kind) {
      // An address that may be a proxy has any number of visitors.
      if (clientKind !== 'single') return;
      const { requests, limit } = limitOf[kind];
      const counted = { limit, ...requests.count(`${keyId} ${name}`) };
      if (counted.count > limit) throw rateLimited(`Too many ${kind} from this address.`, counted);
    },
  });
}
