import type { FastifyRequest } from 'fastify';

type Endpoint = FastifyRequest['routeOptions'];

declare module 'fastify' {
  interface FastifyRequest {
    /** The endpoint, cached by the first hook that needs it. */
    knownEndpoint: Endpoint | undefined;
  }
}

/**
 * A request's endpoint. Cached: the framework builds `routeOptions` at each access, and hooks read it ten times per
 * request.
 */
export function endpointOf(request: FastifyRequest): Endpoint {
  request.knownEndpoint ??= request.routeOptions;
  return request.knownEndpoint;
}
