import scalar from '@scalar/fastify-api-reference';
import type { Deps } from './deps.ts';
import type { Http } from './http.ts';
import { Refusal } from './lib/errors.ts';

/** What operators and tools ask: liveness, readiness, metrics, the API's own description. No key needed. */
export function operationsRoutes(http: Http, { metrics, notReadyBecause }: Deps): void {
  const config = { public: true } as const;
  const schema = { hide: true };
  http.get('/healthz', { config, schema }, async () => ({ status: 'ok' }));
  http.get('/readyz', { config, schema }, async () => {
    const reason = await notReadyBecause();
    if (reason) throw new Refusal('not_ready', reason, { headers: { 'retry-after': '1' } });
    return { status: 'ready' };
  });
  http.get('/metrics', { config, schema }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
  http.get('/openapi.json', { config, schema }, async () => http.swagger());
  http.register(scalar, {
    routePrefix: '/reference',
    configuration: { title: 'Doorstep API reference', url: '/openapi.json', withDefaultFonts: false },
  });
}
