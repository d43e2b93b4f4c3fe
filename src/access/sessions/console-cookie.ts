import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import { Refusal } from '../../platform/http/refusal.ts';

/** A cookie of this prefix is taken by browsers over https alone, for this host alone (RFC 6265bis, section 4.1.3). */
const SECURE_NAME = '__Host-doorstep_console';
const PLAIN_NAME = 'doorstep_console';

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');
const nameFor = (baseUrl: string) => (isSecure(baseUrl) ? SECURE_NAME : PLAIN_NAME);

/** The token of the console session that a request carries. */
export function readSessionToken(header: string | undefined, baseUrl: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[nameFor(baseUrl)] || undefined;
}

/**
 * The header that gives a browser its session's token. No script reads it, and no other site sends it. It lasts from now
 * until `expiresAt`, told as a length of time: the clock of a tablet may be wrong.
 */
export function sessionCookie(
  token: string,
  { now, expiresAt }: { now: Temporal.Instant; expiresAt: Temporal.Instant },
  baseUrl: string,
): string {
  return cookieOf(token, Math.round(now.until(expiresAt).total('seconds')), baseUrl);
}

/** The header that makes a browser forget its session. */
export function endedSessionCookie(baseUrl: string): string {
  return cookieOf('', 0, baseUrl);
}

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
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

type Sent = { method: string; headers: IncomingHttpHeaders };

/**
 * CSRF: refuses a change whose `Origin` is another site. Browsers send `Origin` with every unsafe method; a change without
 * one is refused too. `siteUrl` is the public URL of the page.
 */
export function refuseCrossSite({ method, headers }: Sent, siteUrl: string, detail?: string): void {
  if (SAFE.includes(method)) return;
  const site = headers['sec-fetch-site'];
  if (isOwnOrigin(headers, new URL(siteUrl)) && (site === undefined || site === 'same-origin')) return;
  const where = `Console sessions accept changes only from their own pages; open the console at ${siteUrl}/console.`;
  throw new Refusal('cross_site_request', detail ?? where);
}

/** A service whose own URL is on the loopback has several names there (localhost, 127.0.0.1), and PORT may be 0. */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders, own: URL): boolean {
  const asking = origin === undefined ? null : URL.parse(origin);
  if (asking === null) return false;
  if (asking.origin === own.origin) return true;
  const isLocal = isLoopback(own) && isLoopback(asking);
  return isLocal && asking.protocol === own.protocol && asking.host === host?.toLowerCase();
}

/** Whether the URL names this machine. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);
