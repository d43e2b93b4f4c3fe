import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { readSettings } from '../../app/wiring/read-settings.ts';
import { nextAttemptAt, type RetrySchedule } from './retry-schedule.ts';

const SINCE = Temporal.Instant.from('2026-06-10T12:00:00Z');
const MESSAGES: RetrySchedule = { delaysSeconds: [5, 10, 20, 40, 80, 160, 320, 640, 900], repeatsForHours: 24 };

/** All attempts of work that always fails, the first one late by this many hours. */
function attemptsOf(schedule: RetrySchedule, lateHours: number, chance: () => number): Temporal.Instant[] {
  const at: Temporal.Instant[] = [];
  let next: Temporal.Instant | undefined = SINCE.add({ milliseconds: Math.round(lateHours * 3_600_000) });
  while (next) {
    at.push(next);
    next = nextAttemptAt(schedule, { attempt: at.length, since: SINCE, now: next }, chance());
  }
  return at;
}

const delaysOf = (at: readonly Temporal.Instant[]) =>
  at.slice(1).map((instant, n) => at[n]?.until(instant).total('seconds') ?? 0);

test('by default a webhook call is retried nine times over about three days, then no more', () => {
  const delaysSeconds = readSettings({}).webhookRetrySchedule;
  const expected = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  assert.deepEqual(delaysOf(attemptsOf({ delaysSeconds }, 0, () => 0)), expected);
});

test('a repeating schedule continues with its last delay for its hours', () => {
  const delays = delaysOf(attemptsOf(MESSAGES, 0, () => 0));
  assert.deepEqual(delays.slice(0, 10), [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  assert.ok(delays.reduce((sum, seconds) => sum + seconds, 0) >= 86_400);
});

test('however late the first attempt, the whole list is tried, and retries end soon after the hours', () => {
  const late = fc.double({ min: 0, max: 100, noNaN: true });
  const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(late, chances, (lateHours, stream) => {
      const at = attemptsOf(MESSAGES, lateHours, () => stream.next().value as number);
      const hours = SINCE.until(at.at(-1) ?? SINCE).total('hours');
      assert.ok(at.length >= 10 && at.length <= 110);
      assert.ok(hours >= 24 && hours < Math.max(24, lateHours) + 1.5);
    }),
    { numRuns: runs(200) },
  );
});

test('jitter delays by up to a tenth, and never hurries', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
      const delay = nextAttemptAt(MESSAGES, { attempt, since: SINCE, now: SINCE }, chance)
        ?.since(SINCE)
        .total('seconds');
      const scheduled = MESSAGES.delaysSeconds[attempt - 1] ?? 900;
      assert.ok(delay !== undefined && delay >= scheduled && delay <= scheduled * 1.1 + 0.001, `${delay} s`);
    }),
  );
});
