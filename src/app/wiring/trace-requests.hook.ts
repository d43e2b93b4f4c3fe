import type { FastifyRequest } from 'fastify';
import { idsOfRequest } from '../../ordering/order/ids-of-request.ts';
import type { Http } from '../../platform/http/http.ts';
import { isWithin } from '../../platform/lib/networks.ts';
import { runInSpan, type Span } from '../../platform/lib/tracing.ts';
import type { Deps } from './deps.ts';

const FIRST_SERVER_FAULT = 500;

/**
 * Traces requests (docs/monitoring.md#traces); without a collector, adds no hook. Returns a hook that restores the
 * context for the handler, because body parsing and scheduling lose it.
 */
export function traceRequests(http: Http, { tracer, config }: Pick<Deps, 'tracer' | 'config'>): () => void {
  if (!tracer) return () => {};
  const spans = new WeakMap<FastifyRequest, Span>();
  http.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request;
    const name = routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`;
    const attributes = { 'http.request.method': method, 'http.route': routeOptions.url };
    const span = tracer.begin({
      name,
      kind: 'server',
      attributes,
      traceparent: callerTraceparent(request, config.trustProxy),
    });
    spans.set(request, span);
    runInSpan(span, done);
  });
  http.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span) endRequest(span, request, reply.statusCode);
    done();
  });
  return () =>
    http.addHook('preHandler', (request, _reply, done) => {
      const span = spans.get(request);
      if (span) runInSpan(span, done);
      else done();
    });
}

/**
 * Ignores `traceparent` of unauthenticated callers, who could otherwise choose which requests are recorded, and their
 * ids.
 */
function callerTraceparent({ raw }: FastifyRequest, trustProxy: Deps['config']['trustProxy']): unknown {
  const { traceparent } = raw.headers;
  return traceparent !== undefined && isWithin(raw.socket.remoteAddress, trustProxy) ? traceparent : undefined;
}

function endRequest(span: Span, request: FastifyRequest, status: number): void {
  const { accountId, orderId } = idsOfRequest(request);
  span.describe({
    'http.response.status_code': status,
    'doorstep.request.id': request.id,
    'doorstep.account.id': accountId,
    'doorstep.order.id': orderId,
  });
  if (status >= FIRST_SERVER_FAULT) span.fail(String(status));
  span.end();
}
