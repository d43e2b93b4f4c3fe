import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import { endpointOf } from '../http/endpoint-of.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { FairTurns } from '../lib/fair-turns.ts';
import { limitByOwner } from '../lib/limit-by-owner.ts';
import type { Slice } from '../lib/slice.ts';
import { type Caller, ownerOf, STRANGERS } from './account.ts';

/** Runs a step of a request in a turn of its account; refuses with rate_limited where too many of the account wait. */
export type InTurn = (request: FastifyRequest, step: (refusal?: Refusal) => void) => void;

/**
 * Requests of strangers that are at work at a time, and that wait: of all strangers together and of one client. A proxy
 * that TRUST_PROXY does not name is one client.
 */
export const STRANGER_LIMITS = { maxRunning: 32, maxRunningOfOwner: 16, maxWaiting: 1000, maxWaitingOfOwner: 500 };

/** The body of a stranger is small and waits for no turn. */
export function createInTurn(turns: FairTurns): InTurn {
  return (request, step) => {
    if (request.owner === undefined) step();
    else runInTurn(turns, request.owner, step);
  };
}

function runInTurn(turns: FairTurns, owner: string, step: (refusal?: Refusal) => void): void {
  turns.run(
    owner,
    () => step(),
    () => step(tooMany('from this account')),
  );
}

/**
 * Starts requests in turns of their accounts (docs/behaviour.md#sharing-a-node). While a request runs, accounts with much
 * more usage are throttled. Strangers are one owner with a concurrency limit, shared round-robin by their clients.
 */
export function shareEventLoop(http: Http, turns: FairTurns): void {
  const limited = createLimitStrangers();
  http.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.public === true && !route.config.uncounted) route.handler = limited(route.handler);
  });
  http.addHook('preHandler', (request, reply, done) => {
    const { owner } = request;
    if (owner !== undefined) reply.raw.once('close', turns.enter(owner));
    if (owner === undefined && endpointOf(request).config.uncounted) done();
    else runInTurn(turns, owner ?? STRANGERS, done);
  });
}

/** Limits the handlers of endpoints without a key, all together. */
function createLimitStrangers(): (handler: RouteHandlerMethod) => RouteHandlerMethod {
  const inTurn = limitByOwner({ ...STRANGER_LIMITS, refusal: () => tooMany('from this address') });
  // The framework makes the HEAD of an endpoint of the handler of its GET.
  const known = new WeakSet<RouteHandlerMethod>();
  return (handler) => {
    if (known.has(handler)) return handler;
    const limited = function (this: Http, request: FastifyRequest, reply: FastifyReply) {
      return inTurn(request.client.name, async () => {
        if (reply.raw.destroyed) return void reply.hijack();
        return handler.call(this, request, reply);
      });
    } as RouteHandlerMethod;
    known.add(limited);
    return limited;
  };
}

/** Requests of a kind that are at work at a time, and that wait: of all accounts and of one. */
export const WORK_LIMITS = { maxRunning: 16, maxRunningOfOwner: 4, maxWaiting: 1000, maxWaitingOfOwner: 500 };

/** Runs the work of a caller's request in slices of the account. */
export type WorkInTurns = <Value>(caller: Caller, work: (slice: Slice) => Promise<Value>) => Promise<Value>;

/**
 * For requests that work beyond their first turn: limits how many of an account run at a time, and starts each in a slice
 * of its account. Refuses with rate_limited where too many of the account wait.
 */
export function createWorkInTurns(turns: Pick<FairTurns, 'sliceOf'>): WorkInTurns {
  const limit = limitByOwner({ ...WORK_LIMITS, refusal: () => tooMany('from this account') });
  return (caller, work) => {
    const owner = ownerOf(caller);
    return limit(owner, async () => {
      const slice = turns.sliceOf(owner);
      await slice.next();
      return work(slice);
    });
  };
}

function tooMany(whose: string): Refusal {
  return new Refusal('rate_limited', `Too many requests ${whose} are waiting; try again later.`, {
    headers: { 'retry-after': '1' },
  });
}
