import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isDatabaseUnavailable, unavailableCause } from '../db/is-database-unavailable.ts';
import type { Clock } from '../lib/clock.ts';
import { oncePerMinute } from '../lib/once-per-minute.ts';
import { OutsideError } from '../lib/outside-error.ts';
import { UNCACHED } from './caching.ts';
import type { Http, RefusalPage } from './http.ts';
import type { KnownEndpoints } from './known-endpoints.ts';
import { parseRefusedQuery } from './parse-request.ts';
import { prefersJson } from './prefers-json.ts';
import { internalProblem, problemOf } from './problem.ts';
import { INTERNAL_ERROR, Refusal, type RefusalRecords, retryAfter } from './refusal.ts';
import type { CountUnavailable } from './unavailable.ts';

/*
 * Turns everything that a route throws into problem details: an error with its code, an outside error as 503, anything
 * else as 500 that says nothing inside.
 */

const MIB = 1024 * 1024;

type Deps = {
  log: Logger;
  clock: Clock;
  refusals: RefusalRecords;
  /** Ids that the request names, for log lines. */
  idsOf: (request: FastifyRequest) => object;
  /** The page for a browser at an address that does not exist. */
  missingPage?: RefusalPage;
  /** Called with the code of each problem document. */
  countProblem?: (code: string, request: FastifyRequest) => void;
  /** Called with the cause of each error with status 503. */
  countUnavailable?: CountUnavailable;
};

/**
 * Answers every error with a problem document, or with the endpoint's page for browsers. An unknown error is our bug:
 * 500, logged, with no details in the response.
 */
export function mapErrors(
  http: Http,
  { log, clock, refusals, idsOf, missingPage, countProblem, countUnavailable }: Deps,
  endpoints: KnownEndpoints,
): void {
  const problems = { ...refusals, internal_error: INTERNAL_ERROR };
  const logIds = (request: FastifyRequest) => ({ requestId: request.id, ...idsOf(request) });
  // Limits repeated log lines: every refused request already has its own.
  const newsOf = oncePerMinute(clock);
  http.setNotFoundHandler((request) => {
    throw endpoints.refusalOf(request);
  });
  http.setErrorHandler((error: FastifyError | Refusal | OutsideError, request, reply) => {
    parseRefusedQuery(request);
    const refusal = refusalForError(error, request.routeOptions);
    const code = refusal?.code ?? 'internal_error';
    const { status } = problems[code];
    const cause = isDatabaseOutage(error) ? unavailableCause(error) : undefined;
    countProblem?.(code, request);
    // A stopping node refuses probes on purpose.
    if (status === 503 && !request.routeOptions.config?.uncounted) countUnavailable?.(cause ?? code);
    if (error instanceof OutsideError) log.warn({ err: error, ...logIds(request) }, 'outside party failed');
    else if (cause) {
      const times = newsOf(error.message);
      if (times > 0) log.warn({ reason: error.message, cause, times, requestId: request.id }, 'database away');
    }
    if (!refusal) log.error({ err: error, ...logIds(request), route: request.routeOptions.url }, 'request failed');
    const page = pageOf(request, missingPage);
    if (!page) return answerProblem(request, reply, status, refusal);
    return page(request, reply, code).then(
      (html) => beginAnswer(reply, status, refusal).type('text/html; charset=utf-8').send(html),
      (failure) => {
        log.warn({ err: failure, ...logIds(request) }, 'page of a refusal failed');
        return answerProblem(request, reply, status, refusal);
      },
    );
  });
}

/** The page of an error for a person: the endpoint's own, or the page for an address without an endpoint. */
function pageOf(request: FastifyRequest, missingPage: RefusalPage | undefined): RefusalPage | undefined {
  const { is404, method, headers, routeOptions } = request;
  const { accept = '' } = headers;
  if (is404) return method === 'GET' && accept.includes('text/html') ? missingPage : undefined;
  return prefersJson(accept) ? undefined : routeOptions.config?.refusalPage;
}

/** Answers with an error; without one, with an internal error. */
function answerProblem(request: FastifyRequest, reply: FastifyReply, status: number, refusal: Refusal | undefined) {
  const problem = refusal ? problemOf(refusal, status, request.id) : internalProblem(request.id);
  return beginAnswer(reply, status, refusal).type('application/problem+json').send(JSON.stringify(problem));
}

/** Headers of a response that its error replaces. */
const CONTENT_HEADERS = ['etag', 'content-length', 'content-encoding'];

function beginAnswer(reply: FastifyReply, status: number, refusal: Refusal | undefined): FastifyReply {
  for (const name of CONTENT_HEADERS) reply.removeHeader(name);
  return reply.code(status).headers({ 'cache-control': UNCACHED, ...refusal?.extras.headers });
}

export function refusalForError(
  error: FastifyError | Refusal | OutsideError,
  { bodyLimit, schema }: Pick<FastifyRequest['routeOptions'], 'bodyLimit' | 'schema'>,
): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof OutsideError) return outsideRefusal(error);
  if (isDatabaseOutage(error)) return new Refusal('not_ready', 'The database is currently unavailable.', retryAfter(1));
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyLimit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type', `Send the body as ${schema?.consumes?.[0] ?? 'application/json'}.`);
    default:
      return error.statusCode && error.statusCode < 500
        ? new Refusal('invalid_request', 'The request could not be read.')
        : undefined;
  }
}

/**
 * Whether the database is unavailable. Errors with a status are excluded, because a client that disconnects while it
 * sends the body causes ECONNRESET too.
 */
function isDatabaseOutage(error: FastifyError | Refusal | OutsideError): boolean {
  return !('statusCode' in error) && isDatabaseUnavailable(error);
}

function bodyTooLarge(limitBytes: number): Refusal {
  const size = limitBytes < MIB ? `${Math.floor(limitBytes / 1024)} KiB` : `${Math.floor(limitBytes / MIB)} MiB`;
  return new Refusal('body_too_large', `The body is larger than ${size}.`);
}

function outsideRefusal({ party, retryAfterSeconds }: OutsideError): Refusal {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new Refusal('upstream_unavailable', `${party} is not available at the moment.`, { headers });
}
