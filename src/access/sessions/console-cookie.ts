import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import { Refusal } from '../../platform/http/refusal.ts';
import { isLoopback } from '../../platform/lib/networks.ts';

/** Browsers accept a cookie with this prefix over https only, and for this host only (RFC 6265bis, section 4.1.3). */
const SECURE_NAME = '__Host-doorstep_console';
const PLAIN_NAME = 'doorstep_console';

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');
const nameFor = (baseUrl: string) => (isSecure(baseUrl) ? SECURE_NAME : PLAIN_NAME);

/** Reads the console session token of a request. */
export function readSessionToken(header: string | undefined, baseUrl: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[nameFor(baseUrl)] || undefined;
}

/**
 * Returns the Set-Cookie header of a session. Scripts cannot read the cookie, and browsers do not send it cross-site.
 * Its lifetime is a duration, because a tablet's clock may be wrong.
 */
export function sessionCookie(
  token: string,
  { now, expiresAt }: { now: Temporal.Instant; expiresAt: Temporal.Instant },
  baseUrl: string,
): string {
  return cookieOf(token, Math.round(now.until(expiresAt).total('seconds')), baseUrl);
}

/** Returns the Set-Cookie header that deletes a browser's session cookie. */
export const endedSessionCookie = (baseUrl: string): string => cookieOf('', 0, baseUrl);

function cookieOf(value: string, maxAge: number, baseUrl: string): string {
  return stringifySetCookie({
    name: nameFor(baseUrl),
    value,
    maxAge,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(baseUrl),
  });
}

const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

type RequestOrigin = { method: string; headers: IncomingHttpHeaders };

/**
 * CSRF check: refuses a change whose `Origin` is missing or another site, because browsers send it with every unsafe
 * method. `siteUrl` is the public URL of the page.
 */
export function refuseCrossSite({ method, headers }: RequestOrigin, siteUrl: string, detail?: string): void {
  if (SAFE.includes(method)) return;
  const site = headers['sec-fetch-site'];
  if (isOwnOrigin(headers, new URL(siteUrl)) && (site === undefined || site === 'same-origin')) return;
  const where = `Console sessions accept changes only from their own pages. Open the console at ${siteUrl}/console.`;
  throw new Refusal('cross_site_request', detail ?? where);
}

/** Returns whether the origin is the service's own. Loopback has several (localhost, 127.0.0.1), and PORT may be 0. */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders, own: URL): boolean {
  const asking = origin === undefined ? null : URL.parse(origin);
  if (asking === null) return false;
  if (asking.origin === own.origin) return true;
  const isLocal = isLoopback(own) && isLoopback(asking);
  return isLocal && asking.protocol === own.protocol && asking.host === host?.toLowerCase();
}
