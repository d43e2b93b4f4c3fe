import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../config.ts';
import { nextAttemptAt } from './retry-schedule.ts';

const NOW = Temporal.Instant.from('2026-06-10T12:00:00Z');
const { webhookRetrySchedule: SCHEDULE } = readConfig({});

test('nine retries over about three days, then no more', () => {
  const delays = SCHEDULE.map((_delay, n) =>
    nextAttemptAt(SCHEDULE, n + 1, NOW, 0)
      ?.since(NOW)
      .total('seconds'),
  );
  assert.deepEqual(delays, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  assert.equal(nextAttemptAt(SCHEDULE, 10, NOW, 0), undefined);
});

test('jitter delays by a tenth at most, and never hurries', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
      const delay = nextAttemptAt(SCHEDULE, attempt, NOW, chance)?.since(NOW).total('seconds') ?? 0;
      const scheduled = SCHEDULE[attempt - 1] ?? 0;
      assert.ok(delay >= scheduled && delay <= scheduled * 1.1 + 0.001, `${delay} s`);
    }),
  );
});
