import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Http } from '../../platform/http/http.ts';
import { parseLater } from '../../platform/http/parse-request.ts';
import { rawBodyOf } from '../../platform/http/raw-body.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { PluginRoute } from '../adapters/plugin.ts';

/** Maximum body, as of other endpoints without a key; these take bodies of any type, unparsed. */
const MAX_BODY_BYTES = 16 * 1024;

type Called = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, string | string[]> }>;

/**
 * Registers the endpoints of plug-ins below `/plugins/NAME` (docs/plugins.md#routes). The rate, concurrency and bytes
 * of requests without a key bound them. A route that fails is unavailable (503), as any external service is.
 */
export function pluginRoutes(http: Http, { pluginRoutes: routes }: { pluginRoutes: readonly PluginRoute[] }): void {
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    parseLater(scope, '*', (bytes) => bytes);
    for (const { method, path: url, handle } of routes) {
      const answer = async (request: Called, reply: FastifyReply) => {
        const { status = 200, type, body = '' } = await handle(requestOf(request));
        if (status < 200 || status >= 500)
          throw new OutsideError('plug-in', `${url} answered ${status}`, { retryable: true });
        if (type !== undefined) reply.type(type);
        return reply.code(status).send(typeof body === 'string' ? body : Buffer.from(body));
      };
      // A HEAD would run the handler of GET, which may count as a try.
      const options = { schema: { hide: true }, bodyLimit: MAX_BODY_BYTES, exposeHeadRoute: false };
      scope.route({ ...options, method, url, config: { public: true, rawBody: true }, handler: answer as never });
    }
  });
}

function requestOf(request: Called) {
  const { params, query, headers } = request;
  const values = Object.entries(query).map(([name, value]) => [name, [value].flat().at(-1) ?? ''] as const);
  return { params, query: Object.fromEntries(values), headers, body: rawBodyOf(request) };
}
