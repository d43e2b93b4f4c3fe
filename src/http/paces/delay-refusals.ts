import { isSendingBody } from '../answer-early.ts';
import type { Http } from '../http.ts';
import { createRefusalPace } from './refusal-pace.ts';

/** A refused body ends its connection, and what has arrived of the body is read: as much work as many refusals. */
const COST_OF_A_BODY = 25;

/**
 * Delays the refusals of a key or a client that has many of them (docs/behaviour.md#rate-limits): clients that send the
 * next request when they have an answer are slowed to the pace of their limit, and a flood of refusals costs others
 * nothing. `perMinute` is RATE_LIMIT_PER_MINUTE; 0 delays nothing.
 */
export function delayRefusals(http: Http, perMinute: number): void {
  if (perMinute === 0) return;
  const pace = createRefusalPace(perMinute);
  http.addHook('onSend', (request, reply, payload, done) => {
    const { statusCode } = reply;
    if (statusCode < 400 || statusCode >= 500) return done(null, payload);
    const cost = isSendingBody(request.raw) ? COST_OF_A_BODY : 1;
    const waitMs = pace(request.holder, performance.now(), cost);
    if (waitMs === 0) done(null, payload);
    else setTimeout(done, waitMs, null, payload);
  });
}
