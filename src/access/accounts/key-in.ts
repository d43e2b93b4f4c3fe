import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+) *$/i;

/** RFC 9110, section 11.6.1: a 401 names every scheme that the client may use. */
export const CHALLENGE = {
  headers: { 'www-authenticate': 'ApiKey realm="doorstep", header="Id-Token", Bearer realm="doorstep"' },
};

/** The key of a request: the `Id-Token` header, else `Authorization: Bearer`; '' for a request without a key. */
export function keyIn(headers: IncomingHttpHeaders): string {
  return idTokenIn(headers) || (BEARER.exec(headers.authorization ?? '')?.[1] ?? '');
}

/** The `Id-Token` header; '' where there is none. */
export function idTokenIn({ 'id-token': header }: IncomingHttpHeaders): string {
  return Array.isArray(header) ? header.join(',') : (header?.trim() ?? '');
}
