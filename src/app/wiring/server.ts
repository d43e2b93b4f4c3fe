import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifySchemaCompiler, LogController } from 'fastify';
import type { Http } from '../../platform/http/http.ts';
import { acceptJson } from '../../platform/http/json-body.ts';
import { KnownEndpoints } from '../../platform/http/known-endpoints.ts';
import { answerUnroutable, mapErrors } from '../../platform/http/map-errors.ts';
import { compileRequestPart } from '../../platform/http/request-schema.ts';
import { securityHeaders, sendSecurityHeaders } from '../../platform/http/security-headers.ts';
import { UnreadableRequests } from '../../platform/http/unreadable-request.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { ConnectionLimiter } from '../../platform/load/connections.ts';
import { paceRefusals } from '../../platform/load/pace-refusals.hook.ts';
import { createFairRunner } from '../../platform/load/share-event-loop.hook.ts';
import { resolveClientAddress } from './admit-requests.hook.ts';
import type { Deps } from './deps.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/**
 * Node's limits: a head or request that does not arrive in time ends its connection, checked once a second. Requests
 * without a Host are not refused by Node but by the service, with a problem document.
 */
const SERVER_OPTIONS = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1000,
  requireHostHeader: false,
};
/**
 * Maximum length of a path parameter. It equals that of a request's head, so that routes refuse overlong ones
 * themselves.
 */
const MAX_PARAM_LENGTH = 16 * 1024;

/** Keeps the framework from loading its own compilers, 117 modules per start. */
const COMPILERS = {
  buildValidator: () => compileOf,
  // Response schemas only document answers: JSON.stringify writes them, including unknown members.
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
};

const compileOf: FastifySchemaCompiler<never> = ({ schema, httpPart }) =>
  compileRequestPart(schema, requestPart(httpPart));

/** Creates a server without endpoints, with the hooks that all listeners share. The caller listens and closes. */
export async function createServer(deps: Deps): Promise<{ http: Http; endpoints: KnownEndpoints }> {
  const { config, peers } = deps;
  const unreadable = new UnreadableRequests();
  const { trustProxy } = config;
  const connections = new ConnectionLimiter({
    trustProxy,
    isIdle: (socket) => unreadable.isIdle(socket),
    peers: peers.counters,
  });
  const http: Http = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: createRequestIds(),
    // Avoids a logger per request: log lines already have the request id, and most requests log nothing.
    childLoggerFactory: (log: FastifyBaseLogger) => log,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    serverFactory: (handler: RequestListener) => {
      const server = createHttpServer(SERVER_OPTIONS, (request, response) => {
        if (connections.takes(request, response)) handler(request, response);
      });
      unreadable.answerOn(server);
      connections.listenTo(server);
      return server;
    },
    clientErrorHandler: (error: Error, socket: Socket) => unreadable.answer(error, socket),
    frameworkErrors: answerUnroutable,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: COMPILERS },
  } as unknown as Parameters<typeof Fastify>[0]).withTypeProvider<TypeBoxTypeProvider>() as unknown as Http;

  acceptJson(http, createFairRunner(deps.scheduler));
  const endpoints = new KnownEndpoints(http);
  const countProblem = (code: string, { caller }: { caller?: { mode: string } }) =>
    deps.metrics.countProblem(code, caller?.mode ?? 'none');
  mapErrors(http, { ...deps, countProblem }, endpoints);
  http.decorateRequest('knownEndpoint', undefined);
  resolveClientAddress(http, deps);
  paceRefusals(http, config.rateLimitPerMinute / peers.count);
  sendSecurityHeaders(http, securityHeaders(config.baseUrl));
  return { http, endpoints };
}

/**
 * Creates request ids from a random prefix per process and a counter, which is cheaper than a random id per request.
 */
function createRequestIds(): () => string {
  const prefix = randomId('req_', 9);
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}${count.toString(36)}`;
  };
}

function requestPart(httpPart: string | undefined): 'query' | 'body' | 'header' | 'path' {
  if (httpPart === 'body') return 'body';
  if (httpPart === 'params') return 'path';
  return httpPart === 'headers' ? 'header' : 'query';
}
