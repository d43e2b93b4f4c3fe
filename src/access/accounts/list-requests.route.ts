import { Type } from 'typebox';
import { describedObject, optionalText } from '../../platform/http/api-components.ts';
import { endpointOf } from '../../platform/http/endpoint-of.ts';
import type { Http } from '../../platform/http/http.ts';
import { type Clock, epochMsOf } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { ownerOf } from './account.ts';
import { RequestRing } from './request-ring.ts';

/** Limits of the log: about 60 KB per account, 30 MB in all. */
const LIMITS = { maxOfOwner: 200, maxOwners: 500 };
const MAX_PATH = 200;
/** Routes that are not logged, because polling them would crowd out all other requests. */
const UNLOGGED_ROUTES: ReadonlySet<string | undefined> = new Set(['/account/requests', '/account/events']);

const schema = {
  operationId: 'listRequests',
  summary: 'The last requests of the account',
  description:
    'Requests of all keys of the account to this process, with their answers, without query, headers and body. For development: the process keeps the last 200 in memory, and forgets them when it ends.',
  querystring: Type.Object({
    after: optionalText(64, 'The `next` of the answer before: leaves out what that answer has.'),
  }),
  response: {
    200: describedObject('Up to 200 requests, oldest first.', {
      requests: Type.Array(
        Type.Object({
          timestamp: Type.String({ format: 'date-time', description: 'When the request was answered, in UTC.' }),
          method: Type.String(),
          path: Type.String({ description: 'Without its query; at most 200 letters.' }),
          status: Type.Integer(),
          ms: Type.Integer({ description: 'How long the answer took, in milliseconds.' }),
          request_id: Type.String({ description: 'The `x-request-id` of the answer.' }),
        }),
      ),
      next: Type.String({ description: 'Where the next answer begins. Opaque.' }),
      is_complete: Type.Boolean({
        description: 'False where requests since `after` are missing: too many, or another process answered before.',
      }),
    }),
  },
};

/** GET /account/requests: what `doorstep logs tail` shows (docs/requests.md#your-recent-requests, ADR 38). */
export function listRequestsRoute(http: Http, { clock }: { clock: Clock }): void {
  const ring = new RequestRing(LIMITS);
  const node = randomId('', 9);
  http.addHook('onResponse', (request, reply, done) => {
    const { caller, method, id: requestId } = request;
    const { url: route } = endpointOf(request);
    if (!caller || caller.visitor || UNLOGGED_ROUTES.has(route)) return done();
    const path = loggedPath(request.url, route);
    const ms = Math.round(reply.elapsedTime);
    ring.record(ownerOf(caller), { atMs: epochMsOf(clock), method, path, status: reply.statusCode, ms, requestId });
    done();
  });
  http.get('/account/requests', { schema, config: { scope: 'read' } }, async ({ query, caller }) => {
    const [known, digits = ''] = query.after?.split('.') ?? [];
    const isKnown = known === node && /^\d{1,15}$/.test(digits);
    const { requests, count, missed } = ring.since(ownerOf(caller), isKnown ? Number(digits) : 0);
    return {
      requests: requests.map(({ atMs, requestId, ...more }) => ({
        ...more,
        timestamp: Temporal.Instant.fromEpochMilliseconds(atMs).toString(),
        request_id: requestId,
      })),
      next: `${node}.${count}`,
      is_complete: missed === 0 && (isKnown || query.after === undefined),
    };
  });
}

/** Returns the shortened path of a request. For a route without parameters, the route's own text. */
function loggedPath(url: string, route: string | undefined): string {
  const query = url.indexOf('?');
  const end = query === -1 ? url.length : query;
  if (route !== undefined && end === route.length && url.startsWith(route)) return route;
  return url.slice(0, Math.min(end, MAX_PATH));
}
