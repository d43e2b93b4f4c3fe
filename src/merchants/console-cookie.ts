import { parseCookie, stringifySetCookie } from 'cookie';

/** A cookie of this prefix is taken by browsers over https alone, for this host alone (RFC 6265bis, section 4.1.3). */
const SECURE_NAME = '__Host-doorstep_console';
const PLAIN_NAME = 'doorstep_console';

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');
const nameFor = (baseUrl: string) => (isSecure(baseUrl) ? SECURE_NAME : PLAIN_NAME);

/** The token of the console session that a request carries. */
export function sessionTokenIn(header: string | undefined, baseUrl: string): string | undefined {
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
    ...{ name: nameFor(baseUrl), value, maxAge, path: '/' },
    ...{ httpOnly: true, sameSite: 'strict', secure: isSecure(baseUrl) },
  });
}
