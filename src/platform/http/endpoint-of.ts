import type { FastifyRequest } from 'fastify';

type Endpoint = FastifyRequest['routeOptions'];

declare module 'fastify' {
  interface FastifyRequest {
    /** The endpoint, once a hook has asked for the endpoint. */
    knownEndpoint: Endpoint | undefined;
  }
}

/** The endpoint of a request. Cached: the framework builds `routeOptions` at each access, and the hooks of a request read it ten times. */
export function endpointOf(request: FastifyRequest): Endpoint {
  request.knownEndpoint ??= request.routeOptions;
  return request.knownEndpoint;
}
