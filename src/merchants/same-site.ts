import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../http/refusal.ts';

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
