import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { runs } from '../../../test/runs.ts';
import { createMetrics } from './metrics.ts';

const NAME = 'doorstep_http_request_duration_seconds';

/** The lines of the histogram in any order. */
const histogramLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.includes(NAME))
    .sort();

test('every request is in the buckets, the sum and the count that the histogram of the package would show', async () => {
  const request = fc.record({
    route: fc.constantFrom('/a', '/b', 'none'),
    method: fc.constantFrom('GET', 'POST'),
    status: fc.constantFrom(200, 404, 500),
    // The bucket bounds and values on both sides of them; eighths and their sums are exact.
    seconds: fc.oneof(
      fc.constantFrom(0.001, 0.003, 0.01, 1, 3, 10),
      fc.integer({ min: 0, max: 100 }).map((n) => n / 8),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
      const ours = createMetrics({ worker: '1' });
      const registry = new Registry();
      registry.setDefaultLabels({ worker: '1' });
      const expected = new Histogram({
        name: NAME,
        help: 'Duration of HTTP requests by route pattern, method and status.',
        labelNames: ['route', 'method', 'status'],
        buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
        registers: [registry],
      });
      for (const { route, method, status, seconds } of requests) {
        ours.observeRequest(route, method, status, seconds);
        expected.observe({ route, method, status }, seconds);
      }
      assert.deepEqual(histogramLines(await ours.text()), histogramLines(await registry.metrics()));
    }),
    { numRuns: runs(30) },
  );
});
