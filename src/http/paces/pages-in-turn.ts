import type { FastifyRequest } from 'fastify';
import { limitByOwner } from '../../lib/limit-by-owner.ts';
import { Refusal } from '../refusal.ts';

/** Pages that are read at a time, and that wait: each may hold some megabytes. */
const LIMITS = { maxRunning: 6, maxRunningOfOwner: 1, maxWaiting: 800 };

/**
 * Each page is read, parsed and written for its caller alone. Measured before compression: a byte costs the service some
 * 60 ns of processor, and a byte of a list of stores 2.
 */
export const PAGE_WEIGHT = 8;

/** Reads a page in the turn of its owner. */
export type PagesInTurn = <Page>(request: FastifyRequest, owner: string, read: () => Promise<Page>) => Promise<Page>;

/**
 * Turns for large pages: each owner has one page read at a time. A request that arrived before the size of a page was known
 * waits here, and other requests take its turn. `pages` names the pages in the refusal, 429 `rate_limited`, of a request
 * that has no room to wait.
 */
export function pagesInTurn(pages: string, maxWaitingOfOwner: number): PagesInTurn {
  const refusal = () =>
    new Refusal('rate_limited', `Too many ${pages} of this account are read; send the request later.`, {
      headers: { 'retry-after': '1' },
    });
  const inTurn = limitByOwner({ ...LIMITS, maxWaitingOfOwner, refusal });
  return async (request, owner, read) => {
    for (;;) {
      const turn = await inTurn(owner, async () => {
        const waitMs = request.server.waitOfRead(request);
        return waitMs > 0 ? { waitMs } : { page: await read() };
      });
      if ('page' in turn) return turn.page;
      await new Promise((resolve) => setTimeout(resolve, turn.waitMs));
    }
  };
}
