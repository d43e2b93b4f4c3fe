import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import { endpointOf } from '../http/endpoint-of.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { type EventLoopScheduler, nextSlice } from './event-loop-scheduler.ts';

/** The owner of all requests without a key: together they may use what one account may. */
export const STRANGERS = 'strangers';

/** Runs a step of a request in a turn of its account; refuses with rate_limited where too many of the account wait. */
export type InTurn = (request: FastifyRequest, step: (refusal?: Refusal) => void) => void;

/**
 * Requests of strangers that are at work at a time, and that wait: of all strangers together and of one client. A proxy
 * that TRUST_PROXY does not name is one client.
 */
export const STRANGER_LIMITS = { maxRunning: 32, maxRunningOfOwner: 16, maxWaiting: 1000, maxWaitingOfOwner: 500 };

/** The body of a stranger is small and waits for no turn. */
export function createInTurn(scheduler: EventLoopScheduler): InTurn {
  return (request, step) => {
    if (request.owner === undefined) step();
    else runInTurn(scheduler, request.owner, step);
  };
}

function runInTurn(scheduler: EventLoopScheduler, owner: string, step: (refusal?: Refusal) => void): void {
  scheduler.run(
    owner,
    () => step(),
    () => step(tooMany('from this account')),
  );
}

/**
 * Starts requests in turns of their accounts (docs/limits.md#sharing-a-node). While a request runs, accounts with much
 * more usage are throttled. Strangers are one owner with a concurrency limit, shared round-robin by their clients.
 */
export function shareEventLoop(http: Http, scheduler: EventLoopScheduler): void {
  const strangers = new ConcurrencyLimiter({ ...STRANGER_LIMITS, refusal: () => tooMany('from this address') });
  http.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.public === true && !route.config.uncounted)
      route.handler = limitHandler(strangers, route.handler);
  });
  http.addHook('preHandler', (request, reply, done) => {
    const { owner } = request;
    if (owner !== undefined) reply.raw.once('close', scheduler.requestStarted(owner));
    if (owner === undefined && endpointOf(request).config.uncounted) done();
    else runInTurn(scheduler, owner ?? STRANGERS, done);
  });
}

/**
 * Limits the handlers of endpoints without a key, all together. A handler counts until it sends its answer, not until its
 * client has read it: clients that do not read would take all places.
 */
function limitHandler(limiter: ConcurrencyLimiter, handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (this: Http, request: FastifyRequest, reply: FastifyReply) {
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

/** Resolves before any hook of answers, because some of them wait for the client. */
function whenSent(reply: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    const send = reply.send.bind(reply);
    reply.send = (payload?: unknown) => {
      resolve();
      return send(payload);
    };
  });
}

/** Requests of a kind that are at work at a time, and that wait: of all accounts and of one. */
export const WORK_LIMITS = { maxRunning: 16, maxRunningOfOwner: 4, maxWaiting: 1000, maxWaitingOfOwner: 500 };

/** Runs the work of an owner's request, beginning with a slice of its own. */
export type WorkInSlices = <Value>(owner: string, work: () => Promise<Value>) => Promise<Value>;

/**
 * For requests that work beyond their first turn: limits how many of an account run at a time, and starts each in a slice
 * of its account. Refuses with rate_limited where too many of the account wait.
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
  return new Refusal('rate_limited', `Too many requests ${whose} are waiting; try again later.`, {
    headers: { 'retry-after': '1' },
  });
}
