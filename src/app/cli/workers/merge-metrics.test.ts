import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../../platform/lib/metrics.ts';
import { mergeMetrics } from './merge-metrics.ts';

async function workerMetrics(worker: string, requests: number): Promise<string> {
  const metrics = createMetrics({ worker });
  for (let n = 0; n < requests; n += 1) metrics.observeRequest('/x', 'GET', 200, 0.002);
  metrics.gauge(`doorstep_only_${worker}`, 'Of one process.', () => 7);
  return metrics.text();
}

test('the metrics of several processes are one text: each metric once, with the series of each process', async () => {
  const text = mergeMetrics([await workerMetrics('1', 3), await workerMetrics('2', 5)]);
  const lines = text.split('\n');
  const types = lines.filter((line) => line.startsWith('# TYPE'));
  assert.equal(new Set(types).size, types.length);
  const counts = lines.filter((line) => line.startsWith('doorstep_http_request_duration_seconds_count'));
  assert.deepEqual(
    counts.map((line) => [/worker="(\d)"/.exec(line)?.[1], line.split(' ').at(-1)]),
    [
      ['1', '3'],
      ['2', '5'],
    ],
  );
  // Every series must follow the header of its own metric.
  let metric = '';
  for (const line of lines.filter((each) => each !== '')) {
    if (line.startsWith('#')) metric = line.split(' ')[2] ?? '';
    else assert.ok(line.startsWith(metric), `${line} behind ${metric}`);
  }
  for (const worker of ['1', '2']) assert.match(text, new RegExp(`doorstep_only_${worker}\\{worker="${worker}"\\} 7`));
});

test('no metrics are an empty text', () => {
  assert.equal(mergeMetrics([]), '');
});
