import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../http/refusal.ts';

const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses a change that another site asks a browser for. Browsers name the page's origin with every request that
 * is no plain read; a change without an origin is refused too.
 */
export function refuseCrossSite(
  method: string,
  headers: IncomingHttpHeaders,
  detail = 'A console session takes changes from its own pages only.',
): void {
  if (SAFE.includes(method)) return;
  const site = headers['sec-fetch-site'];
  const isSameOrigin = hostOf(headers.origin) === headers.host?.toLowerCase() && hostOf(headers.origin) !== undefined;
  if (isSameOrigin && (site === undefined || site === 'same-origin')) return;
  throw new Refusal('cross_site_request', detail);
}

function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : URL.parse(origin)?.host;
}
