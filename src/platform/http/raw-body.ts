import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route gets the body as the bytes that were sent, for a signature over them; nothing is parsed or checked. */
    rawBody?: true;
  }
}

export function takesRawBody({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeOptions.config.rawBody === true;
}

/** The bytes of a request to a route with `rawBody`; empty for a request without a body. */
export function rawBodyOf({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Whether the client is still sending a body that no parser reads. */
export function isSendingBody({ complete, headers }: IncomingMessage): boolean {
  if (complete !== false) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
