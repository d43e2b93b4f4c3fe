import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import { endpointOf } from '../http/endpoint-of.ts';
import type { Http } from '../http/http.ts';
import { parseRequest } from '../http/parse-request.ts';
import { Refusal, retryAfter } from '../http/refusal.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { type EventLoopScheduler, nextSlice } from './event-loop-scheduler.ts';

/** The shared owner of all requests without a key; together they get the share of one account. */
export const UNAUTHENTICATED = 'strangers';

/** The owner of signed calls until their signature is verified; no flood of unauthenticated clients delays them. */
const SIGNED_CALLS = 'signed calls';

/**
 * Maximum running and waiting requests without a key, in all and per client. All clients behind a proxy that is missing
 * in TRUST_PROXY count as one.
 */
export const UNAUTHENTICATED_LIMITS = {
  maxRunning: 32,
  maxRunningOfOwner: 16,
  maxWaiting: 1000,
  maxWaitingOfOwner: 500,
};

/**
 * Parses and starts requests in their accounts' time slices (docs/limits.md#sharing-a-node). While a request runs,
 * accounts with much more usage are throttled. Requests without a key share one owner with a concurrency limit,
 * round-robin by client. Probes and page files, without a query or body, never wait.
 */
export function shareEventLoop(http: Http, scheduler: EventLoopScheduler): void {
  const strangers = new ConcurrencyLimiter({ ...UNAUTHENTICATED_LIMITS, refusal: () => tooMany('from this address') });
  http.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.public === true && !route.config.uncounted)
      route.handler = limitHandler(strangers, route.handler);
  });
  http.addHook('preValidation', (request, reply, done) => {
    const { owner } = request;
    const isUncounted = owner === undefined && endpointOf(request).config.uncounted;
    if (isUncounted && request.body === undefined) return done();
    if (owner !== undefined) reply.raw.once('close', scheduler.requestStarted(owner));
    scheduler.run(
      owner ?? (isUncounted ? SIGNED_CALLS : UNAUTHENTICATED),
      () => done(isUncounted ? undefined : parseRequest(request)),
      () => done(tooMany('from this account')),
    );
  });
}

/**
 * Limits the handlers of all endpoints without a key together. A handler counts until its response is sent, not until
 * it is read, because slow readers would take all slots.
 */
function limitHandler(limiter: ConcurrencyLimiter, handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (this: Http, request: FastifyRequest, reply: FastifyReply) {
    if (request.owner !== undefined) return handler.call(this, request, reply);
    return new Promise((settle, refuse) => {
      const work = async () => {
        const sent = whenSent(reply);
        const handled = reply.raw.destroyed ? void reply.hijack() : handler.call(this, request, reply);
        settle(handled);
        await Promise.race([sent, handled]);
      };
      limiter.run(request.client.name, work).catch(refuse);
    });
  } as RouteHandlerMethod;
}

/** Resolves before any response hook, because some hooks wait for the client. */
function whenSent(reply: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    const send = reply.send.bind(reply);
    reply.send = (payload?: unknown) => {
      resolve();
      return send(payload);
    };
  });
}

/** Maximum running and waiting requests of one kind, in all and per account. */
export const WORK_LIMITS = { maxRunning: 16, maxRunningOfOwner: 4, maxWaiting: 1000, maxWaitingOfOwner: 500 };

/** Runs an owner's work, which starts with its own slice. */
export type WorkInSlices = <Value>(owner: string, work: () => Promise<Value>) => Promise<Value>;

/**
 * Creates a limit for requests that continue after their first slice: an account runs few at a time, each starting in a
 * slice of the account. Refuses with `rate_limited` if too many wait.
 */
export function createWorkInSlices(): WorkInSlices {
  const limiter = new ConcurrencyLimiter({ ...WORK_LIMITS, refusal: () => tooMany('from this account') });
  return (owner, work) =>
    limiter.run(owner, async () => {
      await nextSlice();
      return work();
    });
}

function tooMany(whose: string): Refusal {
  return new Refusal('rate_limited', `Too many requests ${whose} are waiting. Try again later.`, retryAfter(1));
}
