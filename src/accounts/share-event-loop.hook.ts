import type { FastifyRequest } from 'fastify';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { FairTurns } from '../lib/fair-turns.ts';
import { ownerOf } from './account.ts';

/** Runs a step of a request in a turn of its account; refuses with rate_limited where too many of the account wait. */
export type InTurn = (request: FastifyRequest, step: (refusal?: Refusal) => void) => void;

/** A request without a caller waits for no turn: the limits of addresses and connections hold for such a request. */
export function createInTurn(turns: FairTurns): InTurn {
  return (request, step) => {
    const { caller } = request;
    if (!caller) return step();
    turns.run(
      ownerOf(caller),
      () => step(),
      () => step(tooMany()),
    );
  };
}

/**
 * Begins the work of requests in the turns of their accounts (docs/behaviour.md#sharing-a-node). Until its answer is sent
 * or its client has gone, a request holds back accounts that have used much more.
 */
export function shareEventLoop(http: Http, turns: FairTurns): void {
  const inTurn = createInTurn(turns);
  http.addHook('preHandler', (request, reply, done) => {
    if (request.caller) reply.raw.once('close', turns.enter(ownerOf(request.caller)));
    inTurn(request, done);
  });
}

function tooMany(): Refusal {
  return new Refusal('rate_limited', 'Too many requests of this account wait; send this one again later.', {
    headers: { 'retry-after': '1' },
  });
}
