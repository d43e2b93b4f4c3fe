import { Type } from 'typebox';
import { bool, describedObject, integer, optionalText, text } from '../../platform/http/api-components.ts';
import { endpointOf } from '../../platform/http/endpoint-of.ts';
import type { Http } from '../../platform/http/http.ts';
import { type Clock, epochMsOf } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { ownerOf } from './account.ts';
import { RequestRing } from './request-ring.ts';

/** Limits of the log: about 60 KB per account, 30 MB in all. */
const LIMITS = { maxOfOwner: 200, maxOwners: 500 };
const MAX_PATH = 200;
/** Unlogged routes, because polling them would crowd out all other requests. */
const UNLOGGED_ROUTES: ReadonlySet<string | undefined> = new Set(['/account/requests', '/account/events']);

const schema = {
  operationId: 'listRequests',
  summary: "List the account's recent requests",
  description:
    "Lists requests with any of the account's keys to this process, and their responses, without query, headers or body. Intended for development: the process keeps the last 200 requests in memory until it stops.",
  querystring: Type.Object({
    after: optionalText(64, "The previous response's `next`. Returns only newer requests."),
  }),
  response: {
    200: describedObject('Up to 200 requests, oldest first.', {
      requests: Type.Array(
        Type.Object({
          timestamp: Type.String({ format: 'date-time', description: 'When the response was sent, in UTC.' }),
          method: Type.String(),
          path: text('The path without its query, up to 200 characters.'),
          status: Type.Integer(),
          ms: integer('The response time in milliseconds.'),
          request_id: text("The response's `x-request-id`."),
        }),
      ),
      next: text('Send it as `after` to get newer requests. Opaque.'),
      is_complete: bool(
        '`false` if requests since `after` are missing because there were too many, or because another process sent the previous response.',
      ),
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
