import Fastify from 'fastify';
import type { Http } from '../src/http/http.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createSampler } from '../src/lib/tracing/sampler.ts';
import { inSpan } from '../src/lib/tracing/span.ts';
import { createTracer, type Tracer } from '../src/lib/tracing/tracer.ts';
import { traceRequests } from '../src/trace-requests.hook.ts';

/**
 * Answers requests of one kind and prints the microseconds of processor that each took: `bare` has no code of traces,
 * `off` has the code without a tracer, a number is the share of traces that a tracer records.
 * `node bench/traces-child.ts bare|off|RATIO REQUESTS`
 */
const [kind = 'bare', requests = '5000'] = process.argv.slice(2);
const REQUESTS = Number(requests);
const STATEMENTS = 5;

function tracerOf(ratio: number): Tracer {
  const sampler = createSampler({ name: 'traceidratio', ratio });
  return createTracer({ clock: systemClock, sampler, sink: { add: () => {}, flush: async () => {} } });
}

const tracer = kind === 'bare' || kind === 'off' ? undefined : tracerOf(Number(kind));
const http = Fastify() as unknown as Http;
const traceHandlers =
  kind === 'bare' ? undefined : traceRequests(http, { tracer, config: { trustProxy: [] } as never });
// The service has hooks of these kinds in any case, and the first of each kind costs more than the next.
http.addHook('onRequest', (_request, _reply, done) => done());
http.addHook('preHandler', (_request, _reply, done) => done());
http.addHook('onResponse', (_request, _reply, done) => done());
traceHandlers?.();
const begun = { name: 'select orders', kind: 'client' } as const;
const statement = async () => 1;
// Answers after a few awaited pieces of work, as a route with statements does. Only a tracer has statements wrapped.
http.get('/orders/:order_id', async () => {
  let rows = 0;
  for (let n = 0; n < STATEMENTS; n += 1) rows += await (tracer ? inSpan(begun, statement) : statement());
  return { rows };
});
await http.ready();

async function answer(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await http.inject('/orders/ord_1');
}

await answer(REQUESTS);
const before = process.cpuUsage();
await answer(REQUESTS);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / REQUESTS));
