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

export function originNotAllowed(): Refusal {
  return new Refusal('origin_not_allowed', 'No publishable key lists this origin, or this key does not.');
}

/** Refuses a request for the first of these members, which a publishable key may not send. */
export function refuseMembers([name]: readonly string[], place: Fault['in'] = 'body'): void {
  if (name === undefined) return;
  throw new Refusal('key_is_publishable', `A request with a publishable key can't include \`${name}\`.`, {
    errors: [{ in: place, name, message: 'is not for a publishable key' }],
  });
}
