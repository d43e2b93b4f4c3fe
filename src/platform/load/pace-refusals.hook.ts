import { lruOptions } from 'doorstep/collections';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Http } from '../http/http.ts';
import { isSendingBody, rawBodyOf } from '../http/raw-body.ts';

/** Errors that a holder gets without delay. */
export const BURST = 100;
/** Maximum delay in milliseconds, so that a sequential client still gets one error a second. */
export const MAX_WAIT_MS = 1000;
const MIN_PER_SECOND = 10;
/** Maximum tracked holders; the least recently refused is evicted. */
const MAX_HOLDERS = 10_000;
/**
 * Errors that a refused body counts as, because reading the received part and closing the connection costs as much.
 */
const REFUSED_BODY_COST = 25;
/** Bytes of an unparsed body, read for its false signature, that count as one error. */
const BYTES_PER_REFUSAL = 16 * 1024;

/**
 * Delays errors beyond a burst to the holder's request rate (`perMinute`, as in
 * RATE_LIMIT_PER_MINUTE): the generic cell rate algorithm with a bounded wait.
 */
export class RefusalPace {
  private readonly intervalMs: number;
  /** When the holder's next error is due at an even rate. */
  private readonly dueMs = new LRUCache<string, number>(lruOptions(MAX_HOLDERS));

  constructor(perMinute: number) {
    this.intervalMs = 1000 / Math.max(MIN_PER_SECOND, perMinute / 60);
  }

  /** Counts an error as `cost` errors, and returns its delay in milliseconds. */
  waitMs(holder: string, nowMs: number, cost = 1): number {
    const earliestMs = nowMs - BURST * this.intervalMs;
    const dueMs = Math.max(this.dueMs.get(holder) ?? -Infinity, earliestMs) + cost * this.intervalMs;
    const boundedMs = Math.min(dueMs, nowMs + MAX_WAIT_MS);
    this.dueMs.set(holder, boundedMs);
    return Math.max(0, boundedMs - nowMs);
  }
}

/**
 * Delays errors of a key or client that gets many (docs/limits.md#rate-limits): a client in a loop slows to its
 * limit, and a flood costs others nothing. `perMinute` is RATE_LIMIT_PER_MINUTE; 0 disables the delays.
 */
export function paceRefusals(http: Http, perMinute: number): void {
  if (perMinute === 0) return;
  const pace = new RefusalPace(perMinute);
  http.addHook('onSend', (request, reply, payload, done) => {
    const { statusCode } = reply;
    if (statusCode < 400 || statusCode >= 500) return done(null, payload);
    const waitMs = pace.waitMs(request.holder, performance.now(), costOf(request));
    if (waitMs === 0) done(null, payload);
    else setTimeout(done, waitMs, null, payload);
  });
}

function costOf(request: FastifyRequest): number {
  return isSendingBody(request.raw) ? REFUSED_BODY_COST : Math.max(1, rawBodyOf(request).length / BYTES_PER_REFUSAL);
}
