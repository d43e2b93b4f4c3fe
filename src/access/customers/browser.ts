import { parseCookie, stringifySetCookie } from 'cookie';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';

/*
 * Binds the sign-in pages to a browser: the random text of one cookie before anyone is signed in, the
 * session's of another after, and a token in every form that only a page for this browser and this address has.
 */

const NAMES = { browser: 'doorstep_browser', session: 'doorstep_customer' } as const;
export type CookieKind = keyof typeof NAMES;

const nameOf = (kind: CookieKind, issuer: string) => `${isSecure(issuer) ? '__Host-' : ''}${NAMES[kind]}`;
const isSecure = (issuer: string) => issuer.startsWith('https:');
const MAX_LENGTH = 100;

export function readCookie(header: string | undefined, kind: CookieKind, issuer: string): string | undefined {
  const value = parseCookie(header ?? '')[nameOf(kind, issuer)] ?? '';
  return value === '' || value.length > MAX_LENGTH ? undefined : value;
}

/** Returns a Set-Cookie header; 0 seconds delete the cookie. `lax`, because other sites' links lead to the consent. */
export function cookieHeader(kind: CookieKind, value: string, seconds: number, issuer: string): string {
  const flags = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(issuer) } as const;
  return stringifySetCookie({ name: nameOf(kind, issuer), value, maxAge: seconds, ...flags });
}

const KIND = 'sign-in-form';
const FORM_MINUTES = 15;

/** A form's purpose: the browser, its session, and the page with its query. */
type FormOf = { browser: string; session: string | undefined; address: string };

const payloadOf = ({ browser, session, address }: FormOf, until: number) =>
  sha256(JSON.stringify([browser, session ?? null, address, until]));

/** The token of a form, good for a quarter of an hour. */
export function formToken(tokens: Pick<TokenSealer, 'sign'>, form: FormOf, now: Temporal.Instant): string {
  const until = Math.floor(now.add({ minutes: FORM_MINUTES }).epochMilliseconds / 1000);
  return `${until}.${tokens.sign(KIND, payloadOf(form, until))}`;
}

export function isFormToken(
  tokens: Pick<TokenSealer, 'isSignature'>,
  form: FormOf,
  text: string,
  now: Temporal.Instant,
): boolean {
  const [until = '', signature = ''] = text.split('.');
  if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 < now.epochMilliseconds) return false;
  return tokens.isSignature(KIND, payloadOf(form, Number(until)), signature);
}
