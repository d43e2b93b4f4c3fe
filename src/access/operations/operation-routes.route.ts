import { present } from 'doorstep/collections';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Context } from '../../platform/db/context.ts';
import type { Http } from '../../platform/http/http.ts';
import { JsonBytes, sendJsonBytes } from '../../platform/http/send-bytes.ts';
import { sendTextFile, TextFile } from '../../platform/http/send-csv.ts';
import type { InTurn } from '../../platform/lib/csv.ts';
import { limitLargePages, type ReadLargePage } from '../../platform/load/pace-answers.hook.ts';
import { ownerOf } from '../accounts/account.ts';
import { keepAnswer, readIdempotencyKey } from '../idempotency/idempotency.hook.ts';
import { REPLAY_HOURS } from '../idempotency/idempotency.ts';
import { recorderOf } from '../sessions/actions.db.ts';
import { type By, type Call, endpointOn, type Operation, type Save, type Surface } from './operation.ts';

/* Serves operations: their routes on each surface, and runs without a request for the command line. */

/** Pages of one caller that may wait for another. */
const MAX_WAITING_PAGES = 20;

/** Registers a module's operations on some surfaces, for each of those that have them. */
export function operationRoutes<Deps extends Context>(
  http: Http,
  deps: Deps,
  surfaces: readonly Surface[],
  operations: readonly Operation<NoInfer<Deps>>[],
): void {
  const limiters = new Map<Operation['largePages'], ReadLargePage>();
  for (const surface of surfaces) {
    for (const one of operations.filter(({ on }) => on[surface])) {
      const served = endpointOn(one, surface);
      const { name: operationId, method, url, params, query: querystring, body, answer, refuses, largePages } = served;
      const { config, summary, description, example, bodyLimit, strict, keys } = served;
      const [pages, maxWaiting = MAX_WAITING_PAGES] =
        typeof largePages === 'string' ? [largePages] : (largePages ?? []);
      if (pages !== undefined && !limiters.has(largePages))
        limiters.set(largePages, limitLargePages(pages, maxWaiting));
      const limit = limiters.get(largePages);
      http.route({
        method,
        url,
        schema: {
          ...present({ operationId, summary, description, example, params, querystring, body }),
          response: { 200: answer },
        },
        config: {
          ...limitsOf(one, surface),
          ...config,
          ...present({ strict, replayHours: keys && REPLAY_HOURS, isSecret: keys?.isSecret }),
          refuses,
        },
        ...present({ bodyLimit }),
        async handler(request, reply) {
          const { claim, params, query, body } = request;
          const inTurn: InTurn = (read) => (limit ? limit(request, turnOwner(surface, request), read) : read());
          const readKey = () => readIdempotencyKey(request);
          const call = { by: byOf(surface, request), claim, readKey, inTurn, params, query, body };
          const answer = await runOperation(deps, one, call);
          if (answer instanceof JsonBytes) return sendJsonBytes(request, reply, answer.parts);
          return answer instanceof TextFile ? sendTextFile(reply, answer) : answer;
        },
      });
    }
  }
}

function limitsOf({ on: { account, store, operator } }: Pick<Operation, 'on'>, surface: Surface): FastifyContextConfig {
  if (surface === 'account') return present({ scope: account?.scope });
  const audience = surface;
  return present(surface === 'store' ? { audience, ownerOnly: store?.ownerOnly } : { audience, role: operator?.role });
}

function byOf(surface: Surface, { caller, merchant, session }: FastifyRequest): By {
  if (surface === 'account') return { surface, caller };
  return surface === 'store' ? { surface, merchant, session } : { surface, session };
}

/** The owner of a turn at large pages: an account's keys and a store's tablets share one. */
const turnOwner = (surface: Surface, { holder, caller, merchant }: FastifyRequest) =>
  ({
    account: () => ownerOf(caller),
    store: () => `${merchant.storeId} ${merchant.accountId ?? ''}`,
    operator: () => holder,
  })[surface]();

type Given = Omit<Call<unknown, unknown, unknown>, 'save' | 'more'>;

/** Runs an operation for a route or a command. */
export async function runOperation<Deps extends Context, Answer extends TSchema>(
  deps: Deps,
  one: Operation<Deps, string, TObject, TObject, TObject, TObject, Answer>,
  call: Given,
): Promise<Static<Answer>> {
  const { by, claim, params, query, body } = call;
  if (by.surface === 'store') one.on.store?.admit?.(by.merchant);
  const isRead = one.endpoint.startsWith('GET');
  const operatorFields = by.surface === 'operator' ? (one.operatorFields?.properties ?? {}) : {};
  const sent = Object.entries((isRead ? query : body) ?? {});
  const more = Object.fromEntries(sent.filter(([name]) => Object.hasOwn(operatorFields, name)));
  const own = Object.fromEntries(sent.filter(([name]) => !Object.hasOwn(operatorFields, name)));
  const [action, target = ''] = one.on.operator?.records ?? [];
  const save: Save = (
    change,
    entry = (result) =>
      action !== undefined && {
        action,
        target: `${{ ...result, ...(params as object) }[target as never]}`,
        details: { ...(body as object) },
      },
  ) => {
    const kept = async (tx: Parameters<typeof change>[0], at: Temporal.Instant) =>
      keepAnswer(tx, claim, await change(tx, at));
    if (by.surface === 'operator') return recorderOf(deps)(by.session)(kept, entry);
    return deps.db.transaction().execute((tx) => kept(tx, deps.clock.now()));
  };
  return one.run(deps, { ...call, save, more, ...(isRead ? { query: own } : { body: own }) });
}
