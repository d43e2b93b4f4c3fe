import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route gets the body's raw bytes, unparsed, to verify a signature over them. */
    rawBody?: true;
  }
}

export function takesRawBody({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeOptions.config.rawBody === true;
}

/** Returns the body's bytes in a route with `rawBody`; empty without a body. */
export function rawBodyOf({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Whether the client is still sending a body that nothing reads. */
export function isSendingBody({ complete, headers }: IncomingMessage): boolean {
  if (complete !== false) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
