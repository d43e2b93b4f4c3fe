import assert from 'node:assert/strict';
import { test } from 'node:test';
import { epochMsOf, systemClock } from './clock.ts';

test('the milliseconds of the system clock are those of its instants', () => {
  for (let round = 0; round < 2000; round += 1) {
    const before = systemClock.now().epochMilliseconds;
    const ms = epochMsOf(systemClock);
    const after = systemClock.now().epochMilliseconds;
    assert.ok(Number.isInteger(ms) && before <= ms && ms <= after, `${before} ${ms} ${after}`);
  }
});

test('a clock that tells instants alone tells the milliseconds of its instant', () => {
  assert.equal(epochMsOf({ now: () => Temporal.Instant.from('2026-06-10T17:00:00.123Z') }), 1781110800123);
});
