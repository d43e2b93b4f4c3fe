import type { FastifyRequest } from 'fastify';

type Endpoint = FastifyRequest['routeOptions'];

declare module 'fastify' {
  interface FastifyRequest {
    /** Cache of the endpoint, filled by the first hook that needs it. */
    knownEndpoint: Endpoint | undefined;
  }
}

/**
 * Returns a request's endpoint. Cached, because the framework builds `routeOptions` at each access and hooks read it
 * ten times per request.
 */
export function endpointOf(request: FastifyRequest): Endpoint {
  request.knownEndpoint ??= request.routeOptions;
  return request.knownEndpoint;
}
