import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+) *$/i;

/** Challenge of every 401, with all accepted schemes (RFC 9110, section 11.6.1). */
export const CHALLENGE = {
  headers: { 'www-authenticate': 'ApiKey realm="doorstep", header="Id-Token", Bearer realm="doorstep"' },
};

/** Reads the key from the `Id-Token` header, otherwise from `Authorization: Bearer`; returns '' without a key. */
export function readApiKey(headers: IncomingHttpHeaders): string {
  return readIdToken(headers) || (BEARER.exec(headers.authorization ?? '')?.[1] ?? '');
}

/** Reads a Universal Commerce Protocol platform's key, which it sends in `X-API-Key` too; '' if absent. */
export function readPlatformKey(headers: IncomingHttpHeaders): string {
  return [headers['x-api-key'] ?? readApiKey(headers)].flat().join(',');
}

/** Reads the `Id-Token` header; '' if absent. */
export function readIdToken({ 'id-token': header }: IncomingHttpHeaders): string {
  return Array.isArray(header) ? header.join(',') : (header?.trim() ?? '');
}
