import type { Config } from '../../platform/config/config.ts';
import type { Client } from '../../platform/http/client-of.ts';
import { type Clock, elapsedMsOf } from '../../platform/lib/clock.ts';
import { RateLimit, rateLimited } from '../../platform/load/rate-limit.ts';
import type { SharedCounters } from '../../platform/load/shared-counters.ts';
import type { Caller, Visitor, VisitorBound } from './account.ts';

/** A visitor may use a tenth of the hourly bound at once, so a window is a tenth of an hour. */
const WINDOWS_PER_HOUR = 10;
const WINDOW_MS = 3_600_000 / WINDOWS_PER_HOUR;

/**
 * Names the visitor of a request with a publishable key. Its limits hold for one key, on all workers of this node; they
 * equal an address's unless `times` multiplies them.
 */
export type VisitorOf = (
  caller: Pick<Caller, 'keyId'>,
  client: Pick<Client, 'name' | 'kind'>,
  times?: number,
) => Visitor;

/** The customer of a token: one limit for all endpoints that their programs call. */
export const visitorOfCustomer = (
  visitorOf: VisitorOf,
  { accountId, mode, userId }: Pick<Caller, 'accountId' | 'mode' | 'userId'>,
): Visitor => visitorOf({ keyId: `customer ${accountId} ${mode}` }, { name: userId ?? '', kind: 'single' });

declare module 'fastify' {
  interface FastifyInstance {
    visitorOf: VisitorOf;
  }
}

export function createVisitors(
  perHour: Config['visitorsPerHour'],
  { clock, peers }: { clock: Clock; peers: SharedCounters },
): VisitorOf {
  const limits = Object.entries(perHour).map(([kind, bound]) => {
    const requests = new RateLimit({
      scope: `visitors' ${kind}`,
      windowMs: WINDOW_MS,
      nowMs: () => elapsedMsOf(clock),
      peers,
    });
    return [kind, { requests, bound }] as const;
  });
  const limitOf = Object.fromEntries(limits) as Record<VisitorBound, (typeof limits)[number][1]>;
  return ({ keyId }, { name, kind: clientKind }, times = 1) => ({
    name,
    isSingle: clientKind === 'single',
    count(kind) {
      // An address that may be a proxy can have any number of visitors, so it has no bound.
      if (clientKind !== 'single') return;
      const { requests, bound } = limitOf[kind];
      const limit = Math.ceil((bound * times) / WINDOWS_PER_HOUR);
      const counted = { limit, ...requests.count(`${keyId} ${name}`) };
      if (counted.count > limit) throw rateLimited(`Too many ${kind} within a few minutes.`, counted);
    },
  });
}
