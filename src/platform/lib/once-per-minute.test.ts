import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oncePerMinute } from './once-per-minute.ts';

test('a text is news once a minute, whatever other texts are, and a clock that is set back silences nothing', () => {
  let elapsedMs = 100_000;
  const isNews = oncePerMinute({ now: () => Temporal.Instant.fromEpochMilliseconds(0), elapsedMs: () => elapsedMs });
  assert.deepEqual([isNews('a'), isNews('a'), isNews('b')], [true, false, true]);
  elapsedMs += 59_999;
  assert.equal(isNews('a'), false);
  elapsedMs += 1;
  assert.deepEqual([isNews('a'), isNews('a')], [true, false]);
  elapsedMs = 0;
  assert.equal(isNews('a'), true);
});
