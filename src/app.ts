import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import type { Caller } from './accounts/account.ts';
import { honourIdempotencyKeys } from './accounts/idempotency.hook.ts';
import { acceptJson } from './http/accept-json.ts';
import { drainBody, isSendingBody } from './http/drain-body.ts';
import type { Http } from './http/http.ts';
import { limitReading } from './http/limit-reading.ts';
import { answerUnroutable, mapErrors } from './http/map-errors.ts';
import { Refusal } from './http/refusal.ts';
import { compileRequestPart, invalidRequest, refuseBadQueryEncoding } from './http/request-schema.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createUnreadableRequests } from './http/unreadable-request.ts';
import { randomId } from './lib/random-id.ts';
import { apiDescription } from './reference/api-description.ts';
import { registerRoutes } from './routes.ts';
import type { Deps } from './wiring/deps.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;
/** As long as the head of a request may be: the route itself refuses a parameter that is too long. */
const MAX_PARAM_LENGTH = 16 * 1024;

/** The HTTP service: hooks here, errors in http/map-errors.ts, endpoints in routes.ts. The caller listens and closes. */
export async function createApp(deps: Deps): Promise<Http> {
  const unreadable = createUnreadableRequests();
  const http: Http = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: createRequestIds(),
    // Log lines name the request id themselves: most requests log nothing, so a logger for each request would be waste.
    childLoggerFactory: (log: FastifyBaseLogger) => log,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    http: { requireHostHeader: false },
    clientErrorHandler: unreadable.answer,
    frameworkErrors: answerUnroutable,
    forceCloseConnections: 'idle',
  } as unknown as Parameters<typeof Fastify>[0]).withTypeProvider<TypeBoxTypeProvider>() as unknown as Http;

  http.setValidatorCompiler(({ schema, httpPart }) => compileRequestPart(schema as never, partOf(httpPart)));
  http.addHook('onRoute', (route) => {
    if (route.url.startsWith('/reference')) route.config = { ...route.config, public: true };
  });
  // Response schemas only document answers; JSON.stringify writes them, unknown members included.
  http.setSerializerCompiler(() => (data) => JSON.stringify(data));
  unreadable.answerOn(http.server);
  acceptJson(http);
  mapErrors(http, deps.log);
  answerAfterBody(http);
  await http.register(helmet, securityHeaders(deps.config.baseUrl));
  admitRequests(http, deps);
  observeRequests(http, deps);
  await limitRates(http, deps);
  honourIdempotencyKeys(http, { ...deps, secrets: deps.tokenSecrets });
  await http.register(compress, {
    global: true,
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip', 'deflate'],
    // A page of stores shrinks to a tenth at these levels; higher levels cost many times the processor for a few percent.
    brotliOptions: {
      params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
    },
    zlibOptions: { level: 3 },
  });
  await http.register(swagger, apiDescription(deps.config));
  registerRoutes(http, deps);
  return http;
}

/** A callback hook, like all hooks that every request passes: a known key costs no turn of the event loop. */
function admitRequests(http: Http, { authenticate, authenticateConsole }: Deps): void {
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const { config } = request.routeOptions;
    refuseWithoutHost(request);
    if (request.is404) return done();
    refuseBadQueryEncoding(request.url);
    if (config.public) return done();
    if (config.audience) {
      authenticateConsole(request, config.audience).then(() => done(), done);
      return;
    }
    const admit = (caller: Caller) => {
      request.caller = caller;
      const isRefused = config.sandboxOnly && caller.mode !== 'sandbox';
      done(isRefused ? new Refusal('sandbox_only', 'This endpoint is for sandbox keys.') : undefined);
    };
    const caller = authenticate(request.headers['id-token']);
    if (caller instanceof Promise) caller.then(admit, done);
    else admit(caller);
  });
}

/** A random prefix for this process and a counter: cheaper than a random id for each request. */
function createRequestIds(): () => string {
  const prefix = randomId('req_', 9);
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}${count.toString(36)}`;
  };
}

function partOf(httpPart: string | undefined): 'query' | 'body' | 'header' | 'path' {
  if (httpPart === 'body') return 'body';
  if (httpPart === 'params') return 'path';
  return httpPart === 'headers' ? 'header' : 'query';
}

/** RFC 9112, section 3.2. */
function refuseWithoutHost({ raw, headers }: FastifyRequest): void {
  if (raw.httpVersion !== '1.1' || headers.host !== undefined) return;
  throw invalidRequest([{ in: 'header', name: 'Host', message: 'is required' }]);
}

function answerAfterBody(http: Http): void {
  http.addHook('onSend', (request, reply, payload, done) => {
    limitReading(request.raw);
    if (!isSendingBody(request.raw)) return done(null, payload);
    drainBody(request.raw).then((whole) => {
      reply.header('connection', whole && reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
      done(null, payload);
    }, done);
  });
}

/** Logs writes and refusals at info, reads at debug. The URL's query stays out of the log: it holds people's coordinates. */
function observeRequests(http: Http, { log, metrics }: Deps): void {
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.observeRequest(route, request.method, reply.statusCode, reply.elapsedTime / 1000);
    const level = request.method === 'POST' || reply.statusCode >= 400 ? 'info' : 'debug';
    if (!log.isLevelEnabled(level)) return done();
    const ms = Math.round(reply.elapsedTime);
    log[level]({ requestId: request.id, method: request.method, route, status: reply.statusCode, ms }, 'answered');
    done();
  });
}

async function limitRates(http: Http, { config }: Deps): Promise<void> {
  if (config.rateLimitPerMinute === 0) return;
  await http.register(rateLimit, {
    global: true,
    max: config.rateLimitPerMinute,
    timeWindow: 60_000,
    cache: 10_000,
    enableDraftSpec: true,
    keyGenerator: (request) =>
      request.caller?.keyId ?? request.merchant?.id ?? request.session?.sessionId ?? request.ip,
    allowList: (request) => request.routeOptions.config.public === true,
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('rate_limited', `Too many requests with this key; try again in ${Math.ceil(ttl / 1000)} s.`),
  });
}
