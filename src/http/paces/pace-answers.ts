import type { FastifyRequest } from 'fastify';
import { NO_PEERS, type PeerNumbers } from '../../lib/peer-numbers.ts';
import { endpointOf } from '../endpoint-of.ts';
import type { Http } from '../http.ts';
import { Refusal } from '../refusal.ts';
import { type AnswerPace, createAnswerPace, LARGE_BYTES, MAX_WAIT_MS } from './answer-pace.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts an answer that is sent; `bytes` before compression. */
    countAnswer(request: FastifyRequest, bytes: number): void;
    /**
     * Reserves the bytes that are expected of a read, once, and says how many milliseconds the read waits before its work
     * begins. Throws 429 `rate_limited` where the wait is too long.
     */
    waitOfRead(request: FastifyRequest): number;
  }
  interface FastifyRequest {
    /** Bytes that the request has reserved of its holder's pace. */
    reservedBytes: number;
  }
}

/** An address that may be a proxy without TRUST_PROXY has several visitors. */
const VISITORS_OF_SHARED = 4;

/**
 * Delays reads of a key, a session or a client that has had many large answers (docs/behaviour.md#rate-limits). The hooks
 * come after the count of requests. `perMinute` is RATE_LIMIT_PER_MINUTE; 0 delays nothing.
 */
export function paceAnswers(http: Http, perMinute: number, peers: PeerNumbers = NO_PEERS): void {
  http.decorateRequest('reservedBytes', 0);
  if (perMinute === 0) {
    http.decorate('countAnswer', () => {});
    http.decorate('waitOfRead', () => 0);
    return;
  }
  const pace = createAnswerPace(perMinute, peers);
  http.decorate('countAnswer', (request, bytes) => {
    if (bytes >= LARGE_BYTES && request.method === 'GET' && !isProxy(request)) countBytes(pace, request, bytes);
  });
  http.decorate('waitOfRead', (request) => {
    if (request.method !== 'GET' || request.reservedBytes > 0 || isProxy(request)) return 0;
    const { waitMs, reserved } = pace.enter(readOf(request));
    if (waitMs > MAX_WAIT_MS) throw tooManyBytes(waitMs);
    request.reservedBytes = reserved;
    return waitMs;
  });
  http.addHook('preParsing', (request, _reply, _payload, done) => {
    let waitMs: number;
    try {
      waitMs = http.waitOfRead(request);
    } catch (refusal) {
      return done(refusal as Refusal);
    }
    if (waitMs === 0) done();
    else setTimeout(done, waitMs);
  });
  // The answer turned out small, or the client has gone.
  http.addHook('onResponse', (request, _reply, done) => {
    if (request.reservedBytes > 0) countBytes(pace, request, 0);
    done();
  });
}

function countBytes(pace: AnswerPace, request: FastifyRequest, bytes: number): void {
  const visitors = request.holder === request.client.name && request.client.kind === 'shared' ? VISITORS_OF_SHARED : 1;
  const weight = endpointOf(request).config.paceWeight ?? 1;
  pace.count(readOf(request), (bytes * weight) / visitors, request.reservedBytes);
  request.reservedBytes = 0;
}

function readOf(request: FastifyRequest) {
  return { holder: request.holder, route: endpointOf(request).url ?? '', nowMs: performance.now() };
}

/** A declared proxy that names no client stands for any number of visitors. */
function isProxy({ holder, client }: FastifyRequest): boolean {
  return client.kind === 'proxy' && holder === client.name;
}

function tooManyBytes(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal('rate_limited', `Too many large answers; try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
