import { Type } from 'typebox';
import { describedObject } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import type { Peers } from './peers.ts';

/* Endpoints for operations: liveness, readiness and metrics. */

const tags = ['Operations'];

/** Probes are not rate limited, because many arrive from one address. */
const config = { public: true, uncounted: true } as const;

/** Registers the liveness and readiness probes. No key is needed. */
export function probeRoutes(
  http: Http,
  probed: {
    notReadyBecause: (check: { database: boolean }) => Promise<string | undefined>;
    quietBecause: string | undefined;
  },
): void {
  const { notReadyBecause, quietBecause } = probed;
  const alive = {
    operationId: 'readLiveness',
    tags,
    summary: 'Check liveness',
    description: 'Returns 200 while the process accepts requests, without querying the database.',
    response: { 200: Type.Object({ status: Type.Literal('ok') }, { description: 'The process is alive.' }) },
  };
  http.get('/healthz', { config, schema: alive }, async () => ({ status: 'ok' as const }));

  const ready = {
    operationId: 'readReadiness',
    tags,
    summary: 'Check readiness',
    description:
      'Checks the database and the search index. Returns 503 with the reason while the process starts or stops, and while its database does not respond.',
    response: {
      200: describedObject('They are.', {
        status: Type.Literal('ready'),
        quiet: Type.Optional(
          Type.String({ description: 'Why this node takes no external action and refuses changes.' }),
        ),
      }),
    },
  };
  const node = {
    ...ready,
    operationId: 'readNodeReadiness',
    summary: 'Check readiness for a load balancer',
    description:
      'Like `/readyz`, but also returns 200 while the database does not respond: no process is ready then, and each one handles requests that need no database or returns `not_ready`.',
  };
  const refusing = { ...config, refuses: ['not_ready'] } as const;
  const answer = (check: { database: boolean }) => async () => {
    const reason = await notReadyBecause(check);
    if (reason) throw new Refusal('not_ready', reason, retryAfter(1));
    return { status: 'ready' as const, ...(quietBecause !== undefined && { quiet: quietBecause }) };
  };
  http.get('/readyz', { config: refusing, schema: ready }, answer({ database: true }));
  http.get('/readyz/node', { config: refusing, schema: node }, answer({ database: false }));
}

/** How long requests share a rendering, which takes milliseconds of the event loop. */
const RENDERING_MS = 1000;

/**
 * GET /metrics, of all workers. Needs no key: on the public port only this machine can read it, on METRICS_PORT anyone
 * who can reach the port.
 */
export function metricsRoute(
  http: Http,
  { metrics, peers }: { metrics: Metrics; peers: Peers },
  access: { localOnly?: true } = {},
): void {
  const render = shareRendering(peers.readMetrics ?? metrics.text);
  const measured = {
    operationId: 'readMetrics',
    tags,
    summary: 'Metrics',
    description:
      "Returns Prometheus metrics for all of the node's workers, up to one second old. Available only from the same machine, or only at `METRICS_PORT` if it is set.",
    produces: ['text/plain'],
    response: { 200: Type.String({ description: 'In Prometheus text format.' }) },
  };
  const refuses = access.localOnly ? (['route_not_found', 'rate_limited'] as const) : [];
  const options = { config: { ...config, ...access, refuses }, schema: measured, compress: false as const };
  http.get('/metrics', options, async (_request, reply) => reply.type(metrics.contentType).send(await render()));
}

/** Shares a rendering between concurrent requests, and caches the text for a moment. */
function shareRendering(render: () => Promise<string>): () => Promise<string> {
  let text: Promise<string> | undefined;
  let untilMs = -Infinity;
  return () => {
    if (text !== undefined && performance.now() < untilMs) return text;
    untilMs = Infinity;
    text = render();
    const keepFor = (ms: number) => () => {
      untilMs = performance.now() + ms;
    };
    text.then(keepFor(RENDERING_MS), keepFor(0));
    return text;
  };
}
