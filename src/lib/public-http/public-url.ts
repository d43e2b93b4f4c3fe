import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const MAX_URL_LENGTH = 2048;
const MAX_NAME_LENGTH = 253;
const HTTPS_PORT = 443;
/** Lower ports belong to other services, which an account must not reach through this service. */
const FIRST_FREE_PORT = 1024;
/** Names that only mean something inside of a network (RFC 6761, RFC 6762, RFC 8375 and common use). */
const INSIDE_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|onion|alt)$/;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

export type PublicUrl = {
  href: string;
  /** Without the brackets of an IPv6 address. */
  host: string;
  /** The host is an address and need not be looked up. */
  isAddress: boolean;
  isTls: boolean;
};

export type ReadUrl = { url: PublicUrl } | { refusal: string };

/**
 * Reads a URL that an account chose and that this service will call. Allowed: https on a public host, on 443 or a port
 * from 1024, without user and password; `allowPrivate` lifts https, host and port. Other spellings of an address (octal,
 * hexadecimal, one number, full-width characters) are made plain before the check. A refusal is a sentence that repeats
 * nothing of the URL.
 */
export function readPublicUrl(text: string, allowPrivate: boolean): ReadUrl {
  if (text.length > MAX_URL_LENGTH) return refuse(`must not be longer than ${MAX_URL_LENGTH} characters`);
  // A URL parser skips these characters or turns them into slashes: the URL would differ from what its writer sees.
  if (/[\s\p{Cc}\\]/u.test(text)) return refuse('must not contain spaces, control characters or backslashes');
  const parsed = URL.parse(text);
  if (!parsed || !/^https?:\/\/[^/]/i.test(text)) return refuse('must be an https URL');
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return refuse('must not contain a user or a password');
  parsed.hash = '';
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = parsed.protocol === 'https:';
  const url = { href: parsed.href, host, isAddress: isIP(host) !== 0, isTls };
  const refusal = allowPrivate ? undefined : refusalOf(url, parsed.port === '' ? HTTPS_PORT : Number(parsed.port));
  return refusal === undefined ? { url } : refuse(refusal);
}

function refusalOf({ host, isAddress, isTls }: PublicUrl, port: number): string | undefined {
  if (!isTls) return 'must be an https URL';
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT)
    return `must be on port ${HTTPS_PORT} or one from ${FIRST_FREE_PORT}`;
  if (isAddress) return isPublicAddress(host) ? undefined : 'must be on a public address';
  const labels = host.split('.');
  const isName =
    host.length <= MAX_NAME_LENGTH &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !INSIDE_NAMES.test(host);
  return isName ? undefined : 'must be on a public host name';
}

function refuse(what: string): { refusal: string } {
  return { refusal: `The endpoint ${what}.` };
}
