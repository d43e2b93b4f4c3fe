import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifySchemaCompiler, LogController } from 'fastify';
import manifest from '../../../package.json' with { type: 'json' };
import { createVisitors } from '../../access/accounts/visitors.hook.ts';
import { idempotencyHook } from '../../access/idempotency/idempotency.hook.ts';
import { idsOfRequest } from '../../ordering/order/ids-of-request.ts';
import { sendCaching } from '../../platform/http/caching.ts';
import { endpointOf } from '../../platform/http/endpoint-of.ts';
import type { Http } from '../../platform/http/http.ts';
import { acceptJson } from '../../platform/http/json-body.ts';
import { KnownEndpoints } from '../../platform/http/known-endpoints.ts';
import { mapErrors } from '../../platform/http/map-errors.ts';
import { compileRequestPart, routableUrl } from '../../platform/http/request-schema.ts';
import { securityHeaders, sendSecurityHeaders } from '../../platform/http/security-headers.ts';
import { recordProxies } from '../../platform/http/undeclared-proxies.ts';
import { nameUnknownMembers } from '../../platform/http/unknown-members.ts';
import { UnreadableRequests } from '../../platform/http/unreadable-request.ts';
import { elapsedMsOf } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { ConnectionLimiter } from '../../platform/load/connections.ts';
import { answerEarly } from '../../platform/load/early-answers.hook.ts';
import { limitRates, NO_LIMITS } from '../../platform/load/limit-rates.hook.ts';
import { paceAnswers } from '../../platform/load/pace-answers.hook.ts';
import { paceRefusals } from '../../platform/load/pace-refusals.hook.ts';
import { boundBodies } from '../../platform/load/request-bodies.hook.ts';
import { shareEventLoop } from '../../platform/load/share-event-loop.hook.ts';
import { NO_PEERS } from '../../platform/load/shared-counters.ts';
import { boundUnreadAnswers } from '../../platform/load/unread-answers.hook.ts';
import { openApiOptions } from '../../surfaces/docs/api-description.ts';
import { answerShopHosts } from '../../surfaces/shop/shop.route.ts';
import { answerOwnHosts } from '../../surfaces/tracking/own-host.hook.ts';
import { missingPageOf } from '../../surfaces/tracking/site-page.hook.ts';
import { admitRequests, resolveClientAddress } from './admit-requests.hook.ts';
import type { Deps } from './deps.ts';
import { SINGLE_PROCESS } from './peers.ts';
import { REFUSALS } from './refusals.ts';
import { registerPrivateRoutes, registerRoutes } from './routes.ts';
import { traceRequests } from './trace-requests.hook.ts';

/** Creates the HTTP service. Hooks are here, errors in http/map-errors.ts, endpoints in routes.ts. */
export async function createApp(
  deps: Deps,
  register: (http: Http, deps: Deps) => void = registerRoutes,
): Promise<Http> {
  const { http, endpoints } = await createServer(deps);
  const traceHandlers = traceRequests(http, deps);
  recordProxies(http, deps.undeclaredProxies);
  const { config, clock, peers } = deps;
  const limits = limitRates(http, { perMinute: config.rateLimitPerMinute, clock, peers: peers.counters });
  const visitorOf = createVisitors(config.visitorsPerHour, { clock, peers: peers.counters });
  admitRequests(http, { ...deps, endpoints, limits, visitorOf });
  http.decorate('visitorOf', visitorOf);
  http.decorate('countClient', limits.countClient);
  observeRequests(http, deps);
  boundBodies(http, peers.counters);
  answerOwnHosts(http, deps);
  answerShopHosts(http, deps);
  shareEventLoop(http, deps.scheduler);
  traceHandlers();
  idempotencyHook(http, { ...deps, secrets: deps.tokenSecrets });
  paceAnswers(http, config.rateLimitPerMinute, peers.counters);
  await sendAnswers(http, deps);
  // Skips bodies of pages and external services, because they have members that we do not read.
  nameUnknownMembers(http, ({ scope, audience }) => scope !== undefined || audience !== undefined);
  await http.register(swagger, openApiOptions(deps.config, manifest.version, REFUSALS));
  register(http, deps);
  answerEarly(http);
  return http;
}

