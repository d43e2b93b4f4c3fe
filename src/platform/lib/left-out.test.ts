import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReportLeftOut } from './left-out.ts';
import { createMetrics } from './metrics.ts';

test('whatever is left out is counted by kind, and logged once a minute with its number', async () => {
  let elapsedMs = 0;
  const lines: unknown[][] = [];
  const metrics = createMetrics();
  const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(0), elapsedMs: () => elapsedMs };
  const reportLeftOut = createReportLeftOut(
    { log: { warn: (...line: unknown[]) => void lines.push(line) }, clock, metrics },
    ['none'],
  );
  reportLeftOut('place', 'unreadable', { row: 1 });
  for (let row = 2; row < 100; row += 1) reportLeftOut('place', 'unreadable', { row });
  reportLeftOut('product', 'missing', { storeId: 'a' }, 3);
  elapsedMs = 60_000;
  reportLeftOut('place', 'unreadable', { row: 100 });
  assert.deepEqual(lines, [
    [{ row: 1, times: 1 }, 'unreadable'],
    [{ storeId: 'a', times: 3 }, 'missing'],
    [{ row: 100, times: 99 }, 'unreadable'],
  ]);
  const text = await metrics.text();
  assert.match(text, /^doorstep_left_out_total\{kind="place"\} 100$/m);
  assert.match(text, /^doorstep_left_out_total\{kind="product"\} 3$/m);
  assert.match(text, /^doorstep_left_out_total\{kind="none"\} 0$/m);
});
