import { Type } from 'typebox';
import type { Http } from './http/http.ts';
import { Refusal } from './http/refusal.ts';
import type { Metrics } from './lib/metrics.ts';

const tags = ['Operations'];

/** Liveness, readiness and metrics for operators and their tools. No key is needed. */
export function operationsRoutes(
  http: Http,
  { metrics, notReadyBecause }: { metrics: Metrics; notReadyBecause: () => Promise<string | undefined> },
): void {
  const config = { public: true } as const;
  const alive = {
    operationId: 'readLiveness',
    tags,
    summary: 'Whether the process lives',
    response: { 200: Type.Object({ status: Type.Literal('ok') }, { description: 'It lives.' }) },
  };
  http.get('/healthz', { config, schema: alive }, async () => ({ status: 'ok' as const }));

  const ready = {
    operationId: 'readReadiness',
    tags,
    summary: 'Whether the database and the search index are ready',
    response: { 200: Type.Object({ status: Type.Literal('ready') }, { description: 'They are.' }) },
  };
  http.get('/readyz', { config: { ...config, refuses: ['not_ready'] }, schema: ready }, async () => {
    const reason = await notReadyBecause();
    if (reason) throw new Refusal('not_ready', reason, { headers: { 'retry-after': '1' } });
    return { status: 'ready' as const };
  });

  const measured = {
    operationId: 'readMetrics',
    tags,
    summary: 'Metrics',
    produces: ['text/plain'],
    response: { 200: Type.String({ description: 'In the text format of Prometheus.' }) },
  };
  http.get('/metrics', { config, schema: measured }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}
