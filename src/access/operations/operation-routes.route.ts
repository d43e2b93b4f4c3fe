import { present } from 'doorstep/collections';
import type { RouteOptions } from 'fastify';
import { Type } from 'typebox';
import type { Db } from '../../platform/db/connect.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { keepAnswer } from '../idempotency/idempotency.hook.ts';
import { REPLAY_HOURS } from '../idempotency/idempotency.ts';
import { type By, describeOn, type Operation, type Save } from './operation.ts';

/** Registers a module's operations in the account API and the Store API, for each of those that have them. */
export function operationRoutes<Deps extends { db: Db; clock: Clock }>(
  http: Http,
  deps: Deps,
  surfaces: readonly ('account' | 'store')[],
  operations: readonly Operation<Deps>[],
): void {
  for (const surface of surfaces)
    for (const one of operations) if (one.on[surface]) http.route(routeOf(deps, surface, one));
}

function routeOf<Deps extends { db: Db; clock: Clock }>(
  deps: Deps,
  surface: 'account' | 'store',
  one: Operation<Deps>,
): RouteOptions {
  const { account, store } = one.on;
  const { method, url, answer, refuses, ...described } = describeOn(one as Operation, surface);
  const { params, query: querystring, body = method === 'GET' ? undefined : Type.Object({}) } = one;
  const limits = surface === 'account' ? { scope: account?.scope } : { audience: surface, ownerOnly: store?.ownerOnly };
  return {
    method,
    url,
    schema: { ...described, ...present({ params, querystring, body }), response: { 200: answer } },
    config: { ...present({ ...limits, strict: one.strict, replayHours: one.keys && REPLAY_HOURS }), refuses },
    async handler({ caller, merchant, session, params, query, body, claim }) {
      const by: By = surface === 'account' ? { surface, caller } : { surface, merchant, session };
      if (by.surface === 'store') store?.admit?.(merchant);
      const save: Save = (change) =>
        deps.db.transaction().execute(async (tx) => keepAnswer(tx, claim, await change(tx, deps.clock.now())));
      return one.run(deps, { by, params, query, body, more: {}, save });
    },
  };
}
