import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import swagger from '@fastify/swagger';
import manifest from '../../../package.json' with { type: 'json' };
import { idempotencyHook } from '../../access/idempotency/idempotency.hook.ts';
import { endpointOf } from '../../platform/http/endpoint-of.ts';
import type { Http } from '../../platform/http/http.ts';
import { idsOfRequest } from '../../platform/http/ids-of-request.ts';
import { recordProxies } from '../../platform/http/undeclared-proxies.ts';
import { warnOfUnknownParameters } from '../../platform/http/warn-unknown-parameters.ts';
import { elapsedMsOf } from '../../platform/lib/clock.ts';
import { answerEarly } from '../../platform/load/early-answers.hook.ts';
import { limitRates, NO_LIMITS } from '../../platform/load/limit-rates.hook.ts';
import { paceAnswers } from '../../platform/load/pace-answers.hook.ts';
import { boundBodies } from '../../platform/load/request-bodies.hook.ts';
import { shareEventLoop } from '../../platform/load/share-event-loop.hook.ts';
import { boundUnreadAnswers } from '../../platform/load/unread-answers.hook.ts';
import { openApiOptions } from '../../surfaces/docs/api-description.ts';
import { answerOwnHosts } from '../../surfaces/tracking/own-host.hook.ts';
import { admitRequests } from './admit-requests.hook.ts';
import type { Deps } from './deps.ts';
import { SINGLE_PROCESS } from './peers.ts';
import { registerPrivateRoutes, registerRoutes } from './routes.ts';
import { createServer } from './server.ts';
import { traceRequests } from './trace-requests.hook.ts';

/** The HTTP service. Hooks are here and in server.ts, errors in http/map-errors.ts, endpoints in routes.ts. */
export async function createApp(
  deps: Deps,
  register: (http: Http, deps: Deps) => void = registerRoutes,
): Promise<Http> {
  const { http, endpoints } = await createServer(deps);
  const traceHandlers = traceRequests(http, deps);
  recordProxies(http, deps.undeclaredProxies);
  const { config, clock, peers } = deps;
  const limits = limitRates(http, { perMinute: config.rateLimitPerMinute, clock, peers: peers.counters });
  admitRequests(http, { ...deps, endpoints, limits });
  observeRequests(http, deps);
  boundBodies(http, peers.counters);
  shareEventLoop(http, deps.scheduler);
  traceHandlers();
  idempotencyHook(http, { ...deps, secrets: deps.tokenSecrets });
  paceAnswers(http, config.rateLimitPerMinute, peers.counters);
  await sendAnswers(http, deps);
  warnOfUnknownParameters(http);
  answerOwnHosts(http, deps);
  await http.register(swagger, openApiOptions(deps.config, manifest.version));
  register(http, deps);
  return http;
}

/** The listener of METRICS_PORT for operators: probes, metrics and the public service's reference. */
export async function createPrivateApp(deps: Deps, served: Http): Promise<Http> {
  const { http, endpoints } = await createServer({ ...deps, peers: SINGLE_PROCESS });
  http.addHook('onRoute', (route) => {
    route.config = { ...route.config, public: true, uncounted: true };
  });
  admitRequests(http, { ...deps, endpoints, limits: NO_LIMITS });
  paceAnswers(http, 0);
  await sendAnswers(http, { ...deps, peers: SINGLE_PROCESS });
  // Only a ready service can describe its routes, and a worker node never listens publicly.
  http.addHook('onReady', async () => void (await served.ready()));
  registerPrivateRoutes(http, deps, served);
  return http;
}

/** Limits unread answers, and compresses answers on request. */
async function sendAnswers(http: Http, { clock, peers }: Pick<Deps, 'clock' | 'peers'>): Promise<void> {
  boundUnreadAnswers(http, { nowMs: () => elapsedMsOf(clock), peers: peers.counters });
  answerEarly(http);
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

/** Logs writes and refusals at info, reads at debug. Queries are not logged, because they contain coordinates. */
function observeRequests(http: Http, { log, metrics }: Deps): void {
  http.addHook('onResponse', (request, reply, done) => {
    const route = endpointOf(request).url ?? 'none';
    const sentAfterMs = reply.sentAfterMs ?? reply.elapsedTime;
    metrics.observeRequest(route, request.method, reply.statusCode, sentAfterMs / 1000);
    const level = request.method === 'POST' || reply.statusCode >= 400 ? 'info' : 'debug';
    if (!log.isLevelEnabled(level)) return done();
    const ms = Math.round(sentAfterMs);
    const answered = { requestId: request.id, method: request.method, route, status: reply.statusCode, ms };
    log[level]({ ...answered, ...idsOfRequest(request) }, 'answered');
    done();
  });
}
