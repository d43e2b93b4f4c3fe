import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+) *$/i;

/** The challenge of RFC 6750, section 3, for endpoints that take the key as a bearer token too. */
export const BEARER_CHALLENGE = 'Bearer realm="doorstep"';

/**
 * The API key of a request: the `Id-Token` header, or at endpoints that take bearer tokens `Authorization: Bearer`. A
 * request with both has the key of `Id-Token`.
 */
export function keyIn(headers: IncomingHttpHeaders, takesBearer: boolean): string | string[] | undefined {
  const key = headers['id-token'];
  if (!takesBearer || (key !== undefined && key !== '')) return key;
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? key;
}