/** Creates METRICS_PORT's listener for operators: probes, metrics, documents and the public service's reference. */
export async function createPrivateApp(deps: Deps, served: Http): Promise<Http> {
  const { http, endpoints } = await createServer({ ...deps, peers: SINGLE_PROCESS });
  http.addHook('onRoute', (route) => {
    route.config = { ...route.config, public: true, uncounted: true };
  });
  const visitorOf = createVisitors(deps.config.visitorsPerHour, { clock: deps.clock, peers: NO_PEERS });
  admitRequests(http, { ...deps, endpoints, limits: NO_LIMITS, visitorOf });
  paceAnswers(http, 0);
  await sendAnswers(http, { ...deps, peers: SINGLE_PROCESS });
  // Only a ready service can describe its routes, and a worker node never listens publicly.
  http.addHook('onReady', async () => void (await served.ready()));
  registerPrivateRoutes(http, deps, served);
  answerEarly(http);
  return http;
}

/** Limits unread answers, and compresses answers on request. */
async function sendAnswers(http: Http, { clock, peers }: Pick<Deps, 'clock' | 'peers'>): Promise<void> {
  boundUnreadAnswers(http, { nowMs: () => elapsedMsOf(clock), peers: peers.counters });
  await http.register(compress, {
    global: true,
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip', 'deflate'],
    // At these levels a page of stores shrinks to a tenth; higher ones cost many times more for a few percent.
    brotliOptions: {
      params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
    },
    zlibOptions: { level: 3 },
  });
}

/** Logs writes and errors at info, reads and probes at debug; never queries, because they contain coordinates. */
function observeRequests(http: Http, { log, metrics }: Deps): void {
  http.addHook('onResponse', (request, reply, done) => {
    const route = endpointOf(request).url ?? 'none';
    const sentAfterMs = reply.sentAfterMs ?? reply.elapsedTime;
    metrics.observeRequest(route, request.method, reply.statusCode, sentAfterMs / 1000);
    const isNoted = request.method === 'POST' || (reply.statusCode >= 400 && !route.startsWith('/readyz'));
    const level = isNoted ? 'info' : 'debug';
    if (!log.isLevelEnabled(level)) return done();
    const ms = Math.round(sentAfterMs);
    const answered = { requestId: request.id, method: request.method, route, status: reply.statusCode, ms };
    log[level]({ ...answered, ...idsOfRequest(request) }, 'answered');
    done();
  });
}

const MAX_BODY_BYTES = 1024 * 1024;
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
/** As long as a request's head, with each `%` as `%25` (`routableUrl`), so that routes refuse overlong parameters. */
const MAX_PARAM_LENGTH = 3 * 16 * 1024;

/** Keeps the framework from loading its own compilers, 117 modules per start. */
const COMPILERS = {
  buildValidator: () => compileOf,
  // Response schemas only document answers: JSON.stringify writes them, including unknown members.
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
};

/** Compiles a schema for its first request: a start would compile five hundred, and most are rarely needed. */
const compileOf: FastifySchemaCompiler<never> = ({ schema, httpPart }) => {
  let parse: ReturnType<typeof compileRequestPart> | undefined;
  return (data) => {
    parse ??= compileRequestPart(schema, requestPart(httpPart));
    return parse(data);
  };
};

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
    bodyLimit: MAX_BODY_BYTES,
    genReqId: createRequestIds(),
    // Avoids a logger per request: log lines already have the request id, and most requests log nothing.
    childLoggerFactory: (log: FastifyBaseLogger) => log,
    // `parseRequest` parses the query in a time slice of its owner; routes without a slice have no query.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true, querystringParser: () => ({}) },
    serverFactory: (handler: RequestListener) => {
      const server = createHttpServer(SERVER_OPTIONS, (request, response) => {
        if (connections.takes(request, response)) handler(request, response);
      });
      unreadable.answerOn(server);
      connections.listenTo(server);
      return server;
    },
    clientErrorHandler: (error: Error, socket: Socket) => unreadable.answer(error, socket),
    rewriteUrl: routableUrl,
    forceCloseConnections: 'idle',
    // While a node stops, requests on open connections are served, and their connections closed.
    return503OnClosing: false,
    schemaController: { compilersFactory: COMPILERS },
  } as unknown as Parameters<typeof Fastify>[0]).withTypeProvider<TypeBoxTypeProvider>() as unknown as Http;

  acceptJson(http);
  const endpoints = new KnownEndpoints(http);
  const countProblem = (code: string, { caller }: { caller?: { mode: string } }) =>
    deps.metrics.countProblem(code, caller?.mode ?? 'none');
  const missingPage = missingPageOf(deps);
  mapErrors(http, { ...deps, refusals: REFUSALS, idsOf: idsOfRequest, missingPage, countProblem }, endpoints);
  http.decorateRequest('knownEndpoint', undefined);
  resolveClientAddress(http, deps);
  paceRefusals(http, config.rateLimitPerMinute / peers.count);
  sendSecurityHeaders(http, securityHeaders(config.baseUrl));
  sendCaching(http);
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
