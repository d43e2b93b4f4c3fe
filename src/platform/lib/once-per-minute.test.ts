import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oncePerMinute } from './once-per-minute.ts';

test('a text has one line a minute with its count, whatever other texts are, and a clock that is set back silences nothing', () => {
  let elapsedMs = 100_000;
  const newsOf = oncePerMinute({ now: () => Temporal.Instant.fromEpochMilliseconds(0), elapsedMs: () => elapsedMs });
  assert.deepEqual([newsOf('a'), newsOf('a'), newsOf('b', 7)], [1, 0, 7]);
  elapsedMs += 59_999;
  assert.equal(newsOf('a', 20), 0);
  elapsedMs += 1;
  assert.deepEqual([newsOf('a'), newsOf('a')], [22, 0]);
  elapsedMs = 0;
  assert.deepEqual([newsOf('a'), newsOf('b')], [2, 1]);
});
